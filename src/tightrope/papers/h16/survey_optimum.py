"""H16, Example 6.1: the three cases with all their printed figures, and the true optimum."""

from __future__ import annotations

from fractions import Fraction

from tightrope.exact import Level, Surd
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.surveys import (
    best_binary,
    binary,
    shares_of,
    thesis_corners,
    thesis_g,
    unit_variance,
)

# as printed: g, the variances at t = 1 and t = 0, and for the last case the mirrored one
PRINTED = (
    ("-9.508", "100.104", "109.863"),
    ("0.130", "0.385", "0.355"),
    ("0.132", "0.965", "0.933", "1.733"),
)


def _figures(epsilon: str, delta: str, share: str) -> tuple[list[str], float, list[float]]:
    """g and the variances as printed, the least variance of all designs, those of the two."""
    level, exact = Level.epsilon(epsilon, delta=delta), Fraction(share)
    ratio = level.pure.ratio_below(Surd.of(1))
    near, far = thesis_corners(ratio, level.delta)
    corners = [far, near]
    if exact > Fraction(1, 2):
        corners = [far, binary(near.p11, near.p00), near]
    variances = [unit_variance(design, shares_of(design, exact), 1) for design in corners]
    values = [thesis_g(ratio, level.delta), *variances]
    shown = [f"{float(value):.3f}" for value in values]
    return shown, float(best_binary(level, exact).variance), [float(value) for value in variances]


def _run(
    *,
    epsilons: tuple[str, ...] = ("0.1", "1", "0.5"),
    deltas: tuple[str, ...] = ("0", "0.4", "0.3"),
    shares: tuple[str, ...] = ("0.25", "0.1", "0.9"),
) -> Finding:
    cases = [_figures(*case) for case in zip(epsilons, deltas, shares, strict=True)]
    figures = [tuple(values) for values, _, _ in cases]
    agree = figures == list(PRINTED)
    better = [best < min(variances) for (_, best, variances) in cases]
    shown = "; ".join("/".join(case) for case in figures)
    return finding(
        f"g, variances: {'; '.join('/'.join(case) for case in PRINTED)}; the smaller variance is "
        "called optimal",
        ("all ten figures as printed" if agree else shown)
        + "; least variance over all designs: "
        + ", ".join(f"{best:.3f}" for _, best, _ in cases),
        not any(better),
        "Theorem 6.3 looks at p00, p11 > 1/2 only; over all designs (1, δ) and its mirror are "
        "better in cases 2 and 3.",
        ours=agree and better == [False, True, True],
    )


ITEM = Item(
    "h16",
    "example-6.1",
    "Optimal designs for (ε, δ)",
    Verdict.CORRECTED,
    _run,
    varied={"epsilons": ("0.1", "1", "0.6")},
    dropped={"deltas": ("0", "0", "0")},  # then Warner's design is the best of all
)
