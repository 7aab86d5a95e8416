"""A list of outputs in a file: the answers that a mechanism may give."""

from __future__ import annotations

from tightrope.errors import BadInput
from tightrope.files.files import StrPath
from tightrope.files.sheets import Cell, Sheet, number_of, read_sheet
from tightrope.spaces import Label, Space

_NAMES = {"output", "answer", "value", "label", "name", "point", "id"}


def read_outputs(path: StrPath, space: Space) -> tuple[Label, ...]:
    """The outputs in a file, one on each row; several columns make a tuple.

    A row that shows a point of the space is that point. A first row that shows none names one
    column if it is output, answer, value, label, name, point or id. It names several columns if
    numbers are below each. Else it is an output like the others.
    """
    sheet = read_sheet(path)
    points = {str(point): point for point in space.points}
    rows = sheet.rows
    if len(rows) > 1 and _names_columns(sheet) and str(_label(sheet.rows[0])) not in points:
        rows = rows[1:]
    labels: list[Label] = (
        list(sheet.labels((row[0] for row in rows), "output"))
        if sheet.width == 1
        else [sheet.labels(row, "output") for row in rows]
    )
    outputs = tuple(points.get(str(label), label) for label in labels)
    if len(set(outputs)) < len(outputs):
        twice = next(label for k, label in enumerate(outputs) if label in outputs[:k])
        raise BadInput(f"{path} names the output {twice} twice.")
    return outputs


def _names_columns(sheet: Sheet) -> bool:
    """Whether the first row can only name the columns."""
    first, rest = sheet.rows[0], sheet.rows[1:]
    if {str(cell).strip().lower().removesuffix("s") for cell in first} <= _NAMES:
        return True
    numbered = all(number_of(cell) is not None for row in rest for cell in row)
    return sheet.width > 1 and numbered and all(number_of(cell) is None for cell in first)


def _label(row: tuple[Cell, ...]) -> object:
    return row[0] if len(row) == 1 else row
