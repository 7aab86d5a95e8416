"""How often each label occurs in a column, counted batch by batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from math import prod
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tightrope.errors import BadTable
from tightrope.exact import FloatArray
from tightrope.files import StrPath
from tightrope.mechanisms import FiniteMechanism, ReportMechanism, finite
from tightrope.spaces import Label
from tightrope.tables.columns import Listed, Matcher, Outsiders, cells_of, codes_of, value_type
from tightrope.tables.domains import item_sets
from tightrope.tables.report_columns import check_reports, report_bits
from tightrope.tables.tables import BATCH_ROWS, Table, table_of

JOINT_CELLS: Final = 2**22
"""Zeros and ones of all columns of a joint table held at a time."""


def count_column(
    table: StrPath | Table,
    column: str,
    labels: Sequence[Label],
    *,
    batch_rows: int = BATCH_ROWS,
    curator: bool = False,
) -> NDArray[np.int64]:
    """How many rows hold each label, in the order of the labels.

    The counts are as private as the column is: those of a randomized column may be shown,
    those of a true one may not.

    Raises
    ------
    BadTable
        If a value is missing or none of the labels, the outputs of the mechanism that the
        column is said to have gone through; which, only for a `curator`.
    """
    opened = table_of(table, curator=curator)
    _check_outputs(opened, column, labels)
    matcher = Listed(tuple(labels))
    return _counts(opened, column, matcher, len(labels), batch_rows, curator)


def _counts(
    table: Table, column: str, matcher: Matcher, size: int, batch_rows: int, curator: bool
) -> NDArray[np.int64]:
    """How often each index is found, of this many; anything without one is refused."""
    counts = np.zeros(size, dtype=np.int64)
    outside = Outsiders(column, randomized=True)
    for batch in table.batches([column], encoded=[column], batch_rows=batch_rows):
        values = batch.column(0)
        positions = matcher.positions(values)
        outside.note(values, positions, curator=curator)
        codes = codes_of(positions)
        if codes is not None:
            counts += np.bincount(codes, minlength=size)
    if outside.found:
        raise outside.error(curator=curator)
    if not counts.any():
        raise BadTable(f"{table.path} has no rows.")
    return counts


def _check_outputs(table: Table, column: str, labels: Sequence[Label]) -> None:
    """Refuse outputs of a mechanism that a column cannot hold."""
    kind = table.schema.field(table.position(column)).type
    try:
        cells_of(tuple(labels), value_type(table, column), column)
    except BadTable:
        raise BadTable(
            f"the outputs of the mechanism do not match column {column!r}, which holds {kind}; "
            "give the mechanism that this column went through.",
            column=column,
        ) from None


def count_joint(
    table: StrPath | Table,
    columns: Sequence[str],
    mechanisms: Sequence[FiniteMechanism | ReportMechanism],
    *,
    batch_rows: int = BATCH_ROWS,
    curator: bool = False,
) -> tuple[NDArray[np.int64], int]:
    """How many rows have each combination of outputs, as `estimate_joint` takes them, and all."""
    opened = table_of(table, curator=curator)
    readers = [_Reader.of(opened, name, mechanism)
               for name, mechanism in zip(columns, mechanisms, strict=True)]
    shape = tuple(reader.size for reader in readers)
    counts, rows = np.zeros((prod(shape[:-1]), shape[-1]), dtype=np.int64), 0
    at_once = min(batch_rows, max(1, JOINT_CELLS // sum((len(counts), *shape))))
    for batch in opened.batches(columns, encoded=columns, batch_rows=at_once):
        parts = [reader.read(batch.column(name), curator)
                 for name, reader in zip(columns, readers, strict=True)]
        rows += len(batch)
        known = [part for part in parts if part is not None]
        if len(known) == len(parts):
            *before, last = known
            combined = reduce(_combine, before)
            counts += (combined.T @ last).astype(np.int64)  # whole numbers below 2^53
    for reader in readers:
        if reader.outside.found:
            raise reader.outside.error(curator=curator)
    if not rows:
        raise BadTable(f"{opened.path} has no rows.")
    return counts.reshape(shape), rows


def _combine(first: FloatArray, second: FloatArray) -> FloatArray:
    """The products of the numbers of two columns, row by row."""
    return np.asarray((first[:, :, None] * second[:, None, :]).reshape(len(first), -1))


@dataclass(frozen=True)
class _Reader:
    """A column as rows of zeros and ones: its output, or the bits of its report and a 1."""

    name: str
    mechanism: FiniteMechanism | ReportMechanism
    size: int
    outside: Outsiders

    @classmethod
    def of(cls, table: Table, name: str, mechanism: FiniteMechanism | ReportMechanism) -> _Reader:
        if isinstance(mechanism, ReportMechanism):
            check_reports(table, name)
            size = mechanism.space.size + 1
        else:
            _check_outputs(table, name, mechanism.outputs)
            size = len(mechanism.outputs)
        return cls(name, mechanism, size, Outsiders(name, randomized=True))

    def read(self, cells: pa.Array, curator: bool) -> FloatArray | None:
        """A row for each cell, None if one was no output."""
        if isinstance(self.mechanism, ReportMechanism):
            bits = report_bits(cells, self.mechanism, self.name)
            return np.hstack([bits, np.ones((len(bits), 1))])
        positions = self._matcher.positions(cells)
        self.outside.note(cells, positions, curator=curator)
        codes = codes_of(positions)
        return None if codes is None else np.eye(self.size)[codes]

    @cached_property
    def _matcher(self) -> Matcher:
        return Listed(tuple(finite(self.mechanism).outputs))


def count_items(
    table: StrPath | Table,
    column: str,
    items: Sequence[str],
    *,
    batch_rows: int = BATCH_ROWS,
    curator: bool = False,
) -> tuple[NDArray[np.int64], int]:
    """How many rows hold each item of a set-valued column, and how many rows there are."""
    opened = table_of(table, curator=curator)
    domain = item_sets(items, f"{items!r:.60}")
    matcher = domain.matcher(opened, column)
    counts = _counts(opened, column, matcher, domain.space.size, batch_rows, curator)
    holds = np.arange(len(counts))[:, None] >> np.arange(len(items)) & 1
    return counts @ holds, int(counts.sum())
