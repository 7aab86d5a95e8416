"""H16, Sections 6.2 to 6.6: variances of Mangat's designs, and their largest values."""

from __future__ import annotations

from fractions import Fraction

from tightrope.applications.surveys import mangat, super_binary, unit_variance, worst_variance
from tightrope.papers.item import Finding, Item, Verdict, judged

_TENTHS = [Fraction(k, 10) for k in range(1, 11)]


def _without_sampling() -> Finding:
    agree = all(
        unit_variance(mangat(p), (1 - share, share), 1, sampling=False)
        == (1 - share) * (1 - p) / p
        for p in _TENTHS
        for share in _TENTHS
    )
    return judged(
        "the error due to randomization is (1-π)(1-p)/(pn)",
        "equal exactly on a grid of 100 cases" if agree else "differs",
        agree,
        "Variance of the unbiased estimate with the true answers fixed.",
    )


def _super_binary() -> Finding:
    agree = True
    for m in range(2, 8):
        design = super_binary([f"s{j}" for j in range(m - 1)], ["none"])
        for first in _TENTHS[:-1]:
            parts = [Fraction(j, m * (m - 1) // 2) for j in range(1, m)]  # unequal shares
            shares = (first, *((1 - first) * part for part in parts))
            agree &= unit_variance(design, shares, 0) == first * (m - first)
            agree &= all(
                unit_variance(design, shares, j) == 2 * first / m + shares[j] * (1 - shares[j])
                for j in range(1, m)
            )
    return judged(
        "n Var = π1(m - π1) and n Var = 2π1/m + πj(1 - πj)",
        "equal exactly for m = 2 to 7, all j, 9 values of π1" if agree else "differs",
        agree,
        "The inverse of the design matrix gives (6.34); no ε is finite.",
    )


def _maxima() -> Finding:
    quarter, three = mangat(Fraction(1, 4)), mangat(Fraction(3, 4))
    four = super_binary(["a", "b", "c"], ["none"])
    small, large = worst_variance(quarter, 1), worst_variance(three, 1)
    found = (small, large, worst_variance(four, 0), worst_variance(four, 1))
    expected = (Fraction(3), Fraction(4, 9), Fraction(3), Fraction(9, 16))
    return Finding(
        "largest n Var: 1/(4p²) (4 at p = 1/4; 4/9 at 3/4); m²/4 and (1/2 + 1/m)² (4, 9/16 at 4)",
        f"{small} at p = 1/4, {large} at 3/4; {found[2]} and {found[3]} at m = 4",
        Verdict.CORRECTED if found == expected else Verdict.NOT_REPRODUCIBLE,
        "For p < 1/2 the maximum of (6.12) lies at π = 0, and that of (6.36) at π1 = 1: the "
        "printed ones need shares outside [0, 1].",
    )


RANDOMIZATION = Item(
    "h16", "theorem-6.6", "Mangat's error without sampling", Verdict.CONFIRMED, _without_sampling
)
SUPER_BINARY = Item(
    "h16", "theorem-6.9", "Variances of the super-binary design", Verdict.CONFIRMED, _super_binary
)
MAXIMA = Item("h16", "equation-6.12", "Largest variances", Verdict.CORRECTED, _maxima)
