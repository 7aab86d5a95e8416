"""Independent discrete Gaussian noise on coefficients of several totals, at (ε, δ).

Coefficient i of totals T is c_i = Σ_j a_ij T_j with whole numbers a_ij, the totals themselves
where no functions are stated. It gets noise z with probability e^(-z²/(2σ_i²))/θ(σ_i²). One person
moves each total by at most D, so c_i by at most Δ_i = D Σ_j |a_ij|, and ρ = ½ Σ Δ_i²/σ_i². If the
functions are orthogonal, Bessel's inequality bounds Σ (c_i - c'_i)²/σ_i² by m D² max |a_i|²/σ_i²
as well, m the number of totals that they read; the smaller of both is taken.
θ(σ²) = Σ e^(-n²/(2σ²)) = sqrt(2πσ²) Σ e^(-2π²σ²n²), by whichever sum ends sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from math import isqrt, prod
from typing import ClassVar, Final

from flint import arb, ctx

from tightrope.errors import BadInput
from tightrope.exact import Number, ball_of, exact_number, lower_bound
from tightrope.mechanisms.answers import Answers, Single
from tightrope.spaces import Totals

MOST_FUNCTIONS: Final = 50
"""Functions of a basis: orthogonality of every two is checked exactly."""

_BITS: Final = 160
_LISTED: Final = 100
"""Up to this σ tails are added up; beyond it integrals bound them, within one part in σ."""
_LARGEST: Final = 2**400
"""Variances and numbers of functions below this keep balls and draws short."""


@dataclass(frozen=True)
class GaussianLaw:
    """Independent whole numbers: each is its center plus discrete Gaussian noise.

    >>> law = GaussianLaw((3,), (Fraction(1),))
    >>> round(float(law.probability((3,)) / law.probability((5,))), 9)  # e^2
    7.389056099
    """

    centers: tuple[int, ...]
    variances: tuple[Fraction, ...]

    def probability(self, z: Sequence[int]) -> arb:
        """A ball around the probability of an answer."""
        chance = arb(1)
        with ctx.workprec(_BITS):
            for at, center, variance in zip(z, self.centers, self.variances, strict=True):
                chance *= _weight(at - center, variance) / theta(variance)
        return chance

    def within(self, radii: Sequence[int]) -> arb:
        """A ball around the chance that every number is within its radius of its center."""
        with ctx.workprec(_BITS):
            return prod((1 - 2 * tail(radius + 1, variance) for radius, variance
                         in zip(radii, self.variances, strict=True)), start=arb(1))

    def radii(self, confidence: Fraction) -> tuple[int, ...]:
        """Radii in proportion to the deviations that hold all numbers with this probability.

        With one variance they are the least that do.

        >>> GaussianLaw((0, 0), (Fraction(4), Fraction(4))).radii(Fraction(19, 20))
        (4, 4)
        """
        alike = GaussianLaw((0,) * len(self.centers), self.variances)
        return _radii(alike, confidence)


@lru_cache(maxsize=64)
def _radii(law: GaussianLaw, confidence: Fraction) -> tuple[int, ...]:
    widest = max(law.variances)
    shares = [variance / widest for variance in law.variances]

    def radii(radius: int) -> tuple[int, ...]:
        return tuple(isqrt(radius**2 * s.numerator // s.denominator) for s in shares)

    def inside(radius: int) -> bool:
        return lower_bound(law.within(radii(radius))) >= confidence

    low, high = -1, 1
    while not inside(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if inside(middle) else (middle, high)
    return radii(high)


def _weight(z: int, variance: Fraction) -> arb:
    """e^(-z²/(2σ²))."""
    weight: arb = ball_of(-(z * z) / (2 * variance), _BITS).exp()
    return weight


@lru_cache(maxsize=1024)
def theta(variance: Fraction) -> arb:
    """A ball around Σ e^(-n²/(2σ²)) over all whole numbers n."""
    with ctx.workprec(_BITS):
        ball = ball_of(variance, _BITS)
        narrow = 6 * variance < 1
        fall = 1 / (2 * ball) if narrow else 2 * arb.pi() ** 2 * ball  # terms e^(-fall n²)
        total, n = arb(1), 1
        while (term := 2 * (-fall * n * n).exp()) > arb(2) ** -_BITS:
            total, n = total + term, n + 1
        total += arb(0.5, 0.5) * 2 * term  # each term is less than half of the one before
        return total if narrow else total * (2 * arb.pi() * ball).sqrt()


@lru_cache(maxsize=4096)
def tail(least: int, variance: Fraction) -> arb:
    """A ball around the chance that the noise is at least so much, for `least` from 0 up."""
    with ctx.workprec(_BITS):
        if variance <= _LISTED**2:
            total, z = arb(0), least
            first = _weight(least, variance)
            while True:
                term = _weight(z, variance)
                if z > least and term < first * arb(2) ** -_BITS:
                    break
                total, z = total + term, z + 1
            # from z on each weight is at most e^(-z/σ²) times the one before
            ratio = ball_of(-z / variance, _BITS).exp()
            rest = term / (1 - ratio)
            return (total + rest * arb(0.5, 0.5)) / theta(variance)
        deviation = ball_of(variance, _BITS).sqrt()
        integral = deviation * (arb.pi() / 2).sqrt() * (
            least / (deviation * arb(2).sqrt())).erfc()
        return (integral + _weight(least, variance) * arb(0.5, 0.5)) / theta(variance)


@dataclass(frozen=True, repr=False)
class GaussianMechanism(Single):
    """Discrete Gaussian noise on every coefficient: of totals, or of stated functions of them.

    >>> plain = GaussianMechanism(Totals(people=9, most=3, length=2), (Fraction(18),) * 2)
    >>> plain.sensitivities, plain.rho
    ((3, 3), Fraction(1, 2))
    >>> GaussianMechanism(Totals(9, 3, 2), (36, 36), ((1, 1), (1, -1))).rho  # not 1: orthogonal
    Fraction(1, 2)
    """

    space: Totals
    variances: tuple[Fraction, ...]
    functions: tuple[tuple[int, ...], ...] | None = None
    answers: ClassVar = Answers.VECTORS

    def __post_init__(self) -> None:
        if type(self.space) is not Totals:
            raise BadInput(f"expected Totals, found a {type(self.space).__name__}.")
        object.__setattr__(self, "variances", _numbers(self.variances))
        size = self.space.length
        if self.functions is not None:
            rows = tuple(_whole_numbers(row, size) for row in _as_tuple(self.functions))
            if not 1 <= len(rows) <= MOST_FUNCTIONS:
                raise BadInput(f"expected from 1 to {MOST_FUNCTIONS} functions, found {len(rows)}.")
            object.__setattr__(self, "functions", rows)
            size = len(rows)
        if len(self.variances) != size:
            raise BadInput(f"expected {size} variances, one for each coefficient, found "
                           f"{len(self.variances)}.")

    @cached_property
    def sensitivities(self) -> tuple[int, ...]:
        """Δ_i: the most that one person moves each coefficient."""
        most = self.space.most
        if self.functions is None:
            return (most,) * self.space.length
        return tuple(most * sum(map(abs, row)) for row in self.functions)

    @cached_property
    def orthogonal(self) -> bool:
        """Whether every two functions are orthogonal."""
        return self.functions is None or are_orthogonal(self.functions)

    @cached_property
    def rho(self) -> Fraction:
        """The ρ of zCDP: half of a bound on Σ (c_i - c'_i)²/σ_i² over all neighbors."""
        each = sum((Fraction(s * s) / v for s, v in zip(self.sensitivities, self.variances,
                                                         strict=True)), Fraction(0))
        if self.functions is None or not self.orthogonal:
            return each / 2
        steepest = max(Fraction(sum(a * a for a in row)) / v
                       for row, v in zip(self.functions, self.variances, strict=True))
        return min(each, columns_read(self.functions) * self.space.most**2 * steepest) / 2

    @cached_property
    def noise(self) -> GaussianLaw:
        """The law of the noise alone: it does not depend on the data."""
        return GaussianLaw((0,) * len(self.variances), self.variances)

    def law(self, data: object) -> GaussianLaw:
        """The law of the answer for these totals; a curator's figure, not private."""
        totals = self.space.accept(data)
        if self.functions is None:
            return GaussianLaw(totals, self.variances)
        return GaussianLaw(tuple(sum(a * t for a, t in zip(row, totals, strict=True))
                                 for row in self.functions), self.variances)


def are_orthogonal(functions: Sequence[Sequence[int]]) -> bool:
    """Whether the products of every two functions add up to 0."""
    return not any(sum(a * b for a, b in zip(one, other, strict=True))
                   for one, other in combinations(functions, 2))


def columns_read(functions: Sequence[Sequence[int]]) -> int:
    """How many totals at least one of the functions reads."""
    return sum(any(column) for column in zip(*functions, strict=True))


def _as_tuple(given: object) -> tuple[object, ...]:
    if not isinstance(given, Sequence) or isinstance(given, str | bytes):
        raise BadInput("expected functions as a list of rows of whole numbers.")
    return tuple(given)


def _numbers(given: object) -> tuple[Fraction, ...]:
    try:
        exact = tuple(exact_number(value) for value in _as_tuple(given))
    except (ValueError, TypeError):
        exact = ()
    if not exact or any(not 0 < v < _LARGEST or v.denominator > _LARGEST for v in exact):
        raise BadInput("expected variances above 0, as exact numbers of at most 400 bits.")
    return exact


def _whole_numbers(row: object, size: int) -> tuple[int, ...]:
    try:
        exact: list[Number] = [exact_number(value) for value in _as_tuple(row)]
    except (ValueError, TypeError):
        exact = []
    whole = tuple(int(value) for value in exact if Fraction(value).denominator == 1)
    if len(whole) != size or not any(whole) or max(map(abs, whole)) >= _LARGEST:
        raise BadInput(f"expected functions as {size} whole numbers, not all 0 and of at most 400 "
                       "bits.")
    return whole


