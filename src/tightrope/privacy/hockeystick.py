"""δ at a given ε: the hockey-stick sums of neighboring inputs, exactly.

For rows p, q at distance d the smallest δ is Σ_z max(0, p_z - e^(ε d) q_z), which equals
the largest excess over all sets of outputs. As a function of r = e^ε it is convex and
piecewise linear with breakpoints at the ratios p_z / q_z.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, lcm

import numpy as np
from flint import arb, ctx

from tightrope.errors import Refused
from tightrope.exact import (
    IntArray,
    Level,
    Surd,
    Weights,
    ball_of,
    bit_size,
    lower_bound,
    tolerances,
    upper_bound,
)
from tightrope.mechanisms import KernelMechanism, MatrixMechanism
from tightrope.spaces import Neighbors, Space

Law = Sequence[Fraction]
_REACH, _CAP = 1000, 1002
"""Powers of two within which doubles decide; ratios are cut off beyond the second."""
_SHORT = 20_000
"""Integers of up to this many bits are worth reducing by their common factor."""


def excess(p: Law, q: Law, factor: Fraction) -> Fraction:
    """Σ max(0, p_z - factor · q_z), exactly.

    >>> half, all_ = Fraction(1, 2), Fraction(1)
    >>> excess([half, half], [all_, Fraction(0)], Fraction(1))
    Fraction(1, 2)
    """
    return _whole(p).excess(_whole(q), factor)


def excess_bracket(
    p: Law, q: Law, level: Level, distance: Surd, *, bits: int = 128
) -> tuple[Fraction, Fraction]:
    """Rational bounds on Σ max(0, p_z - e^(ε d) q_z); equal where e^(ε d) is rational."""
    most, least = _factors(level, distance, bits)
    high, low = _whole(p), _whole(q)
    return high.excess(low, most), high.excess(low, least)


@dataclass(frozen=True)
class _WholeLaw:
    """A law in whole numbers over their common denominator: no fraction for each output."""

    numbers: Sequence[int]
    total: int

    def excess(self, other: _WholeLaw, factor: Fraction) -> Fraction:
        """Σ max(0, a/s - u/v · b/t) = Σ max(0, a (v t) - b (u s)) / (s v t)."""
        here = factor.denominator * other.total
        there = factor.numerator * self.total
        excess = 0
        for a, b in zip(self.numbers, other.numbers, strict=True):
            more = a * here - b * there
            if more > 0:
                excess += more
        return Fraction(excess, self.total * here)


def _whole(law: Law) -> _WholeLaw:
    total = lcm(*(chance.denominator for chance in law))
    return _WholeLaw(
        [chance.numerator * (total // chance.denominator) for chance in law], total
    )


def _factors(level: Level, distance: Surd, bits: int) -> tuple[Fraction, Fraction]:
    """e^(ε d) from above and from below; equal where it is rational."""
    exact = level.power(distance)
    if exact is not None:
        return exact, exact
    ball = level.power_ball(distance, bits)
    return upper_bound(ball), lower_bound(ball)


@dataclass(frozen=True)
class WorstPair:
    """A bracket of the largest δ over neighbors, and the ordered pair that proves its lower end.

    `chosen` are the outputs that are likelier for `first` than e^(ε d) times for `second`,
    `probabilities` those of that set, and `holds` whether no pair exceeds the δ of the level.
    """

    first: int
    second: int
    distance: Surd
    delta: tuple[Fraction, Fraction]
    chosen: tuple[int, ...]
    probabilities: tuple[Fraction, Fraction]
    holds: bool
    checked: int


def worst_pair(
    mechanism: MatrixMechanism | KernelMechanism, space: Space, level: Level, *, bits: int
) -> WorstPair:
    """The largest δ over ordered neighbor pairs, bracketed at the given precision.

    Where all points are equally far apart and equally likely, any pair is like any other.
    """
    pairs: Iterable[tuple[int, int, Surd]] = neighbor_pairs(space)
    if isinstance(mechanism, MatrixMechanism):
        weights = _Weights(mechanism.weights, range(space.size))
    else:  # an even kernel: all others are written out
        pairs = [next(iter(pairs))]
        weights = _Weights.of(mechanism, *pairs[0][:2])
    powers: dict[tuple[object, ...], _Power] = {}
    worst, highest, holds, count = None, Fraction(0), True, 0
    for first, second, distance in pairs:
        if distance.terms not in powers:
            powers[distance.terms] = _Power.of(level, distance, bits)
        for a, b in ((first, second), (second, first)):
            excess = weights.excess(a, b, powers[distance.terms])
            within = excess.high <= level.delta or (
                excess.low <= level.delta and excess.within(level, distance)
            )
            highest, count = max(highest, excess.high), count + 1
            if worst is None or (within, -excess.low) < (holds, -worst[0].low):
                worst = excess, a, b, distance
            holds = holds and within
    assert worst is not None
    excess, a, b, distance = worst
    width = len(mechanism.outputs)
    return WorstPair(
        a, b, distance, (excess.low, highest), excess.chosen, excess.probabilities, holds,
        count * width,
    )


@dataclass(frozen=True)
class _Power:
    """e^(ε d): rational bounds, a ball, and doubles; ratios outside the doubles are decided."""

    level: Level
    distance: Surd
    bits: int
    most: Fraction
    least: Fraction
    below: float
    above: float

    @classmethod
    def of(cls, level: Level, distance: Surd, bits: int) -> _Power:
        most, least = _factors(level, distance, bits)
        if most > 1 << _REACH:
            return cls(level, distance, bits, most, least, 2.0 ** (_REACH - 1), inf)
        margin = tolerances.COMPARISON_MARGIN
        low, high = float(least) * (1 - margin), float(most) * (1 + margin)
        return cls(level, distance, bits, most, least, low, high)

    @property
    def ball(self) -> arb:
        if self.most == self.least:
            return ball_of(self.most, self.bits)
        return self.level.power_ball(self.distance, self.bits)


@dataclass(frozen=True)
class _Excess:
    """p/s - e^(ε d) q/t over the outputs where that is positive, with bounds on it."""

    p: int
    s: int
    q: int
    t: int
    chosen: tuple[int, ...]
    low: Fraction
    high: Fraction

    @property
    def probabilities(self) -> tuple[Fraction, Fraction]:
        return Fraction(self.p, self.s), Fraction(self.q, self.t)

    def within(self, level: Level, distance: Surd) -> bool:
        """Whether it is at most δ, decided exactly."""
        n, m = level.delta.as_integer_ratio()
        more = self.p * m - n * self.s
        if more <= 0 or not self.q:
            return more <= 0
        same = self.s == self.t
        over, under = (more, self.q * m) if same else (more * self.t, self.q * m * self.s)
        return level.compare_quotient(over, under, distance) <= 0


@dataclass(frozen=True, eq=False)
class _Weights:
    """Rows of weights; of an even kernel only those of two inputs. `place` is where each is."""

    weights: Weights
    place: Sequence[int] | dict[int, int]

    @classmethod
    def of(cls, kernel: KernelMechanism, first: int, second: int) -> _Weights:
        (step,) = kernel.steps([kernel.space.diameter])
        near, far = (kernel.ratio**step).as_integer_ratio()
        rows = [[near if z == i else far for z in range(kernel.space.size)]
                for i in (first, second)]
        return cls(Weights.from_integers(rows), {first: 0, second: 1})

    def excess(self, a: int, b: int, power: _Power) -> _Excess:
        """Σ_z max(0, P(z | a) - e^(ε d) P(z | b)), with bounds."""
        a, b = self.place[a], self.place[b]
        chosen = self._exceeding_outputs(a, b, power)
        (s, i), (t, j) = self.weights.totals[a], self.weights.totals[b]
        (p, u), (q, v) = (self.weights.added(y, chosen) for y in (a, b))
        p, q = p << u - i if p else 0, q << v - j if q else 0
        low, high = _bracket(p, s, q, t, power)
        return _Excess(p, s, q, t, tuple(chosen.tolist()), low, high)

    def _exceeding_outputs(self, a: int, b: int, power: _Power) -> IntArray:
        """The outputs z with P(z | a) > e^(ε d) P(z | b): doubles decide most, integers the rest.

        Exponents are cut off at 2^±1002, and beyond 2^999 nothing is decided by doubles.
        """
        heads, tails = self.weights.scaled
        positive = heads[a] > 0
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(positive, heads[a] / heads[b], 0.0)
        shifts = np.clip(tails[a] - tails[b], -_CAP, _CAP).astype(np.int32)
        ratios = np.ldexp(ratios, shifts)
        sure = positive & ((heads[b] == 0) | (ratios > power.above))
        near = np.flatnonzero(positive & ~sure & (ratios >= power.below))
        (s, i), (t, j) = self.weights.totals[a], self.weights.totals[b]
        s, t = (1, 1) if s == t else (s, t)
        for z in near.tolist():
            own, other = int(self.weights.mantissas[a, z]), int(self.weights.mantissas[b, z])
            shift = int(self.weights.exponents[a, z] - self.weights.exponents[b, z]) + j - i
            sign = power.level.compare_quotient(own * t, other * s, power.distance, shift)
            sure[z] = sign > 0
        return np.flatnonzero(sure)


def _bracket(p: int, s: int, q: int, t: int, power: _Power) -> tuple[Fraction, Fraction]:
    """Bounds on p/s - e^(ε d) q/t where that is at least 0, exact where all integers are short."""
    lengths = map(bit_size, (power.most, power.least, Fraction(s), Fraction(t)))
    if max(lengths) > _SHORT:
        with ctx.workprec(power.bits):
            ball = arb(p) / arb(s) - arb(q) / arb(t) * power.ball
        low, high = lower_bound(ball), upper_bound(ball)
    else:
        first, second = Fraction(p, s), Fraction(q, t)
        low, high = first - power.most * second, first - power.least * second
    return max(low, Fraction(0)), max(high, Fraction(0))


def declared(space: Space) -> Neighbors:
    """The neighbors of a space; refused where none are declared."""
    if space.neighbors is None:
        raise Refused(
            f"{space.text} declares no neighbors, so a δ above 0 has no meaning there; "
            "use δ = 0, or a space of counts, tables or a graph."
        )
    return space.neighbors


def neighbor_pairs(space: Space) -> Iterable[tuple[int, int, Surd]]:
    """The declared neighbor pairs with their distances."""
    for first, second in declared(space).pairs:
        yield first, second, space.distance(first, second)
