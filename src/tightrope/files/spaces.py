"""Spaces from files: edges of a graph, a matrix of distances, points with coordinates.

Numbers are exact: decimals and fractions mean what they say. A first line that names the
columns is recognized; labels are whole numbers if all of them are, else text. What is wrong
with a file is said with its row and column.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tightrope.errors import BadSpace
from tightrope.files.files import StrPath
from tightrope.files.sheets import Cell, Sheet, number_of, read_parameters, read_sheet, sheet_of
from tightrope.spaces import (
    Label,
    Space,
    directed,
    graph,
    haversine,
    is_infinite,
    matrix,
    parse,
    points,
    space_of,
)

_ENDS = ({"from", "to"}, {"source", "target"}, {"start", "end"}, {"node1", "node2"})
_LABELS = ("label", "name", "id", "point", "node")
_LATITUDES = ("lat", "latitude")
_LONGITUDES = ("lon", "lng", "long", "longitude")


def read_space(text: str | Space) -> Space:
    """The space written as text, with `edges:`, `matrix:` and `points:` read from files.

    Examples are `path:0..49`, `categories:red/green/blue`, `grid:10x10`,
    `histogram:people=30,cells=4`, `points:FILE` and more (docs/reference/spaces.md lists them).

    Returns: a `Space`; one that is given is returned as it is.

    Raises: `BadSpace` for text that is no space. `BadInput` for a file that is not there.

    >>> import tightrope as tr
    >>> tr.space("grid:3x4")
    Space(grid:3x4, 12 points)
    """
    return parse(text, read_space_file) if isinstance(text, str) else space_of(text)


def read_space_file(
    kind: str, filename: StrPath, *, repair: str | None = None, unit: str | None = None
) -> Space:
    """The space in a file of one of the kinds edges, matrix and points.

    `repair="shortest"` makes a matrix a metric by shortest paths; `unit` says what the
    distances of a matrix are counted in, or those of latitudes and longitudes are to be.
    """
    if repair not in (None, "shortest"):
        raise BadSpace(f"expected repair=shortest, found repair={repair}.")
    match kind:
        case "edges" | "directed":
            return read_edge_space(filename, one_way=kind == "directed")
        case "matrix":
            return read_distances(filename, repair=repair is not None, unit=unit)
        case "points":
            return read_points(filename, unit=unit)
        case _:
            raise BadSpace(f"expected edges, directed, matrix or points, found {kind!r}.")


def read_edge_space(path: StrPath, *, one_way: bool = False) -> Space:
    """A graph from its edges: two nodes and, if given, a length on each row.

    Nodes are numbered as they come up. Parallel edges keep the shortest length. An edge from a
    node to itself only names the node. With `one_way` a row from,to protects in that order only:
    whatever `to` answers might come from `from` too.
    """
    sheet = read_sheet(path)
    if sheet.width not in (2, 3):
        raise BadSpace(
            f"{path}: expected two nodes and perhaps a length on each row, "
            f"found {sheet.width} columns."
        )
    rows = sheet.rows[1:] if _names_edges(sheet) else sheet.rows
    named = sheet.header is not None or len(rows) < len(sheet.rows)
    ends = sheet.labels((cell for row in rows for cell in row[:2]), "node")
    alone = len(rows) > 1 and not set(ends[:2]) & set(ends[2:])
    if alone and not named and all(isinstance(end, str) for end in ends[:2]):
        raise BadSpace(
            f"{path}: no other row names {rows[0][0]} or {rows[0][1]}, as if the first row named "
            "the columns; put a row with from,to above the edges."
        )
    nodes = tuple(dict.fromkeys(ends))
    place = {node: position for position, node in enumerate(nodes)}
    edges = []
    for position, row in enumerate(rows):
        length = Fraction(1)
        if len(row) == 3:
            number = number_of(row[2])
            if number is None or number <= 0:
                raise BadSpace(
                    f"{path}: the edge from {row[0]} to {row[1]} needs a number above 0 as its "
                    f"length{', which is missing' if row[2] is None else ''}."
                )
            length = number
        edges.append((place[ends[2 * position]], place[ends[2 * position + 1]], length))
    return directed(nodes, edges) if one_way else graph(nodes, edges)


def read_distances(path: StrPath, *, repair: bool = False, unit: str | None = None) -> Space:
    """A space from its matrix of distances, with labels on top, at the left, or none.

    inf stands between points of different components.

    JSON may be a list of rows, or an object with `labels` and `distances`.
    """
    sheet = read_parameters(path)
    if isinstance(sheet, dict):
        if set(sheet) != {"labels", "distances"} or not isinstance(sheet["labels"], list):
            raise BadSpace(f"{path}: expected the fields labels and distances.")
        rows = _numbers(sheet_of(path, sheet["distances"]).rows, sheet["labels"], path)
        return matrix(sheet["labels"], rows, repair=repair, unit=unit)
    top, left, body = _split_labels(sheet)
    if top is not None and left is not None and top != left:
        at = next(i for i, pair in enumerate(zip(top, left, strict=False)) if len(set(pair)) > 1)
        raise BadSpace(
            f"{path}: the labels on top and at the left differ: {top[at]!r} and {left[at]!r}."
        )
    labels = top or left or tuple(range(len(body)))
    return matrix(labels, _numbers(body, labels, path), repair=repair, unit=unit)


def read_points(path: StrPath, *, unit: str | None = None) -> Space:
    """A space from coordinates: x, y, … for Euclidean, lat and lon for great-circle distances.

    Columns called lat and lon are degrees, and distances meters unless another unit is asked
    for; Euclidean distances are counted in whatever the coordinates are.
    A column called label, name, id or point, or a first column of names, labels the points.
    """
    sheet = read_sheet(path)
    header, rows = sheet.header, sheet.rows
    if header is None and all(number_of(cell) is None for cell in rows[0]):
        header, rows = tuple(str(cell or "") for cell in rows[0]), rows[1:]
    if not rows:
        raise BadSpace(f"{path} names its columns but has no points.")
    names = [name.strip().lower() for name in header or ()]
    labeled = _label_column(names, rows)
    labels: Sequence[Label] = (
        range(len(rows)) if labeled is None else sheet.labels((r[labeled] for r in rows), "label")
    )
    axes = [column for column in range(sheet.width) if column != labeled]
    latitude = next((names.index(name) for name in _LATITUDES if name in names), None)
    longitude = next((names.index(name) for name in _LONGITUDES if name in names), None)
    if (latitude is None) != (longitude is None):
        raise BadSpace(f"{path}: latitude and longitude go together, found only one of them.")
    if latitude is not None and longitude is not None:
        if set(axes) != {latitude, longitude}:
            raise BadSpace(f"{path}: expected the columns label, lat and lon, found others.")
        axes = [latitude, longitude]
    elif names and not {names[axis] for axis in axes} <= {"x", "y", "z"}:
        raise BadSpace(
            f"{path}: expected the columns label, x, y, z or label, lat, lon, found others in "
            "its first line."
        )
    if not axes:
        raise BadSpace(f"{path}: expected coordinates beside the labels.")
    called = [names[axis] if names else f"column {axis + 1}" for axis in axes]
    coordinates = [
        [_number(row[axis], path, label, name) for axis, name in zip(axes, called, strict=True)]
        for label, row in zip(labels, rows, strict=True)
    ]
    if latitude is not None:
        return haversine(labels, coordinates, unit=unit or "m")
    if unit is not None:
        raise BadSpace(
            f"{path}: a unit is for latitudes and longitudes; distances of x, y, z are counted in "
            "whatever these are."
        )
    return points(labels, coordinates)


def _names_edges(sheet: Sheet) -> bool:
    """Whether the first row names the columns of a list of edges."""
    if sheet.header is not None or len(sheet.rows) < 2:
        return False
    first, rest = sheet.rows[0], sheet.rows[1:]
    later = {str(cell) for row in rest for cell in row[:2]}
    fresh = not {str(cell) for cell in first[:2]} & later  # else the first row is an edge
    if sheet.width == 3:
        return number_of(first[2]) is None and first[2] is not None and fresh
    named = {str(cell).lower() for cell in first} in _ENDS and fresh
    numbered = all(number_of(cell) is not None for row in rest for cell in row)
    return named or (numbered and all(number_of(cell) is None for cell in first))


_Labels = tuple[Label, ...] | None


def _split_labels(sheet: Sheet) -> tuple[_Labels, _Labels, tuple[tuple[Cell, ...], ...]]:
    """Labels on top and at the left, where the shape or the corner shows them, and the rest."""
    rows = sheet.rows
    if sheet.header is not None:
        beside = sheet.width == len(rows) + 1
        top = sheet.header[1:] if beside else sheet.header
        body = tuple(row[1:] for row in rows) if beside else rows
        left = sheet.labels((row[0] for row in rows), "label") if beside else None
        if left is not None and all(isinstance(label, int) for label in left):
            return tuple(_whole(name) for name in top), left, body
        return _as_labels(top), left, body
    height, width = len(rows), sheet.width
    framed = height == width and number_of(rows[0][0]) is None and height > 1
    above, beside = framed or height == width + 1, framed or width == height + 1
    first, rows = (1 if beside else 0), rows[1:] if above else rows
    on_top = sheet.labels(sheet.rows[0][first:], "label on top") if above else None
    at_left = sheet.labels((row[0] for row in rows), "label at the left") if beside else None
    return on_top, at_left, tuple(row[first:] for row in rows)


def _as_labels(names: Sequence[str]) -> tuple[Label, ...]:
    whole = [_whole(name) for name in names]
    return tuple(whole) if all(isinstance(label, int) for label in whole) else tuple(names)


def _whole(name: str) -> Label:
    number = number_of(name)
    return int(number) if number is not None and str(number) == name else name


def _label_column(names: Sequence[str], rows: Sequence[Sequence[Cell]]) -> int | None:
    for name in _LABELS:
        if name in names:
            return names.index(name)
    unnamed = not names or names[0] not in ("x", "y", "z", *_LATITUDES, *_LONGITUDES)
    return 0 if unnamed and any(number_of(row[0]) is None for row in rows) else None


def _numbers(
    rows: Sequence[Sequence[Cell]], labels: Sequence[Label], path: StrPath
) -> list[list[Fraction | str]]:
    """A square of distances; a missing or unreadable one is named by its row and column."""
    size = len(labels)
    if len(rows) != size or len(rows[0]) != size:
        raise BadSpace(
            f"{path}: expected a square of distances, found {len(rows)} rows and "
            f"{len(rows[0]) if rows else 0} columns for {size} labels."
        )
    return [
        [_distance(cell, path, a, b) for b, cell in zip(labels, row, strict=True)]
        for a, row in zip(labels, rows, strict=True)
    ]


def _distance(cell: Cell, path: StrPath, row: Label, column: Label) -> Fraction | str:
    infinite = is_infinite(cell.strip().lower() if isinstance(cell, str) else cell)
    return "inf" if infinite else _number(cell, path, row, column)


def _number(cell: Cell, path: StrPath, row: Label, column: Label) -> Fraction:
    number = number_of(cell)
    if number is None:
        state = "is missing" if cell is None else "must be a number such as 0.5 or 1/2"
        raise BadSpace(f"{path}: the entry in row {row} and column {column} {state}.")
    return number
