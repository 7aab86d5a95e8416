"""A query in a file: a value for each dataset.

A column called dataset holds a dataset in one cell ("0,1,1" or a name) and the others its value,
a vector if there are several. Without such a column the last one is the value, and those before
it make up the dataset. JSON may also be an object from datasets to values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from tightrope.errors import BadInput, NotAPoint
from tightrope.files.files import StrPath, extension
from tightrope.files.sheets import Cell, Sheet, number_of, read_parameters, sheet_of
from tightrope.spaces import (
    Label,
    MetricQuery,
    QueryLike,
    Space,
    number_label,
    point_named,
    query,
    space_of,
)

_DATASET, _VALUE = "dataset", "value"


def read_query(
    datasets: Space | str,
    codomain: Space | str | None,
    function: QueryLike | Path,
    measure: Any = None,
    *,
    outputs: Sequence[Any] = (),
) -> MetricQuery:
    """A question about datasets: a value for each of them, in a space of values.

    The values are a function of the dataset, a mapping, a list or Series in the order of the
    datasets, a name (sum, median, triangles, …), or a file. Without a space of values
    (codomain) they are numbers, or vectors of them; "manhattan", "chebyshev" or "euclidean"
    then says how far apart vectors are. `measure` weighs the answers, evenly if not given;
    `outputs` are answers beside the values that occur.

    Returns: a `MetricQuery`, with its sensitivities; `design` takes it as `query`.

    Raises: `BadInput` where a dataset has no value or two, or a name or file is not known.
    `NotAPoint` for a value outside the codomain.

    >>> import tightrope as tr
    >>> f = tr.files.read_query("path:0..3", "path:0..9", lambda x: x * x)
    >>> str(f.global_sensitivity), str(f.local_sensitivity(0)), f.is_monotone
    ('5', '1', False)
    >>> tr.files.read_query("path:0..2", None, {0: 0, 1: 0.5, 2: 7}).codomain.points
    (0, '0.5', 7)
    """
    space = space_of(datasets)
    if isinstance(function, Path) or (isinstance(function, str) and extension(function)):
        function = query_table(function, space, None if codomain is None else codomain)
    return query(space, codomain, function, measure, outputs=outputs)


def query_table(
    path: StrPath, datasets: Space, codomain: Space | str | None = None
) -> dict[Label, Any]:
    """The values in a file by dataset; each dataset must be named, and only once."""
    sheet, header, rows = _sheet(path)
    at = header.index(_DATASET) if _DATASET in header else None
    values: dict[Label, Any] = {}
    for row in rows:
        named = (row[at],) if at is not None else row[:-1]
        answer = [cell for k, cell in enumerate(row) if k != at] if at is not None else [row[-1]]
        x = _point(sheet.path, datasets, named, _DATASET)
        if x in values:
            raise BadInput(f"{path} names the dataset {x!r} twice.")
        if None in answer:
            raise BadInput(f"{path}: the value of the dataset {x!r} is missing.")
        values[x] = _value(sheet.path, answer, codomain)
    if len(values) < datasets.size:
        missing = next(x for x in datasets.points if x not in values)
        raise BadInput(
            f"{path} has no value for the dataset {missing!r}; it has {len(values):,} of "
            f"{datasets.size:,}."
        )
    return values


def read_measure(path: StrPath, codomain: Space) -> dict[Label, Fraction]:
    """The base measure in a file: a value and its weight on each row; others weigh nothing."""
    sheet, _, rows = _sheet(path)
    weights: dict[Label, Fraction] = {}
    for row in rows:
        value = _point(sheet.path, codomain, row[:-1], _VALUE)
        weight = number_of(row[-1])
        if value in weights:
            raise BadInput(f"{path} names the value {value!r} twice.")
        if weight is None or weight < 0:
            raise BadInput(f"{path}: expected a weight of at least 0 for the value {value!r}.")
        weights[value] = weight
    if not any(weights.values()):
        raise BadInput(f"{path}: the base measure is zero everywhere; expected a weight above 0.")
    return weights


def _sheet(path: StrPath) -> tuple[Sheet, list[str], Sequence[tuple[Cell, ...]]]:
    """The rows of a file without the one that names the columns, and those names."""
    sheet = read_parameters(path)
    if isinstance(sheet, dict):
        sheet = sheet_of(path, [[key, *(value if isinstance(value, list) else [value])]
                                for key, value in sheet.items()])
        return sheet, [_DATASET], sheet.rows
    rows, header = sheet.rows, sheet.header
    if header is None:
        first = [str(cell or "").strip().lower() for cell in rows[0]]
        named = {_DATASET, _VALUE, "weight", "measure"} & set(first)
        if named and len(rows) > 1:
            header, rows = tuple(first), rows[1:]
    if sheet.width < 2:
        raise BadInput(f"{path}: expected two columns or more, a dataset and its value.")
    return sheet, [name.strip().lower() for name in header or ()], rows


def _point(path: str, space: Space, cells: Iterable[Cell], what: str) -> Label:
    text = ",".join("" if cell is None else str(cell) for cell in cells)
    number = number_of(text)
    for name in (text, *([] if number is None else [str(number_label(number))])):
        with suppress(NotAPoint):
            return point_named(space, name)
    raise BadInput(f"{path}: the {what} {NotAPoint(text, space)}")


def _value(path: str, cells: Sequence[Cell], codomain: Space | str | None) -> Any:
    if codomain is None or (isinstance(codomain, str) and ":" not in codomain):
        return tuple(str(cell) for cell in cells) if len(cells) > 1 else str(cells[0])
    return _point(path, space_of(codomain), cells, _VALUE)
