"""ε* on intervals, cubes and balls, between bounds that are proved.

From below: points with disjoint balls (`packing`), inputs on an interval one cell apart
(`interval_games`), and inputs on a grid in a square (`square_games`); cubes and balls contain an
interval, cubes a square, and projecting answers onto it brings them no farther away.

From above: the exponential mechanism with Lebesgue measure or a cover as its base (KL-pc,
Theorem 3.4); noise with density e^(-ε|x|), projected back into the body, which has level ε
and fails with the chance that a gamma variable exceeds εγ; on intervals and cubes of at most four
radii that noise, clipped to what is a radius away from all sides; on a wider square in parts
(`clipped_noise`); on a square of at most five radii, splines (`square_splines`); on an interval
that noise with the best remap of its cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import ceil, floor, inf, isqrt, log
from time import monotonic

import numpy as np
from flint import arb, ctx

from tightrope.errors import BadSpace, Infeasible, SolverFailed, TooLarge
from tightrope.exact import (
    FloatArray,
    Number,
    ball_of,
    float_above,
    fraction_of,
    short_text,
    stated,
)
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.theory.limits.aims import check_request
from tightrope.theory.limits.clipped_noise import clipped_level
from tightrope.theory.limits.covers import ball_cover
from tightrope.theory.limits.interval_games import (
    MOST_CELLS,
    Cells,
    lower_bound_of,
    remapped_laplace,
)
from tightrope.theory.limits.packings import packing_root
from tightrope.theory.limits.square_games import square_bound
from tightrope.theory.limits.square_splines import spline_level

MOST_DIMENSIONS = 64
_MOST_PACKED = 200_000
_FEW = 3
"""Dimensions of a cube up to which one of its squares may bound more than disjoint balls do."""

_SPLINES = 5
"""Radii of a side up to which splines need less than noise that is clipped in parts."""
_ABOVE = 1.05
"""Splines are sought at a level above the lower end by this factor; at it they are enough."""
_SHORTER = 1 - Fraction(1, 2**30)
"""An open ball contains the closed one of a radius that is shorter by this factor."""

_TEXT = re.compile(r"(interval|cube|ball):([^,]+)(?:,(side|radius)=([^,]+))?")
_HELP = "a body: interval:0..1, cube:3 (or cube:3,side=2), ball:2 (or ball:2,radius=5)"


class BodyKind(StrEnum):
    """An interval; a cube with the largest difference of coordinates; a Euclidean ball."""

    INTERVAL = "interval"
    CUBE = "cube"
    BALL = "ball"


@dataclass(frozen=True)
class Body:
    """A body of some dimension; `length` is that of the interval, the side, or the diameter."""

    kind: BodyKind
    dimension: int
    length: Fraction
    text: str

    @classmethod
    def parse(cls, text: str) -> Body | None:
        """The body that a text names; None if it names none.

        >>> Body.parse("ball:2,radius=3").length, Body.parse("path:0..9")
        (Fraction(6, 1), None)
        """
        if not text.startswith(tuple(f"{kind}:" for kind in BodyKind)):
            return None
        match = _TEXT.fullmatch(text)
        if match is None:
            raise BadSpace(f"expected {_HELP}, found {text[:60]!r}.")
        kind, first, name, second = BodyKind(match[1]), match[2], match[3], match[4]
        if kind is BodyKind.INTERVAL:
            low, dots, high = first.partition("..")
            if not dots or name is not None:
                raise BadSpace(f"expected {_HELP}, found {text[:60]!r}.")
            length = fraction_of(high, _HELP) - fraction_of(low, _HELP)
            return cls._check(kind, 1, length, text)
        if name is not None and (name == "side") != (kind is BodyKind.CUBE):
            raise BadSpace(f"expected {_HELP}, found {text[:60]!r}.")
        size = Fraction(1) if second is None else fraction_of(second, _HELP)
        exact = fraction_of(first, _HELP)
        if exact.denominator != 1 or not 1 <= exact <= MOST_DIMENSIONS:
            raise BadSpace(f"expected a dimension from 1 to {MOST_DIMENSIONS}, found {first[:20]}.")
        length = size if kind is BodyKind.CUBE else 2 * size
        return cls._check(kind, int(exact), length, text)

    @classmethod
    def _check(cls, kind: BodyKind, dimension: int, length: Fraction, text: str) -> Body:
        if length <= 0:
            raise BadSpace(f"expected a body with some length, found {text[:60]!r}.")
        return cls(kind if dimension > 1 else BodyKind.INTERVAL, dimension, length, text)


@dataclass(frozen=True)
class BodyBound:
    """One bound on ε*: what proves it, the level, and whether it is from below."""

    name: str
    epsilon: float
    lower: bool


@dataclass(frozen=True)
class BodyAccuracy:
    """ε* of a body between the best of several bounds, and all of them."""

    body: Body
    radius: Fraction
    failure: Fraction
    closed: bool
    bounds: tuple[BodyBound, ...]

    @property
    def lower(self) -> float:
        """The largest lower bound."""
        return max((b.epsilon for b in self.bounds if b.lower), default=0.0)

    @property
    def upper(self) -> float:
        """The smallest upper bound."""
        return min(b.epsilon for b in self.bounds if not b.lower)

    def facts(self) -> Facts:
        """ε* between its best bounds, and every bound."""
        exact, near = self.lower == self.upper, "within" if self.closed else "nearer than"
        rows = tuple((b.name, b.epsilon, Shown(b.lower, "at least" if b.lower else "at most"))
                     for b in self.bounds)
        columns = Column("by", "proved by"), Column("epsilon", "ε", 7), Column("lower", "bound")
        return Facts(
            "BodyAccuracy",
            f"answers {near} {short_text(self.radius)} on {self.body.text}, except with "
            f"probability {short_text(self.failure)}",
            (Fact("epsilon_star", None, self.upper if exact else None),
             Fact(None, "smallest ε", f"proved between {self.lower:.10g} and {self.upper:.10g}"),
             *data(lower=self.lower, upper=self.upper, space=self.body.text, radius=self.radius,
                   failure=self.failure, balls="closed" if self.closed else "open"),
             Table("bounds", "", columns, rows, listed=0)),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def body_accuracy(
    body: Body | str, radius: Number, failure: Number, *, closed: bool = True,
    seconds: float = inf,
) -> BodyAccuracy:
    """ε* of an interval, a cube or a ball, between bounds that are proved.

    With `closed`, an answer at exactly the radius is near enough.

    >>> found = body_accuracy("ball:2", "1/10", "1/20")
    >>> found.lower < found.upper, [b.name for b in found.bounds if b.epsilon == found.upper]
    (True, ['noise e^(-ε|x|), projected'])
    """
    read = Body.parse(body) if isinstance(body, str) else body
    if read is None:
        raise BadSpace(f"expected {_HELP}, found {str(body)[:60]!r}.")
    near, rare = stated(radius, "a radius as a number"), stated(failure, "a failure as a number")
    check_request(near, rare)
    if 2 * near > read.length or (closed and 2 * near == read.length):
        center = BodyBound("the center, whatever the input", 0.0, False)
        return BodyAccuracy(read, near, rare, closed, (center,))
    if rare == 0 or near == 0:
        raise Infeasible(
            "on a body with more than one answer no finite level gives exact answers, or answers "
            "that never fail; allow a radius and a failure above 0."
        )
    bounds = (*_packing_bounds(read, near, rare),
              *_on_a_line(read, near, rare, seconds / 2, closed=closed),
              *_on_a_square(read, near, rare, seconds / 2, closed=closed),
              *_without_the_data(read, near, rare, closed=closed),
              *_exponential(read, near, rare), *_noise(read, near, rare, closed=closed))
    return BodyAccuracy(read, near, rare, closed, bounds)


def _packing_bounds(body: Body, radius: Fraction, failure: Fraction) -> Iterator[BodyBound]:
    """Disjoint balls around points of a grid, and around the ends of the axes of a ball."""
    step, k = float(2 * radius) * (1 + 2.0**-20), body.dimension
    apart = 1 + 2.0**-40
    if body.kind is not BodyKind.BALL:  # all at the same largest difference are counted at once
        most = min(_MOST_PACKED, int(10 ** (300 / k)))  # fewer points are disjoint as well
        along = min(most, int(float(body.length) / step) + 1)
        below = np.arange(along // 2 + 1, dtype=np.float64)
        within = (below + np.minimum(below, along - 1 - along // 2) + 1) ** k
        distances = np.asarray(np.arange(1, along // 2 + 1) * step * apart, dtype=np.float64)
        if along > 1:
            yield _by_balls(distances, np.diff(within), failure)
        return
    half = float(body.length) / 2
    reach = int(half / step)
    if reach > 0 and (2 * reach + 1) ** k <= _MOST_PACKED:
        axis = np.arange(-reach, reach + 1)
        cells = np.stack(np.meshgrid(*[axis] * k, indexing="ij"), -1).reshape(-1, k)
        lengths = np.sqrt((cells**2).sum(axis=1)) * step
        near = lengths[(lengths > 0) & (lengths * apart <= half)]
        yield _by_balls(near * apart, np.ones(len(near)), failure)
    if half * 2**0.5 > step:
        ends = np.array([half * 2**0.5, 2 * half]) * apart
        yield _by_balls(ends, np.array([2.0 * k - 2, 1.0]), failure)


def _by_balls(lengths: FloatArray, counts: FloatArray, failure: Fraction) -> BodyBound:
    epsilon = packing_root(lengths, failure, counts=counts)
    return BodyBound(f"{counts.sum() + 1:,.6g} disjoint balls", epsilon, True)


def _on_a_line(
    body: Body, radius: Fraction, failure: Fraction, seconds: float, *, closed: bool
) -> Iterator[BodyBound]:
    """The interval in the body by its cells: from below and, for an interval, from above."""
    cells = Cells.of(body.length, radius, failure, closed=closed)
    try:
        below = lower_bound_of(cells, failure, seconds / 2)
        yield BodyBound(f"a grid of {cells.inputs} inputs", below, True)
        if body.kind is BodyKind.INTERVAL and cells.outputs <= MOST_CELLS:
            above = remapped_laplace(cells, failure, seconds / 2)
            yield BodyBound(f"Laplace noise, {cells.outputs} cells remapped", above, False)
    except SolverFailed:  # out of time, or of doubles: the other bounds stand
        return


def _on_a_square(
    body: Body, radius: Fraction, failure: Fraction, seconds: float, *, closed: bool
) -> Iterator[BodyBound]:
    """A grid of inputs in a square, or in a face of a cube of few dimensions; and splines."""
    if body.kind is not BodyKind.CUBE or body.dimension > _FEW:
        return
    end, start, enough = monotonic() + seconds, 1 - log(failure), 0.0
    try:
        below, inputs = square_bound(body.length, radius, failure, start, seconds / 3)
        yield BodyBound(f"a grid of {inputs} inputs on a square", below, True)
        start, enough = _ABOVE * below * float(radius), _ABOVE * below
    except SolverFailed:  # as on a line
        pass
    inner = radius if closed else radius * _SHORTER
    if body.dimension == 2 and body.length <= _SPLINES * inner:
        above = spline_level(body.length, inner, failure, start, end - monotonic(), enough=enough)
        if above is not None:
            yield BodyBound("a mechanism of splines", above, False)


def _without_the_data(
    body: Body, radius: Fraction, failure: Fraction, *, closed: bool
) -> Iterator[BodyBound]:
    """Level 0, if a point of a cover, chosen at random, is near enough to every input."""
    if body.kind is not BodyKind.BALL:
        across = body.length / (2 * radius)
        count = (ceil(across) if closed else floor(across) + 1) ** body.dimension
        if failure >= 1 - Fraction(1, count):
            yield BodyBound(f"one of {count:,} points at random", 0.0, False)


def _exponential(body: Body, radius: Fraction, failure: Fraction) -> Iterator[BodyBound]:
    """Theorem 3.4 with Lebesgue measure and with a cover."""
    half = radius / 2
    least = min(Fraction(1), half / body.length) ** body.dimension  # in a corner; in a ball, one
    # of half that radius, moved toward the center, lies inside
    yield BodyBound("exponential, Lebesgue", _theorem(radius, failure, least), False)
    try:
        count = cover_size(body, half)
    except TooLarge:
        return
    counted = f"{count:,}" if count < 10**12 else short_text(Fraction(count))
    name = f"exponential, {counted} points of a cover"
    yield BodyBound(name, _theorem(radius, failure, Fraction(1, count)), False)


def cover_size(body: Body, radius: Fraction) -> int:
    """How many closed balls of a radius cover a body, by a grid."""
    if body.kind is BodyKind.BALL:
        if (2 * isqrt(body.dimension) + 2) * float(body.length / radius) > 60:
            raise TooLarge("the number of centers", 10**9, 10**6, "use a larger radius")
        return len(ball_cover(body.dimension, 2 * radius / body.length))
    along: int = ceil(body.length / (2 * radius))
    return int(along**body.dimension)


def _theorem(radius: Fraction, failure: Fraction, least: Fraction) -> float:
    """2β with β = (2/γ) ln(1/(δ m))."""
    with ctx.workprec(128):
        return float_above(ball_of(4 / radius, 128) * ball_of(1 / (failure * least), 128).log())


def _noise(
    body: Body, radius: Fraction, failure: Fraction, *, closed: bool
) -> Iterator[BodyBound]:
    """Noise e^(-ε|x|): too long with the chance Σ_(j<k) e^(-x) x^j/j!, x = εγ.

    On a cube, answers may be clipped to [γ, L - γ]. With L <= 4γ a coordinate then fails on one
    side at most, if its noise is above γ there. The noise is even on a cube of radius r, r a
    gamma variable of k + 1 steps, so that all coordinates are right with the mean of
    min(1, (r + γ)/2r)^k: the terms of the sum have the factors 1 - 2^(j - k).
    """
    k = body.dimension
    flat = [Fraction(1)] * k
    yield BodyBound("noise e^(-ε|x|), projected", _level_of_tail(flat, radius, failure), False)
    inner = radius if closed else radius * _SHORTER
    if body.kind is not BodyKind.BALL and body.length <= 4 * inner:
        one_sided = [1 - Fraction(1, 2 ** (k - j)) for j in range(k)]
        level = _level_of_tail(one_sided, inner, failure)
        yield BodyBound("noise e^(-ε|x|), clipped", level, False)
    elif body.kind is BodyKind.CUBE and k == 2:
        clipped = clipped_level(body.length, inner, failure)
        if clipped is not None:
            yield BodyBound("noise e^(-ε|x|), clipped in parts", clipped, False)


def _level_of_tail(factors: list[Fraction], radius: Fraction, failure: Fraction) -> float:
    """The least level, nearly, at which e^(-x) Σ_j c_j x^j/j! is at most the failure; proved."""

    def rare_enough(epsilon: float) -> bool:
        with ctx.workprec(192):
            x = ball_of(Fraction(epsilon) * radius, 192)
            term, total = arb(1), arb(0)
            for j, factor in enumerate(factors):
                total += term * ball_of(factor, 192)
                term = term * x / (j + 1)
            return bool(total * (-x).exp() <= ball_of(failure, 192))

    low, high = 0.0, 1 / float(radius)
    while not rare_enough(high):
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if rare_enough(middle) else (middle, high)
    return high
