"""Matrices and vectors of numbers from files: probabilities, losses, priors.

Written numbers are exact: 0.1 is 1/10, in CSV, TSV and JSON. Doubles are the binary numbers
that they are, where they arrive as doubles: in .npy and Parquet. A first row or column that is
not all numbers, or stands under or beside an empty corner, holds labels. Rows of probabilities
may miss 1 by 1e-6, or by anything if that is asked for: the exact total becomes the
denominator, and how much it was off is told.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput, BadMatrix
from tightrope.exact import FloatArray, Weights, tolerances
from tightrope.files.files import StrPath, extension, read_bytes
from tightrope.files.sheets import Cell, Sheet, number_of, read_parameters, sheet_of
from tightrope.spaces import Label

Labels: TypeAlias = tuple[Label, ...] | None

_NO_NUMBERS = ("nan", "na", "null", "none", "inf", "-inf", "infinity", "-infinity")


@dataclass(frozen=True, eq=False)
class NumberTable:
    """A matrix of numbers, and its labels if it has any.

    `values` are doubles; `exact` are the numbers that were written, None where the doubles
    themselves arrived.
    """

    values: FloatArray
    exact: tuple[tuple[Fraction, ...], ...] | None
    row_labels: Labels
    column_labels: Labels

    def along(self, rows: Sequence[Label], columns: Sequence[Label]) -> NumberTable:
        """The table in the order of these labels; without labels of its own, as it is."""
        height, width = self.values.shape
        if (height, width) != (len(rows), len(columns)):
            raise BadMatrix(
                f"expected {len(rows)} rows and {len(columns)} columns, found {height} and {width}."
            )
        down = _order(self.row_labels, rows, "row")
        across = _order(self.column_labels, columns, "column")
        exact = self.exact and tuple(tuple(self.exact[i][j] for j in across) for i in down)
        return NumberTable(
            self.values[np.ix_(down, across)], exact, tuple(rows), tuple(columns)
        )

    @property
    def numbers(self) -> NDArray[Any]:
        """The entries as they are meant: exact fractions, or doubles that arrived."""
        return self.values if self.exact is None else np.array(self.exact, dtype=object)

    def weights(self, *, normalize: bool = False) -> Weights:
        """The rows as exact probabilities, each divided by its exact total.

        A total further from 1 than 1e-6 is refused, unless to `normalize` is asked for.
        """
        worst = int(np.argmax(self._errors))
        if self._errors[worst] > tolerances.ROW_TOTAL_ERROR and not normalize:
            name = worst if self.row_labels is None else self.row_labels[worst]
            raise BadMatrix(
                f"row {name} adds up to {self.values[worst].sum():.9g}; expected 1 within "
                f"{tolerances.ROW_TOTAL_ERROR:g}, or ask to divide each row by its total "
                "(normalize)."
            )
        if self.exact is not None:
            return Weights.from_fractions(self.exact)
        return Weights.from_floats(self.values)

    @property
    def row_error(self) -> float:
        """How far from 1 a row adds up, at most."""
        return float(self._errors.max())

    @cached_property
    def _errors(self) -> FloatArray:
        if self.exact is not None:
            return np.array([_total_error(row) for row in self.exact])
        return np.asarray(np.abs(self.values.sum(axis=1) - 1))


def read_matrix(path: StrPath) -> NumberTable:
    """The matrix of numbers in a CSV, TSV, JSON, Parquet or .npy file.

    JSON may be a list of rows, or an object with `rows` and, if wanted, `row_labels` and
    `column_labels`.

    Raises
    ------
    BadMatrix
        If an entry is missing or no finite number; its row and column are named.
    """
    if extension(path) == ".npy":
        return _from_array(_from_numpy(path, 2))
    read = read_parameters(path)
    if isinstance(read, dict):
        return _from_object(path, read)
    return _table(path, *_split_labels(read))


def read_vector(path: StrPath, labels: Sequence[Label] | None = None) -> tuple[Fraction, ...]:
    """The numbers in a file, one on each row (or all on one), with a label before each or none.

    Written numbers are exact; doubles of .npy and Parquet are the binary numbers they are.
    JSON may be a list, or an object from labels to numbers.

    Parameters
    ----------
    labels
        The order wanted. A file with labels is put into it, and is refused without it.
    """
    if extension(path) == ".npy":
        return _exactly(_from_array(_from_numpy(path, 1)[:, None]))
    sheet = read_parameters(path)
    if isinstance(sheet, dict):
        sheet = replace(sheet_of(path, [*map(list, sheet.items())]), typed=False)
    rows = _without_names(sheet)
    if len(rows) == 1 and all(number_of(cell) is not None for cell in rows[0]):
        return _exactly(_table(path, None, None, tuple((cell,) for cell in rows[0])))
    if sheet.width not in (1, 2):
        raise BadMatrix(f"{path}: expected one column of numbers, found {sheet.width} columns.")
    named = sheet.labels((row[0] for row in rows), "label") if sheet.width == 2 else None
    numbers = _table(path, None, named, tuple(row[-1:] for row in rows))
    if named is None:
        return _exactly(numbers)
    if labels is None:
        raise BadMatrix(f"{path} has labels, and nothing here to match them with.")
    if len(named) != len(labels):
        raise BadMatrix(f"{path}: expected {len(labels)} numbers, found {len(named)}.")
    try:
        return _exactly(numbers.along(labels, (0,)))
    except BadMatrix as reason:
        raise BadMatrix(f"{path}: {reason}") from None


def _total_error(row: Sequence[Fraction]) -> float:
    """How far from 1 fractions add up; over one denominator, for sums of fractions are slow."""
    scale = lcm(*(entry.denominator for entry in row))
    total = sum(entry.numerator * (scale // entry.denominator) for entry in row)
    return float(Fraction(abs(total - scale), scale))


def _exactly(column: NumberTable) -> tuple[Fraction, ...]:
    if column.exact is not None:
        return tuple(row[0] for row in column.exact)
    return tuple(Fraction(value) for value in column.values[:, 0].tolist())


def _without_names(sheet: Sheet) -> tuple[tuple[Cell, ...], ...]:
    """The rows of a vector, without a first row that names the columns."""
    rows = sheet.rows
    named = sheet.header is None and len(rows) > 1 and _is_name(rows[0][-1])
    return rows[1:] if named else rows


def _split_labels(sheet: Sheet) -> tuple[Labels, Labels, tuple[tuple[Cell, ...], ...]]:
    """Labels on top, labels at the left, and the numbers of a sheet."""
    rows, names = sheet.rows, sheet.header
    corner = False
    if names is None and len(rows) > 1:
        corner = sheet.width > 1 and rows[0][0] is None
        told = rows[0][1:] if sheet.width > 1 else rows[0]
        if corner or any(map(_is_name, told)):
            names, rows = tuple(str(cell or "") for cell in rows[0]), rows[1:]
    beside = sheet.width > 1 and (
        corner
        or any(_is_name(row[0]) for row in rows)
        or (names is not None and names[0].startswith("__index_level_"))
    )
    first = 1 if beside else 0
    top = replace(sheet, typed=False).labels(names[first:], "label on top") if names else None
    left = sheet.labels((row[0] for row in rows), "label at the left") if beside else None
    return top, left, tuple(row[first:] for row in rows)


def _is_name(cell: Cell) -> bool:
    """Whether a cell holds something that is no number, not even nan."""
    return isinstance(cell, str) and number_of(cell) is None and cell.lower() not in _NO_NUMBERS


def _from_object(path: StrPath, content: dict[str, Any]) -> NumberTable:
    sides = ("row_labels", "column_labels")
    if "rows" not in content or not set(content) <= {"rows", *sides}:
        raise BadMatrix(f"{path}: expected the fields rows, row_labels and column_labels.")
    sheet = sheet_of(path, content["rows"])
    labels: list[Labels] = []
    for side, length in zip(sides, (len(sheet.rows), sheet.width), strict=True):
        given = content.get(side)
        if given is not None and (not isinstance(given, list) or len(given) != length):
            raise BadMatrix(f"{path}: expected a list of {length} {side.replace('_', ' ')}.")
        labels.append(None if given is None else sheet.labels(given, side[:-1].replace("_", " ")))
    return _table(path, labels[1], labels[0], sheet.rows)


def _table(
    path: StrPath, top: Labels, left: Labels, rows: tuple[tuple[Cell, ...], ...]
) -> NumberTable:
    known: dict[Cell, Fraction | None] = {}
    entries: list[tuple[Fraction, ...]] = []
    for i, row in enumerate(rows):
        line = [known[cell] if cell in known else known.setdefault(cell, _entry(cell))
                for cell in row]
        if None in line:
            j = line.index(None)
            where = f"row {left[i] if left else i + 1} and column {top[j] if top else j + 1}"
            state = "is missing" if row[j] is None else "must be a finite number"
            near = (*(top or ()), *(left[i : i + 1] if left else ()), *row)
            told = "; expected columns separated by commas" if _semicolons(near) else ""
            raise BadMatrix(f"{path}: the entry in {where} {state}{told}.")
        entries.append(tuple(entry for entry in line if entry is not None))
    values = np.array([[float(entry) for entry in line] for line in entries])
    doubles = any(isinstance(cell, float) for row in rows for cell in row)
    written = not doubles or any(isinstance(cell, str) for row in rows for cell in row)
    return NumberTable(values, tuple(entries) if written else None, left, top)


def _semicolons(cells: Sequence[Cell | Label]) -> bool:
    """Whether a line looks as spreadsheets write it where the comma is the decimal point."""
    return any(isinstance(cell, str) and ";" in cell for cell in cells)


def _entry(cell: Cell) -> Fraction | None:
    """The number that was written, or the double that arrived; None beyond finite doubles."""
    try:
        number = Fraction(cell) if isinstance(cell, float) else number_of(cell)
        return None if number is None or not np.isfinite(float(number)) else number
    except (ValueError, OverflowError):
        return None


def _from_array(numbers: NDArray[Any]) -> NumberTable:
    """Doubles as they are; whole numbers exactly."""
    whole = numbers.dtype.kind in "iu"
    exact = tuple(tuple(map(Fraction, row)) for row in numbers.tolist()) if whole else None
    return NumberTable(numbers.astype(np.float64), exact, None, None)


def _from_numpy(path: StrPath, dimensions: int) -> NDArray[Any]:
    try:
        array: NDArray[Any] = np.load(io.BytesIO(read_bytes(path)), allow_pickle=False)
    except (ValueError, EOFError, OSError):
        raise BadInput(f"{path} is not a readable .npy file of numbers.") from None
    if array.ndim != dimensions or array.dtype.kind not in "iuf" or array.size == 0:
        raise BadMatrix(
            f"{path}: expected numbers in {dimensions} dimensions, found {array.dtype} "
            f"in {array.ndim}."
        )
    if not np.isfinite(array).all():
        spot = ", ".join(str(int(i) + 1) for i in np.argwhere(~np.isfinite(array))[0])
        raise BadMatrix(f"{path}: the entry at {spot} is not a finite number.")
    return array


def _order(own: Labels, wanted: Sequence[Label], what: str) -> list[int]:
    """Where each wanted label stands among one's own."""
    if own is None:
        return list(range(len(wanted)))
    place = {str(label): position for position, label in enumerate(own)}
    if len(place) != len(own):
        twice = next(label for label in own if [*map(str, own)].count(str(label)) > 1)
        raise BadMatrix(f"two {what}s have the label {twice!r}.")
    for label in wanted:
        if str(label) not in place:
            raise BadMatrix(f"there is no {what} for {label!r}.")
    return [place[str(label)] for label in wanted]
