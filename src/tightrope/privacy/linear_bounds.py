"""Piecewise linear bounds as hockey-stick sums: linear conditions on a mechanism.

Let M be concave and piecewise linear. For a slope a, the largest M(x) - a x is M*(a), attained
at a corner. Then P(O | j) <= M(P(O | i)) for every event O iff, for the slope a of every piece,

    Σ_z max(0, P(z | j) - a P(z | i)) <= M*(a),

since the sum is the largest P(O | j) - a P(O | i). With r = 1/a and rows that add up to 1, the
same says Σ_z max(0, P(z | i) - r P(z | j)) <= 1 + r (M*(a) - 1): ratios below 1 are turned round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from tightrope.errors import BadInput
from tightrope.markup import brief
from tightrope.privacy.bounds import Bound, FormulaBound, Jump, LevelBound, Strict
from tightrope.privacy.generic import GenericDefinition, Knot, PairBound, between

_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class HullBound:
    """The concave hull of a piecewise linear M that is not concave.

    Of the definitions that keep both axioms, it is the strictest that allows whatever M allows
    (KL10, Theorem 2.2.5). A mechanism that keeps it may break M itself.

    >>> HullBound.of([(0, 0), ("1/2", "1/4"), (1, 1)]).hull.knots == ((0, 0), (1, 1))
    True
    """

    given: tuple[Knot, ...]
    hull: PairBound

    @classmethod
    def of(cls, corners: Sequence[Knot]) -> HullBound:
        """The hull of the corners; raises `BadInput` where no bound has them."""
        points = tuple((Fraction(a), Fraction(b)) for a, b in corners)
        PairBound.of([(a, _ONE) for a, _ in points])  # places that no bound has are refused
        if any(not 0 <= b <= 1 for _, b in points):
            raise BadInput("expected a bound with values from 0 to 1 and M(1) = 1.")
        kept: list[Knot] = []
        for point in points:
            while len(kept) > 1 and between(kept[-2], point, kept[-1][0]) >= kept[-1][1]:
                kept.pop()
            kept.append(point)
        return cls(points, PairBound.of(kept))

    @property
    def concave(self) -> bool:
        """Whether M was concave already."""
        return all(self.hull(a) == b for a, b in self.given)

    @property
    def text(self) -> str:
        """The hull in words."""
        return f"the concave hull of M, which is not concave: {self.hull.text}"

    def sign(self, a: Fraction, b: Fraction) -> int:
        """The sign of b - M(a), M being the hull."""
        return self.hull.sign(a, b)

    def above(self, a: Fraction, bits: int = 0) -> Fraction:
        """The hull at a."""
        return self.hull(a)


@dataclass(frozen=True)
class HockeyStick:
    """Σ_z max(0, P(z | over) - ratio · P(z | under)) <= allowed, inputs by their positions."""

    over: int
    under: int
    ratio: Fraction
    allowed: Fraction

    __repr__ = brief

    def excess(self, rows: Sequence[Sequence[Fraction]]) -> Fraction:
        """The sum on the left, for a matrix with a row for each input."""
        pairs = zip(rows[self.over], rows[self.under], strict=True)
        return sum((max(_ZERO, p - self.ratio * q) for p, q in pairs), _ZERO)


def linear_bound(bound: Bound) -> PairBound:
    """The bound by rational corners; refused where it has none, or no best mechanism.

    An irrational e^ε is rounded down by a relative 2^-39 at most, so that the bound is stricter.

    >>> from tightrope.exact import Level
    >>> linear_bound(LevelBound(Level.epsilon("0.5"))).knots[1][0].denominator > 2**30
    True
    """
    match bound:
        case PairBound() if bound.at_zero == bound.knots[0][1]:
            return bound
        case HullBound():
            return bound.hull
        case LevelBound():
            return PairBound.of_level(bound.level, bound.distance, stricter=True)
        case FormulaBound():
            raise BadInput("a mechanism is designed under an M with corners; a formula is judged "
                           "only: give its corners as corners = [[0, 0], …].")
        case Strict():
            raise BadInput("a bound that must not be attained has no best mechanism; leave out "
                           'boundary = "strict".')
        case PairBound() | Jump():
            raise BadInput("a bound that jumps at 0 may have no best mechanism; leave out at_zero.")
        case _:
            raise BadInput(f"expected a bound with corners, found {type(bound).__name__}.")


def linear_definition(definition: GenericDefinition) -> GenericDefinition:
    """The definition with every bound by rational corners (see `linear_bound`)."""
    known = {id(bound): linear_bound(bound) for bound in definition.bounds.values()}
    return GenericDefinition({pair: known[id(bound)] for pair, bound in definition.bounds.items()})


def most_above(bound: PairBound, slope: Fraction) -> Fraction:
    """M*(a), the largest M(x) - a x.

    >>> most_above(PairBound.of([(0, "0.1"), ("0.3", "0.7"), (1, 1)]), Fraction(2))
    Fraction(1, 10)
    """
    return max(b - slope * a for a, b in bound.knots)


def most_excess(
    definition: GenericDefinition, over: int, under: int, ratio: Fraction
) -> Fraction | None:
    """The smallest excess over a ratio that a definition with corners implies; None without a pair.

    Only this function makes a number of a dual proof from the definition.
    """
    limits = []
    direct, turned = definition.bounds.get((under, over)), definition.bounds.get((over, under))
    if isinstance(direct, PairBound):
        limits.append(most_above(direct, ratio))
    if isinstance(turned, PairBound) and ratio > 0:
        limits.append(1 + ratio * (most_above(turned, 1 / ratio) - 1))
    return min(limits, default=None)


def hockey_sticks(definition: GenericDefinition) -> tuple[HockeyStick, ...]:
    """The sums, each with a ratio of at least 1, that say all that a definition with corners says.

    >>> from tightrope.exact import Level
    >>> two = PairBound.of_level(Level.ratio(2, "0.1"))
    >>> [(s.over, s.under, s.ratio) for s in hockey_sticks(GenericDefinition({(0, 1): two}))]
    [(1, 0, Fraction(2, 1)), (0, 1, Fraction(2, 1))]
    """
    sums: dict[tuple[int, int, Fraction], None] = {}
    for (i, j), bound in definition.bounds.items():
        assert isinstance(bound, PairBound)
        for (a, b), (c, d) in pairwise(bound.knots):
            slope = (d - b) / (c - a)
            if slope >= 1:
                sums[j, i, slope] = None
            elif slope > 0:
                sums[i, j, 1 / slope] = None
    sticks = []
    for over, under, ratio in sums:
        allowed = most_excess(definition, over, under, ratio)
        if allowed is not None and allowed < 1:
            sticks.append(HockeyStick(over, under, ratio, allowed))
    return tuple(sticks)
