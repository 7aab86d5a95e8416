"""H16, Theorems 6.4 and 6.5: the degree of privacy violation, and Warner against Mangat."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from tightrope.applications.surveys import (
    binary,
    compare_at_violation,
    privacy_violation,
    worst_variance,
)
from tightrope.papers.item import Finding, Item, Verdict, judged

_TENTHS = [Fraction(k, 10) for k in range(1, 10)]


def _violation() -> Finding:
    cases = agree = 0
    for p00, p11, share in product(_TENTHS, _TENTHS, _TENTHS):
        if p00 + p11 <= 1:
            continue
        bayes = p11 * share / (1 - p00 + share * (p00 + p11 - 1))
        cases += 1
        agree += privacy_violation(binary(p00, p11), (1 - share, share)) == bayes
    return judged(
        "α = P(sensitive | yes) if p00 + p11 > 1",
        f"equal exactly in {agree} of {cases} designs and prevalences",
        agree == cases,
        "Bayes' theorem over both responses, in exact arithmetic.",
    )


def _efficiency() -> Finding:
    cases = same = largest = ratio = likely = 0
    for share, alpha in product(_TENTHS, _TENTHS):
        if not share < alpha:
            continue
        rows = {row.design.name: row for row in compare_at_violation(alpha, share)}
        warner, mangat = rows["warner"], rows["mangat"]
        most = share * (1 - share) ** 2 / (alpha - share)
        other = share * (1 - share) * (alpha * (1 - share) + share * (share - alpha))
        cases += 1
        same += mangat.variance == most <= warner.variance == other / (alpha - share) ** 2
        worst = [worst_variance(row.design, 1) for row in (warner, mangat)]
        largest += worst[0] >= worst[1]
        printed = (1 + share * (1 - alpha) / (alpha * (1 - share))) ** 2
        ratio += worst[0] == printed * worst[1]
        likely += mangat.design.p00 >= Fraction(1, 2)
    return judged(
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


VIOLATION = Item(
    "h16", "theorem-6.4", "Degree of privacy violation", Verdict.CONFIRMED, _violation
)
EFFICIENCY = Item(
    "h16", "theorem-6.5", "Mangat against Warner at equal violation", Verdict.CONFIRMED, _efficiency
)
