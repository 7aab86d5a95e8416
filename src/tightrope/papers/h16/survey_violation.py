"""H16, Theorems 6.4 and 6.5: the degree of privacy violation, and Warner against Mangat."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from tightrope.applications.surveys import binary, compare_at_violation, privacy_violation
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
    cases = agree = 0
    for share, alpha in product(_TENTHS, _TENTHS):
        if not share < alpha:
            continue
        rows = {row.design.name: row.variance for row in compare_at_violation(alpha, share)}
        mangat = share * (1 - share) ** 2 / (alpha - share)
        warner = share * (1 - share) * (alpha * (1 - share) + share * (share - alpha))
        cases += 1
        agree += (
            rows["mangat"] == mangat <= rows["warner"] == warner / (alpha - share) ** 2
        )
    return judged(
        "at equal violation α Mangat's variance is π(1-π)²/(α-π), never above Warner's",
        f"holds exactly in {agree} of {cases} cases, with n = 1",
        agree == cases,
        "The printed variances lack the factor 1/n; Mangat's design has no finite ε.",
    )


VIOLATION = Item(
    "h16", "theorem-6.4", "Degree of privacy violation", Verdict.CONFIRMED, _violation
)
EFFICIENCY = Item(
    "h16", "theorem-6.5", "Mangat against Warner at equal violation", Verdict.CONFIRMED, _efficiency
)
