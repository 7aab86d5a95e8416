"""Exact non-negative numbers of the form Σ c √r, and infinity.

Distances of the supported spaces are rational (graphs, counts), square roots (Euclidean grids and
points) or sums of those (products). Between components of a graph they are infinite. A `Surd` keeps
such a number exactly and decides every comparison.

Two facts make that possible. √a / √b is rational iff a·b is a square, so terms that belong together
can be found without factoring. Other square roots are linearly independent over the rationals, so a
sum is zero iff every merged coefficient is. Signs of non-zero sums come from ball arithmetic,
refined until decided.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import total_ordering
from math import inf, isqrt
from numbers import Real
from typing import Final

from flint import arb, ctx

from tightrope.exact.balls import ball_of
from tightrope.exact.numbers import stated

Rational = int | str | Fraction


def fraction_root(value: Fraction) -> Fraction | None:
    """The exact square root of a rational, or None if it is irrational.

    >>> fraction_root(Fraction(9, 4)), fraction_root(Fraction(2))
    (Fraction(3, 2), None)
    """
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    if top * top == value.numerator and bottom * bottom == value.denominator:
        return Fraction(top, bottom)
    return None


@total_ordering
@dataclass(frozen=True, eq=False)
class Surd:
    """An exact non-negative number Σ c √r, as merged terms (c, r) with c > 0, or infinity.

    >>> Surd.root(8) == Surd.root(2) * 2
    True
    >>> Surd.of(3) < Surd.root(10), Surd.root("9/4").rational
    (True, Fraction(3, 2))
    >>> Surd.of(10**9) < INFINITE, INFINITE + Surd.of(1) == INFINITE, str(INFINITE)
    (True, True, 'inf')
    """

    terms: tuple[tuple[Fraction, Fraction], ...]
    infinite: bool = False

    @classmethod
    def of(cls, value: Rational) -> Surd:
        """The rational number `value`, which must not be negative."""
        exact = Fraction(value)
        if exact < 0:
            raise ValueError(f"a distance cannot be negative, found {exact}")
        return cls(((exact, Fraction(1)),) if exact else ())

    @classmethod
    def root(cls, value: Rational) -> Surd:
        """The square root of a non-negative rational."""
        exact = Fraction(value)
        rational = fraction_root(exact)
        if rational is not None:
            return cls.of(rational)
        return cls(((Fraction(1), exact),))

    @property
    def rational(self) -> Fraction | None:
        """The value as a fraction, or None if it is irrational or infinite."""
        if self.infinite:
            return None
        if not self.terms:
            return Fraction(0)
        if len(self.terms) == 1 and self.terms[0][1] == 1:
            return self.terms[0][0]
        return None

    def ball(self, bits: int) -> arb:
        """A ball that contains the number, computed at `bits` of working precision."""
        with ctx.workprec(bits):
            total = arb.pos_inf() if self.infinite else arb(0)
            for coefficient, radicand in self.terms:
                root = ball_of(radicand, bits).sqrt()
                total += root if coefficient == 1 else ball_of(coefficient, bits) * root
            return total

    def __float__(self) -> float:
        return float(self.ball(80).mid())

    def __add__(self, other: Surd) -> Surd:
        if self.infinite or other.infinite:
            return INFINITE
        return Surd(_merge_terms([*self.terms, *other.terms]))

    def __mul__(self, factor: int | Fraction) -> Surd:
        if factor == 0 or self.infinite:
            return self if factor else Surd(())
        return Surd(tuple((coefficient * factor, radicand) for coefficient, radicand in self.terms))

    def __eq__(self, other: object) -> bool:
        """Whether they are the same number; a double means its shortest decimal.

        >>> Surd.of(3) == 3, Surd.of("1/10") == 0.1, Surd.root(2) == 1.4142135623730951
        (True, True, False)
        """
        if not isinstance(other, Surd):
            number = _number(other)
            return NotImplemented if number is None else number >= 0 and self == _surd(number)
        if self.infinite or other.infinite:
            return self.infinite and other.infinite
        return self.terms == other.terms or not _difference(self, other)

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: Surd | Real) -> bool:
        if not isinstance(other, Surd):
            number = _number(other)
            return NotImplemented if number is None else number >= 0 and self < _surd(number)
        if self.infinite or other.infinite:
            return not self.infinite
        mine, theirs = self.rational, other.rational
        if mine is not None and theirs is not None:
            return mine < theirs
        terms = _difference(self, other)
        if not terms:
            return False
        bits = 64
        while True:
            gap = Surd(terms).ball(bits)
            if gap < 0:
                return True
            if gap > 0:
                return False
            bits *= 2

    @property
    def short(self) -> str:
        """The distance in few characters: exactly where that is short, else seven digits.

        >>> Surd.of("1/2").short, (Surd.root(2) + Surd.of(1)).short
        ('1/2', '2.414214')
        """
        exact = str(self)
        return exact if len(exact) <= 12 and " " not in exact else f"{float(self):.7g}"

    def __str__(self) -> str:
        def term(coefficient: Fraction, radicand: Fraction) -> str:
            if radicand == 1:
                return str(coefficient)
            return f"√{radicand}" if coefficient == 1 else f"{coefficient}√{radicand}"

        if self.infinite:
            return "inf"
        return " + ".join(term(*pair) for pair in self.terms) or "0"


INFINITE: Final = Surd((), infinite=True)
"""The distance of points that no path joins: nothing is promised between them."""


def _number(value: object) -> Fraction | float | None:
    """A number that a person states, as a fraction or infinity; None for anything else."""
    if not isinstance(value, Real | Decimal) or value != value:
        return None
    return float(value) if value in (inf, -inf) else stated(value, "a number")


def _surd(number: Fraction | float) -> Surd:
    return INFINITE if isinstance(number, float) else Surd.of(number)


def _difference(left: Surd, right: Surd) -> tuple[tuple[Fraction, Fraction], ...]:
    return _merge_terms([*left.terms, *((-c, r) for c, r in right.terms)])


def _merge_terms(
    terms: Iterable[tuple[Fraction, Fraction]],
) -> tuple[tuple[Fraction, Fraction], ...]:
    """Terms with radicands that pairwise belong to different classes, zeros removed."""
    classes: list[tuple[Fraction, Fraction]] = []
    for coefficient, radicand in terms:
        for position, (before, representative) in enumerate(classes):
            root = fraction_root(radicand * representative)
            if root is not None:  # √radicand = (root / representative) √representative
                merged = before + coefficient * root / representative
                classes[position] = (merged, representative)
                break
        else:
            classes.append((coefficient, radicand))
    return tuple(pair for pair in classes if pair[0] != 0)
