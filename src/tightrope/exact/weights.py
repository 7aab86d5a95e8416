"""Exact dyadic weights: what a mechanism is made of.

Probabilities of one mechanism can span hundreds of orders of magnitude. So a weight is an integer
mantissa with a binary exponent of its own, and a row is normalized by its exact total. Nothing is
clamped and nothing underflows. Mantissas are kept as 64-bit integers where they fit and as Python
integers where exact ties need longer ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.characters import shorten
from tightrope.errors import BadMatrix, CannotCheck, TooLarge
from tightrope.exact.numbers import exact_number
from tightrope.exact.ownership import owned
from tightrope.exact.sizes import LARGEST_MATRIX, LONGEST_EXPONENT, LONGEST_ROW, LONGEST_ROWS

_WORD = 2**62


@dataclass(frozen=True, eq=False)
class Weights:
    """A matrix of exact non-negative numbers mantissa · 2^exponent; every row has a total.

    >>> w = Weights.from_integers([[4, 1, 1]])
    >>> w.row(0)
    (Fraction(2, 3), Fraction(1, 6), Fraction(1, 6))
    """

    mantissas: NDArray[Any]
    exponents: NDArray[np.int64]

    def __repr__(self) -> str:
        return f"Weights({self.shape[0]:,} × {self.shape[1]:,})"

    def __post_init__(self) -> None:
        object.__setattr__(self, "mantissas", owned(_whole(self.mantissas, "mantissas")))
        object.__setattr__(self, "exponents", owned(_whole(self.exponents, "exponents")))
        if self.mantissas.ndim != 2 or self.mantissas.shape != self.exponents.shape:
            raise BadMatrix("expected mantissas and exponents in the same rows and columns.")
        rows, columns = self.mantissas.shape
        if not rows or not columns:
            raise BadMatrix(f"expected rows and columns, found {rows} and {columns}.")
        check_entries(rows, columns)
        if (self.mantissas < 0).any():
            raise BadMatrix(f"row {_first_row(self.mantissas < 0)} has a negative weight.")
        empty = (self.mantissas == 0).all(axis=1)
        if empty.any():
            raise BadMatrix(f"row {int(np.argmax(empty))} has no positive weight.")
        if self.exponents.size and int(np.abs(self.exponents).max()) > 2 * LONGEST_EXPONENT:
            raise BadMatrix(f"an exponent is beyond the limit of {2 * LONGEST_EXPONENT:,} bits.")

    @classmethod
    def from_integers(
        cls, mantissas: Sequence[Sequence[int]], exponents: Sequence[Sequence[int]] | None = None
    ) -> Weights:
        """Weights from rows of Python integers, and exponents (0 if not given)."""
        rows = np.array(mantissas, dtype=object)
        if rows.ndim != 2:
            raise BadMatrix("the rows have different lengths.")
        powers = np.zeros(rows.shape, np.int64) if exponents is None else exponents
        return cls(_compact(rows), np.asarray(powers, dtype=np.int64))

    @classmethod
    def from_fractions(cls, rows: Sequence[Sequence[Fraction]]) -> Weights:
        """Weights proportional to the rows of fractions, exactly."""
        integers = []
        for row in rows:
            scale = lcm(*(value.denominator for value in row))
            integers.append([value.numerator * (scale // value.denominator) for value in row])
        return cls.from_integers(integers)

    @classmethod
    def from_floats(cls, matrix: NDArray[np.float64]) -> Weights:
        """Weights equal to the doubles, which are exact dyadic numbers."""
        if matrix.ndim != 2 or not np.isfinite(matrix).all():
            raise BadMatrix("expected a rectangular matrix of finite numbers.")
        heads, powers = np.frexp(matrix)
        mantissas = np.ldexp(heads, 53).astype(np.int64)
        return cls(mantissas, np.where(mantissas == 0, 0, powers.astype(np.int64) - 53))

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and of columns."""
        rows, columns = self.mantissas.shape
        return rows, columns

    def row_integers(self, i: int) -> tuple[list[int], int]:
        """Row i as integers over one common power of two, and that power."""
        mantissas = self.mantissas[i].tolist()
        powers = self.exponents[i].tolist()
        least = min(power for mantissa, power in zip(mantissas, powers, strict=True) if mantissa)
        return [
            mantissa << (power - least) if mantissa else 0
            for mantissa, power in zip(mantissas, powers, strict=True)
        ], least

    @cached_property
    def totals(self) -> tuple[tuple[int, int], ...]:
        """The exact total of every row as (integer, power of two)."""
        if self.mantissas.dtype != np.int64:
            return tuple(self.added(i, slice(None)) for i in range(self.shape[0]))
        rows, columns = np.nonzero(self.mantissas)
        mantissas, powers = self.mantissas[rows, columns], self.exponents[rows, columns]
        order = np.lexsort((-powers, rows))
        rows, mantissas, powers = rows[order], mantissas[order], powers[order]
        new = (np.diff(rows, prepend=-1) != 0) | (np.diff(powers, prepend=0) != 0)
        starts = np.flatnonzero(new)  # where a row or a power begins
        halves = (mantissas >> 31, mantissas & (1 << 31) - 1)  # sums of halves fit in 64 bits
        high, low = (np.add.reduceat(half, starts).tolist() for half in halves)
        found = [(0, 0)] * self.shape[0]
        for i, power, more, less in zip(
            rows[starts].tolist(), powers[starts].tolist(), high, low, strict=True
        ):
            total, floor = found[i]
            found[i] = (total << max(0, floor - power)) + (more << 31) + less, power
        return tuple(found)

    def added(self, i: int, columns: slice | NDArray[Any]) -> tuple[int, int]:
        """The exact sum of some weights of row i as (integer, power of two); (0, 0) if zero.

        Only one number is ever as long as the exponents are apart.
        """
        mantissas, powers = self.mantissas[i, columns].tolist(), self.exponents[i, columns].tolist()
        sums: dict[int, int] = {}
        for mantissa, power in zip(mantissas, powers, strict=True):
            if mantissa:
                sums[power] = sums.get(power, 0) + mantissa
        total, floor = 0, max(sums, default=0)
        for power in sorted(sums, reverse=True):
            total, floor = (total << floor - power) + sums[power], power
        return total, floor

    def check_lengths(self) -> None:
        """Refuse rows whose exact totals are too long to compare with one another."""
        heads = self.mantissas != 0
        low = np.where(heads, self.exponents, np.iinfo(np.int64).max).min(axis=1)
        tops = self.exponents + _bit_lengths(self.mantissas)
        lengths = np.where(heads, tops, np.iinfo(np.int64).min).max(axis=1) - low
        if lengths.max() > LONGEST_ROW or lengths.sum() > LONGEST_ROWS:
            raise CannotCheck(
                f"the weights of row {int(np.argmax(lengths))} are {int(lengths.max()):,} bits "
                f"apart, those of all rows {int(lengths.sum()):,}; at most {LONGEST_ROW:,} and "
                f"{LONGEST_ROWS:,} are added up exactly."
            )

    def row(self, i: int) -> tuple[Fraction, ...]:
        """The probabilities of row i."""
        integers, _ = self.row_integers(i)
        total = sum(integers)
        return tuple(Fraction(value, total) for value in integers)

    def probability(self, i: int, j: int) -> Fraction:
        """The probability in row i and column j."""
        total, power = self.totals[i]
        mantissa = int(self.mantissas[i, j])
        return Fraction(mantissa << int(self.exponents[i, j]) - power if mantissa else 0, total)

    @cached_property
    def scaled(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Probabilities as (double in [1/2, 1), power of two), relative error at most 2^-50.

        A zero is (0, 0). Nothing over- or underflows, whatever the exponents.
        """
        heads, powers = _frexp(self.mantissas)
        powers = powers + self.exponents
        tops, shifts = _frexp(np.array([total for total, _ in self.totals], dtype=object))
        shifts = shifts + np.array([power for _, power in self.totals], dtype=np.int64)
        quotients, carry = np.frexp(heads / tops[:, None])
        powers = np.where(heads == 0, 0, powers - shifts[:, None] + carry)
        return owned(quotients), owned(powers)

    @cached_property
    def floats(self) -> NDArray[np.float64]:
        """Probabilities as doubles; those below the range of doubles become zero."""
        heads, powers = self.scaled
        return owned(np.ldexp(heads, np.maximum(powers, -2000).astype(np.int32)))

    def merged(self, targets: Sequence[int]) -> Weights:
        """Column z added to column targets[z]; sums are rounded down to 62 bits.

        >>> Weights.from_integers([[4, 1, 1]]).merged([0, 0, 2]).row(0)
        (Fraction(5, 6), Fraction(0, 1), Fraction(1, 6))
        """
        mantissas = np.zeros(self.shape, dtype=np.int64)
        exponents = np.zeros(self.shape, dtype=np.int64)
        for target in set(targets):
            sources = [z for z, chosen in enumerate(targets) if chosen == target]
            if len(sources) == 1 and self.mantissas[:, sources].max() < 1 << 62:
                mantissas[:, target] = self.mantissas[:, sources[0]]
                exponents[:, target] = self.exponents[:, sources[0]]
                continue
            for row in range(self.shape[0]):
                heads = [int(self.mantissas[row, z]) for z in sources]
                tails = [int(self.exponents[row, z]) for z in sources]
                least = min(tails)
                total = sum(head << (tail - least) for head, tail in zip(heads, tails, strict=True))
                drop = max(0, total.bit_length() - 62)
                mantissas[row, target], exponents[row, target] = total >> drop, least + drop
        return Weights(mantissas, exponents)

    def __eq__(self, other: object) -> bool:
        """Equal weights: the same numbers, however mantissa and exponent share them."""
        if not isinstance(other, Weights):
            return NotImplemented
        if self.shape != other.shape:
            return False
        return all(
            self.row_integers(i) == other.row_integers(i)
            or _reduce(self.row_integers(i)) == _reduce(other.row_integers(i))
            for i in range(self.shape[0])
        )

    __hash__ = None  # type: ignore[assignment]


def _whole(numbers: NDArray[Any], what: str) -> NDArray[Any]:
    """Whole numbers as 64-bit ones where they fit, or as Python's own; others are refused."""
    array = np.asarray(numbers)
    if array.dtype == np.int64:
        return array
    if array.dtype.kind in "iu" and (not array.size or int(array.max()) < _WORD):
        return array.astype(np.int64)
    if what == "mantissas" and array.dtype.kind in "iuO":
        flat = array.ravel().tolist()
        if all(type(value) is int for value in flat):
            return array if array.dtype.hasobject else array.astype(object)
        if all(isinstance(value, int | np.integer) for value in flat):
            return np.array([int(value) for value in flat], dtype=object).reshape(array.shape)
    raise BadMatrix(f"expected whole numbers as {what} of weights.")


def float_rows(values: Any, what: str) -> NDArray[np.float64]:
    """Rows of finite numbers as doubles that the caller cannot change; anything else is refused.

    >>> float_rows([[0, "1/2"], [Fraction(1, 4), 1.5]], "the loss").tolist()
    [[0.0, 0.5], [0.25, 1.5]]
    """
    expected = f"expected {what} as rows of finite numbers, all of the same length"
    if isinstance(values, str | bytes | dict | set | np.ma.MaskedArray):
        raise BadMatrix(f"{expected}, found {type(values).__name__}.")
    try:
        rows = np.asarray(values)
        if rows.dtype.kind not in "biuf":
            if rows.dtype.kind not in "OU":
                raise TypeError
            rows = np.array([[float(exact_number(x)) for x in row] for row in rows.tolist()])
        rows = rows.astype(np.float64)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise BadMatrix(f"{expected}, found {_culprit(values)}.") from None
    if rows.ndim != 2 or not rows.size:
        shape = " × ".join(map(str, rows.shape))
        raise BadMatrix(f"{expected}, found {f'an array of {shape}' if shape else 'one number'}.")
    if not np.isfinite(rows).all():
        i, j = np.argwhere(~np.isfinite(rows))[0].tolist()
        raise BadMatrix(f"{expected}, found {rows[i, j]} in row {i + 1} and column {j + 1}.")
    return owned(rows)


def _culprit(values: Any) -> str:
    """The first entry that is no number, or the first row that is longer or shorter."""
    try:
        rows = [list(row) for row in values]
    except TypeError:
        return "others"
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            try:
                float(exact_number(entry))
            except (TypeError, ValueError, OverflowError, ZeroDivisionError):
                return f"{shorten(repr(entry), 40)} in row {i + 1} and column {j + 1}"
        if len(row) != len(rows[0]):
            return f"row {i + 1} of {len(row)} entries after one of {len(rows[0])}"
    return "others"


def check_entries(rows: int, columns: int) -> None:
    """Refuse a matrix with more entries than may be written out."""
    if rows * columns > LARGEST_MATRIX:
        raise TooLarge(
            "the number of matrix entries",
            rows * columns,
            LARGEST_MATRIX,
            "use a space with fewer points or a construction in kernel form",
        )


def power_of_two(exponent: int) -> Fraction:
    """2^exponent as a fraction."""
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def _reduce(row: tuple[list[int], int]) -> tuple[list[int], int]:
    integers, power = row
    shift = min((value & -value).bit_length() - 1 for value in integers if value)
    return [value >> shift for value in integers], power + shift


def _first_row(mask: NDArray[np.bool_]) -> int:
    return int(np.argmax(mask.any(axis=1)))


def _bit_lengths(integers: NDArray[Any]) -> NDArray[np.int64]:
    """How many bits each integer has, exactly."""
    if integers.dtype != np.int64:
        sizes = [int(value).bit_length() for value in integers.flat]
        return np.array(sizes, dtype=np.int64).reshape(integers.shape)
    high, low = integers >> 31, integers & (1 << 31) - 1  # each exact as a double
    lengths = np.where(high > 0, np.frexp(high)[1] + 31, np.frexp(low)[1])
    return np.asarray(lengths, dtype=np.int64)


def _compact(mantissas: NDArray[Any]) -> NDArray[Any]:
    if all(abs(int(value)) < _WORD for value in mantissas.flat):
        return mantissas.astype(np.int64)
    return mantissas


def _frexp(integers: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Integers as (double, power of two) with relative error at most 2^-52."""
    if integers.dtype == np.int64:
        heads, powers = np.frexp(integers.astype(np.float64))
        return heads, powers.astype(np.int64)
    shifts = np.array(
        [max(0, int(value).bit_length() - 62) for value in integers.flat], dtype=np.int64
    ).reshape(integers.shape)
    short = np.array(
        [int(value) >> int(shift) for value, shift in zip(integers.flat, shifts.flat, strict=True)],
        dtype=np.int64,
    ).reshape(integers.shape)
    heads, powers = np.frexp(short.astype(np.float64))
    return heads, powers.astype(np.int64) + shifts
