"""Rows of files of edges: for each row two ids, or nothing where a row does not hold two.

No row is refused, whatever it holds: one edge must not decide whether there is an answer.
A line of text is one row, and a quote that is not closed ends with its line, so that a row
never changes another. Ids are bytes without white space around them; nothing needs to be
UTF-8: a mark of UTF-16 may be the first id, so such a file is read like others. What follows
the first two entries of a row is not looked at. Refused is only what concerns a file as a
whole: its name, the types of its columns, remarks that say otherwise than declared whether the
graph is directed.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import pyarrow as pa

from tightrope.errors import BadInput, BadTable
from tightrope.files import (
    DELIMITERS,
    PARQUET,
    StrPath,
    extension,
    line_cells,
    plain_lines,
    read_bytes,
    split_lines,
)
from tightrope.tables.tables import is_text, open_table

Row: TypeAlias = Sequence[bytes]

PLAIN = (".txt", ".edges", ".edgelist", ".el", "")


def rows_of_edges(
    path: StrPath, *, header: bool = False, directed: bool = False
) -> tuple[list[bytes], Iterable[Row]]:
    """Ids that a file of edges lists apart from edges, and its rows.

    With `header` the first line of a text file is left out, whatever it holds. A file whose head
    says that it is directed is read only where that is declared.
    """
    ending = extension(path)
    if header and (ending == ".graphml" or ending in PARQUET):
        raise BadInput(f"{path} has no line of names to leave out (header).", path=str(path))
    if ending == ".graphml":
        return _graphml(path, directed)
    if ending in PARQUET:
        return [], _parquet(path)
    if ending in DELIMITERS:
        lines = split_lines(read_bytes(path))[header:]
        return [], ([cell.strip() for cell in line_cells(line, DELIMITERS[ending])]
                    for line in lines if line)
    if ending in PLAIN:
        content = read_bytes(path)
        if not directed and _calls_itself_directed(content):
            raise _undeclared_direction(path)
        return [], map(bytes.split, plain_lines(content)[header:])
    known = ", ".join([*DELIMITERS, *PARQUET, ".graphml", *PLAIN[:-1]])
    raise BadTable(
        f"{path} is not a file of edges that can be read: expected a name that ends in {known}, "
        f"or one without an ending, found {ending!r}.",
        path=str(path),
    )


def _parquet(path: StrPath) -> Iterator[Row]:
    """The first two cells of each row; a missing one, or one with a fraction, is empty."""
    table = open_table(path)
    kinds = pa.schema(list(table.schema)[:2])
    if len(kinds) < 2:
        raise BadTable(f"{path} does not have the 2 columns expected.", path=str(path))
    ends = pa.Table.from_batches(table.batches(kinds.names), kinds)
    return zip(*(_ids(column, path) for column in ends.columns), strict=True)


def _graphml(path: StrPath, directed: bool) -> tuple[list[bytes], list[Row]]:
    """The ids of nodes and the ends of edges; attributes of edges are not looked at."""
    from xml.etree.ElementTree import ParseError, iterparse

    nodes: list[bytes] = []
    rows: list[Row] = []
    try:
        for _, element in iterparse(io.BytesIO(read_bytes(path)), events=("start",)):
            kind, attributes = element.tag.rpartition("}")[2], element.attrib
            if kind == "graph" and attributes.get("edgedefault") == "directed" and not directed:
                raise _undeclared_direction(path)
            if kind == "node":
                nodes.append(attributes.get("id", "").strip().encode())
            if kind == "edge":
                ends = (attributes.get("source", ""), attributes.get("target", ""))
                rows.append([end.strip().encode() for end in ends])
            element.clear()
    except (ParseError, LookupError, ValueError):
        raise BadTable(f"{path} is not readable GraphML.", path=str(path)) from None
    return nodes, rows


def _undeclared_direction(path: StrPath) -> BadTable:
    return BadTable(f"{path} says that it is directed; declare which pairs its arrows join "
                    "(directed): either, or both for arrows both ways.", path=str(path))


def _calls_itself_directed(content: bytes) -> bool:
    """Whether the first remarks of a file call the graph directed, as SNAP writes it."""
    for line in split_lines(content):
        text = line.strip().lower()
        if text and not text.startswith(b"#"):
            return False
        if b"directed graph" in text and b"undirected" not in text and b"unordered" not in text:
            return True
    return False


def _ids(column: Any, path: StrPath) -> list[bytes]:
    kind = column.type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
        column = column.cast(kind)
    if is_text(kind):
        cells = column.cast(pa.large_binary()).to_pylist()
        return [b"" if cell is None else cell.strip() for cell in cells]
    if pa.types.is_integer(kind) or pa.types.is_null(kind):
        return [b"" if cell is None else b"%d" % cell for cell in column.to_pylist()]
    if pa.types.is_floating(kind):
        return [
            b"%d" % int(cell) if cell is not None and cell.is_integer() else b""
            for cell in column.to_pylist()
        ]
    raise BadTable(
        f"{path} has a column of {kind}: expected ids that are text or whole numbers.",
        path=str(path),
    )
