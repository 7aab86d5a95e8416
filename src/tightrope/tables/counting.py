"""How often each label occurs in a column, counted batch by batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadTable
from tightrope.files import StrPath
from tightrope.spaces import Label
from tightrope.tables.columns import Listed, Matcher, Outsiders, cells_of, codes_of, value_type
from tightrope.tables.domains import item_sets
from tightrope.tables.tables import BATCH_ROWS, Table, table_of


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
