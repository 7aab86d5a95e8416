"""Discrete Gaussian noise for several totals, or for stated functions of them, at (ε, δ).

With ρ the largest whose zCDP proves the level, k totals that one person moves by up to D get the
variance k D²/(2ρ) each; k orthogonal functions a_i on m totals get m D² |a_i|²/(2ρ), so that the
curve that they give back has, on average over the totals, the variance of k totals. A Gaussian
process with a general covariance has no exact sampler on a lattice that is as simple.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import exp, pi, sqrt

from tightrope.errors import BadInput
from tightrope.exact import Level, Number
from tightrope.mechanisms import GaussianMechanism, are_orthogonal, columns_read
from tightrope.privacy import Certified, certified, largest_rho
from tightrope.spaces import Totals

_BITS = 40
"""Binary digits of a variance, which is rounded up."""
_LISTED = 2_500
"""Variances up to which mean errors are added up; beyond it the next term is below 10^-8."""


def gaussian_noise(
    space: Totals, level: Level | Number, functions: Sequence[Sequence[int]] | None = None
) -> Certified:
    """Discrete Gaussian noise, proved at the level; its δ must be above 0.

    >>> from tightrope.spaces import Totals
    >>> made = gaussian_noise(Totals(people=9, most=1, length=2), Level.of(1).with_delta("1e-6"))
    >>> round(float(made.mechanism.variances[0]), 1)
    41.1
    """
    level = Level.positive(level)
    if not level.delta:
        raise BadInput("Gaussian noise has no level at δ = 0: state a δ, or take noise in boxes.")
    variances = gaussian_variances(space, largest_rho(level), functions)
    return certified(GaussianMechanism(space, variances, functions), level)  # type: ignore[arg-type]


def gaussian_variances(
    space: Totals, rho: Fraction, functions: Sequence[Sequence[int]] | None = None
) -> tuple[Fraction, ...]:
    """Variances whose noise has zCDP with ρ, rounded up to forty binary digits."""
    if functions is None:
        return (_rounded_up(space.length * space.most**2 / (2 * rho)),) * space.length
    squares = [sum(a * a for a in row) for row in functions]
    sums = [sum(map(abs, row)) ** 2 for row in functions]
    if not are_orthogonal(functions):
        each = len(functions) * space.most**2 / (2 * rho)
        return tuple(_rounded_up(each * part) for part in sums)
    moved = min(Fraction(columns_read(functions)), sum(
        (Fraction(part, square) for part, square in zip(sums, squares, strict=True)), Fraction(0)))
    each = moved * space.most**2 / (2 * rho)
    return tuple(_rounded_up(each * square) for square in squares)


def gaussian_error(variance: Fraction) -> float:
    """The mean of |z| for discrete Gaussian noise.

    >>> gaussian_error(Fraction(1)), gaussian_error(Fraction(10**8)) / 10**4 * (pi / 2) ** 0.5
    (0.727581983709512, 0.9999999991666668)
    """
    v = float(variance)
    if v > _LISTED:  # Euler and Maclaurin: the sum of n e^(-n²/(2v)) is v - 1/12 - 1/(240 v) - ...
        return 2 * (v - 1 / 12) / sqrt(2 * pi * v)
    weights = [exp(-n * n / (2 * v)) for n in range(1, int(40 * sqrt(v)) + 3)]
    return 2 * sum(n * w for n, w in enumerate(weights, 1)) / (1 + 2 * sum(weights))


def _rounded_up(value: Fraction) -> Fraction:
    places = _BITS - (value.numerator.bit_length() - value.denominator.bit_length())
    unit = Fraction(2) ** places
    return -((-value * unit) // 1) / unit
