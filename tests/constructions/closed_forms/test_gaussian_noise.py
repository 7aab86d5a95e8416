"""Variances and mean errors of discrete Gaussian noise, against sums in decimals."""

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from tightrope.constructions.closed_forms.gaussian_noise import gaussian_error, gaussian_variances
from tightrope.spaces import Totals

F = Fraction


def mean_error(variance):
    """Σ |z| e^(-z²/(2v)) over Σ e^(-z²/(2v)), in 30 digits."""
    with localcontext(prec=30):
        v = Decimal(variance.numerator) / Decimal(variance.denominator)
        weights = [(-Decimal(n * n) / (2 * v)).exp() for n in range(1, int(14 * v.sqrt()) + 4)]
        return float(2 * sum(n * w for n, w in enumerate(weights, 1)) / (1 + 2 * sum(weights)))


@pytest.mark.parametrize("variance", [F(1, 3), F(1), F(50), F(2_499), F(2_501), F(9_000)])
def test_the_mean_error_is_that_of_the_law(variance):
    """The sum up to 2,500, the expansion beyond."""
    assert gaussian_error(variance) == pytest.approx(mean_error(variance), rel=1e-9)


@pytest.mark.parametrize("rho", [F(1, 3), F(1, 7), F(1_000, 77_771), F(3, 2)])
@pytest.mark.parametrize("functions", [None, [[1, 1, 1]], [[1, 1, 1], [-1, 0, 1]]])
def test_rounded_variances_spend_no_more_than_rho(rho, functions):
    """Σ Δᵢ²/(2 σᵢ²) for every change of three totals by at most 2, with hardly any to spare."""
    space = Totals(people=9, most=2, length=3)
    rows = functions or [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    variances = gaussian_variances(space, rho, functions)
    changes = [(a, b, c) for a in (-2, 2) for b in (-2, 2) for c in (-2, 2)]
    spent = max(sum(F(sum(x * y for x, y in zip(row, change, strict=True))) ** 2 / (2 * v)
                    for row, v in zip(rows, variances, strict=True)) for change in changes)
    assert spent <= rho
    if functions != [[1, 1, 1], [-1, 0, 1]]:  # where one change moves all functions most
        assert spent > rho * (1 - F(1, 2**38))
