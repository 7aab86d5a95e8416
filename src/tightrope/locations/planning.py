"""Noise for positions, planned from declarations alone, before any is read.

"Positions within 200 m look the same up to a factor 2" is ε = ln(factor)/(within + c) for each
meter of the plane. Rounding to cells adds c, which is below half a percent of the distance. Noise
in steps keeps the promise at that distance alone, with a smaller mean: two positions that are
nearer may differ by the whole factor, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, exp, floor, log, log10, prod
from typing import Any, ClassVar, Final, assert_never

import numpy as np

from tightrope.choices import Blur, member_of
from tightrope.constructions import (
    least_mean_distance,
    position_laplace,
    position_noise,
    position_steps,
)
from tightrope.errors import BadInput
from tightrope.exact import FloatArray, Level, short_text, stated, stated_whole
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.locations.covering import Cells
from tightrope.locations.describing import plan_facts
from tightrope.locations.lengths import length_text, meters
from tightrope.locations.located import Blurring
from tightrope.locations.places import Places, places_of
from tightrope.locations.regions import region_of
from tightrope.locations.remapping import Falling, Remap, spread_remap
from tightrope.mechanisms import LaplaceLaw, PlanarLaw, RingLaw
from tightrope.privacy import Certified
from tightrope.samplers import SYSTEM, Source, draw_cells
from tightrope.spaces import Positions, Region

NEARER: Final = " Positions nearer to each other may differ by as much."
"""The distances that a promise at one distance leaves open."""
_PARTS: Final = 500
"""Cells in the distance, at least."""
_MOST_FACTOR: Final = 100
MOST_RELEASES: Final = 1_000
"""Rows of one person that share a level; beyond, noise is wider than any region."""
_CONFIDENCE: Final = Fraction(95, 100)


@dataclass(frozen=True)
class Convention:
    """The same level as another convention states it."""

    name: str
    value: float
    unit: str


@dataclass(frozen=True, repr=False)
class LocationPlan(Blurring):
    """A proved mechanism for positions, and what it means in meters.

    >>> noise("-4,40,-3,41", "200 m", 2)
    LocationPlan: positions within 200 m look alike up to factor 2; they move 578 m on average
      displacement   578 m on average; 95 of 100 within 1,372 m
      best possible  577 m on average, for any noise of this level at every distance
    """

    certified: Certified
    factor: Fraction
    releases: int = 1
    remap: Remap | None = None
    prior: Places | None = None
    traced: ClassVar[bool] = False
    refused: ClassVar[Mapping[str, str]] = {}

    @property
    def mechanism(self) -> Any:
        """The mechanism: noise of one ratio on all cells."""
        return self.certified.mechanism

    @property
    def space(self) -> Positions:
        """Region, distance and cells."""
        space = self.mechanism.space
        assert isinstance(space, Positions)
        return space

    @cached_property
    def law(self) -> PlanarLaw | LaplaceLaw | RingLaw:
        """The noise around the middle of the region, in steps."""
        law = self.mechanism.around((0, 0))
        assert isinstance(law, PlanarLaw | LaplaceLaw | RingLaw)
        return law

    @property
    def noise(self) -> Blur:
        """Which noise it is."""
        match self.law:
            case PlanarLaw():
                return Blur.PLANAR
            case LaplaceLaw():
                return Blur.PLANAR_LAPLACE
            case RingLaw():
                return Blur.STEPS
            case never:
                assert_never(never)

    @property
    def level(self) -> Level:
        """The level of all rows of a person together."""
        return Level.ratio(self.factor)

    @property
    def stepped(self) -> bool:
        """Whether the promise is kept at its distance alone, and not at every distance."""
        return self.noise is Blur.STEPS

    @property
    def _rate(self) -> float:
        """ε for each meter of the plane."""
        width = self.law.width if isinstance(self.law, RingLaw) else 1
        return log(self.law.ratio) / (width * float(self.space.step))

    @property
    def mean_displacement(self) -> float:
        """Meters between truth and output in the plane, on average, at most; before a remap."""
        return float(self.law.mean_distance[1] * self.space.step)

    @cached_property
    def far_displacement(self) -> float:
        """Meters that 95 of 100 displacements stay within, at least."""
        return float(self.law.radius(_CONFIDENCE) * self.space.step)

    @property
    def least_displacement(self) -> float:
        """Meters below which no noise of this level at every distance has its mean.

        The same around every position, in a plane: 2/ε with ε = ln(factor)/within. For noise in
        steps, below which none has it that keeps the promise at its distance.
        """
        within = float(self.space.within)
        if self.stepped:
            return within * least_mean_distance(exp(log(self.factor) / self.releases))
        return self.releases * 2 * within / log(self.factor)

    @property
    def conventions(self) -> tuple[Convention, ...]:
        """How others state this level: the true one, for positions on the ground."""
        within, level = float(self.space.within), log(self.factor) / self.releases
        factor = Convention("factor within the distance", exp(level), f"within {within:g} m")
        if self.stepped:  # no level for each meter
            return (factor, Convention("ε within the distance", level, f"within {within:g} m"),
                    Convention("mean displacement", self.mean_displacement, "m"))
        return (
            factor,
            Convention("ε within the distance (ℓ within r, geo-indistinguishability)", level,
                       f"within {within:g} m"),
            Convention("ε for each meter", level / within, "1/m"),
            Convention("ε for each kilometer", 1000 * level / within, "1/km"),
            Convention("mean displacement (2/ε)", self.mean_displacement, "m"),
        )

    @property
    def promise(self) -> str:
        """The promise, in one sentence."""
        return promise_text(self.space, self.factor, self.releases) + (
            NEARER if self.stepped else "")

    def draw(
        self, lon: FloatArray, lat: FloatArray, *, cut: bool = False, source: Source = SYSTEM
    ) -> tuple[FloatArray, FloatArray]:
        """New positions; with `cut`, those outside the region's hull are moved to it.

        With a remap they are centers of the cells that are best for what was drawn; where its
        cells are coarse and their own is best, they stay.
        """
        cells = draw_cells(self.certified, lon, lat, source)
        if cut or self.remap is not None:
            cells = self.space.cut(*cells)
        places = self.space.centers(*cells)
        return places if self.remap is None else self.remap.moved(*places)

    def document_fields(self) -> dict[str, Any]:
        """How the mechanism was made, for its document."""
        names = {Blur.PLANAR: "planar geometric", Blur.PLANAR_LAPLACE: "planar Laplace",
                 Blur.STEPS: "noise in steps"}
        return {"name": names[self.noise], "remapped": self.remap is not None}

    def facts(self) -> Facts:
        """The displacement beside the least possible, the noise, and the level as others state it;
        lengths in meters."""
        certificate, remap = self.certified.certificate, self.remap
        kinds = {Blur.PLANAR: "planar geometric", Blur.STEPS: "in steps: a disc, and rings as wide "
                 "as the distance", Blur.PLANAR_LAPLACE: "planar Laplace, rounded to cells"}
        whom = "that keeps the promise" if self.stepped else "of this level at every distance"
        step, mean, far = float(self.space.step), self.mean_displacement, self.far_displacement
        columns = (Column("name", "convention"), Column("value", "value"),
                   Column("unit", "unit"))
        return plan_facts(
            self,
            Fact("displacement_95", "displacement", Shown(
                far, f"{length_text(mean)} on average; 95 of 100 within {length_text(far)}")),
            Fact("least_displacement", "best possible", Shown(
                self.least_displacement,
                f"{length_text(self.least_displacement)} on average, for any noise {whom}")),
            Fact("construction", "noise", Shown(
                self.noise, f"{kinds[self.noise]}, on cells {length_text(step)} wide"),
                detail=True),
            Fact("remapped", None if remap is None else "remap", Shown(
                remap is not None, f"outputs then move to the best of {remap}"), detail=True),
            *data(releases=self.releases, steps_apart=self.space.apart,
                  cells=None if remap is None else remap.cells.size,
                  cell=None if remap is None else float(remap.cells.space.step)),
            Table("conventions", "The same level as others state it", columns, tuple(
                (part.name, part.value, part.unit) for part in self.conventions), listed=0),
            level=certificate.level, neighbors=certificate.neighbors)

    __repr__ = lines_of
    _repr_html_ = card_of


def noise(
    region: Any, within: str, factor: Any, *, mechanism: Blur | str = Blur.PLANAR,
    releases: int = 1, prior: Any = None, cell: str | None = None,
) -> LocationPlan:
    """Noise in the plane for positions of a region, proved; nothing is read but what is declared.

    `within` is a length with its unit, and `factor` the largest ratio of probabilities of positions
    so near. Of one person up to `releases` rows are put out. These share the level, so the noise of
    each is as many times as wide. A `prior` is a file or a frame of public places with weights,
    never the positions themselves: outputs are moved to the cell, of width `cell`, that is best
    given them, which costs nothing. The `mechanism` is planar noise, planar Laplace noise that is
    rounded to the same cells, or noise in "steps". Steps keep the promise at that distance alone
    and have a smaller mean.

    Returns: a `LocationPlan`; its `blur` draws new positions.

    Raises: `BadInput` for a region or length that cannot be read, and for a level that no one
    would want. It says what such a level means.

    >>> plan = noise("-4,40,-3,41", "200 m", 2)
    >>> plan.certified.certificate.holds
    True
    >>> plan.blur({"lon": [-3.7, -3.6], "lat": [40.4, 40.5]}).rows
    2

    >>> round(noise("Portugal", "0.5 km", "3/2", releases=2).mean_displacement)
    4952

    >>> round(noise("-4,40,-3,41", "200 m", 2, mechanism="planar-laplace").mean_displacement)
    578

    >>> round(noise("Portugal", "5 km", 100, mechanism="steps").mean_displacement)
    1545
    """
    chosen = member_of(Blur, mechanism, "mechanism")
    place, distance = region_of(region), meters(within)
    count = stated_whole(releases, "how many rows of one person are put out")
    if not 1 <= count <= MOST_RELEASES:
        raise BadInput(f"expected from 1 to {MOST_RELEASES:,} rows of one person.")
    ratio = check_promise(place, within, factor, count)
    space = Positions(place, distance, _step(distance))
    level = Level.ratio(ratio).scaled(Fraction(1, count))
    match chosen:
        case Blur.PLANAR:
            proved = position_noise(space, level)
        case Blur.PLANAR_LAPLACE:
            proved = position_laplace(space, level)
        case Blur.STEPS:
            proved = position_steps(space, level)
        case never:
            assert_never(never)
    plan = LocationPlan(proved, ratio, count)
    if prior is None:
        if cell is not None:
            raise BadInput("noise in the plane has cells of its own; a width is for a prior.")
        return plan
    places = places_of(prior)
    return replace(plan, remap=_best_cells(plan, places, cell), prior=places)


_FINE = 3
"""Cells of a prior in 1/ε, so that its cells are small beside the noise."""
_COARSE = 0.5
"""Cells with which noise falls by more than e to the power of this are not small beside it."""
_MOST_CELLS = 400_000
"""Cells of a prior; outputs alone are moved by it, so that wider ones cost no privacy."""


def _best_cells(plan: LocationPlan, places: Places, cell: str | None) -> Remap:
    """The remap of outputs on cells that are small beside the noise, or as small as can be."""
    rate = plan._rate
    if cell is None:
        width = max(_step_below(Fraction(1 / (_FINE * rate))), _least_width(plan.space.region))
    else:
        width = meters(cell)
    cells = _remap_cells(plan.space, width)
    if cells.size > _MOST_CELLS:
        raise BadInput(
            f"the region has {cells.size:,} cells of {cell}; a prior is for at most "
            f"{_MOST_CELLS:,}. Leave out the width, and it is chosen."
        )
    fall = rate * float(width)
    return spread_remap(cells, cells.shares(places), fall, coarse=fall > _COARSE,
                        falling=_falling(plan.law, float(width / plan.space.step)))


def _falling(law: PlanarLaw | LaplaceLaw | RingLaw, unit: float) -> Falling | None:
    """How noise falls with the distance, in units of so many steps, where not by e^-rate each."""
    if not isinstance(law, RingLaw):
        return None
    ratio = float(law.ratio)
    return lambda far: np.asarray(
        ratio ** -np.ceil(np.maximum(far * unit - law.first, 0) / law.width))


def _remap_cells(space: Positions, width: Fraction) -> Cells:
    return Cells(Positions(space.region, max(space.within, 4 * width), width))


def _least_width(region: Region) -> Fraction:
    """The least width, in two digits, of which a region has no more cells than a prior may have.

    >>> _least_width(region_of("-4,40,-3,41"))
    Fraction(160, 1)
    """
    sides = (region.hull.max(axis=0) - region.hull.min(axis=0)) / 64
    exact = float(sides.prod() / _MOST_CELLS) ** 0.5
    digit = Fraction(10) ** (floor(log10(exact)) - 1)
    width = ceil(Fraction(exact) / digit) * digit
    while prod(int(side / width) + 2 for side in sides.tolist()) > _MOST_CELLS:
        width += digit
    return width


def promise_text(space: Positions, factor: Fraction, releases: int = 1) -> str:
    """The promise for two positions, and for k rows of one person."""
    if releases > 1:
        return (
            f"Whatever is put out for up to {releases:,} rows of one person, two lists of "
            f"positions on Earth at most {short_text(space.within)} m apart row by row give it "
            f"with probabilities that differ by a factor of at most {short_text(factor)}."
        )
    return (
        f"Whatever is put out, two positions on Earth at most {short_text(space.within)} m apart "
        f"give it with probabilities that differ by a factor of at most {short_text(factor)}; k "
        "rows of one person by that to the power of k."
    )


def check_promise(place: Region, within: str, factor: Any, releases: int = 1) -> Fraction:
    """The factor, if a promise with it is one that somebody would want in this region."""
    distance, ratio = meters(within), stated(factor, "a factor above 1, such as 2")
    if ratio <= 1:
        raise BadInput(f"expected a factor above 1, such as 2, found {factor}.")
    mean = releases * float(2 * distance) / log(ratio)
    if ratio > _MOST_FACTOR:
        raise BadInput(
            f"a factor of {short_text(ratio)} within {within} lets whoever sees an output bet that "
            f"many to one on one of two places {within} apart (it is {length_text(mean)} off on "
            f"average); expected at most {_MOST_FACTOR}."
        )
    if mean > place.diameter:
        raise BadInput(
            f"a factor of {short_text(ratio)} within {within} moves positions by "
            f"{length_text(mean)} on average, more than the region is wide "
            f"({length_text(place.diameter)}): outputs would say next to nothing. Expected a "
            "larger factor, a smaller distance or a larger region."
        )
    return ratio


def _step(distance: Fraction) -> Fraction:
    """The width of cells for planar noise.

    >>> _step(Fraction(200)), _step(Fraction(50))
    (Fraction(1, 5), Fraction(1, 10))
    """
    return _step_below(distance / _PARTS)


def _step_below(most: Fraction) -> Fraction:
    """1, 2 or 5 times a power of ten meters, the largest that is small enough."""
    power = Fraction(1)
    while power > most:
        power /= 10
    while 10 * power <= most:
        power *= 10
    return max(power * k for k in (1, 2, 5) if power * k <= most)
