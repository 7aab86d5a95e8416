"""All extreme points of the privacy polytope of m values and n outputs, exactly.

A private m × n matrix has columns w_j (1 + (r - 1) h_j) with r = e^ε and heights h_j in
[0, 1]^m. With x_j = w_j (r - 1) / (1 - Σ w) the rows add up to 1 exactly if Σ_j x_j h_j = 1,
where r has gone: the polytopes of all ε > 0 have the same extreme points. Where all heights
are 0 or 1 (no loose entry), the columns are subsets of the values, and the extreme points are
the minimal balanced collections of cooperative games: subsets with exactly one set of
positive weights that cover every value once. A loose entry is the one entry of its row
strictly between 0 and 1; what the other columns leave over says its height, and the other
rows are such a collection by themselves. There are never more than m non-zero columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations_with_replacement, permutations, product
from math import comb, factorial, perm, prod

from tightrope.characters import counted
from tightrope.errors import BadInput, TooLarge
from tightrope.exact import Level, Number, stated, stated_whole
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.markup import brief
from tightrope.spellings import RESULT, spelled
from tightrope.theory.polytope.balanced_collections import BalancedCollection, balanced_collections
from tightrope.theory.polytope.half_spaces import HalfSpaces, half_spaces
from tightrope.theory.polytope.polytopes import matrix_text

Matrix = tuple[tuple[Fraction, ...], ...]

MOST_COLUMNS = {2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 3, 8: 2}
"""Non-zero columns up to which all extreme points of so many values are enumerated."""

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
        """Entries neither e^ε times the least nor e^-ε times the largest of their column.

        These are the loose entries of H16, Definition 5.5: those strictly between, and all
        entries of a single column, which is constant.
        """
        return tuple(
            (i, j)
            for j, column in enumerate(self.heights)
            for i, h in enumerate(column)
            if 0 < h < 1 or len(set(column)) == 1
        )

    def matrix(self, ratio: Number, outputs: int | None = None) -> Matrix:
        """The matrix at e^ε = ratio, m × m or with so many outputs; zero columns come last.

        a[i,j] = x_j (1 + (r - 1) h[i,j]) / (Σ x + r - 1).

        >>> last = extreme_points(3).orbits[-1].vertex
        >>> [[str(p) for p in row] for row in last.matrix(Fraction(2))]
        [['2/5', '2/5', '1/5'], ['2/5', '1/5', '2/5'], ['1/5', '2/5', '2/5']]
        """
        exact = stated(ratio, "a ratio e^ε of at least 1")
        if exact < 1:
            raise BadInput(f"expected a ratio e^ε of at least 1, found {ratio}.")
        total = sum(self.weights) + exact - 1
        size = len(self.heights[0])
        filled = [
            tuple(x * (1 + (exact - 1) * h) / total for h in column)
            for x, column in zip(self.weights, self.heights, strict=True)
        ]
        width = size if outputs is None else outputs
        filled += [(Fraction(0),) * size] * (width - len(filled))
        return tuple(zip(*filled, strict=True))


@dataclass(frozen=True)
class Orbit:
    """Extreme points that differ by a permutation of rows and of columns.

    `vertex` is one of them, `alike` how many there are up to the order of columns (`members`
    lists those), and `size` how many matrices with so many `outputs` there are.
    """

    vertex: Vertex
    alike: int
    outputs: int

    __repr__ = brief

    @property
    def size(self) -> int:
        """The number of matrices: each member with its columns in all places."""
        return self.alike * perm(self.outputs, self.vertex.columns)

    @property
    def rings(self) -> tuple[tuple[int, int], ...]:
        """Entries that a picture marks: the loose ones of two or more columns."""
        return self.vertex.loose if self.vertex.columns > 1 else ()

    def at(self, ratio: Number) -> Matrix:
        """One matrix of the orbit at e^ε = ratio."""
        return self.vertex.matrix(ratio, self.outputs)

    @cached_property
    def members(self) -> tuple[Vertex, ...]:
        """All of them up to the order of columns, by two permutations that generate all."""
        members, waiting = {self.vertex: None}, [self.vertex]
        while waiting:
            for image in _images(waiting.pop()):
                if image not in members:
                    members[image] = None
                    waiting.append(image)
        return tuple(members)

    def matrices(self, ratio: Number) -> Iterator[Matrix]:
        """Every matrix of the orbit at e^ε = ratio, each once."""
        zero = (Fraction(0),) * len(self.vertex.heights[0])
        for member in self.members:
            columns = list(zip(*member.matrix(ratio, member.columns), strict=True))
            for places in permutations(range(self.outputs), member.columns):
                line = [zero] * self.outputs
                for column, place in zip(columns, places, strict=True):
                    line[place] = column
                yield tuple(zip(*line, strict=True))


@dataclass(frozen=True)
class ExtremePoints:
    """The extreme points of a polytope, or those with so many columns, one orbit after another.

    Orbits come by number of non-zero columns, those without loose entries first. `ratio` is
    the e^ε at which matrices are written out; orbits are the same for all of them.
    """

    values: int
    outputs: int
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
    def title(self) -> str:
        """The polytope in words, for files and pictures."""
        return f"Private {self.values} × {self.outputs} matrices at e^ε = {self.ratio}"

    @property
    def whole(self) -> bool:
        """Whether these are all extreme points, and not those with so many columns."""
        most = 1 if self.ratio == 1 else min(self.values, self.outputs)
        return set(self.by_columns) == set(range(1, most + 1))

    @property
    def half_spaces(self) -> HalfSpaces:
        """The inequalities and equations of the polytope."""
        return half_spaces(self.values, self.ratio, columns=self.outputs)

    @property
    def matrices(self) -> Iterator[Matrix]:
        """Every extreme point, each once."""
        return (matrix for orbit in self.orbits for matrix in orbit.matrices(self.ratio))

    @property
    def loose(self) -> int:
        """How many of them have a loose entry: every single column does, by definition."""
        return sum(orbit.size for orbit in self.orbits if orbit.vertex.loose)

    @property
    def by_loose(self) -> dict[int, int]:
        """How many with two or more non-zero columns have so many loose entries, from 1 on."""
        counts: Counter[int] = Counter()
        for orbit in self.orbits:
            if orbit.vertex.columns > 1 and orbit.vertex.loose:
                counts[len(orbit.vertex.loose)] += orbit.size
        return dict(sorted(counts.items()))

    @property
    def loose_several(self) -> int:
        """How many of them have a loose entry and two or more non-zero columns."""
        return sum(self.by_loose.values())

    def facts(self) -> Facts:
        """How many extreme points there are, by columns and loose entries, and every orbit."""
        by_columns = ", ".join(f"{count:,} with {c}" for c, count in self.by_columns.items())
        by_loose = ", ".join(f"{count:,} with {c}" for c, count in self.by_loose.items())
        columns = (Column("matrix", "rows"), Column("columns", "columns"),
                   Column("size", "points"), Column("loose", "loose"), Column("weights", None))
        return Facts(
            "ExtremePoints",
            f"{self.total:,} extreme points on {self.values} values, {self.outputs} outputs, in "
            f"{counted(len(self.orbits), 'orbit')}",
            (*data(total=self.total, values=self.values, outputs=self.outputs, ratio=self.ratio),
             Fact("by_columns", "non-zero columns", Shown(self.by_columns, by_columns)),
             Fact("by_loose", "loose entries", Shown(self.by_loose, by_loose or "none"),
                  meaning="of points with two or more columns (a single column is all loose)"),
             *data(loose=self.loose, loose_several=self.loose_several),
             Table("orbits", f"One matrix of each orbit at e^ε = {self.ratio}:", columns,
                   tuple(map(self._row, self.orbits)), listed=0)),
            ("At ε = 0 all inputs have one law: only single columns are extreme (H16, Corollary "
             "5.2)." if self.ratio == 1 else
             "The counts hold for every ε above 0: the extreme points of all levels correspond.",
             "Of any linear loss, one of these matrices is a minimizer."),
        )

    def _row(self, orbit: Orbit) -> tuple[object, ...]:
        """One matrix of an orbit, its columns and loose entries, how many it stands for."""
        vertex = orbit.vertex
        matrix = orbit.at(self.ratio)
        return (Shown(matrix, matrix_text(matrix)), vertex.columns, orbit.size,
                Shown(vertex.loose, str(len(vertex.loose))), vertex.weights)

    __repr__ = lines_of
    _repr_html_ = card_of


@spelled(
    delta="tr.theory.mechanism_vertices(space, ratio=2, delta=…)",
    epsilon="ratio=2, exactly; or tr.theory.mechanism_vertices(space, epsilon)",
    space="tr.theory.mechanism_vertices(space, ratio=2, outputs=…)",
    tight="tr.theory.mechanism_vertices(space, ratio=2, tight=…)",
    **RESULT,
)
def extreme_points(
    size: int, *, outputs: int | None = None, ratio: Number = 2, columns: int | None = None
) -> ExtremePoints:
    """All private matrices on `size` values that are no mean of two others, in orbits.

    They are the extreme points of a polytope, and one of them is best for any linear loss. An
    orbit holds those that differ by the order of rows or columns. Any two values are neighbors,
    and `ratio` is e^ε. There are as many `outputs` as values unless told otherwise. With
    `columns`, only those that have so many non-zero columns. At ε = 0 those with one are all
    (H16, Corollary 5.2).

    Returns: `ExtremePoints`; `total` counts them, `orbits` lists them.

    Raises: `BadInput` for fewer than 2 values, no output, or columns there cannot be; `TooLarge`
    for more than 8 values, or too many columns for them.

    >>> found = extreme_points(3)
    >>> found.total, found.by_columns, [orbit.size for orbit in found.orbits]
    (33, {1: 3, 2: 18, 3: 12}, [3, 18, 6, 6])
    >>> extreme_points(3, outputs=2).by_columns
    {1: 2, 2: 6}
    >>> extreme_points(3, ratio=1).by_columns
    {1: 3}
    """
    factor, size = Level.ratio(ratio).base, stated_whole(size, "a whole number of values")
    if size < 2:
        raise BadInput(f"a polytope needs at least 2 values, found {size}.")
    width = size if outputs is None else stated_whole(outputs, "a whole number of outputs")
    if width < 1:
        raise BadInput(f"a polytope needs at least 1 output, found {width}.")
    most = min(size, width)
    if columns is not None:
        columns = stated_whole(columns, "a whole number of non-zero columns")
        if not 1 <= columns <= most:
            raise BadInput(f"expected from 1 to {most} non-zero columns, found {columns}.")
        most = columns
    if factor == 1:
        most = 1
    orbits = [
        Orbit(vertex, alike, width)
        for vertex, alike in _list(size, most)
        if columns is None or vertex.columns == columns
    ]
    return ExtremePoints(size, width, factor, tuple(orbits))


@cache
def _list(size: int, most: int) -> tuple[tuple[Vertex, int], ...]:
    """The orbits with at most so many columns: by columns, those without loose entries first."""
    other = "test single matrices with `extremality`"
    if size not in MOST_COLUMNS:
        raise TooLarge("the number of values", size, max(MOST_COLUMNS), other)
    if most > MOST_COLUMNS[size]:
        raise TooLarge(
            f"the number of columns on {size} values", most, MOST_COLUMNS[size],
            f"ask for fewer outputs, or {other}",
        )
    return tuple(sorted(_orbits(size, most), key=_place))


def _place(orbit: tuple[Vertex, int]) -> tuple[int, int, int, list[int]]:
    vertex, alike = orbit
    sets = sorted(sum(h == 1 for h in column) for column in vertex.heights)
    return vertex.columns, len(vertex.loose), alike, sets


def _orbits(size: int, most: int) -> Iterator[tuple[Vertex, int]]:
    """One vertex of every orbit with at most so many columns, and how many are alike."""
    for count in range(1, most + 1):
        for rows in range(max(count, 2), size + 1):
            if rows < size and count == 1:
                continue
            for base in balanced_collections(rows, count):
                yield from _with_loose(base, size, rows)


def _with_loose(base: BalancedCollection, size: int, rows: int) -> Iterator[tuple[Vertex, int]]:
    """Vertices with a loose entry in every row but the first ones, which are the collection."""
    loose = size - rows
    strict = [tuple(Fraction(mask >> i & 1) for i in range(rows)) for mask in base.sets]
    orders: Counter[tuple[tuple[Fraction, ...], ...]] = Counter()
    for chosen in combinations_with_replacement(list(_loose_rows(base.weights)), loose):
        first = min(
            tuple(sorted(tuple(row[j] for j in exchange) for row in chosen))
            for exchange in base.exchanges
        )
        repeats = prod(factorial(times) for times in Counter(chosen).values())
        orders[first] += factorial(loose) // repeats
    for filled, count in orders.items():
        columns = [(*column, *(row[j] for row in filled)) for j, column in enumerate(strict)]
        yield _order(columns, base.weights), base.alike * comb(size, loose) * count


def _loose_rows(weights: Sequence[Fraction]) -> Iterator[tuple[Fraction, ...]]:
    """Rows of heights with one entry inside (0, 1) that the weights add up to 1."""
    for j, own in enumerate(weights):
        for others in product((0, 1), repeat=len(weights) - 1):
            row = [Fraction(h) for h in (*others[:j], 0, *others[j:])]
            left = 1 - sum(x * h for x, h in zip(weights, row, strict=True))
            if 0 < left < own:
                row[j] = left / own
                yield tuple(row)


def _order(columns: Sequence[tuple[Fraction, ...]], weights: Sequence[Fraction]) -> Vertex:
    """The vertex with its columns in one fixed order, so that equal ones compare equal."""
    pairs = sorted(zip(columns, weights, strict=True), reverse=True)
    return Vertex(tuple(column for column, _ in pairs), tuple(weight for _, weight in pairs))


def _images(vertex: Vertex) -> Iterator[Vertex]:
    """The vertex with its first two rows exchanged, and with all rows moved on by one."""
    swapped = [(c[1], c[0], *c[2:]) for c in vertex.heights]
    rotated = [(*c[1:], c[0]) for c in vertex.heights]
    for columns in (swapped, rotated):
        yield _order(columns, vertex.weights)
