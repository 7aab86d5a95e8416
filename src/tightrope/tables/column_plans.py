"""The plan of one column: how its cells are read, drawn with a proved mechanism, and written."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tightrope.errors import BadTable
from tightrope.exact import IntArray
from tightrope.mechanisms import NoiseMechanism, ReportMechanism, on_points
from tightrope.privacy import Certified
from tightrope.samplers import SYSTEM, Source, draw_batches, uniform_slots
from tightrope.spaces import Label, require_connected
from tightrope.tables.cells import NONE, each
from tightrope.tables.columns import Matcher, Range, codes_of, column_of, value_type
from tightrope.tables.domains import Domain, Members, Sets, Values
from tightrope.tables.report_columns import report_cells
from tightrope.tables.tables import Table


@dataclass
class ColumnPlan:
    """How one column is matched, drawn and written.

    `codes` reads every cell as an input of the mechanism; `width` is that of reports in bytes.
    """

    name: str
    position: int
    rows: int | None
    matcher: Matcher
    codes: Callable[[pa.Array], IntArray]
    outputs: pa.Array | None
    kind: pa.DataType
    drawn: Iterator[NDArray[Any]]
    waiting: deque[NDArray[Any]]
    width: int | None = None
    seconds: float = field(default=0.0)

    def draw(self, column: pa.Array) -> pa.Array:
        """A batch of the column, randomized."""
        codes = self.codes(column)
        started = perf_counter()
        parts, missing = [], len(codes)
        if missing:
            self.waiting.append(codes)
        while missing:
            parts.append(next(self.drawn))
            missing -= len(parts[-1])
        self.seconds += perf_counter() - started
        if self.width is not None:
            empty = np.empty((0, self.width), dtype=np.uint8)
            return report_cells(np.concatenate([empty, *parts])).cast(self.kind)
        drawn = parts[0] if len(parts) == 1 else np.concatenate([codes[:0], *parts])
        return column_of(drawn, self.outputs, self.kind)

    def finish(self) -> None:
        """Let the sampler see the end of the column."""
        for _ in self.drawn:
            raise AssertionError("unreachable: every batch was drawn")


def plan_column(
    table: Table,
    name: str,
    certified: Certified,
    domain: Domain | None,
    source: Source = SYSTEM,
    *,
    text: bool = False,
) -> ColumnPlan:
    """How a column of a table is drawn with a proved mechanism; as `text` where it is written so.

    The new column is made from declared values and drawn numbers alone: its type says nothing of
    the cells that were there.
    """
    position = table.position(name)
    mechanism = on_points(certified.mechanism)
    matcher: Matcher
    width, other, read = None, 0, domain
    if isinstance(mechanism, NoiseMechanism):
        value = value_type(table, name)
        if pa.types.is_boolean(value):
            raise BadTable(f"column {name!r} holds true/false; noise needs whole numbers.")
        matcher, outputs = Range(*_ends(mechanism.space.points)), None
        kind = pa.int64()
    else:
        base = mechanism.base
        require_connected(base.space, f"column {name!r} needs")
        read = Values(base.space) if domain is None else domain
        if read.space != base.space:
            raise BadTable(f"the mechanism of column {name!r} is not for what it may hold.")
        matcher, other = read.matcher(table, name), read.stand_in
        if isinstance(base, ReportMechanism):
            outputs, kind, width = None, pa.large_string(), (base.space.size + 7) // 8
        else:
            outputs = read.output_cells(tuple(base.outputs), name, text=text)
            kind = outputs.type
    codes = (partial(draw_items, matcher.nearest(), other, read.most, source)
             if isinstance(read, Sets) and read.most is not None and isinstance(matcher, Members)
             else partial(_nearest_codes, matcher.nearest(), other))
    waiting: deque[NDArray[Any]] = deque()
    drawn = draw_batches(certified, _take_all(waiting), source)
    return ColumnPlan(name, position, mechanism.rows, matcher, codes, outputs, kind,
                      drawn, waiting, width)


def _take_all(waiting: deque[NDArray[Any]]) -> Iterator[NDArray[Any]]:
    while waiting:
        yield waiting.popleft()


def _ends(points: Sequence[Label]) -> tuple[int, int]:
    low, high = points[0], points[-1]
    assert isinstance(low, int)
    assert isinstance(high, int)
    return low, high


def _nearest_codes(nearest: Matcher, other: int, column: pa.Array) -> IntArray:
    """The place of every cell among the declared values."""
    codes = codes_of(pc.fill_null(nearest.positions(column), other))
    assert codes is not None
    return codes


def draw_items(
    nearest: Members, other: int, most: int, source: Source, column: pa.Array
) -> IntArray:
    """One item of every cell, at a place drawn among `most`, or among its items if it has more.

    At an empty place it is the point behind the items. A cell without items of its own has those
    whose bits are in `other`.
    """
    absent = tuple(place for place in range(len(nearest.items)) if other >> place & 1)
    sets: dict[tuple[int, ...], int] = {}

    def number(cell: Any) -> int:
        members = nearest.members(cell)
        return sets.setdefault(absent if members is None else members, len(sets))

    rows = each(column, number, NONE).astype(np.int64)
    lengths = np.array([len(members) for members in sets], dtype=np.int64)
    items = np.array([*(item for members in sets for item in members), 0], dtype=np.int64)
    starts = np.cumsum(lengths) - lengths
    slots = uniform_slots(np.maximum(lengths, most)[rows], source)
    chosen = slots < lengths[rows]
    return np.where(chosen, items[np.where(chosen, starts[rows] + slots, -1)], len(nearest.items))
