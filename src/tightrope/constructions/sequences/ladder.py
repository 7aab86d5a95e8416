"""Ladders and scores: indices from local sensitivities, from any score, from a norm.

A ladder widens by the local sensitivity at distance 0, 1, 2, ...; the exponential mechanism
takes any score over its sensitivity; the K-norm mechanism takes the norm whose unit ball K
contains all changes between neighbors.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm

import numpy as np

from tightrope.constructions.sequences.set_policies import positive_sensitivity
from tightrope.constructions.sequences.set_sequences import NEVER, SetSequences
from tightrope.errors import BadInput
from tightrope.exact import IntArray, Surd
from tightrope.spaces import Label, MetricQuery, ceiling, exact_coordinates, hull_corners

Point = Sequence[Fraction]

_FINEST = 64
"""The largest denominator of indices kept exactly; others are rounded up to 64ths."""


def ladder(query: MetricQuery) -> SetSequences:
    """The ladder: set 0 is {f(x)}; set t has distances up to LS_0 + ... + LS_(t-1).

    LS_t is the local sensitivity at distance t. WXH, Example 10, in the original reading
    (Zhang and others, 2015).

    Returns: `SetSequences`; its `indices` give, for each dataset and answer, the first set that
    holds it.

    Raises: `BadInput` for a query that no neighbor changes.

    >>> from tightrope.spaces import path, query
    >>> ladder(query(path(0, 3), path(0, 9), lambda x: x * x)).indices[0].tolist()
    [0, 1, 2, 2, 2, 3, 3, 3, 3, 3]
    """
    positive_sensitivity(query)
    known: dict[tuple[int, ...], IntArray] = {}
    rows = []
    for x in range(query.datasets.size):
        widths = query.ladder(x)
        if not widths[-1]:  # no dataset connected to x has another value: it is released as it is
            rows.append(np.where(query.ranks[x] == 0, 0, NEVER))
            continue
        if widths not in known:
            bounds = [Surd.of(0)]
            while bounds[-1] < query.lengths[-1]:  # ends: the last width is above 0
                width = query.lengths[widths[min(len(bounds), len(widths)) - 1]]
                bounds.append(bounds[-1] + width)
            known[widths] = np.array([bisect_left(bounds, length) for length in query.lengths])
        rows.append(known[widths][query.ranks[x]])
    return SetSequences(query, "ladder", np.stack(rows))


def exponential_sets(query: MetricQuery) -> SetSequences:
    """The exponential mechanism with the distance as its score: i(x, r) = d(f(x), r)/Δ.

    At nominal ε it weighs outputs by measure(r) e^(-ε d/Δ). With C the Lipschitz constant of f
    and β = ε/Δ its level is at most 2 C β (KLPC, Theorem 2.7; Δ = C between neighbors). Where a
    quotient has a large denominator or none, it is rounded up to 64ths.

    >>> from tightrope.spaces import path, query
    >>> f = query(path(0, 2), path(0, 4), lambda x: 2 * x)
    >>> exponential_sets(f).indices.tolist(), exponential_sets(f).fineness
    ([[0, 1, 2, 3, 4], [2, 1, 0, 1, 2], [4, 3, 2, 1, 0]], 2)
    """
    unit = positive_sensitivity(query)
    exact = [d.rational / unit.rational for d in query.lengths if d.rational and unit.rational]
    fineness = lcm(*(value.denominator for value in exact))
    if len(exact) + 1 < len(query.lengths) or fineness > _FINEST:  # all but the distance 0
        fineness = _FINEST
    steps = [ceiling(length * fineness, unit) for length in query.lengths]
    return SetSequences(query, "exponential", np.array(steps)[query.ranks], fineness)


def from_score(
    query: MetricQuery,
    score: Callable[[Label, Label], Fraction],
    construction: str = "score",
    sensitivity: Fraction | None = None,
) -> SetSequences:
    """The exponential mechanism of any score: i(x, r) = (best - score(x, r))/Δ.

    Δ is the sensitivity: if not given, the largest change of the score of an output that occurs
    between neighbors. Best is the largest score anywhere. At nominal ε it weighs outputs by
    e^(ε score/Δ), and its level is below 2ε.

    >>> from tightrope.spaces import path, query
    >>> f = query(path(0, 2), path(0, 2), lambda x: x)
    >>> from_score(f, lambda x, r: Fraction(-abs(x - r), 2)).indices.tolist()
    [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    """
    outputs = query.codomain.points
    table = [[Fraction(score(x, r)) for r in outputs] for x in query.datasets.points]
    occurring = [r for r, mass in enumerate(query.measure) if mass > 0]
    change = sensitivity or max(
        (abs(table[x][r] - table[y][r]) for x, y in query.neighbors for r in occurring),
        default=Fraction(0),
    )
    if change == 0:
        raise BadInput("the score is the same for all neighbors: expected a sensitivity above 0.")
    best = max(max(row) for row in table)
    exact = [[(best - value) / change for value in row] for row in table]
    fineness = lcm(*(value.denominator for row in exact for value in row))
    indices = np.array([[int(value * fineness) for value in row] for row in exact], dtype=np.int64)
    return SetSequences(query, construction, indices, fineness)


def polygon_norm(vertices: Sequence[Point]) -> Callable[[Point], Fraction]:
    """The norm whose unit ball is a convex polygon, symmetric about the origin.

    Vertices are given in order around it; |z| = max over its sides of (n · z)/(n · side).

    >>> diamond = polygon_norm([(1, 0), (0, 1), (-1, 0), (0, -1)])
    >>> diamond((Fraction(1), Fraction(-2)))
    Fraction(3, 1)
    """
    corners = [(Fraction(a), Fraction(b)) for a, b in vertices]
    if len(corners) < 4 or {(-a, -b) for a, b in corners} != set(corners):
        raise BadInput("expected a polygon with at least 4 corners, symmetric about the origin.")
    sides = []
    for (a, b), (c, d) in pairwise([*corners, corners[0]]):
        height = a * d - b * c
        if height == 0:
            raise BadInput("a side of the polygon is on a line through the origin.")
        sides.append(((d - b) / height, (a - c) / height))
    if any(u * a + v * b > 1 for u, v in sides for a, b in corners):
        raise BadInput("the polygon is not convex, or its corners are not in order.")
    return lambda z: max(u * Fraction(z[0]) + v * Fraction(z[1]) for u, v in sides)


def sum_norm(z: Point) -> Fraction:
    """|z_1| + |z_2| + ..."""
    return sum((abs(Fraction(part)) for part in z), Fraction(0))


def largest_norm(z: Point) -> Fraction:
    """max |z_k|."""
    return max(abs(Fraction(part)) for part in z)


def k_norm(query: MetricQuery, norm: Callable[[Point], Fraction]) -> SetSequences:
    """The K-norm mechanism on the points of the codomain: i(x, r) = |f(x) - r|/Δ.

    Δ is the largest norm of a change between neighbors, so that K = {|z| <= Δ} holds them all.

    Returns: `SetSequences`; its `indices` give, for each dataset and answer, the first set that
    holds it.

    Raises: `BadInput` for a query that no neighbor changes, or values that are no numbers.

    >>> from tightrope.spaces import grid, path, query
    >>> f = query(path(0, 1), grid((2, 2)), lambda x: (x, x))
    >>> k_norm(f, largest_norm).indices.tolist()
    [[0, 1, 1, 1], [1, 1, 1, 0]]
    """
    places = _places(query)
    values = dict(zip(query.datasets.points, query.values, strict=True))

    def score(x: Label, r: Label) -> Fraction:
        here, there = places[values[x]], places[query.codomain.index(r)]
        return -norm([a - b for a, b in zip(here, there, strict=True)])

    moves = [
        norm([a - b for a, b in zip(places[query.values[x]], places[query.values[y]], strict=True)])
        for x, y in query.neighbors
    ]
    unit = max(moves, default=Fraction(0))
    if unit == 0:
        raise BadInput("the query has the same value for all neighbors (sensitivity 0).")
    return from_score(query, lambda x, r: score(x, r) / unit, "k-norm", Fraction(1))


def hull_norm(query: MetricQuery) -> Callable[[Point], Fraction]:
    """The norm of the K-norm mechanism itself, in the plane: its unit ball K is the convex hull
    of all changes between neighbors, in both directions.

    >>> from tightrope.spaces import query
    >>> f = query("hamming:values=2,people=2", "euclidean", lambda x: (x[0] + x[1], x[0]))
    >>> norm = hull_norm(f)  # changes ±(1, 1) and ±(1, 0)
    >>> norm((1, 1)), norm((1, 0)), norm((0, 1)), norm((2, 1))
    (Fraction(1, 1), Fraction(1, 1), Fraction(2, 1), Fraction(2, 1))
    """
    places = _places(query)
    if any(len(place) != 2 for place in places):
        raise BadInput("expected values in the plane for the norm of a hull.")
    moves = set()
    for x, y in query.neighbors:
        (a, b), (c, d) = places[query.values[x]], places[query.values[y]]
        moves |= {(a - c, b - d), (c - a, d - b)}
    return polygon_norm(hull_corners(moves))


def _places(query: MetricQuery) -> list[tuple[Fraction, ...]]:
    """The values as vectors of numbers: their coordinates, or labels that are such."""
    exact = exact_coordinates(query.codomain)
    if exact is not None:
        whole, unit = exact
        return [tuple(part * unit for part in row) for row in whole.tolist()]
    return [_coordinates(label) for label in query.codomain.points]


def _coordinates(label: Label) -> tuple[Fraction, ...]:
    parts = label if isinstance(label, tuple) else (label,)
    try:
        return tuple(Fraction(part) for part in parts if isinstance(part, int | str))
    except ValueError:
        raise BadInput(f"expected values that are tuples of numbers, found {label!r}.") from None
