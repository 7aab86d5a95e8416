"""KL-pc, Definition 3.1 on families without end, and Theorem 2.7 for a query that stretches."""

from __future__ import annotations

from fractions import Fraction
from math import log

from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.spaces import path, query
from tightrope.theory import accuracy, body_accuracy, family_verdict

F = Fraction


def _compatible(
    *,
    scattered: tuple[str, ...] = ("categories:N", "sets:N"),
    covered: tuple[str, ...] = ("path:0..N", "grid:NxN"),
    radius: Fraction = F(1, 8),
    failure: Fraction = F(1, 10),
) -> Finding:
    apart = [family_verdict(name, radius, failure, upto=8) for name in scattered]
    compatible = [family_verdict(name, radius, failure, upto=8) for name in covered]
    agrees = all(not v.compatible for v in apart) and all(v.compatible for v in compatible)
    grown = "; ".join(
        f"{v.family}: {', '.join(f'{m.epsilon:.4f}' for m in v.members)}" for v in apart
    )
    enough = "; ".join(f"{v.family}: {v.enough:.2f}" for v in compatible if v.enough is not None)
    return finding(
        "compatible iff ε*(γ, δ) is finite for all γ, δ: iff covers of every radius are finite",
        f"γ = {radius}, δ = {failure}, diameter 1; ε at least, for N = 2, 4, 8: {grown}; enough "
        f"for every N: {enough}",
        agrees,
        "points that stay apart and become more rule every level out; covers of a size that does "
        "not depend on N give one that is enough.",
    )


def _interval(
    *, length: Fraction = F(1), radius: Fraction = F(3, 10), failure: Fraction = F(1, 10)
) -> Finding:
    bracket = body_accuracy(f"interval:0..{length}", radius, failure)
    laplace = log(1 / failure) / float(radius)
    bounds = ", ".join(f"{b.name} {b.epsilon:.4f}" for b in bracket.bounds)
    return finding(
        "the uniform measure on [0, 1] is uniformly positive, so ε* is finite",
        f"[0, {length}], γ = {radius}, δ = {failure}: ε* from {bracket.lower:.4f} to "
        f"{bracket.upper:.4f} ({bounds})",
        0 < bracket.lower <= bracket.upper <= laplace * (1 + 2.0**-30),
        "all of the interval, not a grid of it; Theorem 3.4's own level is far above.",
    )


def _stretch(
    *, last: int = 3, factor: int = 2, radius: Fraction = F(1), failure: Fraction = F(1, 5)
) -> Finding:
    asked = query(path(0, last), path(0, factor * last), lambda x: factor * int(str(x)))
    result = accuracy(asked, radius, failure)
    assert result.stretch is not None
    rows = [row for row in result.exponential if row.exact is not None]
    shown = "; ".join(f"{row.base}: {row.exact:.4f} <= {row.guarantee:.4f}" for row in rows)
    agrees = result.stretch.upper == factor and bool(rows)
    agrees &= all((row.exact or 0) <= (row.guarantee or 0) for row in rows)
    return finding(
        "with Lipschitz constant C the exponential mechanism has level 2Cβ, whatever the measure",
        f"x -> {factor}x on 0..{last}: C = {result.stretch.upper}; proved level and 2Cβ, by base "
        f"measure: {shown}",
        agrees,
        "the level of the mechanism itself is proved, pair by pair.",
    )


ITEMS = (
    Item("klpc", "definition-3.1", "Which families are compatible", Verdict.CONFIRMED,
         _compatible, varied={"failure": F(1, 5)}, dropped={"scattered": ("cycle:N",)}),
    Item("klpc", "theorem-3.4-interval", "The whole interval", Verdict.CONFIRMED, _interval,
         varied={"length": F(2)}, dropped={"radius": F(1, 2)}),  # the center serves everybody
    Item("klpc", "theorem-2.7-query", "A query that stretches", Verdict.CONFIRMED, _stretch,
         varied={"factor": 3}),
)
