"""Small spaces of every family, and slow answers to compare with."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations

from tightrope.exact import Surd
from tightrope.spaces import (
    Space,
    graph,
    haversine,
    matrix,
    parse,
    points,
    product_max,
    product_sum,
)

TEXTS = [
    "path:0..1",
    "path:-3..8",
    "path:0..59",
    "sum:people=1,max=1",
    "sum:people=4,max=3",
    "sum:people=5,max=7",
    "sum:people=30,max=1",
    "counts:people=7,queries=1",
    "counts:people=3,queries=2",
    "counts:people=2,queries=3",
    "counts:people=1,queries=4",
    "histogram:people=3,cells=3",
    "histogram:people=9,cells=2",
    "histogram:people=2,cells=5",
    "histogram:people=1,cells=6",
    "histogram:people=3,cells=3,neighbors=add-remove",
    "histogram:people=5,cells=1,neighbors=add-remove",
    "histogram:people=1,cells=4,neighbors=add-remove",
    "grid:5x7",
    "grid:3x3x3,step=0.5",
    "grid:9,step=1/3",
    "grid:1x4x1x3",
    "grid:4x5,metric=manhattan",
    "grid:3x2x4,step=2,metric=manhattan",
    "grid:6x4,step=1/3,metric=chebyshev",
    "grid:2x2x1x2,metric=chebyshev",
    "hamming:values=2,people=4",
    "hamming:values=3,people=3",
    "hamming:values=5,people=1",
    "categories:2",
    "categories:7",
    "categories:red/green/blue",
    'categories:"a/b"/"c * d"/e f/ünïcode/Z',
    "sets:1",
    "sets:4",
    "cycle:2",
    "cycle:3",
    "cycle:8",
    "cycle:13",
    "star:1",
    "star:2",
    "star:9",
    "complete:2",
    "complete:11",
    "path:0..3 * cycle:5",
    "path:0..3 ^ cycle:5",
    "grid:2x3 * grid:2x2,step=2",
    "grid:2x3 ^ path:0..4",
    "path:0..2 * cycle:3 * complete:3",
    "path:0..2 ^ categories:a/b ^ sets:2",
    "path:0..1 * (cycle:4 ^ star:2)",
    "(histogram:people=2,cells=2 * hamming:values=2,people=2) ^ path:0..2",
    "grid:1x4,step=2 ^ path:0..8",
    "sum:people=2,max=2 ^ grid:2x2,step=1/2,metric=manhattan",
]

WEIGHTED = graph(
    ["a", "b", "c", "d", "e", "f"],
    [
        (0, 1, 1),
        (1, 2, "1/2"),
        (0, 2, "3/2"),  # a shortest path that goes through b as well
        (2, 3, 1),
        (3, 4, 2),
        (2, 4, 5),  # longer than the way through d
        (4, 5, "0.25"),
        (5, 0, 7),
        (3, 3, 1),
        (1, 0, 4),
    ],
)
TREE = graph(
    ["r", ("x", 1), ("x", 2), 3, 4, 5, 6],
    [(0, 1, 1), (4, 2, "1/2"), (2, 1, "3/2"), (3, 1, 2), (5, 0), (6, 5, "1/7")],
)
SQUARE = graph(range(6), [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (5, 0)])
LINES = points(
    range(9),
    [
        ("0.5", "0.5"),
        ("1", "1"),
        ("2", "2"),
        ("-1", "-1"),
        ("2", "0.5"),
        ("1/3", "4"),
        ("1/3", "1"),
        ("1/3", "-2"),
        ("7", "0"),
    ],
)
FAR = points(["x", "y", "z", "w"], [(0, 0, 0), ("1e-6", 0, 10**6), (0, 0, 1), (0, 0, 10**6)])
TOWNS = haversine(
    ["Paris", "Rome", "Oslo", "Quito"],
    [("48.8566", "2.3522"), ("41.9028", "12.4964"), ("59.9139", "10.7522"), ("-0.18", "-78.47")],
)
MATRIX = matrix(
    ["a", "b", "c", "d"],
    [
        ["0", "1/2", "1.5", "2"],
        ["1/2", "0", "1", "2.1"],
        ["1.5", "1", "0", "3"],
        ["2", "2.1", "3", "0"],
    ],
)

SPACES: list[Space] = [
    *map(parse, TEXTS),
    WEIGHTED,
    TREE,
    SQUARE,
    LINES,
    FAR,
    TOWNS,
    MATRIX,
    product_sum(LINES, parse("path:0..2")),
    product_max(WEIGHTED, MATRIX),
    product_max(SQUARE, parse("cycle:4")),
    product_sum(TREE, parse("grid:2x3,step=1/2")),
]


def distances(space: Space) -> list[list[Surd]]:
    """All distances, asked for one by one."""
    return [[space.distance(i, j) for j in range(space.size)] for i in range(space.size)]


def irreducible(space: Space) -> set[tuple[int, int]]:
    """Pairs without a third point between them, by all triples in exact numbers."""
    table = distances(space)
    distinct: list[Surd] = []
    floats: list[float] = []

    def number(value: Surd) -> int:
        size = float(value)
        for position, known in enumerate(floats):
            if abs(known - size) <= 1e-9 * size and distinct[position] == value:
                return position
        distinct.append(value)
        floats.append(size)
        return len(distinct) - 1

    numbers = [[number(value) for value in row] for row in table]

    @cache
    def between(a: int, b: int, whole: int) -> bool:
        return distinct[a] + distinct[b] == distinct[whole]

    return {
        (i, j)
        for i, j in combinations(range(space.size), 2)
        if not any(
            between(numbers[i][k], numbers[k][j], numbers[i][j])
            for k in range(space.size)
            if k not in (i, j)
        )
    }


def shortest(size: int, links: list[tuple[int, int, Fraction]]) -> list[list[Fraction]]:
    """Lengths of shortest paths, by Floyd and Warshall."""
    far = sum((length for _, _, length in links), Fraction(1))
    table = [[Fraction(0) if i == j else far for j in range(size)] for i in range(size)]
    for i, j, length in links:
        table[i][j] = table[j][i] = min(table[i][j], length if i != j else Fraction(0))
    for k in range(size):
        for i in range(size):
            for j in range(size):
                table[i][j] = min(table[i][j], table[i][k] + table[k][j])
    return table
