"""H16, Example 6.1: the three cases with all their printed figures, and the true optimum."""

from __future__ import annotations

from fractions import Fraction

from tightrope.applications.surveys import (
    best_binary,
    binary,
    shares_of,
    thesis_corners,
    thesis_g,
    unit_variance,
)
from tightrope.exact import Level, Surd
from tightrope.papers.item import Finding, Item, Verdict

# ε, δ, π, and as printed: g, the variances at t = 1 and t = 0, the mirrored one
CASES = (
    ("0.1", "0", "0.25", "-9.508", "100.104", "109.863", None),
    ("1", "0.4", "0.1", "0.130", "0.385", "0.355", None),
    ("0.5", "0.3", "0.9", "0.132", "0.965", "0.933", "1.733"),
)


def _figures(epsilon: str, delta: str, share: str) -> tuple[list[str], str]:
    level, exact = Level.epsilon(epsilon, delta=delta), Fraction(share)
    ratio = level.pure.ratio_below(Surd.of(1))
    near, far = thesis_corners(ratio, level.delta)
    corners = [far, near]
    if exact > Fraction(1, 2):
        corners = [far, binary(near.p11, near.p00), near]
    found = [unit_variance(design, shares_of(design, exact), 1) for design in corners]
    best = best_binary(level, exact)
    shown = f"{float(best.variance):.3f} at ({float(best.design.p00):.3g}, "
    values = [thesis_g(ratio, level.delta), *found]
    return [f"{float(value):.3f}" for value in values], f"{shown}{float(best.design.p11):.3g})"


def _run() -> Finding:
    printed, agree, optima = [], True, []
    for epsilon, delta, share, *figures in CASES:
        found, best = _figures(epsilon, delta, share)
        wanted = [figure for figure in figures if figure is not None]
        agree &= found == wanted
        printed.append("/".join(wanted))
        optima.append(best)
    confirmed = "all ten figures as printed" if agree else "some figures differ"
    return Finding(
        f"g, variances: {'; '.join(printed)}; the smaller variance is called optimal",
        f"{confirmed}; true optima (p00, p11): {'; '.join(optima)}",
        Verdict.CORRECTED if agree else Verdict.NOT_REPRODUCIBLE,
        "Theorem 6.3 looks at p00, p11 > 1/2 only; over all designs (1, δ) and its mirror are "
        "better in cases 2 and 3.",
    )


ITEM = Item("h16", "example-6.1", "Optimal designs for (ε, δ)", Verdict.CORRECTED, _run)
