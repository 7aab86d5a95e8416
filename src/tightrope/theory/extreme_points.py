"""All extreme points of the privacy polytope of m values, exactly.

A private m × m matrix has columns w_j (1 + (r - 1) h_j) with r = e^ε and heights h_j in
[0, 1]^m. With x_j = w_j (r - 1) / (1 - Σ w) the rows add up to 1 exactly if Σ_j x_j h_j = 1,
where r has gone: the polytopes of all ε > 0 have the same extreme points. Where all heights
are 0 or 1 (no loose entry), the columns are subsets of the values, and the extreme points are
the minimal balanced collections of cooperative games: subsets with exactly one set of
positive weights that cover every value once. A loose entry is the one entry of its row
strictly between 0 and 1; what the other columns leave over says its height, and the other
rows are such a collection by themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import perm
from typing import Any

import numpy as np

from tightrope.characters import counted
from tightrope.errors import BadInput, TooLarge
from tightrope.exact import IntArray, Level, Number, exact_rows, stated_whole
from tightrope.markup import brief

Matrix = tuple[tuple[Fraction, ...], ...]

LARGEST = 5
"""Values up to which all extreme points are enumerated."""


@dataclass(frozen=True)
class Vertex:
    """An extreme point up to the order of its columns: a height for each entry, a weight
    for each non-zero column. Heights are 0 at the least, 1 at the largest entry of a column.
    """

    heights: Matrix
    weights: tuple[Fraction, ...]

    __repr__ = brief

    @property
    def columns(self) -> int:
        """The number of non-zero columns."""
        return len(self.weights)

    @property
    def loose(self) -> tuple[tuple[int, int], ...]:
        """Entries strictly between the least and the largest of their column.

        A single column is constant; none of its entries counts here (H16 calls all loose).
        """
        return tuple(
            (i, j)
            for j, column in enumerate(self.heights)
            for i, h in enumerate(column)
            if 0 < h < 1
        )

    def matrix(self, ratio: Fraction) -> Matrix:
        """The m × m matrix at e^ε = ratio; zero columns come last.

        a[i,j] = x_j (1 + (r - 1) h[i,j]) / (Σ x + r - 1).

        >>> last = extreme_points(3).orbits[-1].vertex
        >>> [[str(p) for p in row] for row in last.matrix(Fraction(2))]
        [['2/5', '2/5', '1/5'], ['2/5', '1/5', '2/5'], ['1/5', '2/5', '2/5']]
        """
        if ratio <= 1:
            raise BadInput(f"expected a ratio e^ε above 1, found {ratio}.")
        total = sum(self.weights) + ratio - 1
        size = len(self.heights[0])
        filled = [
            tuple(x * (1 + (ratio - 1) * h) / total for h in column)
            for x, column in zip(self.weights, self.heights, strict=True)
        ]
        filled += [(Fraction(0),) * size] * (size - len(filled))
        return tuple(zip(*filled, strict=True))


@dataclass(frozen=True)
class Orbit:
    """Extreme points that differ by a permutation of rows and of columns.

    `vertex` is one of them, `members` all of them up to the order of columns, and `size` how
    many matrices there are.
    """

    vertex: Vertex
    members: tuple[Vertex, ...]

    __repr__ = brief

    @property
    def size(self) -> int:
        """The number of m × m matrices: each member with its columns in every order."""
        return len(self.members) * perm(len(self.vertex.heights[0]), self.vertex.columns)

    def matrices(self, ratio: Fraction) -> Iterator[Matrix]:
        """Every matrix of the orbit at e^ε = ratio, each once."""
        for member in self.members:
            columns = list(zip(*member.matrix(ratio), strict=True))
            for places in permutations(range(len(columns)), member.columns):
                line = [columns[-1]] * len(columns)  # zero, unless every column is replaced
                for column, place in zip(columns, places, strict=False):
                    line[place] = column
                yield tuple(zip(*line, strict=True))


@dataclass(frozen=True)
class BestVertex:
    """The least loss over the polytope, a matrix that attains it, and its orbit."""

    value: Fraction
    matrix: Matrix
    orbit: Orbit

    __repr__ = brief


@dataclass(frozen=True)
class ExtremePoints:
    """The extreme points of a polytope, or those with so many columns, one orbit after another.

    Orbits come by number of non-zero columns, those without loose entries first. `ratio` is
    the e^ε at which matrices are written out; orbits are the same for all of them.
    """

    values: int
    ratio: Fraction
    orbits: tuple[Orbit, ...]

    @property
    def total(self) -> int:
        """The number of extreme points."""
        return sum(orbit.size for orbit in self.orbits)

    @property
    def by_columns(self) -> dict[int, int]:
        """How many there are with so many non-zero columns."""
        counts: Counter[int] = Counter()
        for orbit in self.orbits:
            counts[orbit.vertex.columns] += orbit.size
        return dict(sorted(counts.items()))

    @property
    def loose(self) -> int:
        """How many of them have a loose entry."""
        return sum(orbit.size for orbit in self.orbits if orbit.vertex.loose)

    def __repr__(self) -> str:
        counts = ", ".join(f"{k}: {count:,}" for k, count in self.by_columns.items())
        return (
            f"ExtremePoints({self.total:,} on {self.values} values in "
            f"{counted(len(self.orbits), 'orbit')}; by non-zero columns {counts}; "
            f"{self.loose:,} with a loose entry)"
        )

    def as_json(self) -> dict[str, Any]:
        """The object that `tightrope polytope --json` prints, but for names of files."""
        return {
            "values": self.values,
            "ratio": str(self.ratio),
            "total": self.total,
            "by_columns": {str(columns): count for columns, count in self.by_columns.items()},
            "loose": self.loose,
            "orbits": [
                {
                    "columns": orbit.vertex.columns,
                    "size": orbit.size,
                    "loose": [[i, j] for i, j in orbit.vertex.loose],
                    "weights": [str(weight) for weight in orbit.vertex.weights],
                    "matrix": [[str(p) for p in row] for row in orbit.vertex.matrix(self.ratio)],
                }
                for orbit in self.orbits
            ],
        }


def extreme_points(
    size: int, *, ratio: Number = 2, columns: int | None = None
) -> ExtremePoints:
    """All private matrices on `size` values that are no mean of two others, in orbits.

    They are the extreme points of a polytope, and one of them is best for any linear loss. An
    orbit holds those that differ by the order of rows or columns. Any two values are neighbors,
    and `ratio` is e^ε. With `columns`, only those that have so many non-zero columns.

    >>> found = extreme_points(3)
    >>> found.total, found.by_columns, [orbit.size for orbit in found.orbits]
    (33, {1: 3, 2: 18, 3: 12}, [3, 18, 6, 6])
    """
    factor, size = Level.ratio(ratio).base, stated_whole(size, "a whole number of values")
    orbits = _orbits(size)
    if columns is not None:
        columns = stated_whole(columns, "a whole number of non-zero columns")
        if not 1 <= columns <= size:
            raise BadInput(f"expected from 1 to {size} non-zero columns, found {columns}.")
        orbits = tuple(orbit for orbit in orbits if orbit.vertex.columns == columns)
    return ExtremePoints(size, factor, orbits)


@cache
def _orbits(size: int) -> tuple[Orbit, ...]:
    if size < 2:
        raise BadInput(f"a polytope needs at least 2 values, found {size}.")
    if size > LARGEST:
        raise TooLarge(
            "the number of values", size, LARGEST, "test single matrices with `extremality`"
        )
    found = list(_strict(size, tuple(range(size))))
    for count in range(1, size - 1):
        for loose in combinations(range(size), count):
            found += _with_loose(size, loose)
    orbits = [Orbit(group[0], tuple(group)) for group in _grouped(found)]
    return tuple(
        sorted(orbits, key=lambda o: (o.vertex.columns, len(o.vertex.loose), o.size, _sets(o)))
    )


@cache
def _balanced(size: int) -> tuple[tuple[tuple[int, ...], tuple[Fraction, ...]], ...]:
    """The minimal balanced collections on `size` values, as bit masks with their weights.

    Different subsets S_j for which Σ_j x_j 1[S_j] = 1 has exactly one solution, and that one
    positive. Found by Cramer's rule on BᵀB x = Bᵀ1 in whole numbers, for all at once.

    >>> [len(_balanced(n)) for n in (1, 2, 3, 4)]
    [1, 2, 6, 42]
    """
    everyone = (1 << size) - 1
    found: list[tuple[tuple[int, ...], tuple[Fraction, ...]]] = [((everyone,), (Fraction(1),))]
    bits = (np.arange(1, everyone)[:, None] >> np.arange(size)) & 1
    for count in range(2, size + 1):
        chosen = np.array(list(combinations(range(len(bits)), count)))
        B = bits[chosen].astype(np.int64)  # collection, set, value
        gram, covered = B @ B.transpose(0, 2, 1), B.sum(axis=2)
        whole = _determinants(gram)
        parts = np.stack([_determinants(_replaced(gram, covered, j)) for j in range(count)], axis=1)
        balanced = (np.einsum("nj,njv->nv", parts, B) == whole[:, None]).all(axis=1)
        kept = np.flatnonzero((whole > 0) & (parts > 0).all(axis=1) & balanced)
        for k in kept.tolist():
            masks = tuple((chosen[k] + 1).tolist())
            weights = tuple(Fraction(part, int(whole[k])) for part in parts[k].tolist())
            found.append((masks, weights))
    return tuple(found)


def _replaced(gram: IntArray, right: IntArray, j: int) -> IntArray:
    changed = gram.copy()
    changed[:, :, j] = right
    return changed


def _determinants(matrices: IntArray) -> IntArray:
    """Determinants of small whole matrices, exactly, by Laplace expansion over column sets."""
    count = matrices.shape[1]
    minors: dict[int, IntArray] = {0: np.ones(len(matrices), dtype=np.int64)}
    for row in range(count):
        larger: dict[int, IntArray] = {}
        for held, minor in minors.items():
            for j in range(count):
                if held >> j & 1:
                    continue
                sign = -1 if (held >> (j + 1)).bit_count() % 2 else 1
                term = sign * matrices[:, row, j] * minor
                key = held | 1 << j
                larger[key] = larger[key] + term if key in larger else term
        minors = larger
    return minors[(1 << count) - 1]


def _strict(size: int, rows: tuple[int, ...]) -> Iterator[Vertex]:
    """Vertices without loose entries on some of the rows; the others have height 0."""
    for masks, weights in _balanced(len(rows)):
        columns = []
        for mask in masks:
            column = [Fraction(0)] * size
            for position, row in enumerate(rows):
                column[row] = Fraction(mask >> position & 1)
            columns.append(tuple(column))
        yield _ordered(columns, weights)


def _with_loose(size: int, loose: tuple[int, ...]) -> Iterator[Vertex]:
    """Vertices whose loose entries lie in exactly these rows."""
    rows = tuple(i for i in range(size) if i not in loose)
    for start in _strict(size, rows):
        if start.columns == 1:
            continue
        fillings = list(_loose_rows(start.weights))
        for filled in product(fillings, repeat=len(loose)):
            columns = [list(column) for column in start.heights]
            for row, values in zip(loose, filled, strict=True):
                for column, height in zip(columns, values, strict=True):
                    column[row] = height
            yield _ordered([tuple(column) for column in columns], start.weights)


def _loose_rows(weights: Sequence[Fraction]) -> Iterator[tuple[Fraction, ...]]:
    """Rows of heights with one entry inside (0, 1) that the weights add up to 1."""
    for j, own in enumerate(weights):
        for others in product((0, 1), repeat=len(weights) - 1):
            row = [Fraction(h) for h in (*others[:j], 0, *others[j:])]
            left = 1 - sum(x * h for x, h in zip(weights, row, strict=True))
            if 0 < left < own:
                row[j] = left / own
                yield tuple(row)


def _ordered(columns: Sequence[tuple[Fraction, ...]], weights: Sequence[Fraction]) -> Vertex:
    """The vertex with its columns in one fixed order, so that equal ones compare equal."""
    pairs = sorted(zip(columns, weights, strict=True), reverse=True)
    return Vertex(tuple(column for column, _ in pairs), tuple(weight for _, weight in pairs))


def best_extreme_point(costs: Sequence[Sequence[Number]], ratio: Number) -> BestVertex:
    """The extreme point with the least loss Σ_yz costs[y][z] a[y,z], by trying all of them.

    Some extreme point is optimal for every linear loss, so this is the optimum over all
    private matrices with as many outputs as inputs; ties go to fewer non-zero columns.

    >>> binary = [[Fraction(y != z, 3) for z in range(3)] for y in range(3)]
    >>> best_extreme_point(binary, Fraction(2)).value
    Fraction(1, 2)
    """
    table, factor = exact_rows(costs, "costs"), Level.ratio(ratio).base
    size = len(table)
    if any(len(row) != size for row in table):
        raise BadInput(f"expected as many costs in every row as there are rows ({size}).")
    best: BestVertex | None = None
    for orbit in _orbits(size):
        for member in orbit.members:
            columns = list(zip(*member.matrix(factor), strict=True))[: member.columns]
            each = [
                [sum(a * row[z] for a, row in zip(column, table, strict=True)) for z in range(size)]
                for column in columns
            ]
            value, places = _cheapest(each)
            if best is None or value < best.value:
                line = [(Fraction(0),) * size] * size
                for column, place in zip(columns, places, strict=True):
                    line[place] = column
                best = BestVertex(value, tuple(zip(*line, strict=True)), orbit)
    assert best is not None
    return best


def _cheapest(each: Sequence[Sequence[Fraction | int]]) -> tuple[Fraction, tuple[int, ...]]:
    """Different places for all columns with the least sum of costs, set of places by set."""
    reached: dict[int, tuple[Fraction, tuple[int, ...]]] = {0: (Fraction(0), ())}
    for line in each:
        larger: dict[int, tuple[Fraction, tuple[int, ...]]] = {}
        for held, (value, places) in reached.items():
            for z, cost in enumerate(line):
                key, total = held | 1 << z, value + cost
                if not held >> z & 1 and (key not in larger or total < larger[key][0]):
                    larger[key] = total, (*places, z)
        reached = larger
    return min(reached.values())


def _grouped(vertices: Sequence[Vertex]) -> list[list[Vertex]]:
    """Orbits under permutations of rows, by two permutations that generate all."""
    position = {vertex: k for k, vertex in enumerate(vertices)}
    group = [-1] * len(vertices)
    orbits: list[list[Vertex]] = []
    for start in range(len(vertices)):
        if group[start] >= 0:
            continue
        orbits.append([])
        group[start], waiting = len(orbits) - 1, [start]
        while waiting:
            vertex = vertices[waiting.pop()]
            orbits[-1].append(vertex)
            for moved in _moved(vertex):
                k = position[moved]
                if group[k] < 0:
                    group[k] = group[start]
                    waiting.append(k)
    return orbits


def _moved(vertex: Vertex) -> Iterator[Vertex]:
    """The vertex with its first two rows exchanged, and with all rows moved on by one."""
    swapped = [(c[1], c[0], *c[2:]) for c in vertex.heights]
    rotated = [(*c[1:], c[0]) for c in vertex.heights]
    for columns in (swapped, rotated):
        yield _ordered(columns, vertex.weights)


def _sets(orbit: Orbit) -> tuple[int, ...]:
    return tuple(sorted(sum(h == 1 for h in column) for column in orbit.vertex.heights))
