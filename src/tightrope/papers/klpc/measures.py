"""KLPC, Definitions 2.2 to 3.2, Example 3.3 and the appendix: utility, measures, covers."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from math import ceil, exp, log

import numpy as np

from tightrope.constructions import exponential
from tightrope.exact import Level, Surd
from tightrope.mechanisms import finite
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.papers.klpc.intervals import unit_interval
from tightrope.spaces import path
from tightrope.theory import balls, cover, failures, least_ball, packing, smallest_level_for

F = Fraction


def _tradeoff(
    *,
    size: int = 5,
    radii: tuple[Fraction, ...] = (F(1, 10), F(3, 10), F(6, 10)),
    risks: tuple[Fraction, ...] = (F(1, 20), F(1, 10), F(1, 5)),
) -> Finding:
    space = unit_interval(size)
    by_radius = [smallest_level_for(space, radius, risks[1]).upper for radius in radii]
    by_risk = [smallest_level_for(space, radii[1], risk).upper for risk in risks]
    falls = all(
        list(each) == sorted(each, reverse=True) for each in (by_radius, by_risk)
    )
    return finding(
        "ε*(γ, δ) is the least ε at which (γ, δ)-utility is possible; it falls in both",
        f"{size} points on [0, 1]: γ = {', '.join(map(str, radii))} at δ = {risks[1]} gives "
        f"{', '.join(f'{e:.4f}' for e in by_radius)}; δ = {', '.join(map(str, risks))} at "
        f"γ = {radii[1]} gives {', '.join(f'{e:.4f}' for e in by_risk)}",
        falls,
        "each a proved bracket of a linear program.",
    )


def _gauss(reach: int) -> list[Fraction]:
    """A bell on the whole numbers up to so far from 0, adding up to 1."""
    heights = [F(exp(-k * k / 8)).limit_denominator(2**40) for k in range(-reach, reach + 1)]
    total = sum(heights)
    return [height / total for height in heights]


def _positive(*, reaches: tuple[int, ...] = (4, 8, 12)) -> Finding:
    even = [
        least_ball(unit_interval(2 * n + 1), [F(1, 2 * n + 1)] * (2 * n + 1), F(1, 4))
        for n in reaches
    ]
    bell = [float(least_ball(path(-n, n), _gauss(n), F(1))) for n in reaches]
    kept = min(even) >= F(1, 8)
    vanishes = all(b < a / 10 for a, b in pairwise(bell))
    shown = ", ".join(f"{value:.2e}" for value in bell)
    return finding(
        "the uniform measure on [0, 1] is uniformly positive, the Gaussian on the line is not",
        f"least balls of radius 1/4 on [0, 1] by {', '.join(str(2 * n + 1) for n in reaches)} "
        f"points: {', '.join(map(str, even))}; of radius 1 under a bell that reaches "
        f"{', '.join(map(str, reaches))}: {shown}",
        kept and vanishes and len(reaches) > 1,
        "far from 0 balls weigh less than any bound.",
    )


def _achieves(
    *,
    size: int = 21,
    radius: Fraction = F(3, 10),
    failure: Fraction = F(1, 10),
    share: Fraction = F(1),
) -> Finding:
    space = unit_interval(size)
    least = least_ball(space, [F(1, size)] * size, radius / 2)
    beta = 2 / float(radius) * log(1 / float(failure * least)) * float(share)
    made = finite(exponential(space, Level.epsilon(F(ceil(2 * beta * 1000), 1000))).mechanism)
    worst = max(failures(made, radius))
    return finding(
        "β = (2/γ) ln(1/(δm)), m the least ball of radius γ/2, achieves (γ, δ)-utility",
        f"{size} points on [0, 1], γ = {radius}, δ = {failure}: m = {least}, β = {beta:.3f}; an "
        f"answer is farther than γ with probability at most {float(worst):.2e}",
        worst <= failure,
        "the bound is loose; a small share of β already fails.",
    )


def _lipschitz(*, size: int = 9, stretch: int = 1, beta: int = 1) -> Finding:
    # datasets on a path, values `stretch` times as far apart
    space = path(0, size - 1)
    made = exponential(space, Level.epsilon(2 * beta * stretch)).certificate.smallest
    assert made is not None
    return finding(
        "if f has Lipschitz constant 1, the exponential mechanism with β is 2β-private",
        f"values {stretch} times as far apart as the {size} datasets, β = {beta}: level "
        f"{made.upper:.6f} against {2 * beta}",
        made.upper <= 2 * beta,
        "with constant C it is 2Cβ-private (Theorem 2.7).",
    )


def _cover(*, size: int = 17, radius: Fraction = F(1, 4), halved: bool = True) -> Finding:
    space = unit_interval(size)
    small = radius / 2 if halved else radius
    centers = packing(space, small)
    around = balls(space, radius)
    inside = bool(np.asarray(around)[list(centers)].any(axis=0).all())
    disjoint = all(
        space.distance(i, j) > Surd.of(2 * small) or not (
            np.asarray(balls(space, small))[[i, j]].all(axis=0).any()
        )
        for i, j in combinations(centers, 2)
    )
    greedy = len(cover(space, radius))
    return finding(
        "a largest family of disjoint balls of radius r/2 covers the space by those of radius r",
        f"{size} points on [0, 1], r = {radius}: {len(centers)} disjoint balls of radius {small}, "
        f"disjoint {disjoint}, cover by radius {radius}: {inside}; the greedy cover has {greedy}",
        inside and disjoint,
        "a point outside could have been the center of a further ball.",
    )


ITEMS = (
    Item("klpc", "definition-2.3", "The privacy-utility trade-off", Verdict.CONFIRMED, _tradeoff,
         varied={"size": 4}, dropped={"radii": (F(6, 10), F(3, 10), F(1, 10))}),
    Item("klpc", "example-3.3", "Uniformly positive measures", Verdict.CONFIRMED, _positive,
         varied={"reaches": (4, 8)}, dropped={"reaches": (1, 2)}),
    Item("klpc", "theorem-3.4-utility", "From a measure to a mechanism", Verdict.CONFIRMED,
         _achieves, varied={"size": 11}, dropped={"share": F(1, 10)}),
    Item("klpc", "lemma-a.1", "Lipschitz constant 1", Verdict.CONFIRMED, _lipschitz,
         varied={"size": 5}, dropped={"stretch": 2}),
    Item("klpc", "theorem-a.2", "Packings and covers", Verdict.CONFIRMED, _cover,
         varied={"radius": F(1, 8)}, dropped={"halved": False}),
)
