"""The polytope of private matrices: its half spaces, and which points are extreme.

Matrices with rows that add up to 1 and a[i,j] <= e^ε a[k,j] for all i, j, k form a polytope
(H16, Chapter 5; any two of m values are neighbors). For ε > 0 the entries need no sign
constraint of their own (Lemma 5.1). A matrix is extreme if no other direction keeps all
tight constraints tight. A non-zero column with least entry c and largest entry e^ε c moves
only by a multiple of its tight part and by its loose entries; a column of less spread moves
freely. So a matrix is extreme if and only if these motions, m numbers each, are independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import flint

from tightrope.errors import BadLevel, BadMatrix, NotPrivate
from tightrope.exact import Level, Number, Weights, exact_rows, from_flint, stated, to_flint
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Refutation, verify
from tightrope.spaces import categories

Line = tuple[Fraction, ...]
Matrix = tuple[Line, ...]
_RATIO = "a ratio e^ε of at least 1"
_LISTED = 12
"""Loose entries that people are shown."""


@dataclass(frozen=True)
class HalfSpaces:
    """Coefficients of a matrix read row by row: inequalities · a <= 0 and equations · a = 1."""

    inequalities: tuple[Line, ...]
    equations: tuple[Line, ...]


def half_spaces(size: int, ratio: Fraction, *, columns: int | None = None) -> HalfSpaces:
    """The polytope at e^ε = ratio as half spaces: a[i,j] - ratio a[k,j] <= 0, rows add up to 1.

    At ε = 0, where signs do not follow, -a[1,j] <= 0 as well.

    >>> found = half_spaces(3, Fraction(2))
    >>> len(found.inequalities), len(found.equations)
    (18, 3)
    """
    _check_ratio(ratio)
    width = size if columns is None else columns
    if size < 2 or width < 1:
        raise BadMatrix(f"expected at least 2 rows and 1 column, found {size} and {width}.")

    def line(entries: dict[tuple[int, int], Fraction]) -> Line:
        return tuple(
            entries.get((i, j), Fraction(0)) for i in range(size) for j in range(width)
        )

    pairs = [(i, k) for i in range(size) for k in range(size) if i != k]
    signs = [line({(0, j): Fraction(-1)}) for j in range(width)] if ratio == 1 else []
    ratios = [line({(i, j): Fraction(1), (k, j): -ratio}) for j in range(width) for i, k in pairs]
    return HalfSpaces(
        (*ratios, *signs),
        tuple(line({(i, j): Fraction(1) for j in range(width)}) for i in range(size)),
    )


@dataclass(frozen=True)
class Extremality:
    """Whether a private matrix is an extreme point, and what decides it.

    `columns` are the non-zero columns, `loose` the entries that are neither e^ε times the
    least nor e^-ε times the largest of their column (H16, Definition 5.5; entries of zero
    columns are not). `tight` are independent constraints (i, k, j) with a[i,j] = e^ε a[k,j];
    all others that are tight follow from them, and together with the row sums they have
    `tight_rank`. The matrix is extreme if that is the number of its entries (Theorem 5.1).
    `direction` is None then; otherwise the matrix plus and minus the direction are both private,
    and the matrix lies between them. At ε = 0 the signs of zero columns count as tight, too.
    """

    extreme: bool
    rank: int
    columns: tuple[int, ...]
    loose: tuple[tuple[int, int], ...]
    direction: Matrix | None
    matrix: Matrix
    ratio: Fraction
    tight: tuple[tuple[int, int, int], ...]
    tight_rank: int

    @property
    def entries(self) -> int:
        """The number of entries, which is the rank that an extreme point needs."""
        return len(self.matrix) * len(self.matrix[0])

    def facts(self) -> Facts:
        """Whether it is extreme, and the tight constraints or the direction that prove it."""
        values, outputs = len(self.matrix), len(self.matrix[0])
        loose = [f"row {i + 1}, column {j + 1}" for i, j in self.loose[:_LISTED]]
        hidden = [f"and {len(self.loose) - _LISTED} more"] if len(self.loose) > _LISTED else []
        columns = tuple(Column(None, f"column {j + 1}") for j in range(outputs))
        rows = tuple(tuple(map(str, row)) for row in self.direction or ())
        return Facts(
            "Extremality",
            "an extreme point" if self.extreme else "not an extreme point",
            (*data(extreme=self.extreme),
             Fact(None, "matrix", f"{values} values, {outputs} outputs, at e^ε = {self.ratio}"),
             Fact("columns", "non-zero columns", Shown(
                 self.columns, f"{len(self.columns)}; the rank is {self.rank}")),
             Fact("loose", "loose entries", Shown(
                 self.loose, "; ".join([*loose, *hidden]) or "none")),
             Fact("tight_rank", "tight constraints", Shown(
                 self.tight_rank,
                 f"rank {self.tight_rank} with the row sums, of {self.entries} needed")),
             *data(ratio=self.ratio, values=values, outputs=outputs, rank=self.rank,
                   tight=self.tight, entries=self.entries, matrix=self.matrix,
                   direction=self.direction),
             Table(None, "It is the mean of two other private matrices: itself plus and minus",
                   columns, rows, listed=0)),
            () if self.direction is not None else (
                "No direction keeps the tight constraints tight, so the matrix is no mean of two "
                "others.",
                "--json lists independent tight constraints (i, k, j): a[i,j] = e^ε a[k,j]."),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def extremality(
    rows: Sequence[Sequence[Number]], ratio: Number | None = None
) -> Extremality:
    """Decide exactly whether a private matrix is a mean of two others at e^ε = ratio.

    All private matrices of a size form a polytope; those that are no such mean are its extreme
    points, and one of them is best for any linear loss. Where it is a mean, `direction` plus
    and minus gives two others; where it is none, `tight` is the proof. Without a ratio, the
    least one at which the matrix is private.

    Returns: `Extremality`; `extreme` is the answer.

    Raises: `NotPrivate` outside the polytope; `BadInput` for rows that do not add up to 1, a ratio
    below 1, or, without a ratio, a zero beside a non-zero in a column.

    >>> half = Fraction(1, 2)
    >>> found = extremality([[half, half], [half, half]], Fraction(2))
    >>> found.extreme, [str(step) for step in found.direction[0]]
    (False, ['-1/4', '1/4'])
    >>> third = Fraction(1, 3)
    >>> found = extremality([[2 * third, third], [third, 2 * third]])
    >>> found.ratio, found.extreme, found.tight, found.tight_rank
    (Fraction(2, 1), True, ((0, 1, 0), (1, 0, 1)), 4)
    """
    given = exact_rows(rows, "a matrix")
    ratio = _least_ratio(given) if ratio is None else stated(ratio, _RATIO)
    matrix = _inside(given, ratio)
    lines = list(zip(*matrix, strict=True))
    columns = tuple(j for j, column in enumerate(lines) if any(column))
    loose = tuple(
        (i, j)
        for j in columns
        for i, entry in enumerate(lines[j])
        if entry not in (ratio * min(lines[j]), max(lines[j]) / ratio)
    )
    motions = [(j, motion) for j in columns for motion in _motions(lines[j], ratio)]
    table = flint.fmpq_mat([[to_flint(v[i]) for _, v in motions] for i in range(len(matrix))])
    rank = flint.fmpq_mat([[to_flint(entry) for entry in row] for row in matrix]).rank()
    kept, kernel = _kernel(table)
    direction = None
    if kernel is not None:
        moved = [[Fraction(0)] * len(lines) for _ in matrix]
        for amount, (j, motion) in zip(kernel, motions, strict=True):
            for i, step in enumerate(motion):
                moved[i][j] += amount * step
        direction = _scale(matrix, moved, ratio)
    tight = tuple(
        (i, k, j) for j, column in enumerate(lines) for i, k in _tight_pairs(column, ratio)
    )
    tight_rank = len(matrix) * len(lines) - (len(motions) - kept)
    return Extremality(
        direction is None, int(rank), columns, loose, direction, matrix, ratio, tight, tight_rank
    )


def _least_ratio(matrix: Matrix) -> Fraction:
    """The least e^ε at which a matrix is private."""
    columns = [column for column in zip(*matrix, strict=False) if any(column)]
    if any(min(column) <= 0 for column in columns):
        raise BadMatrix("a column has a zero beside a non-zero: the matrix is private at no level.")
    ratio = max((max(column) / min(column) for column in columns), default=Fraction(1))
    return ratio


def _tight_pairs(column: Line, ratio: Fraction) -> list[tuple[int, int]]:
    """Independent pairs (i, k) with column[i] = ratio column[k]; the other such pairs follow."""
    least, largest, size = min(column), max(column), len(column)
    if not largest:
        return [(i, (i + 1) % size) for i in range(size)]
    if largest != ratio * least:
        return []
    top, *more = (i for i, entry in enumerate(column) if entry == largest)
    if ratio == 1:
        return [(top, k) for k in more]
    low = [i for i, entry in enumerate(column) if entry == least]
    return [(top, k) for k in low] + [(i, low[0]) for i in more]


def _inside(matrix: Matrix, ratio: Fraction) -> Matrix:
    """The matrix, once its rows add up to 1 and it is private."""
    _check_ratio(ratio)
    if len(matrix) < 2 or len({len(row) for row in matrix}) != 1:
        raise BadMatrix("expected a matrix with at least 2 rows, all equally long.")
    if any(sum(row) != 1 or min(row) < 0 for row in matrix):
        raise BadMatrix("expected rows of exact probabilities that add up to 1 (a third is 1/3).")
    space = categories(len(matrix))
    mechanism = MatrixMechanism(space, tuple(range(len(matrix[0]))), Weights.from_fractions(matrix))
    verdict = verify(mechanism, space, Level.ratio(ratio))
    if isinstance(verdict, Refutation):
        raise NotPrivate(verdict)
    return matrix


def _check_ratio(ratio: Fraction) -> None:
    if ratio < 1:
        raise BadLevel(ratio, _RATIO)


def _motions(column: Line, ratio: Fraction) -> list[Line]:
    """A basis of the directions in which a non-zero column keeps its tight constraints."""
    least, largest = min(column), max(column)
    size = len(column)
    if largest != ratio * least:
        return [_unit(i, size) for i in range(size)]
    inner = [i for i, entry in enumerate(column) if least < entry < largest]
    tight = tuple(Fraction(0) if i in inner else entry for i, entry in enumerate(column))
    return [tight, *(_unit(i, size) for i in inner)]


def _unit(i: int, size: int) -> Line:
    return tuple(Fraction(int(k == i)) for k in range(size))


def _kernel(table: flint.fmpq_mat) -> tuple[int, list[Fraction] | None]:
    """The rank of the table, and a non-zero vector that it sends to zero, or None."""
    reduced, rank = table.rref()
    width = table.ncols()
    if rank == width:
        return rank, None
    pivots = [next(j for j in range(width) if reduced[i, j] != 0) for i in range(rank)]
    free = next(j for j in range(width) if j not in pivots)
    vector = [Fraction(0)] * width
    vector[free] = Fraction(1)
    for i, pivot in enumerate(pivots):
        entry = reduced[i, free]
        vector[pivot] = -from_flint(entry)
    return rank, vector


def _scale(matrix: Matrix, moved: list[list[Fraction]], ratio: Fraction) -> Matrix:
    """The direction, as long as the matrix plus and minus it stay private."""
    shares = [
        abs(step - ratio * moved[k][j]) / (ratio * matrix[k][j] - matrix[i][j])
        for i, row in enumerate(moved)
        for j, step in enumerate(row)
        for k in range(len(matrix))
        if ratio * matrix[k][j] != matrix[i][j]
    ]
    if ratio == 1:  # signs do not follow from ratios there
        shares += [abs(a) / b for a, b in zip(moved[0], matrix[0], strict=True) if b]
    longest = max(shares, default=Fraction(1))
    return tuple(tuple(step / longest for step in row) for row in moved)
