"""Traces: many rows of one person for one level, however many rows there are.

A row repeats the last position that was put out, unless a noisy test says that the person is too
far from it; then a fresh position is drawn. Of each person at most so many are fresh: see
`mechanisms.trace_noise` for the law and for why its level does not grow with the rows. How many
positions are fresh is seen in the output.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final

from tightrope.constructions import trace_noise
from tightrope.errors import BadInput
from tightrope.exact import FloatArray, IntArray, Level, short_text, stated_whole
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.locations.describing import plan_facts
from tightrope.locations.lengths import length_text, meters
from tightrope.locations.located import Blurring
from tightrope.locations.planning import LocationPlan, noise
from tightrope.mechanisms import MOST_FRESH, NoiseSum
from tightrope.privacy import Certified
from tightrope.samplers import SYSTEM, Source, draw_traces
from tightrope.spaces import Positions, Traces

USUAL_ROWS: Final = 100
_CONFIDENCE: Final = Fraction(95, 100)


@dataclass(frozen=True, repr=False)
class TracePlan(Blurring):
    """Fresh positions of planar noise, and the noise that decides when one is drawn.

    `position` is the noise of a fresh one by itself.

    >>> traces("-4,40,-3,41", "200 m", 2, fresh=3)
    TracePlan: positions within 200 m look alike up to factor 2; fresh ones move 3,469 m on average
      fresh positions  3 of a person at most, each off by 3,469 m on average
      in between       the last one is repeated up to about 52.2 km from it
    """

    certified: Certified
    position: LocationPlan
    jump: Fraction
    prior: ClassVar[None] = None
    releases: ClassVar[int] = 1
    traced: ClassVar[bool] = True
    refused: ClassVar[Mapping[str, str]] = {
        "place": "positions of places are drawn by noise or on cells; a trace has none: leave out "
                 "the column of places.",
    }

    @property
    def mechanism(self) -> Any:
        """The mechanism: noise of positions, bars and tests."""
        return self.certified.mechanism

    @property
    def fresh(self) -> int:
        """How many positions of a person are fresh at most."""
        return int(self.mechanism.fresh)

    @property
    def space(self) -> Positions:
        """Region, distance and cells."""
        return self.position.space

    @property
    def factor(self) -> Fraction:
        """How far apart probabilities of whole traces may be."""
        return self.position.factor

    @property
    def level(self) -> Level:
        """The level of all rows of a person together, proved."""
        return self.certified.certificate.level

    @property
    def mean_displacement(self) -> float:
        """Meters between truth and output on average where a position is fresh, at most."""
        return self.position.mean_displacement

    @property
    def promise(self) -> str:
        """The promise, in one sentence."""
        return (
            "Whatever is put out for a person, two traces of as many rows that are at most "
            f"{short_text(self.space.within)} m apart on Earth row by row give it with "
            f"probabilities that differ by a factor of at most {short_text(self.factor)}; at most "
            f"{self.fresh:,} positions of a person are fresh, the others repeat the last one."
        )

    def draw(
        self, lon: FloatArray, lat: FloatArray, people: IntArray, *, cut: bool = False,
        source: Source = SYSTEM,
    ) -> tuple[FloatArray, FloatArray]:
        """New positions of traces; `people` numbers the traces from 0 on."""
        cells = draw_traces(self.certified, lon, lat, people, source)
        return self.space.centers(*(self.space.cut(*cells) if cut else cells))

    def document_fields(self) -> dict[str, Any]:
        """How the mechanism was made, for its document."""
        return {"name": "predictive", "jump": str(self.jump), "remapped": False}

    def facts(self) -> Facts:
        """How many positions are fresh and how far off; lengths in meters."""
        certificate, position = self.certified.certificate, self.position
        return plan_facts(
            self,
            Fact("fresh", "fresh positions", Shown(
                self.fresh, f"{self.fresh:,} of a person at most, each off by "
                f"{length_text(self.mean_displacement)} on average")),
            Fact("jump", "in between", Shown(
                float(self.jump),
                f"the last one is repeated up to about {length_text(float(self.jump))} from it")),
            *data(construction="predictive", steps_apart=self.space.apart,
                  displacement_95=position.far_displacement, remapped=False),
            level=self.level, neighbors=certificate.neighbors, moving="fresh ones move")

    __repr__ = lines_of
    _repr_html_ = card_of


def traces(
    region: Any, within: str, factor: Any, *, fresh: int, jump: str | None = None,
    rows: int = USUAL_ROWS,
) -> TracePlan:
    """The mechanism for traces of which at most so many positions are fresh.

    Half of the level is for fresh positions, the rest for bars and tests. A fresh position is
    likely once a person is farther than `jump` from the last one; if not given, it is so far
    that of 100 people who stay put over so many `rows` about 95 are not moved again. More rows
    cost nothing, they only make needless fresh positions likelier.

    Returns: a `TracePlan`; its `blur` draws new traces.

    Raises: `BadInput` for a region or length that cannot be read, a level that no one would want,
    or `fresh` not from 1 to 100.

    >>> from tightrope.exact import Level
    >>> traces("-4,40,-3,41", "200 m", 2, fresh=3).level.compare_level(Level.ratio(2)) <= 0
    True
    """
    count = stated_whole(fresh, "how many positions of a person are fresh, as a whole number")
    if not 1 <= count <= MOST_FRESH:
        raise BadInput(f"expected from 1 to {MOST_FRESH} fresh positions of a person.")
    position = noise(region, within, factor, releases=2 * count)
    space, level = position.space, Level.ratio(position.factor)

    def prove(steps: int) -> Certified:
        return trace_noise(Traces(space), level, fresh=count, jump=steps)

    if jump is not None:
        length = meters(jump)
    else:
        sure = 1 - (1 - _CONFIDENCE) / stated_whole(rows, "how many rows a person has, about")
        law: Any = prove(0).mechanism
        reach = NoiseSum(law.tests, 1).reach(sure) * space.step
        length = Fraction(round(position.far_displacement + float(reach)))
    return TracePlan(prove(int(length / space.step)), position, length)
