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
import pyarrow.parquet as pq

from tightrope.errors import BadInput, BadTable
from tightrope.files import StrPath, extension, read_bytes
from tightrope.tables.tables import is_text
from tightrope.tables.text_lines import MARK, line_cells

Row: TypeAlias = Sequence[bytes]

DELIMITED = {".csv": b",", ".tsv": b"\t"}
PARQUET = (".parquet", ".pq")
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
        return [], parquet_rows(path, 2)
    if ending in DELIMITED:
        return [], delimited_rows(path, header=header)
    if ending in PLAIN:
        if not directed and _calls_itself_directed(path):
            raise _undeclared(path)
        return [], map(bytes.split, plain_lines(path)[header:])
    known = ", ".join([*DELIMITED, *PARQUET, ".graphml", *PLAIN[:-1]])
    raise BadTable(
        f"{path} is not a file of edges that can be read: expected a name that ends in {known}, "
        f"or one without an ending, found {ending!r}.",
        path=str(path),
    )


def lines_of(path: StrPath) -> list[bytes]:
    """The lines of a file of text; a byte order mark of UTF-8 is taken off."""
    return read_bytes(path).removeprefix(MARK).splitlines()


def delimited_rows(path: StrPath, *, header: bool = False) -> list[Row]:
    """The cells of each line of a .csv or .tsv file that is not empty."""
    delimiter = DELIMITED[extension(path)]
    return [[cell.strip() for cell in line_cells(line, delimiter)]
            for line in lines_of(path)[header:] if line]


def plain_lines(path: StrPath) -> list[bytes]:
    """The lines of plain text that are neither blank nor remarks (#)."""
    lines = (line.strip() for line in lines_of(path))
    return [line for line in lines if line and not line.startswith(b"#")]


def parquet_rows(path: StrPath, columns: Sequence[str] | int) -> Iterator[Row]:
    """The cells of named columns, or of so many from the left.

    A missing value, or a number with a fraction, becomes empty.
    """
    try:
        with pq.ParquetFile(pa.BufferReader(read_bytes(path))) as file:
            names = file.schema_arrow.names
            asked = names[:columns] if isinstance(columns, int) else list(columns)
            table = file.read(columns=asked)
    except pa.ArrowException:
        raise BadTable(f"{path} is not a readable Parquet file.", path=str(path)) from None
    wanted = columns if isinstance(columns, int) else len(columns)
    if len(table.columns) != wanted:
        raise BadTable(f"{path} does not have the {wanted} columns expected.", path=str(path))
    return zip(*(_ids(column, path) for column in table.columns), strict=True)


def _graphml(path: StrPath, directed: bool) -> tuple[list[bytes], list[Row]]:
    """The ids of nodes and the ends of edges; attributes of edges are not looked at."""
    from xml.etree.ElementTree import ParseError, iterparse

    nodes: list[bytes] = []
    rows: list[Row] = []
    try:
        for _, element in iterparse(io.BytesIO(read_bytes(path)), events=("start",)):
            kind, held = element.tag.rpartition("}")[2], element.attrib
            if kind == "graph" and held.get("edgedefault") == "directed" and not directed:
                raise _undeclared(path)
            if kind == "node":
                nodes.append(held.get("id", "").strip().encode())
            if kind == "edge":
                ends = (held.get("source", ""), held.get("target", ""))
                rows.append([end.strip().encode() for end in ends])
            element.clear()
    except (ParseError, LookupError, ValueError):
        raise BadTable(f"{path} is not readable GraphML.", path=str(path)) from None
    return nodes, rows


def _undeclared(path: StrPath) -> BadTable:
    return BadTable(f"{path} says that it is directed; declare which pairs its arrows join "
                    "(directed): either, or both for arrows both ways.", path=str(path))


def _calls_itself_directed(path: StrPath) -> bool:
    """Whether the first remarks of a file call the graph directed, as SNAP writes it."""
    for line in lines_of(path):
        said = line.strip().lower()
        if said and not said.startswith(b"#"):
            return False
        if b"directed graph" in said and b"undirected" not in said and b"unordered" not in said:
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
