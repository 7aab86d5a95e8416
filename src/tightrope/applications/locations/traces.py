"""Traces: many rows of one person for one level, however many rows there are.

A row repeats the last position that was put out, unless a noisy test says that the person is too
far from it; then a fresh position is drawn. Of each person at most F are fresh. What is tested
is the distance to the last output in whole steps, below a bar, both with noise of their own.

Neighbors are traces at most `within` apart row by row, so m steps apart in cells: every tested
distance changes by at most m. Move the noise of the bar by m as well: whatever stayed below it
still does, at the price of the bar's noise at m, and the one test that went above differs by at
most 2m, the price of a test's noise at 2m (Dwork, Naor, Reingold, Rothblum and Vadhan, 2009; the
noise of a bar is drawn anew after each fresh position). So all tests up to a fresh position cost
the bar once and one test, and the total is F times bar, test and fresh position: it is fixed in
advance and does not grow with the rows. How many positions are fresh is seen in the output.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any, Final

import numpy as np

from tightrope.applications.locations.lengths import meters, shown
from tightrope.applications.locations.planning import LocationPlan, plan_locations
from tightrope.constructions import tally_noise
from tightrope.errors import BadInput
from tightrope.exact import FloatArray, IntArray, Level, short_text, stated_whole
from tightrope.mechanisms import NoiseSum
from tightrope.privacy import Certified, sequential
from tightrope.samplers import SYSTEM, Source, draw, draw_cells
from tightrope.spaces import Positions, Tallies

MOST_FRESH: Final = 100
USUAL_ROWS: Final = 100
_SHARES: Final = {"bar": Fraction(1, 5), "test": Fraction(3, 10)}
"""Parts of the level of a fresh position and all that leads to it; the position has the rest."""
_CONFIDENCE: Final = Fraction(95, 100)


Cells = tuple[IntArray, IntArray]


@dataclass(frozen=True)
class Noise:
    """What was drawn for traces: a noisy cell and a test for each row, bars for each trace."""

    cells: Cells
    tests: Sequence[int]
    bars: Sequence[int]


def followed(
    cells: Cells, people: Sequence[int], noise: Noise, jump: int, fresh: int
) -> Cells:
    """The cells that are put out.

    Each trace starts at the middle of the region. A row whose distance to the last output, with
    the noise of its test, is above the bar takes its noisy cell; after so many there is no test.
    """
    (east, north), (new_east, new_north) = cells, noise.cells
    found: Cells = np.zeros(len(people), np.int64), np.zeros(len(people), np.int64)
    at = [(0, 0)] * len(noise.bars)
    used = [0] * len(noise.bars)
    for row, person in enumerate(people):
        k = used[person]
        if k < fresh:
            x, y = at[person]
            far = isqrt((int(east[row]) - x) ** 2 + (int(north[row]) - y) ** 2)
            if far + noise.tests[row] > jump + noise.bars[person * fresh + k]:
                at[person], used[person] = (int(new_east[row]), int(new_north[row])), k + 1
        found[0][row], found[1][row] = at[person]
    return found


@dataclass(frozen=True, repr=False)
class TracePlan:
    """Fresh positions of planar noise, and the noise that decides when one is drawn.

    >>> plan_traces("-4,40,-3,41", "200 m", 2, fresh=3)
    TracePlan(200 m, factor 2, at most 3 fresh positions: each off by 3,469 m on average)
    """

    position: LocationPlan
    bar: Certified
    test: Certified
    fresh: int
    jump: Fraction

    @property
    def certified(self) -> Certified:
        """The mechanism of a fresh position."""
        return self.position.certified

    @property
    def laws(self) -> tuple[Certified, ...]:
        """All that is drawn from: fresh positions, bars and tests."""
        return self.certified, self.bar, self.test

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
        """What all of a person's rows cost together: the laws, as often as a position is fresh."""
        each = sequential([law.certificate.level for law in self.laws])
        return each.scaled(self.fresh)

    @property
    def decided_by(self) -> dict[str, Any]:
        """What decides when a position is fresh, as documents state it."""
        bar, test = (_law(law) for law in self.laws[1:])
        return {"fresh": self.fresh, "jump": str(self.jump), **{
            name: {"ratio": str(law.ratio), "step": law.step, "first": law.first}
            for name, law in (("bar", bar), ("test", test))}}

    @property
    def mean_displacement(self) -> float:
        """Meters between truth and output on average where a position is fresh, at most."""
        return self.position.mean_displacement

    @property
    def promise(self) -> str:
        """What is promised, in one sentence."""
        return (
            "Whatever is put out for a person, two traces of as many rows that are at most "
            f"{short_text(self.space.within)} m apart on Earth row by row give it with "
            f"probabilities that differ by a factor of at most {short_text(self.factor)}; at most "
            f"{self.fresh:,} positions of a person are fresh, the others repeat the last one."
        )

    def blur(
        self, lon: FloatArray, lat: FloatArray, people: IntArray, *, cut: bool = False,
        source: Source = SYSTEM,
    ) -> tuple[FloatArray, FloatArray]:
        """New positions of traces; `people` numbers the traces from 0 on."""
        traces = int(people.max()) + 1 if len(people) else 0
        noise = Noise(draw_cells(self.certified, lon, lat, source),
                      _noise(self.test, len(lon), source),
                      _noise(self.bar, traces * self.fresh, source))
        held = followed(self.space.cells(lon, lat), people.tolist(), noise,
                        int(self.jump / self.space.step), self.fresh)
        return self.space.centers(*(self.space.cut(*held) if cut else held))

    def as_json(self) -> dict[str, Any]:
        """The plan as `tightrope locate --json` states it; lengths in meters."""
        return self.position.as_json() | {
            **Level.ratio(self.factor).as_json(), "releases": None, "conventions": None,
            "least_displacement": None,
            "neighbors": "traces of as many rows, row by row " + self.space.relation,
            "construction": "predictive", "fresh": self.fresh, "jump": float(self.jump),
            "promise": self.promise,
        }

    def __repr__(self) -> str:
        return (f"TracePlan({short_text(self.space.within)} m, factor {self.factor}, at most "
                f"{self.fresh} fresh positions: each off by {shown(self.mean_displacement)} on "
                "average)")


def plan_traces(
    region: Any, within: str, factor: Any, *, fresh: int, jump: str | None = None,
    rows: int = USUAL_ROWS,
) -> TracePlan:
    """The mechanism for traces of which at most so many positions are fresh.

    Half of the level is for fresh positions, the rest for bars and tests. A fresh position is
    likely once a person is farther than `jump` from the last one; if not given, it is so far
    that of 100 people who stay put over so many `rows` about 95 are not moved again. More rows
    cost nothing, they only make needless fresh positions likelier.

    >>> from tightrope.exact import Level
    >>> plan_traces("-4,40,-3,41", "200 m", 2, fresh=3).level.compare_level(Level.ratio(2)) <= 0
    True
    """
    count = stated_whole(fresh, "how many positions of a person are fresh, as a whole number")
    if not 1 <= count <= MOST_FRESH:
        raise BadInput(f"expected from 1 to {MOST_FRESH} fresh positions of a person.")
    position = plan_locations(region, within, factor, releases=2 * count)
    apart = position.space.apart
    level = Level.ratio(position.factor).scaled(Fraction(1, count))
    bar = tally_noise(Tallies(1, 1, apart), level.scaled(_SHARES["bar"]))
    test = tally_noise(Tallies(1, 1, 2 * apart), level.scaled(_SHARES["test"]))
    if jump is not None:
        return TracePlan(position, bar, test, count, meters(jump))
    sure = 1 - (1 - _CONFIDENCE) / stated_whole(rows, "how many rows a person has, about")
    reach = NoiseSum(_law(test), 1).reach(sure) * position.space.step
    return TracePlan(position, bar, test, count,
                     Fraction(round(position.far_displacement + float(reach))))


def _law(certified: Certified) -> Any:
    """The noise of one number, with its ratio and steps."""
    return certified.mechanism


def _noise(certified: Certified, count: int, source: Source) -> list[int]:
    """Independent numbers of the noise: that of a tally of as many cells."""
    held, level = _law(certified), certified.certificate.level
    if not count:
        return []
    many = tally_noise(Tallies(count, 1, held.space.change), level)
    assert (_law(many).ratio, _law(many).step) == (held.ratio, held.step)
    drawn: Any = draw(many, [0] * count, source)
    return [int(number) for number in drawn]
