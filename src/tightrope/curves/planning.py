"""How many knots a mean curve is released at, chosen from declarations alone.

One person moves the mean at every time by up to (high - low)/n, so noise grows with the number
k of knots: about (k + 1)/2 · (high - low)/(n ε) at each, by one joint law in boxes. Fewer knots
leave wider gaps. If the mean curve is Λ-Lipschitz, a straight line over a gap of length g is at
most Λ g/2 away from it; if it is monotone, on average over time at most (high - low) g/(2 T),
T the whole time. The k with the least sum of both is taken. With neither declared nothing is
known between knots, and all times are knots.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from tightrope.characters import counted, few
from tightrope.choices import Trend, member_of
from tightrope.constructions import best_box, box_error
from tightrope.declarations import Code, NumberColumn, rules
from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level, Number, Surd, own, sizes, stated, stated_whole
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.mechanisms import BoxMechanism
from tightrope.privacy import Certified, certified, level_of, promise
from tightrope.spaces import LONGEST_TOTALS, Totals

MOST_TIMES = 100_000
"""Columns of a table of curves."""

_TRIED = 64
"""Numbers of knots that are all tried; beyond it only some."""


@dataclass(frozen=True)
class KnotChoice:
    """The errors of a number of knots, in units of the curve.

    `noise` is the mean error at a knot, `separately` what it would be with one noise of level
    ε/k for each knot, `between` the most that a straight line between knots is off, None where
    nothing is declared of the curve there.
    """

    knots: int
    noise: float
    separately: float
    between: float | None

    @property
    def bound(self) -> float | None:
        """The mean error at the worst time, at most (of a monotone curve: over all times)."""
        return None if self.between is None else self.noise + self.between


@dataclass(frozen=True)
class CurvePlan:
    """A mean curve to be released: what is declared, which knots, which noise, which band.

    No field depends on rows. `chosen` is one of `choices`.
    """

    columns: tuple[str, ...]
    times: tuple[Fraction, ...]
    people: int
    cell: NumberColumn
    level: Level
    confidence: Fraction
    lipschitz: Fraction | None
    trend: Trend | None
    chosen: KnotChoice
    choices: tuple[KnotChoice, ...]
    certified: Certified

    def __post_init__(self) -> None:
        own(self)

    @property
    def mechanism(self) -> BoxMechanism:
        """The noise of all knots together."""
        mechanism = self.certified.mechanism
        assert isinstance(mechanism, BoxMechanism)
        return mechanism

    @property
    def positions(self) -> tuple[int, ...]:
        """Which columns are knots."""
        return spread(self.chosen.knots, len(self.columns))

    @property
    def knots(self) -> tuple[str, ...]:
        """The names of the columns that are knots."""
        return tuple(self.columns[at] for at in self.positions)

    @property
    def declared(self) -> str | None:
        """The declaration about the curve between knots, on which the band there rests."""
        slope = None if self.lipschitz is None else f"it moves by at most {self.lipschitz} a unit"
        trend = None if self.trend is None else f"it goes {self.trend.value} only"
        return " and ".join(part for part in (slope, trend) if part) or None

    @property
    def unit(self) -> Fraction:
        """The change of a mean by one step of a total."""
        return self.cell.step / self.people

    @cached_property
    def half_width(self) -> Fraction:
        """All knots together are within this of the truth, with the confidence."""
        return self.mechanism.noise.radius(self.confidence) * self.unit

    def facts(self) -> Facts:
        """The error and the band at knots, the level, and what other numbers of knots cost."""
        columns = tuple(Column(key, label, 4) for key, label in (
            ("knots", "knots"), ("noise", "noise"), ("separately", "separately"),
            ("between", "between"), ("bound", "at most")))
        choices = tuple((choice.knots, choice.noise, choice.separately, choice.between,
                         choice.bound) for choice in self.choices)
        return Facts(
            "CurvePlan",
            f"mean of {self.people:,} rows at {len(self.columns):,} times, released at "
            f"{counted(len(self.knots), 'knot')}",
            (*self._errors(), *self._declarations(),
             Table("choices", "Numbers of knots and their errors", columns, choices, listed=0)),
            (promise(self.level, self.mechanism.space),),
        )

    __repr__ = lines_of
    _repr_html_ = card_of

    def _errors(self) -> tuple[Fact, ...]:
        """The errors at knots and between them, and the level."""
        chosen, half, sure = self.chosen, float(self.half_width), float(self.confidence)
        between = "not known: declare --lipschitz or --monotone"
        if chosen.between is not None:
            mean = " on average over time" if self.lipschitz is None and self.trend else ""
            between = f"lines are off by at most {chosen.between:.4g}{mean}, if {self.declared}"
        return (
            Fact("half_width", "band", Shown(
                half, f"± {half:.4g}, all knots together, with confidence {sure:g}")),
            Fact("mean_error", "mean error", Shown(
                chosen.noise, f"{chosen.noise:.4g} at a knot ({chosen.separately:.4g} with one "
                "noise for each)")),
            Fact("bound", "between knots" if len(self.knots) < len(self.columns) else None,
                 Shown(chosen.bound, between), detail=True),
            Fact(None, "level", self.level, meaning="proved"),
            *data(confidence=sure, **self.level.as_json()),
        )

    def _declarations(self) -> tuple[Fact, ...]:
        """The knots, the rules for cells, what is protected, and the proof."""
        proof, cell = self.certified.certificate, self.cell
        return (
            Fact("knots", "knots", Shown(self.knots, few(self.knots, len(self.knots))),
                 detail=True),
            Fact(None, "cells", rules([Code("cells", cell)])["cells"], detail=True),
            Fact("neighbors", "protects", Shown(
                proof.neighbors, f"{proof.neighbors}; the number of rows is public"), detail=True),
            Fact("evidence", "proof", proof.evidence, meaning=proof.statement, detail=True),
            *data(knot_times=[float(self.times[at]) for at in self.positions],
                  statement=proof.statement, people=self.people, low=cell.low, high=cell.high,
                  resolution=cell.step, missing=cell.missing, lipschitz=self.lipschitz,
                  monotone=self.trend),
        )


def plan_curve(
    columns: Sequence[str] | int,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    people: int,
    low: Number,
    high: Number,
    resolution: Number | None = None,
    missing: Number | None = None,
    times: Sequence[Number] | None = None,
    knots: int | None = None,
    lipschitz: Number | None = None,
    monotone: Trend | str | None = None,
    confidence: Number = "0.95",
) -> CurvePlan:
    """Plan a mean curve: its knots, its noise and its band, before any row is seen.

    `columns` are the names of the times (or how many there are), `people` is the public number
    of rows. Cells are clamped to [low, high] and rounded to the resolution (if not given,
    one of at least 2^20 steps); what is no number stands for `missing` (the middle). Without
    `knots` the number with the least bound is taken.

    Returns: a `CurvePlan`; its `knots` are the times that are released, `chosen` has the errors.

    Raises: `BadInput` for bounds, times, knots or a resolution that cannot be used; `BadLevel` for
    an ε that is not from 10^-6 to 600.

    >>> plan = plan_curve(12, 1, people=100, low=0, high=10, lipschitz="1/8")
    >>> plan.knots, round(plan.chosen.noise, 4), round(plan.chosen.bound, 3)
    (('1', '4', '7', '9', '12'), 0.3, 0.487)
    """
    names = _names(columns)
    level = Level.positive(level_of(epsilon, ratio=ratio))
    least, most = sizes.SMALLEST_LINE_EPSILON, sizes.LARGEST_CONE_REACH
    if not least <= float(level) <= most:
        raise BadLevel(f"ε = {level.text}", f"an ε from {least:g} to {most} for curves")
    if level.delta:
        raise BadInput("a curve is released at δ = 0: the noise is in boxes, not Gaussian.")
    at = _times(times, len(names))
    number = stated_whole(people, "the number of people as a whole number")
    cell = _cell(low, high, resolution, missing)
    slope = None if lipschitz is None else stated(lipschitz, "a Lipschitz constant")
    if slope is not None and slope < 0:
        raise BadInput(f"expected a Lipschitz constant of at least 0, found {slope}.")
    trend = None if monotone is None else member_of(Trend, monotone, "trend")
    sure = stated(confidence, "a confidence between 0 and 1")
    if not 0 < sure < 1:
        raise BadInput(f"expected a confidence between 0 and 1, found {sure}.")
    wanted = _wanted(knots, len(names), known=slope is not None or trend is not None)
    growth = level.pure.ratio_below(Surd.of(1))
    space = {k: Totals(number, cell.steps, k) for k in wanted}
    noises = {k: best_box(totals, growth) for k, totals in space.items()}
    unit = cell.step / number
    tried = tuple(
        KnotChoice(k, box_error(noise) * float(unit), _separate(space[k], level) * float(unit),
                   _between(k, at, cell, slope, trend))
        for k, noise in noises.items()
    )
    chosen = min(tried, key=lambda choice: (choice.bound is None, choice.bound, choice.knots))
    made = BoxMechanism(space[chosen.knots], growth, noises[chosen.knots].first)
    return CurvePlan(names, at, number, cell, level, sure, slope, trend, chosen, tried,
                     certified(made, level))


def spread(knots: int, times: int) -> tuple[int, ...]:
    """So many of the times, as evenly as can be, both ends among them; one is the middle.

    >>> spread(4, 12), spread(1, 12)
    ((0, 4, 7, 11), (6,))
    """
    if knots == 1:
        return (times // 2,)
    return tuple((2 * k * (times - 1) + knots - 1) // (2 * (knots - 1)) for k in range(knots))


def _between(
    knots: int,
    times: Sequence[Fraction],
    cell: NumberColumn,
    slope: Fraction | None,
    trend: Trend | None,
) -> float | None:
    """The most that straight lines between knots are off."""
    at = [times[place] for place in spread(knots, len(times))]
    if knots == len(times):
        return 0.0
    gap = max(b - a for a, b in pairwise(at)) if at[1:] else None
    far = max(at[0] - times[0], times[-1] - at[0])
    bounds = []
    if slope is not None:
        bounds.append(slope * (far if gap is None else gap / 2))
    if trend is not None:
        span = times[-1] - times[0]
        share = (far if gap is None else gap / 2) / span
        bounds.append((cell.high - cell.low) * share)
    return float(min(bounds)) if bounds else None


def _separate(space: Totals, level: Level) -> float:
    """The mean error of one noise in steps at ε/k for each knot."""
    ratio = level.pure.scaled(Fraction(1, space.length)).ratio_below(Surd.of(1))
    return box_error(best_box(Totals(space.people, space.most, 1), ratio))


def _wanted(knots: int | None, times: int, *, known: bool) -> list[int]:
    """The numbers of knots that are compared."""
    most = min(times, LONGEST_TOTALS)
    if knots is not None:
        asked = stated_whole(knots, "a whole number of knots")
        if not 1 <= asked <= most:
            raise BadInput(f"expected from 1 to {most} knots, found {asked}.")
        return [asked]
    if not known and times > LONGEST_TOTALS:
        raise BadInput(f"at most {LONGEST_TOTALS} of {times:,} times are knots: say how many, or "
                       "declare what is known of the curve between them.")
    if not known:
        return [times]
    step = -(-most // _TRIED)
    return sorted({1, *range(2, min(most, 17)), *range(2, most + 1, step), most})


def _names(columns: Sequence[str] | int) -> tuple[str, ...]:
    if isinstance(columns, str):
        raise BadInput("expected the names of columns, or how many times there are.")
    names = columns if not isinstance(columns, int) else [str(k + 1) for k in range(columns)]
    if not 1 <= len(names) <= MOST_TIMES or len(set(names)) < len(names):
        raise BadInput(f"expected from 1 to {MOST_TIMES:,} different columns, one for each time, "
                       f"found {len(names):,}.")
    return tuple(map(str, names))


def _times(times: Sequence[Number] | None, size: int) -> tuple[Fraction, ...]:
    given = range(1, size + 1) if times is None else times
    exact = tuple(stated(time, "times as numbers") for time in given)
    if len(exact) != size or any(a >= b for a, b in pairwise(exact)):
        raise BadInput(f"expected {size} times that increase, one for each column.")
    return exact


def _cell(low: Number, high: Number, resolution: Number | None,
          missing: Number | None) -> NumberColumn:
    least, most = (stated(end, "bounds as numbers") for end in (low, high))
    if not least < most:
        raise BadInput(f"expected a low bound below the high one, found {least} and {most}.")
    step = None if resolution is None else stated(resolution, "a resolution above 0")
    middle = (least + most) / 2 if missing is None else stated(missing, "a number for missing")
    return NumberColumn(least, most, step, middle)
