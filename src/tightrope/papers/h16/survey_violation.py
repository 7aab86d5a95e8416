"""H16, Theorems 6.4 and 6.5: the degree of privacy violation, and Warner against Mangat."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.surveys import (
    Compared,
    binary,
    compare_at_violation,
    privacy_violation,
    worst_variance,
)


def _violation(*, steps: int = 10, telling: bool = True) -> Finding:
    grid = [Fraction(k, steps) for k in range(1, steps)]
    cases = agree = 0
    for p00, p11, share in product(grid, repeat=3):
        if p00 + p11 == 1 or (telling and p00 + p11 < 1):
            continue
        bayes = p11 * share / (1 - p00 + share * (p00 + p11 - 1))
        cases += 1
        agree += privacy_violation(binary(p00, p11), (1 - share, share)) == bayes
    return finding(
        "α = P(sensitive | yes) if p00 + p11 > 1",
        f"equal exactly in {agree} of {cases} designs and prevalences",
        agree == cases,
        "Bayes' theorem over both responses, in exact arithmetic.",
    )


def _efficiency(*, steps: int = 10, stricter: Fraction = Fraction(0)) -> Finding:
    grid = [Fraction(k, steps) for k in range(1, steps)]
    cases = same = largest = ratio = likely = 0
    for share, alpha in product(grid, repeat=2):
        if not share < alpha:
            continue
        warner = _at(alpha, share, "warner")
        mangat = _at(alpha - stricter * (alpha - share), share, "mangat")
        most = share * (1 - share) ** 2 / (alpha - share)
        other = share * (1 - share) * (alpha * (1 - share) + share * (share - alpha))
        cases += 1
        same += mangat.variance == most <= warner.variance == other / (alpha - share) ** 2
        worst = [worst_variance(row.design, 1) for row in (warner, mangat)]
        largest += worst[0] >= worst[1]
        printed = (1 + share * (1 - alpha) / (alpha * (1 - share))) ** 2
        ratio += worst[0] == printed * worst[1]
        likely += mangat.design.p00 >= Fraction(1, 2)
    return finding(
        "at equal violation α Mangat's variance is π(1-π)²/(α-π), never above Warner's, and "
        "neither is its largest over all π",
        f"the variances, and that Warner's is no less, exactly in {same} of {cases} cases (n = 1); "
        f"the same of the largest in {largest}; their printed ratio in the {ratio} of them in "
        f"which Mangat's p is at least 1/2",
        same == largest == cases and ratio == likely,
        "Both inequalities hold in all cases tried. The printed variances lack the factor 1/n, and "
        "the printed ratio rests on (6.12), which fails for p < 1/2; Mangat's design has no "
        "finite ε.",
    )


def _at(violation: Fraction, share: Fraction, name: str) -> Compared:
    """The design of that name at a degree of violation."""
    rows = compare_at_violation(violation, share)
    return next(row for row in rows if row.design.name == name)


VIOLATION = Item(
    "h16",
    "theorem-6.4",
    "Degree of privacy violation",
    Verdict.CONFIRMED,
    _violation,
    varied={"steps": 5},
    dropped={"steps": 5, "telling": False},  # designs with p00 + p11 < 1 as well
)
EFFICIENCY = Item(
    "h16",
    "theorem-6.5",
    "Mangat against Warner at equal violation",
    Verdict.CONFIRMED,
    _efficiency,
    varied={"steps": 6},
    dropped={"steps": 6, "stricter": Fraction(9, 10)},  # Mangat's design violates less
)
