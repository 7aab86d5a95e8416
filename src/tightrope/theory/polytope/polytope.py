"""Which private matrices are extreme points of their polytope (H16, Chapter 5), on any space.

A matrix is extreme if no direction keeps all tight constraints tight. With δ = 0 two entries of a
column whose constraint is tight move by one factor, and zeros stay. So a column moves by a
multiple of each part that its tight pairs join: of everything at once, if it is an extreme ray of
the privacy cone. The matrix is extreme if and only if these motions, a vector of one number for
each input, are independent. With δ above 0 the tight constraints are written out: entries that are
0, outputs at which a[i,j] = e^ε a[k,j] for neighbors whose excess is δ, and the excess itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import flint

from tightrope.errors import BadLevel, BadMatrix, NotPrivate, TooLarge
from tightrope.exact import Level, Number, Surd, Weights, exact_rows, from_flint, stated, to_flint
from tightrope.facts import Column, Fact, Facts, Shown, Table, brief_text, card_of, data, lines_of
from tightrope.mechanisms import FiniteMechanism, Held, MatrixMechanism, finite_form, is_matrix
from tightrope.privacy import Refutation, smallest_level, verify
from tightrope.spaces import Space, categories, space_of
from tightrope.theory.polytope.half_spaces import Pair, private_pairs

Line = tuple[Fraction, ...]
Matrix = tuple[Line, ...]
Tight = tuple[int, int, int] | tuple[int, int, tuple[int, ...]]
_RATIO = "a ratio e^ε of at least 1"
_LISTED = 12
"""Loose entries that people are shown."""

MOST_RELAXED = 400
"""Entries of a matrix that is judged at a δ above 0."""


@dataclass(frozen=True)
class Extremality:
    """Whether a private matrix is an extreme point, and what decides it.

    `columns` are the non-zero columns, `loose` their entries in no tight constraint with a single
    output (on categories H16, Definition 5.5). `tight` are independent constraints (i, k, j) with
    a[i,j] = e^(ε d) a[k,j], or with δ above 0 (i, k, outputs) whose excess is δ; together with
    zeros and row sums they have `tight_rank`. The matrix is extreme if that is the number of its
    entries (Theorem 5.1). `direction` is None then; otherwise the matrix plus and minus the
    direction are both private, and the matrix lies between them.
    """

    extreme: bool
    rank: int
    columns: tuple[int, ...]
    loose: tuple[tuple[int, int], ...]
    direction: Matrix | None
    matrix: Matrix
    ratio: Fraction
    tight: tuple[Tight, ...]
    tight_rank: int
    space: Space
    delta: Fraction

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
             Fact(None, "matrix", f"{values} values, {outputs} outputs, at e^ε = {self.ratio}"
                  + (f", δ = {self.delta}" if self.delta else "")),
             Fact("space", "space", brief_text(self.space.text), detail=True),
             Fact("columns", "non-zero columns", Shown(
                 self.columns, f"{len(self.columns)}; the rank is {self.rank}")),
             Fact("loose", "loose entries", Shown(
                 self.loose, "; ".join([*loose, *hidden]) or "none")),
             Fact("tight_rank", "tight constraints", Shown(
                 self.tight_rank,
                 f"rank {self.tight_rank} with the row sums, of {self.entries} needed")),
             *data(ratio=self.ratio, delta=self.delta, values=values, outputs=outputs,
                   rank=self.rank, tight=self.tight, entries=self.entries, matrix=self.matrix,
                   direction=self.direction),
             Table(None, "It is the mean of two other private matrices: itself plus and minus",
                   columns, rows, listed=0)),
            () if self.direction is not None else (
                "No direction keeps the tight constraints tight, so the matrix is no mean of two "
                "others.",
                "--json lists independent tight constraints (i, k, j): a[i,j] = e^(ε d) a[k,j]."),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def extremality(
    rows: Sequence[Sequence[Number]] | FiniteMechanism | Held,
    ratio: Number | None = None,
    *,
    space: Space | str | None = None,
    delta: Number = 0,
) -> Extremality:
    """Decide exactly whether a private matrix is a mean of two others at e^ε = ratio.

    All private matrices of a size form a polytope; those that are no such mean are its extreme
    points, and one of them is best for any linear loss. Where it is a mean, `direction` plus
    and minus gives two others; where it is none, `tight` is the proof. Without a ratio, the
    least one at which the matrix is private. The space is that of the mechanism; rows alone are
    values of which any two are neighbors, unless a space is given.

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
    >>> rows = [["2/3", "1/3"], ["1/3", "2/3"], ["1/6", "5/6"]]  # far ends may differ by 4
    >>> extremality(rows, 2, space="path:0..2").extreme
    True
    """
    matrix, points = _read(rows, space)
    shift = Level.ratio(1, delta).delta
    if ratio is None:
        ratio = _least_ratio(matrix, points, shift)
    level = Level.ratio(_check_ratio(stated(ratio, _RATIO)), shift)
    _check_private(matrix, points, level)
    pairs = private_pairs(points, level)
    lines = list(zip(*matrix, strict=True))
    columns = tuple(j for j, column in enumerate(lines) if any(column))
    close = [[(i, k) for i, k, f in pairs if column[i] == f * column[k]] for column in lines]
    loose = tuple((i, j) for j in columns for i in range(points.size)
                  if all(i not in pair for pair in close[j]))
    rank = flint.fmpq_mat([[to_flint(entry) for entry in row] for row in matrix]).rank()
    tight: tuple[Tight, ...]
    if shift:
        tight, moved, tight_rank = _relaxed_motion(matrix, pairs, shift)
    else:
        tight = tuple((i, k, j) for j, column in enumerate(lines)
                      for i, k in _forest(column, close[j], level))
        moved, tight_rank = _pure_motion(matrix, close)
    direction = None if moved is None else _scale(matrix, moved, pairs, level)
    return Extremality(direction is None, int(rank), columns, loose, direction, matrix,
                       level.base, tight, tight_rank, points, shift)


def _read(
    rows: Sequence[Sequence[Number]] | FiniteMechanism | Held, space: Space | str | None
) -> tuple[Matrix, Space]:
    """The rows and the space that is given, or that of the mechanism, or as many values."""
    points = None if space is None else space_of(space)
    if is_matrix(rows) or isinstance(rows, Sequence):
        matrix = exact_rows(rows, "a matrix")
    else:
        mechanism = finite_form(rows)
        points = mechanism.space if points is None else points
        matrix = tuple(mechanism.row(x) for x in mechanism.space.points)
    if len(matrix) < 2 or len({len(row) for row in matrix}) != 1:
        raise BadMatrix("expected a matrix with at least 2 rows, all equally long.")
    if points is None:
        points = categories(len(matrix))
    if len(matrix) != points.size:
        raise BadMatrix(f"expected {points.size} rows, one for each point of {points.text}, found "
                        f"{len(matrix)}.")
    if any(sum(row) != 1 or min(row) < 0 for row in matrix):
        raise BadMatrix("expected rows of exact probabilities that add up to 1 (a third is 1/3).")
    return matrix, points


def _mechanism(matrix: Matrix, space: Space) -> MatrixMechanism:
    return MatrixMechanism(space, tuple(range(len(matrix[0]))), Weights.from_fractions(matrix))


def _least_ratio(matrix: Matrix, space: Space, delta: Fraction) -> Fraction:
    """The least e^ε at which a matrix is private."""
    if delta:
        raise BadLevel("δ alone", "a ratio e^ε beside a δ above 0")
    least = smallest_level(_mechanism(matrix, space))
    if isinstance(least, Refutation):
        raise BadMatrix("a column has a zero beside a non-zero: the matrix is private at no level.")
    if least.upper == 0:
        return Fraction(1)
    ratio = None if least.exact is None else least.exact.power(Surd.of(1))
    if ratio is None:
        raise BadLevel(least.text, "a matrix whose least e^ε is a fraction, or a ratio beside it")
    return ratio


def _check_private(matrix: Matrix, space: Space, level: Level) -> None:
    verdict = verify(_mechanism(matrix, space), space, level)
    if isinstance(verdict, Refutation):
        raise NotPrivate(verdict)


def _check_ratio(ratio: Fraction) -> Fraction:
    if ratio < 1:
        raise BadLevel(ratio, _RATIO)
    return ratio


def _forest(
    column: Line, close: Sequence[tuple[int, int]], level: Level
) -> list[tuple[int, int]]:
    """Independent tight pairs of a column; all others follow from them and from zeros.

    A pair that is tight both ways makes its entries zero, so in a zero column one is kept twice.
    """
    part = list(range(len(column)))
    kept = []
    for i, k in close:
        if part[i] != part[k]:
            part = [part[i] if p == part[k] else p for p in part]
            kept.append((i, k))
    if not any(column) and not level.is_zero:
        kept += [next((k, i) for i, k in kept if (k, i) in close)] if kept else []
    return kept


def _pure_motion(
    matrix: Matrix, close: Sequence[Sequence[tuple[int, int]]]
) -> tuple[list[list[Fraction]] | None, int]:
    """A direction that keeps what is tight, None if there is none; and the rank of what is."""
    motions = []
    for j, column in enumerate(zip(*matrix, strict=True)):
        part = list(range(len(column)))
        for i, k in close[j]:
            part = [part[i] if p == part[k] else p for p in part]
        joined = list(zip(part, column, strict=True))
        motions += [(j, [entry if p == head else Fraction(0) for p, entry in joined])
                    for head in sorted({p for p, entry in joined if entry})]
    table = flint.fmpq_mat([[to_flint(v[i]) for _, v in motions] for i in range(len(matrix))])
    kept, kernel = _kernel(table)
    rank = len(matrix) * len(matrix[0]) - (len(motions) - kept)
    if kernel is None:
        return None, rank
    moved = [[Fraction(0)] * len(matrix[0]) for _ in matrix]
    for amount, (j, motion) in zip(kernel, motions, strict=True):
        for i, step in enumerate(motion):
            moved[i][j] += amount * step
    return moved, rank


def _relaxed_motion(
    matrix: Matrix, pairs: Iterable[Pair], delta: Fraction
) -> tuple[tuple[Tight, ...], list[list[Fraction]] | None, int]:
    """The tight sets of outputs, a direction that keeps what is tight or None, and its rank."""
    height, width = len(matrix), len(matrix[0])
    if height * width > MOST_RELAXED:
        raise TooLarge("the number of entries", height * width, MOST_RELAXED,
                       "use a smaller matrix, or δ = 0")

    def line(entries: Iterable[tuple[int, int, Fraction]]) -> list[Fraction]:
        row = [Fraction(0)] * (height * width)
        for i, j, value in entries:
            row[i * width + j] += value
        return row

    one = Fraction(1)
    lines = [line((i, j, one) for j in range(width)) for i in range(height)]
    lines += [line([(i, j, one)]) for i, row in enumerate(matrix) for j, p in enumerate(row)
              if not p]
    tight: list[Tight] = []
    for i, k, f in pairs:
        apart = [p - f * q for p, q in zip(matrix[i], matrix[k], strict=True)]
        if sum(excess for excess in apart if excess > 0) != delta:
            continue
        above = tuple(j for j, excess in enumerate(apart) if excess > 0)
        tight.append((i, k, above))
        lines.append(line([(i, j, one) for j in above] + [(k, j, -f) for j in above]))
        lines += [line([(i, j, one), (k, j, -f)]) for j, excess in enumerate(apart) if not excess]
    table = flint.fmpq_mat([[to_flint(entry) for entry in row] for row in lines])
    rank, kernel = _kernel(table)
    if kernel is None:
        return tuple(tight), None, rank
    return tuple(tight), [kernel[i * width : (i + 1) * width] for i in range(height)], rank


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


def _scale(
    matrix: Matrix, moved: list[list[Fraction]], pairs: Iterable[Pair], level: Level
) -> Matrix:
    """The direction, so long that the matrix plus and minus it stay private.

    Without δ it is the longest. With δ no comparison of two entries changes on the way.
    """
    shares = [abs(step) / p for row, line in zip(moved, matrix, strict=True)
              for step, p in zip(row, line, strict=True) if p]
    for i, k, f in pairs:
        apart = [f * q - p for p, q in zip(matrix[i], matrix[k], strict=True)]
        steps = [f * b - a for a, b in zip(moved[i], moved[k], strict=True)]
        shares += [abs(step) / abs(room) for step, room in zip(steps, apart, strict=True) if room]
        room = level.delta + sum(a for a in apart if a < 0)
        if level.delta and room:
            above = sum((s for s, a in zip(steps, apart, strict=True) if a < 0), Fraction(0))
            even = sum((abs(s) for s, a in zip(steps, apart, strict=True) if a == 0), Fraction(0))
            shares.append((abs(above) + even) / room)
    longest = max(shares)
    return tuple(tuple(step / longest for step in row) for row in moved)
