"""H16, Sections 6.2 to 6.6: variances of Mangat's designs, and their largest values."""

from __future__ import annotations

from fractions import Fraction

from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.surveys import mangat, super_binary, unit_variance, worst_variance

_TENTHS = [Fraction(k, 10) for k in range(1, 10)]


def _without_sampling(*, steps: int = 10, sampling: bool = False) -> Finding:
    grid = [Fraction(k, steps) for k in range(1, steps + 1)]
    agree = all(
        unit_variance(mangat(p), (1 - share, share), 1, sampling=sampling)
        == (1 - share) * (1 - p) / p
        for p in grid
        for share in grid
    )
    return finding(
        "the error due to randomization is (1-π)(1-p)/(pn)",
        f"{'equal exactly' if agree else 'not always equal'} on a grid of {steps**2} cases",
        agree,
        "Variance of the unbiased estimate with the true answers fixed.",
    )


def _super_binary(*, sizes: tuple[int, ...] = (2, 3, 4, 5, 6, 7), even: bool = True) -> Finding:
    agree = True
    for m in sizes:
        sensitive = [f"s{j}" for j in range(m - 1)]
        names = ["none", *sensitive]
        total = Fraction(m * (m + 1), 2)
        cover = None if even else {name: k / total for k, name in enumerate(names, start=1)}
        design = super_binary(sensitive, ["none"], cover)
        for first in _TENTHS:
            parts = [Fraction(j, m * (m - 1) // 2) for j in range(1, m)]  # unequal shares
            shares = (first, *((1 - first) * part for part in parts))
            agree &= unit_variance(design, shares, 0) == first * (m - first)
            agree &= all(
                unit_variance(design, shares, j) == 2 * first / m + shares[j] * (1 - shares[j])
                for j in range(1, m)
            )
    return finding(
        "n Var = π1(m - π1) and n Var = 2π1/m + πj(1 - πj)",
        f"{'equal exactly' if agree else 'not always equal'} for m = "
        f"{', '.join(map(str, sizes))}, all j, 9 values of π1",
        agree,
        "The inverse of the design matrix gives (6.34); no ε is finite.",
    )


def _maxima(
    *, p: tuple[Fraction, ...] = (Fraction(1, 4), Fraction(3, 4)), answers: int = 4
) -> Finding:
    m = answers
    design = super_binary([f"s{j}" for j in range(m - 1)], ["none"])
    maxima = [worst_variance(mangat(q), 1) for q in p]
    maxima += [worst_variance(design, 0), worst_variance(design, 1)]
    printed = [1 / (4 * q * q) for q in p]
    printed += [Fraction(m * m, 4), (Fraction(1, 2) + Fraction(1, m)) ** 2]
    true = [1 / (4 * q * q) if 2 * q >= 1 else (1 - q) / q for q in p]
    true += [Fraction(m - 1) if m > 2 else Fraction(1), printed[-1]]  # at π1 = 1
    places = [*(f"p = {q}" for q in p), f"m = {m}, first", f"m = {m}, others"]
    return finding(
        "largest n Var: 1/(4p²), m²/4 and (1/2 + 1/m)²; that is "
        + ", ".join(f"{value} at {place}" for value, place in zip(printed, places, strict=True)),
        ", ".join(f"{value} at {place}" for value, place in zip(maxima, places, strict=True)),
        maxima == printed,
        "For p < 1/2 the maximum of (6.12) lies at π = 0, and that of (6.36) at π1 = 1: the "
        "printed ones need shares outside [0, 1].",
        ours=maxima == true,
    )


RANDOMIZATION = Item(
    "h16",
    "theorem-6.6",
    "Mangat's error without sampling",
    Verdict.CONFIRMED,
    _without_sampling,
    varied={"steps": 4},
    dropped={"sampling": True},
)
SUPER_BINARY = Item(
    "h16",
    "theorem-6.9",
    "Variances of the super-binary design",
    Verdict.CONFIRMED,
    _super_binary,
    varied={"sizes": (3,)},
    dropped={"sizes": (3,), "even": False},
)
MAXIMA = Item(
    "h16",
    "equation-6.12",
    "Largest variances",
    Verdict.CORRECTED,
    _maxima,
    varied={"answers": 3},
    dropped={"p": (Fraction(3, 4),), "answers": 2},  # both maxima lie within [0, 1]
)
