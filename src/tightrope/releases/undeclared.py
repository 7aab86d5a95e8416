"""A table of which nothing is declared but by the call that asks: one answer, nothing booked.

A declaration is made in memory from what the call states; columns that only conditions name are
judged cell by cell. A refusal follows from the call and the schema, never from rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from os import PathLike
from typing import Any

import numpy as np
import pyarrow as pa

from tightrope.characters import few, label_text, meant
from tightrope.declarations import (
    AnyColumn,
    CategoryColumn,
    Column,
    Declaration,
    NumberColumn,
    Unit,
    columns_named,
    read_filter,
)
from tightrope.errors import BadInput, BadTable
from tightrope.exact import Level
from tightrope.releases.grammar import Slot, check_condition, columns_in, details_in
from tightrope.releases.planning import plan_release
from tightrope.releases.questions import Question
from tightrope.releases.rehearsing import rehearse
from tightrope.releases.release import Release, frame_kind
from tightrope.releases.releasing import unbooked_release
from tightrope.releases.statistics import STATISTICS
from tightrope.tables import (
    Source,
    check_source,
    is_database,
    is_text_table,
    kinds_of,
    open_rows,
)

By = Mapping[str, Sequence[Any]]

ALONE = "value"
"""The name of a column that came without one."""

MOST_WHOLE_STEPS = 2**20
"""Whole numbers between the bounds, up to which a column of a whole type has resolution 1."""

WHY = "read off the data they would tell somebody's value"


def listed(given: Any, what: str, example: str = '["f", "m"]') -> list[Any]:
    """A list of public values; a text or a number is none."""
    if isinstance(given, str | bytes | Mapping) or not hasattr(given, "__iter__"):
        raise BadInput(f"{what} is a list, such as {example}, found {type(given).__name__}.")
    return list(given)


class UndeclaredTable:
    """Rows somewhere, whom they protect, and the column that is asked about."""

    def __init__(
        self, data: Any, person: str | None, rows: int, column: str | None = ""
    ) -> None:
        self._frame, (rows_given, alone) = frame_kind(data), _as_table(data)
        self._source: Source = open_rows(rows_given)
        self._text = isinstance(data, str | PathLike) and is_text_table(data)
        self._unit, self._alone = Unit(person, rows), alone is not None
        if column is None and alone is None:
            raise BadInput('name the column, after the table: (df, "age", …).')
        self.column = column if column is not None else str(alone)
        for name in (self.column, *self._unit.columns):
            if name not in ("", None):
                self._check(name)

    def _check(self, name: object) -> None:
        """Refuse a column that the table does not have; a text file's first line is not told."""
        if not isinstance(name, str):
            text = f': write "{label_text(str(name))}"' if str(name) in self._source.names else ""
            raise BadInput(f"a column is named by a text, found {type(name).__name__}{text}.")
        if name not in self._source.names and self._alone:
            raise BadTable("these are the cells of one column: leave its name out, or write "
                           f'{{"{label_text(name)}": […]}}.')
        if name not in self._source.names:
            names = () if self._text else self._source.names
            near = meant(name, names) or (f"; it has {few(names)}" if names else "")
            raise BadTable(f"the table has no column {label_text(name)!r}{near}.")

    def with_whole_steps(self, column: NumberColumn) -> NumberColumn:
        """The column with resolution 1 if its stored type and its bounds are whole numbers."""
        whole = kinds_of(self._source).get(self.column) == "whole"
        steps = column.high - column.low
        if column.resolution is not None or not whole or steps > MOST_WHOLE_STEPS or not all(
                end.denominator == 1 for end in (column.low, column.high)):
            return column
        return NumberColumn(column.low, column.high, Fraction(1))

    def answer(
        self, ask: str, columns: Mapping[str, Column], level: Level, by: By | None,
        where: str | None, at: Any = (),
    ) -> Release:
        """The answer to a question about this table."""
        groups = _groups(by)
        if twice := groups.keys() & columns.keys():
            raise BadInput(f"the column {label_text(min(twice))!r} is asked about and grouped by.")
        phrase = STATISTICS[ask].phrase
        asked = at if details_in(phrase) is Slot.CONDITION else ()
        conditions = [_condition(text) for text in (where, *asked) if text is not None]
        declared: dict[str, Column | AnyColumn] = {
            **{name: AnyColumn() for text in conditions for name in columns_named(text)},
            **columns, **groups}
        for text in conditions:  # a mistake in it is told before a column that is not there
            read_filter(text, declared)
        for name in declared:
            self._check(name)
        of = (self.column,) * columns_in(phrase)
        details = at if isinstance(at, str) or not hasattr(at, "__iter__") else tuple(at)
        question = Question(ask, of, tuple(groups), where, details)
        declaration = Declaration("the table", self._unit, declared)
        check_source(self._source, declaration)
        plan = plan_release(question, declaration, level)
        rehearse(plan)
        return unbooked_release(plan, self._source, self._frame)


def _condition(text: Any) -> str:
    if not isinstance(text, str):
        raise BadInput(f'a condition is a text, such as "age >= 30", found {type(text).__name__}.')
    return check_condition(text)


def _groups(by: object) -> dict[str, Column]:
    if by is None:
        return {}
    if not isinstance(by, Mapping):
        names = [by] if isinstance(by, str) else listed(by, "by")
        name = label_text(names[0]) if names else "sex"
        raise BadInput(f'state the categories to group by, by={{"{name}": ["f", "m"]}}, from what '
                       f"is known of the column: {WHY}.")
    return {str(name): CategoryColumn(listed(values, f"by[{label_text(name)!r}]"))
            for name, values in by.items()}


def _as_table(data: Any) -> tuple[Any, str | None]:
    """A table as it is; or one column as a table, and its name."""
    import narwhals as nw

    if is_database(data):
        raise BadInput("a table of a database is asked through tr.open(data, declaration, "
                       "table=…); a relation of DuckDB will do here.")
    if isinstance(data, pa.Array | pa.ChunkedArray):
        return pa.table({ALONE: data}), ALONE
    if isinstance(data, list | tuple | np.ndarray):
        if getattr(data, "ndim", 1) != 1:
            raise BadInput("expected a table or one column, found an array of several dimensions.")
        return {ALONE: data}, ALONE
    column = nw.from_native(data, pass_through=True, allow_series=True)
    if not isinstance(column, nw.Series):
        return data, None
    name = str(column.name or ALONE)
    return column.alias(name).to_frame().to_native(), name
