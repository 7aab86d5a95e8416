"""WXH, Section 3: mechanisms as randomized maps between two metric spaces."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

from tightrope.constructions import (
    exponential,
    privacy_first,
    randomized_response,
    truncated_geometric,
    utility_first,
)
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism, finite
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.papers.wxh.policies import walk
from tightrope.privacy import Refutation, smallest_level
from tightrope.spaces import Space, categories, cycle, matrix, path, query, triangle_query

_ONE = Fraction(1)


def _compose(
    *, ratios: tuple[Fraction, ...] = (Fraction(2), Fraction(3)), independent: bool = True
) -> Finding:
    space = cycle(3)
    first, second = (
        finite(randomized_response(space, Level.ratio(r)).mechanism).row_at(0) for r in ratios
    )
    pairs = list(product(range(3), repeat=2))
    if independent:
        rows = [[first[(a - x) % 3] * second[(b - x) % 3] for a, b in pairs] for x in range(3)]
    else:  # the second answer is the noise of the first one: by itself it says nothing
        rows = [[first[b] if (a - b) % 3 == x else Fraction(0) for a, b in pairs] for x in range(3)]
    both = MatrixMechanism(space, tuple(range(9)), Weights.from_fractions(rows))
    smallest = smallest_level(both, space)
    total = ratios[0] * ratios[1]
    shown = "no finite level" if isinstance(smallest, Refutation) else f"level {smallest.upper:.6f}"
    return finding(
        "M(x) = (M1(x), M2(x)) has level ε1 + ε2, on the product of their probability spaces",
        f"e^ε1 = {ratios[0]}, e^ε2 = {ratios[1]}, three datasets: {shown}, against "
        f"ln({total}) = {float(Level.ratio(total)):.6f}",
        not isinstance(smallest, Refutation) and smallest.exact == Level.ratio(total),
        "attained by randomized response; the answers must be drawn independently.",
    )


def _group(
    *, places: tuple[int, ...] = (0, 1, 2, 3), ratio: Fraction = Fraction(2)
) -> Finding:
    parts: list[list[int]] = []
    for place in sorted(places):
        if parts and place - parts[-1][-1] <= 1:
            parts[-1].append(place)
        else:
            parts.append([place])
    laws: dict[int, dict[tuple[int, int], Fraction]] = {}
    for k, part in enumerate(parts):  # as telling as neighbors allow: parts are told apart
        for i, place in enumerate(part):
            row = _geometric_row(len(part), ratio, i)
            laws[place] = {(k, z): p for z, p in enumerate(row)}
    worst, holds = _ONE, True
    for x, y in product(sorted(places), repeat=2):
        for output, p in laws[x].items():
            q = laws[y].get(output, Fraction(0))
            holds &= p <= ratio ** abs(x - y) * q
            worst = max(worst, p / q) if q else worst
    return finding(
        "ε between neighbors is iε between datasets i apart, if a chain of neighbors joins them",
        f"datasets {', '.join(map(str, places))} at e^ε = {ratio}: "
        f"{'so' if holds else 'not so'} for every pair and output; largest finite ratio {worst}",
        holds,
        "the truncated geometric on each part that neighbors join.",
    )


def _geometric_row(size: int, ratio: Fraction, place: int) -> tuple[Fraction, ...]:
    if size == 1:
        return (_ONE,)
    made = truncated_geometric(path(0, size - 1), Level.ratio(ratio))
    return tuple(finite(made.mechanism).row_at(place))


def _short(*, distance: Fraction = Fraction(1, 2), ratio: Fraction = Fraction(4)) -> Finding:
    space: Space = matrix(("x", "y"), [[0, distance], [distance, 0]])
    response = finite(randomized_response(categories(("x", "y")), Level.ratio(ratio)).mechanism)
    rows = [list(response.row_at(i)) for i in range(2)]
    told = MatrixMechanism(space, space.points, Weights.from_fractions(rows))
    smallest = smallest_level(told, space)
    assert not isinstance(smallest, Refutation)
    epsilon = float(Level.ratio(ratio))
    return finding(
        "inequality (4): ε between neighbors bounds every pair by e^(d(x, y)ε)",
        f"neighbors at distance {distance} with ratio e^ε = {ratio} have level "
        f"{smallest.upper:.6f} for the distance, ε is {epsilon:.6f}",
        smallest.upper <= epsilon + 2.0**-40,
        "Definition 4 calls all datasets up to distance 1 neighbors: below 1 the inequality asks "
        "for more than Definition 8 does.",
        ours=abs(smallest.upper * float(distance) - epsilon) < 2.0**-40,
    )


def _exponential(
    *, points: int = 9, epsilon: Fraction = _ONE, halved: bool = True
) -> Finding:
    level = Level.epsilon(epsilon if halved else 2 * epsilon)
    smallest = exponential(path(0, points - 1), level).certificate.smallest
    assert smallest is not None
    return finding(
        "the exponential mechanism with weights e^(εq/(2Δq)) is ε-private",
        f"path of {points} points, ε = {epsilon}, weights "
        f"e^(-εd{'/2' if halved else ''}): level {smallest.upper:.6f}",
        smallest.upper <= epsilon,
        "the normalizers of neighbors differ by less than e^(ε/2), so ε is not used up.",
    )


def _sensitivity(*, nodes: int = 5, apart: int = 1) -> Finding:
    asked = triangle_query(nodes)
    steps = np.asarray(asked.steps)
    local = [[int(str(asked.local_sensitivity(x, t))) for t in range(4)] for x in range(len(steps))]
    holds = all(
        local[y][t] <= local[x][t + 1]
        for x, y in zip(*np.nonzero((steps > 0) & (steps <= apart)), strict=True)
        for t in range(3)
    )
    empty = asked.values.index(asked.codomain.index(0))
    return finding(
        "the local sensitivity at distance i of a neighbor is at most that at i + 1",
        f"triangles of the {asked.datasets.size} graphs on {nodes} nodes: Δf = "
        f"{asked.global_sensitivity}; at a graph without triangles, at distance 0 to 3: "
        f"{', '.join(map(str, local[empty]))}; {'so' if holds else 'not so'} for datasets at most "
        f"{apart} apart",
        holds,
        "every pair of graphs compared; Example 10 rests on it.",
    )


def _identity(*, values: tuple[int, ...] = (0, 1, 2, 3, 4)) -> Finding:
    asked = walk(values)
    same = bool((utility_first(asked).indices == privacy_first(asked).indices).all())
    return finding(
        "the identity function (data publishing) is a monotonic permutation function",
        f"values {', '.join(map(str, values))}: identity {asked.is_identity}, permutation "
        f"{asked.is_permutation}, monotonic {asked.is_monotone}; Theorems 1 and 2 have the same "
        f"sets: {same}",
        asked.is_identity and asked.is_permutation and asked.is_monotone and same,
        "with one metric for privacy and utility both policies are one.",
    )


def _linear(*, points: int = 7, shape: str = "cycle", ratio: Fraction = Fraction(2)) -> Finding:
    space = cycle(points) if shape == "cycle" else path(0, points - 1)
    smallest = privacy_first(query(space, space, lambda x: x)).exact_level(ratio)
    return finding(
        "Corollary 1: for a linear query, whose sets look alike from every dataset, the level is ε",
        f"a {shape} of {points} datasets, e^ε = {ratio}: level {smallest.upper:.6f}, ε = "
        f"{float(Level.ratio(ratio)):.6f}",
        smallest.exact == Level.ratio(ratio),
        "all normalizers are equal, so the factor 2 of the theorems is not needed.",
    )


ITEMS = (
    Item("wxh", "definition-3", "The exponential mechanism", Verdict.CONFIRMED, _exponential,
         varied={"points": 4}, dropped={"halved": False}),
    Item("wxh", "definition-11", "Identity, permutation, monotonic", Verdict.CONFIRMED, _identity,
         varied={"values": (0, 1, 2)}, dropped={"values": (0, 2, 1, 3, 4)}),
    Item("wxh", "definition-12", "Local sensitivities of triangles", Verdict.CONFIRMED,
         _sensitivity, varied={"nodes": 4}, dropped={"apart": 3}),
    Item("wxh", "proposition-1", "Composition", Verdict.CONFIRMED, _compose,
         varied={"ratios": (Fraction(2), Fraction(2))}, dropped={"independent": False}),
    Item("wxh", "proposition-2", "Group privacy", Verdict.CONFIRMED, _group,
         varied={"ratio": Fraction(3)}, dropped={"places": (0, 1, 3, 4)}),
    Item("wxh", "inequality-4", "Distances below 1", Verdict.CORRECTED, _short,
         varied={"ratio": Fraction(9)}, dropped={"distance": _ONE}),
    Item("wxh", "corollary-1", "Linear queries have half the level", Verdict.CONFIRMED, _linear,
         varied={"ratio": Fraction(3)}, dropped={"shape": "path"}),
)
