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
from math import pi

from tightrope.characters import counted, few
from tightrope.choices import Trend, member_of
from tightrope.constructions import (
    best_box,
    box_error,
    gaussian_error,
    gaussian_noise,
    gaussian_variances,
)
from tightrope.curves.bases import Basis, basis_of, process_error
from tightrope.curves.knots import (
    KnotChoice,
    between_knots,
    numbers_of_knots,
    separate_error,
    spread,
)
from tightrope.declarations import Code, NumberColumn, rules
from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level, Number, Surd, own, sizes, stated, stated_whole
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.mechanisms import BoxMechanism, GaussianMechanism
from tightrope.privacy import Certified, certified, largest_rho, level_of, promise
from tightrope.spaces import LONGEST_TOTALS, Totals

MOST_TIMES = 100_000
"""Columns of a table of curves."""


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
    basis: Basis | None = None

    def __post_init__(self) -> None:
        own(self)

    @property
    def mechanism(self) -> BoxMechanism | GaussianMechanism:
        """The noise of all knots, or of all coefficients, together."""
        mechanism = self.certified.mechanism
        assert isinstance(mechanism, BoxMechanism | GaussianMechanism)
        return mechanism

    @property
    def positions(self) -> tuple[int, ...]:
        """Which columns are knots: with a basis all of them."""
        if self.basis is not None:
            return tuple(range(len(self.columns)))
        return spread(self.chosen.knots, len(self.columns))

    @property
    def knots(self) -> tuple[str, ...]:
        """The names of the columns that are knots."""
        return tuple(self.columns[at] for at in self.positions)

    @property
    def by(self) -> str:
        """The numbers that are released: values at knots, or coefficients."""
        if self.basis is None:
            return f"at {counted(len(self.knots), 'knot')}"
        count, text = len(self.basis.functions), self.basis.text
        return f"by {counted(count, 'coefficient')}" + (f", {text}" if ":" in text else "")

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
    def half_widths(self) -> tuple[Fraction, ...]:
        """All knots together are within these of the truth, with the confidence."""
        mechanism, sure = self.mechanism, self.confidence
        if isinstance(mechanism, BoxMechanism):
            return (mechanism.noise.radius(sure) * self.unit,) * len(self.knots)
        widths = (mechanism.noise.radii(sure) if self.basis is None else
                  self.basis.half_widths(mechanism.noise, sure))
        return tuple(width * self.unit for width in widths)

    @property
    def half_width(self) -> Fraction:
        """The largest of the half-widths; at knots they are all the same."""
        return max(self.half_widths)

    def facts(self) -> Facts:
        """The error and the band at knots, the level, and what other numbers of knots cost."""
        gaussian = isinstance(self.mechanism, GaussianMechanism)
        columns = tuple(Column(key, label, 4) for key, label in (
            ("knots", "knots"), ("noise", "noise"), ("separately", "separately"),
            ("between", "between"), ("bound", "at most"), *[("boxes", "boxes, δ = 0")] * gaussian))
        choices = tuple((choice.knots, choice.noise, choice.separately, choice.between,
                         choice.bound, *[choice.boxes] * gaussian) for choice in self.choices)
        return Facts(
            "CurvePlan",
            f"mean of {self.people:,} rows at {len(self.columns):,} times, released {self.by}",
            (*self._errors(), *self._declarations(),
             Table("choices", "Numbers of knots and their errors", columns, choices, listed=0)),
            (*self._cautions(), promise(self.level, self.mechanism.space)),
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
        together = "all knots together" if self.basis is None else "or less, all times together"
        where = "at a knot" if self.basis is None else "on average over time"
        return (
            Fact("half_width", "band", Shown(
                half, f"± {half:.4g}, {together}, with confidence {sure:g}")),
            Fact("mean_error", "mean error", Shown(
                chosen.noise, f"{chosen.noise:.4g} {where} ({chosen.separately:.4g} with one "
                "noise for each)")),
            *self._gaussian_errors(),
            Fact("bound", "between knots" if len(self.knots) < len(self.columns) else None,
                 Shown(chosen.bound, between), detail=True),
            Fact(None, "level", self.level, meaning="proved"),
            *data(confidence=sure, **self.level.as_json()),
        )

    def _gaussian_errors(self) -> tuple[Fact, ...]:
        """The error of the same at δ = 0, and with a Gaussian process of the same span."""
        mechanism = self.mechanism
        if not isinstance(mechanism, GaussianMechanism):
            return ()
        process = process_error(self.level, mechanism.space, self.basis) * float(self.unit)
        return (
            Fact("boxes", "at δ = 0", Shown(self.chosen.boxes, (
                f"{self.chosen.boxes:.4g} with noise in boxes at "
                f"{counted(len(mechanism.variances), 'knot')}")), detail=self.basis is not None),
            Fact("process", "process", Shown(process, (
                f"{process:.4g} by a Gaussian process with this span and the bound on its RKHS "
                "norm" + (", for ε at most 1" if float(self.level.pure) > 1 else ""))),
                detail=True),
            *data(rho=str(mechanism.rho), variances=[str(v) for v in mechanism.variances],
                  basis=None if self.basis is None else self.basis.text,
                  half_widths=[float(width) for width in self.half_widths]),
        )

    def _cautions(self) -> tuple[str, ...]:
        """Limits of Gaussian noise, as sentences."""
        basis, boxes = self.basis, self.chosen.boxes
        if basis is not None:
            return ("The band is around the projection of the mean curve on the "
                    f"{counted(len(basis.functions), 'function')} of the basis; what they leave "
                    "out is not known.",)
        if boxes is not None and boxes <= self.chosen.noise:
            return ("Noise in boxes errs less here, at δ = 0: leave --delta out.",)
        return ()

    def _declarations(self) -> tuple[Fact, ...]:
        """The knots, the rules for cells, what is protected, and the proof."""
        proof, cell = self.certified.certificate, self.cell
        return (
            Fact("knots", "knots" if self.basis is None else "times",
                 Shown(self.knots, few(self.knots, len(self.knots))), detail=True),
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
    delta: Number | None = None,
    basis: str | Sequence[Sequence[Number]] | None = None,
) -> CurvePlan:
    """Plan a mean curve: its knots, its noise and its band, before any row is seen.

    `columns` are the names of the times (or how many there are), `people` is the public number
    of rows. Cells are clamped to [low, high] and rounded to the resolution (if not given,
    one of at least 2^20 steps); what is no number stands for `missing` (the middle). Without
    `knots` the number with the least bound is taken. With a `delta` noise is discrete Gaussian, on
    the knots or on the coefficients of a `basis`: "polynomials:4", or rows of numbers.

    Returns: a `CurvePlan`; its `knots` are the times that are released, `chosen` has the errors.

    Raises: `BadInput` for bounds, times, knots or a resolution that cannot be used; `BadLevel` for
    an ε that is not from 10^-6 to 600.

    >>> plan = plan_curve(12, 1, people=100, low=0, high=10, lipschitz="1/8")
    >>> plan.knots, round(plan.chosen.noise, 4), round(plan.chosen.bound, 3)
    (('1', '4', '7', '9', '12'), 0.3, 0.487)
    >>> smooth = plan_curve(12, 1, people=100, low=0, high=10, delta="1e-6", basis="polynomials:3")
    >>> len(smooth.mechanism.variances), round(smooth.chosen.noise, 3)
    (3, 0.607)
    """
    names = _names(columns)
    level = Level.positive(level_of(epsilon, ratio=ratio, delta=delta))
    least, most = sizes.SMALLEST_LINE_EPSILON, sizes.LARGEST_CONE_REACH
    if not least <= float(level) <= most:
        raise BadLevel(f"ε = {level.text}", f"an ε from {least:g} to {most} for curves")
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
    if basis == "knots":
        basis = None
    if basis is not None and not level.delta:
        raise BadInput("a basis has Gaussian noise, which needs a δ: state one, such as 1e-6.")
    if basis is not None and (knots is not None or slope is not None or trend is not None):
        raise BadInput("with a basis there are no knots, and a projection need be neither "
                       "Lipschitz nor monotone: leave knots, lipschitz and monotone out.")
    if basis is not None:
        return _plan_basis(names, at, number, cell, level, sure, basis)
    wanted = numbers_of_knots(knots, len(names), known=slope is not None or trend is not None)
    growth = level.pure.ratio_below(Surd.of(1))
    space = {k: Totals(number, cell.steps, k) for k in wanted}
    noises = {k: best_box(totals, growth) for k, totals in space.items()}
    unit = cell.step / number
    rho = largest_rho(level) if level.delta else None

    def errors(k: int) -> tuple[float, float | None]:
        boxes = box_error(noises[k]) * float(unit)
        if rho is None:
            return boxes, None
        return gaussian_error(gaussian_variances(space[k], rho)[0]) * float(unit), boxes

    tried = tuple(
        KnotChoice(k, noise, separate_error(space[k], level) * float(unit),
                   between_knots(k, at, cell, slope, trend), boxes)
        for k, (noise, boxes) in ((k, errors(k)) for k in wanted)
    )
    chosen = min(tried, key=lambda choice: (choice.bound is None, choice.bound, choice.knots))
    totals = space[chosen.knots]
    made = certified(BoxMechanism(totals, growth, noises[chosen.knots].first), level) if (
        rho is None) else gaussian_noise(totals, level)
    return CurvePlan(names, at, number, cell, level, sure, slope, trend, chosen, tried, made)


def _plan_basis(
    names: tuple[str, ...], at: tuple[Fraction, ...], number: int, cell: NumberColumn,
    level: Level, sure: Fraction, stated_basis: str | Sequence[Sequence[Number]],
) -> CurvePlan:
    """The plan for the coefficients of a basis: all columns are read."""
    if len(names) > LONGEST_TOTALS:
        raise BadInput(f"a basis is stated on at most {LONGEST_TOTALS} times, found "
                       f"{len(names):,}; take fewer columns, or knots.")
    basis, unit = basis_of(stated_basis, at), float(cell.step / number)
    made = gaussian_noise(Totals(number, cell.steps, len(names)), level, basis.functions)
    assert isinstance(made.mechanism, GaussianMechanism)
    deviations = [float(v) ** 0.5 for v in basis.variances(made.mechanism.noise)]
    size = len(basis.functions)
    knots = Totals(number, cell.steps, size)
    boxes = box_error(best_box(knots, level.pure.ratio_below(Surd.of(1)))) * unit
    chosen = KnotChoice(size, (2 / pi) ** 0.5 * sum(deviations) / len(deviations) * unit,
                        separate_error(knots, level) * unit, None, boxes)
    return CurvePlan(names, at, number, cell, level, sure, None, None, chosen, (chosen,), made,
                     basis)


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
