"""How often each label occurs in a column, counted batch by batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tightrope.data.columns import Listed, Outsiders, cells_of, codes_of, value_type
from tightrope.data.domains import item_sets
from tightrope.data.files import StrPath
from tightrope.data.tables import BATCH_ROWS, Table, open_table
from tightrope.errors import BadTable
from tightrope.spaces import Label


def count_column(
    table: StrPath,
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
    opened = open_table(table, curator=curator)
    matcher = Listed(_outputs(opened, column, labels))
    counts = np.zeros(len(labels), dtype=np.int64)
    outside = Outsiders(column, randomized=True)
    for batch in opened.batches([column], encoded=[column], batch_rows=batch_rows):
        values = batch.column(0)
        positions = matcher.positions(values)
        outside.note(values, positions, curator=curator)
        codes = codes_of(positions)
        if codes is not None:
            counts += np.bincount(codes, minlength=len(labels))
    if outside.found:
        raise outside.error(curator=curator)
    if not counts.any():
        raise BadTable(f"{opened.path} has no rows.")
    return counts


def _outputs(table: Table, column: str, labels: Sequence[Label]) -> pa.Array:
    """The outputs of a mechanism as cells of a column, if it can hold them."""
    kind = table.schema.field(table.position(column)).type
    try:
        return cells_of(tuple(labels), value_type(table, column), column)
    except BadTable:
        raise BadTable(
            f"the outputs of the mechanism do not match column {column!r}, which holds {kind}; "
            "give the mechanism that this column went through.",
            column=column,
        ) from None


def count_items(
    table: StrPath,
    column: str,
    items: Sequence[str],
    *,
    batch_rows: int = BATCH_ROWS,
    curator: bool = False,
) -> tuple[NDArray[np.int64], int]:
    """How many rows hold each item of a set-valued column, and how many rows there are."""
    opened = open_table(table, curator=curator)
    domain = item_sets(items, f"{items!r:.60}")
    matcher = domain.matcher(opened, column)
    counts = np.zeros(domain.space.size, dtype=np.int64)
    outside = Outsiders(column, randomized=True)
    for batch in opened.batches([column], encoded=[column], batch_rows=batch_rows):
        values = batch.column(0)
        positions = matcher.positions(values)
        outside.note(values, positions, curator=curator)
        codes = codes_of(positions)
        if codes is not None:
            counts += np.bincount(codes, minlength=len(counts))
    if outside.found:
        raise outside.error(curator=curator)
    if not counts.any():
        raise BadTable(f"{opened.path} has no rows.")
    holds = np.arange(len(counts))[:, None] >> np.arange(len(items)) & 1
    return counts @ holds, int(counts.sum())
