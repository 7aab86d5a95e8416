"""WXH, Examples 7, 8, 11, Figures 2 and 8, Algorithm 1: published mechanisms as set sequences."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import exp

import numpy as np

from tightrope.constructions import (
    from_score,
    k_norm,
    least_mean_error,
    polygon_norm,
    privacy_first,
    sum_norm,
    utility_first,
)
from tightrope.exact import Intervals, Level
from tightrope.mechanisms import PiecewiseNoise
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.papers.wxh.linear_queries import density_steps
from tightrope.papers.wxh.policies import VALUES, walk
from tightrope.plots import Chart, Panel, Stairs, line
from tightrope.spaces import Label, grid, path, points, query, triangle_query
from tightrope.theory import density_steps as steps_of
from tightrope.theory import linear_noise


def _fold(*, size: int = 6, x: int = 2) -> Finding:
    space = path(-size, size)
    asked = query(space, space, lambda y: y if int(str(y)) % 2 == 0 else -int(str(y)))
    table = privacy_first(asked).indices
    closed = [
        [abs(a - r) if r % 2 == 0 else abs(a + r) for r in range(-size, size + 1)]
        for a in range(-size, size + 1)
    ]
    agrees = table.tolist() == closed
    row = table[space.index(x)].tolist()
    sets = [sorted(r - size for r, k in enumerate(row) if k == i) for i in range(4)]
    return finding(
        "I_i of x holds the points at distance i from x of one class, and from -x of the other",
        f"f(x) = ±x by parity on -{size} … {size}: sets 0 to 3 of x = {x} are "
        f"{', '.join('{' + ', '.join(map(str, points)) + '}' for points in sets)}",
        agrees,
        "even and odd stand for rational and irrational; the closed form was compared for every "
        "dataset and output.",
    )


def _global(*, values: tuple[int, ...] = VALUES, gamma: Fraction = Fraction(0)) -> Finding:
    asked = walk(values)
    width = Fraction(str(asked.global_sensitivity))
    smooth = from_score(
        asked, lambda x, r: -Fraction(abs(values[int(str(x))] - int(str(r)))), sensitivity=width
    )
    rounded = np.ceil(smooth.indices / smooth.fineness).astype(int)
    steps = utility_first(asked, gamma).indices
    differ = int((rounded != steps).sum())
    return finding(
        "q(r) is proportional to e^(-bε) if and only if p(r) is to e^(-⌈b⌉ε), b = d(r, f(x))/Δf",
        f"Δf = {width}: the numbers of the sets differ from b rounded up at {differ} of "
        f"{steps.size} pairs (x, r)",
        not differ,
        "Theorem 1 rounds the exponent of the global sensitivity mechanism up.",
    )


def _knorm(*, size: int = 2, norm: str = "polygon") -> Finding:
    datasets = grid((2 * size + 1, 2 * size + 1), metric="manhattan")
    side = range(2 * size + 1)
    spots: dict[Label, tuple[int, int]]
    spots = {(a, b): (a + b, a - b) for a, b in product(side, repeat=2)}
    outputs = points(tuple(spots.values()), list(spots.values()))
    asked = query(datasets, outputs, spots.__getitem__)
    unit = Fraction(1)
    square = polygon_norm([(unit, unit), (unit, -unit), (-unit, -unit), (-unit, unit)])
    ladder = k_norm(asked, square if norm == "polygon" else sum_norm)
    sets = privacy_first(asked).indices
    rounded = np.ceil(ladder.indices / ladder.fineness).astype(int)
    same = int((rounded == sets).sum())
    return finding(
        "the K-norm mechanism, K the image of the unit ball, rounds to that of Theorem 2",
        f"F(x) = (x1 + x2, x1 - x2) on {datasets.size} datasets, the norm of the {norm}: the same "
        f"set for {same} of {sets.size} pairs (x, r)",
        same == sets.size,
        "a change by one person moves the answer by a corner of K.",
    )


def _densities(
    *, ratio: Fraction = Fraction(2), step: Fraction = Fraction(1), places: int = 40
) -> Finding:
    level = Level.ratio(ratio)
    stairs = linear_noise(Intervals.of([(0, 1)]), level)
    spots = [Fraction(2 * k + 1, 7) for k in range(places)]
    falls = {stairs.density(z) / stairs.density(z + step) for z in spots}
    mean, best = float(stairs.mean_error), least_mean_error(1, level)
    return finding(
        "both densities fall by the same factor from f(x) + iΔf to f(x) + (i + 1)Δf",
        f"Δ = 1, e^ε = {ratio}: over a step of {step} the staircase falls by "
        f"{', '.join(map(str, sorted(falls)))}; mean error {mean:.6f}, of the Laplace "
        f"{1 / float(level):.6f}, of the best staircase {best:.6f}",
        falls == {ratio},
        "the Laplace density falls by e^ε over each Δ at every point; the staircase all at once.",
        chart=_two_densities(stairs, float(level)),
    )


def _two_densities(stairs: PiecewiseNoise, epsilon: float) -> Chart:
    """The densities over whole steps from the value, side by side as in the paper."""
    edges, heights = steps_of(stairs, 4.0)
    places = [k / 25 - 4 for k in range(201)]
    laplace = [epsilon / 2 * exp(-epsilon * abs(z)) for z in places]
    ticks = tuple((float(z), f"{z:+d}Δf" if z else "f(x)") for z in range(-4, 5, 2))
    return Chart((
        Panel("(a) staircase", (Stairs("", tuple(edges), tuple(heights)),), "r", "density",
              ticks=ticks),
        Panel("(b) Laplace", (line("", places, laplace),), "r", "density", ticks=ticks),
    ))


def _humps(
    *,
    names: tuple[str, ...] = ("V1", "V2", "V3"),
    beside: str = "V4",
    epsilon: int = 3,
    delta: int = 10,
    reach: int = 3003,
) -> Finding:
    rises, panels = {}, []
    for name in (*names, beside):
        edges, heights = density_steps(name, Level.epsilon(epsilon), delta, reach)
        right = [h for (low, _), h in zip(pairwise(edges), heights, strict=True) if low >= 0]
        rises[name] = sum(b > a * (1 + 2.0**-40) for a, b in pairwise(right))
        panels.append(Panel(name, (Stairs("", tuple(edges), tuple(heights)),), "r - f(x)",
                            "density", logarithmic=True,
                            heights=(max(heights) * _DEPTH, 2 * max(heights))))
    shown = ", ".join(f"{name} at {count}" for name, count in rises.items())
    return finding(
        "the densities of the first three queries are not monotonic",
        f"ε = {epsilon}, δ = {delta}: places from 0 to {reach} where the density rises: {shown}",
        all(rises[name] for name in names),
        "values near 1000 are as near by datasets as those near 0.",
        chart=Chart(tuple(panels)),
    )


_DEPTH = 2.0**-24
"""Densities of this share of the largest one are off the picture."""


def _algorithm(*, nodes: int = 5, difference: bool = True) -> Finding:
    asked = triangle_query(nodes)
    size, pairs = asked.datasets.size, nodes * (nodes - 1) // 2
    near = np.asarray(asked.steps)
    count = [int(str(asked.codomain.points[v])) for v in asked.values]
    table = [[{count[i]} for i in range(size)]]
    for k in range(1, pairs + 1):
        row = []
        for i in range(size):
            answers = {count[j] for j in range(size) if near[i, j] == k}
            for earlier in table if difference else ():
                answers = answers - earlier[i]
            row.append(answers)
        table.append(row)
    indices = privacy_first(asked).indices
    values = [int(str(label)) for label in asked.codomain.points]
    same = all(
        {values[r] for r in np.flatnonzero(indices[i] == k).tolist()} == table[k][i]
        for k in range(pairs + 1)
        for i in range(size)
    )
    entries = sum(len(answers) for row in table for answers in row)
    return finding(
        "Algorithm 1 returns the sets of Theorem 2 for every graph",
        f"{size} graphs on {nodes} nodes, {entries} entries in the table of {pairs + 1} "
        f"rows: {'the same' if same else 'not the same'} as those of the library",
        same,
        "its steps were followed one by one; those of the library come from shortest paths.",
    )


ITEMS = (
    Item("wxh", "example-7", "A function that folds the line", Verdict.CONFIRMED, _fold,
         varied={"x": 3}),
    Item("wxh", "example-8", "Theorem 1 rounds the global sensitivity mechanism",
         Verdict.CONFIRMED, _global, varied={"values": (0, 2, 1)}, dropped={"gamma": Fraction(1)}),
    Item("wxh", "example-11", "The K-norm mechanism as a set sequence", Verdict.CONFIRMED, _knorm,
         varied={"size": 1}, dropped={"norm": "sum"}),
    Item("wxh", "figure-2", "Densities of the staircase and the Laplace", Verdict.CONFIRMED,
         _densities, varied={"ratio": Fraction(3)}, dropped={"step": Fraction(1, 2)},
         pictured=True),
    Item("wxh", "figure-8", "Densities that rise", Verdict.CONFIRMED, _humps,
         varied={"names": ("V2",)}, dropped={"names": ("V4",)}, pictured=True),
    Item("wxh", "algorithm-1", "The sets of all graphs", Verdict.CONFIRMED, _algorithm,
         varied={"nodes": 4}, dropped={"nodes": 4, "difference": False}),
)
