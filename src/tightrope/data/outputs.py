"""A list of outputs in a file: the answers that a mechanism may give."""

from __future__ import annotations

from tightrope.data.files import StrPath
from tightrope.data.sheets import read_sheet
from tightrope.errors import BadInput
from tightrope.spaces import Label, Space


def read_outputs(path: StrPath, space: Space) -> tuple[Label, ...]:
    """The outputs in a file, one on each row; several columns make a tuple.

    A row that shows a point of the space is that point. A first row that shows none, above
    rows that all do, names the column.
    """
    sheet = read_sheet(path)
    rows = [sheet.labels(row, "output") for row in sheet.rows]
    if sheet.width == 1:
        rows = [(label,) for label in sheet.labels((row[0] for row in sheet.rows), "output")]
    points = {str(point): point for point in space.points}
    labels = [row[0] if sheet.width == 1 else row for row in rows]
    known = [str(label) in points for label in labels]
    if len(labels) > 1 and not known[0] and all(known[1:]):
        labels = labels[1:]
    found = tuple(points.get(str(label), label) for label in labels)
    if len(set(found)) < len(found):
        twice = next(label for k, label in enumerate(found) if label in found[:k])
        raise BadInput(f"{path} names the output {twice} twice.")
    return found
