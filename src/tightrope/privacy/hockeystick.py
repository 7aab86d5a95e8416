"""δ at a given ε: the hockey-stick sums of neighboring inputs, exactly.

For rows p, q at distance d the smallest δ is Σ_z max(0, p_z - e^(ε d) q_z), which equals
the largest excess over all sets of outputs. As a function of r = e^ε it is convex and
piecewise linear with breakpoints at the ratios p_z / q_z.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import lcm

from tightrope.errors import Refused
from tightrope.exact import Level, Surd, lower_bound, upper_bound
from tightrope.mechanisms import FiniteMechanism, KernelMechanism, MatrixMechanism
from tightrope.spaces import Neighbors, Space

Law = Sequence[Fraction]


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
        found = 0
        for a, b in zip(self.numbers, other.numbers, strict=True):
            more = a * here - b * there
            if more > 0:
                found += more
        return Fraction(found, self.total * here)


def _whole(law: Law) -> _WholeLaw:
    total = lcm(*(chance.denominator for chance in law))
    return _WholeLaw(
        [chance.numerator * (total // chance.denominator) for chance in law], total
    )


def _row(mechanism: FiniteMechanism, i: int) -> _WholeLaw:
    """Row i in whole numbers, straight from the weights where they are written out."""
    if not isinstance(mechanism, MatrixMechanism):
        return _whole(mechanism.row(i))
    numbers, _ = mechanism.weights.row_integers(i)
    return _WholeLaw(numbers, sum(numbers))


def _factors(level: Level, distance: Surd, bits: int) -> tuple[Fraction, Fraction]:
    """e^(ε d) from above and from below; equal where it is rational."""
    exact = level.power(distance)
    if exact is not None:
        return exact, exact
    ball = level.power_ball(distance, bits)
    return upper_bound(ball), lower_bound(ball)


@dataclass(frozen=True)
class WorstPair:
    """A bracket of the largest δ over neighbors, and the ordered pair that proves its lower end."""

    first: int
    second: int
    distance: Surd
    delta: tuple[Fraction, Fraction]
    checked: int


def worst_pair(mechanism: FiniteMechanism, space: Space, level: Level, *, bits: int) -> WorstPair:
    """The largest δ over ordered neighbor pairs, bracketed at the given precision.

    Where all points are equally far apart and equally likely, any pair is like any other.
    """
    found: list[tuple[Fraction, Fraction, int, int, Surd]] = []
    pairs = neighbor_pairs(space)
    if isinstance(mechanism, KernelMechanism) and mechanism.space == space and mechanism.even:
        pairs = islice(pairs, 1)
    rows: dict[int, _WholeLaw] = {}
    factors: dict[tuple[object, ...], tuple[Fraction, Fraction]] = {}
    for first, second, distance in pairs:
        for i in (first, second):
            if i not in rows:
                rows[i] = _row(mechanism, i)
        if distance.terms not in factors:
            factors[distance.terms] = _factors(level, distance, bits)
        most, least = factors[distance.terms]
        for a, b in ((first, second), (second, first)):
            low = rows[a].excess(rows[b], most)
            high = low if most == least else rows[a].excess(rows[b], least)
            found.append((low, high, a, b, distance))
    lowest, _, a, b, distance = max(found, key=lambda pair: pair[0])
    highest = max(high for _, high, *_ in found)
    count = len(found) * len(mechanism.outputs)
    return WorstPair(a, b, distance, (lowest, highest), count)


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


@dataclass(frozen=True)
class DeltaCurve:
    """δ as a function of e^ε for a finite mechanism, over all declared neighbors.

    `sides` holds the distinct pairs of laws that occur, both orders. Distances between
    neighbors are 1, as the declared relations make them.
    """

    sides: tuple[tuple[tuple[Fraction, ...], tuple[Fraction, ...]], ...]

    def at_ratio(self, ratio: Fraction) -> Fraction:
        """δ at e^ε = ratio, exactly."""
        return max(excess(p, q, ratio) for p, q in self.sides)

    def at(self, level: Level) -> tuple[Fraction, Fraction]:
        """Rational bounds on δ at the level."""
        brackets = [excess_bracket(p, q, level, Surd.of(1)) for p, q in self.sides]
        return max(low for low, _ in brackets), max(high for _, high in brackets)

    @property
    def breakpoints(self) -> tuple[Fraction, ...]:
        """Ratios above 1 at which a sum bends, in increasing order, starting at 1."""
        found = {a / b for p, q in self.sides for a, b in zip(p, q, strict=True) if b and a > b}
        return (Fraction(1), *sorted(found))


def delta_curve(mechanism: FiniteMechanism, space: Space) -> DeltaCurve:
    """The whole δ(ε) curve of a finite mechanism.

    >>> from tightrope.spaces import categories
    >>> from tightrope.mechanisms import KernelMechanism
    >>> rr = KernelMechanism(categories(2), Fraction(3), Fraction(1), (Fraction(1),) * 2)
    >>> delta_curve(rr, rr.space).at_ratio(Fraction(1))  # total variation
    Fraction(1, 2)
    """
    sides = {}
    for first, second, distance in neighbor_pairs(space):
        if distance != Surd.of(1):
            raise Refused(f"the curve needs neighbors at distance 1, found {distance}.")
        p, q = mechanism.row(first), mechanism.row(second)
        for side in ((p, q), (q, p)):
            sides[tuple(sorted(zip(*side, strict=True)))] = side
    return DeltaCurve(tuple(sides.values()))
