"""Graphs from files: simple, undirected, without weights, on nodes that were declared.

No row is refused, whatever it holds: one edge must not decide whether there is an answer. A line of
text is one row, and a quote that is not closed ends with its line. Ids are bytes without white
space around them; nothing needs to be UTF-8. What follows the first two entries of a row is not
looked at. Refused is only what concerns a file as a whole: its name, the types of its columns,
remarks that say otherwise than declared whether the graph is directed.

Which nodes there are is public and the same for all neighbors: a list, whole numbers from one to
another, or, if the owner says that these are public, the ids that a file of edges names. 7 and 07
are two ids.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from tightrope.choices import Directed, member_of
from tightrope.errors import BadInput, BadTable
from tightrope.exact import IntArray
from tightrope.files import (
    DELIMITERS,
    PARQUET,
    StrPath,
    extension,
    line_cells,
    plain_lines,
    read_bytes,
    read_column,
    split_lines,
)
from tightrope.tables.tables import is_text, open_table

Row: TypeAlias = Sequence[bytes]

PLAIN = (".txt", ".edges", ".edgelist", ".el", "")
_LONGEST_NUMBER = 30
_FIRST_TO_LAST = re.compile(r"(\d+)\.\.(\d+)", re.ASCII)
_TABLE_AND_COLUMN = re.compile(r"(.*\.(?:csv|tsv|parquet|pq)):(.+)", re.IGNORECASE | re.DOTALL)
_BLANKS = " \t\n\r\v\f"  # what bytes.strip() takes off


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


@dataclass(frozen=True)
class NodeSet:
    """The ids of all nodes; node k of a graph is the id at place k.

    What is listed twice is one node, and an empty id is none. `origin` says, in public,
    which they are.

    >>> NodeSet(["ann", "bob ", "ann", ""]).ids
    ('ann', 'bob')
    """

    ids: Sequence[str | int]
    origin: str = field(default="the ids of a list", compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.ids, str):
            raise BadInput("expected a sequence of ids, found one text.")
        if not isinstance(self.ids, range):  # a range is as it should be, and may be long
            bare = dict.fromkeys(str(name).strip(_BLANKS) for name in self.ids)
            object.__setattr__(self, "ids", tuple(name for name in bare if name))

    @staticmethod
    def between(first: int, last: int) -> NodeSet:
        """The whole numbers from one to another as ids, both included."""
        return NodeSet(range(first, last + 1), f"the ids {first:,} to {last:,}")

    @property
    def size(self) -> int:
        """How many nodes there are."""
        if isinstance(self.ids, range):  # len() ends at 2^63
            return max(-((self.ids.start - self.ids.stop) // self.ids.step), 0)
        return len(self.ids)

    def places(self) -> dict[bytes, int]:
        """The number of each id, from 0, by the bytes that a file has for it."""
        return {str(name).encode("utf-8", "surrogateescape"): k for k, name in enumerate(self.ids)}


def read_nodes(path: StrPath, column: str | None = None) -> NodeSet:
    """The ids in a file: one a line, or a column of a table that has a line of names.

    Without a column, the first cell of every row of a table is an id, also of the first. In
    plain text each line is one, apart from blank ones and remarks (#).
    """
    ending, ids = extension(path), []
    if ending in (*DELIMITERS, *PARQUET):
        for cell in read_column(path, column):
            if isinstance(cell, float) and not cell.is_integer():
                raise BadTable(f"{path} has an id with a fraction: expected ids that are text or "
                               "whole numbers.", path=str(path))
            ids.append("" if cell is None else str(int(cell) if isinstance(cell, float) else cell))
    elif ending in PLAIN and column is None:
        try:
            ids = [line.decode() for line in plain_lines(read_bytes(path))]
        except UnicodeDecodeError:
            raise BadTable(f"{path} is not UTF-8 text.", path=str(path)) from None
    else:
        known = [*DELIMITERS, *PARQUET, *(PLAIN[:1] if column is None else ())]
        raise BadTable(
            f"{path} is not a list of nodes that can be read: expected a name that ends in "
            f"{', '.join(known)}.",
            path=str(path),
        )
    return NodeSet(ids, f"the ids in {path}" + ("" if column is None else f":{column}"))


def declared_nodes(text: str) -> NodeSet:
    """The nodes that a text declares: ids such as 0..33, a file, or table.csv:column.

    A number alone does not say which ids it means: libraries count from 0, papers from 1.

    >>> declared_nodes("1..3").ids
    range(1, 4)
    """
    numbers = _FIRST_TO_LAST.fullmatch(text)
    if (numbers or (text.isascii() and text.isdigit())) and len(text) > 2 * _LONGEST_NUMBER:
        raise BadInput(f"node ids of {len(text)} digits: use a smaller graph.")
    if numbers:
        return NodeSet.between(int(numbers[1]), int(numbers[2]))
    if text.isascii() and text.isdigit():
        raise BadInput(f"{text} alone does not say which ids there are: write nodes as "
                       f"0..{int(text) - 1} or 1..{text}, or ./{text} for a file.")
    named = _TABLE_AND_COLUMN.fullmatch(text)
    file, column = named.groups() if named else (text, None)
    return read_nodes(file, column)


def named_nodes(path: StrPath, *, header: bool = False, directed: bool = False) -> NodeSet:
    """The ids that a file of edges names; only for files whose ids are public.

    With `header` the first line of a text file is left out, whatever it holds. GraphML lists
    its nodes, also those without edges. Ids are in alphabetical order: which edges are left out
    where nodes are protected depends on it, so that it must not depend on any edge.
    """
    alone, rows = rows_of_edges(path, header=header, directed=directed)
    named = [name for row in rows if len(row) > 1 and row[0] and row[1] for name in row[:2]]
    ids = {name.decode("utf-8", "surrogateescape").strip(_BLANKS) for name in [*alone, *named]}
    return NodeSet(sorted(ids), f"the ids that {path} names")


@dataclass(frozen=True, eq=False)
class EdgeList:
    """A simple graph on nodes 0, 1, ...: each edge once, the smaller node first.

    `loops`, `repeated`, `strangers` (rows that name an id that is no node) and `unreadable`
    (rows without two ids) count what was left out; they depend on the edges, so only a
    curator may see them.
    """

    nodes: int
    first: IntArray
    second: IntArray
    loops: int
    repeated: int
    strangers: int
    unreadable: int


def read_edges(
    path: StrPath, nodes: NodeSet, *, header: bool = False, directed: Directed | str | None = None
) -> EdgeList:
    """The graph on declared nodes whose edges are in a file.

    An edge from a node to itself is left out, an edge that is listed twice (in either direction)
    counts once, an edge that names an id that is no node is left out, and so is a row without two
    ids. How many is told to the curator only. One row decides about one pair at most. A line with
    the names of the columns names no nodes, unless these names are ids as well: with `header` the
    first line of a text file is left out, whatever it holds. With `directed` rows are arrows, and
    it says which pairs they join: those with an arrow either way, or with arrows both ways.

    Raises
    ------
    BadInput
        For reasons that no single edge decides: the file cannot be read at all, is of
        another format, or calls its graph directed; or ids cannot be written in its format.
    """
    _refuse_unwritable(path, nodes)
    pairs = None if directed is None else member_of(Directed, directed)
    _, rows = rows_of_edges(path, header=header, directed=pairs is not None)
    place, loops, strangers, unreadable = nodes.places(), 0, 0, 0
    keys: list[int] = []
    for row in rows:
        if len(row) < 2 or not row[0] or not row[1]:
            unreadable += 1
            continue
        source, target = place.get(row[0]), place.get(row[1])
        if source is None or target is None:
            strangers += 1
        elif source == target:
            loops += 1
        else:
            keys.append(source * nodes.size + target)
    arrows = np.unique(np.array(keys, dtype=np.int64))
    start, end = np.divmod(arrows, max(nodes.size, 1))
    edges, times = np.unique(np.minimum(start, end) * nodes.size + np.maximum(start, end),
                             return_counts=True)
    if pairs is Directed.BOTH:
        edges = edges[times == 2]
    first, second = np.divmod(edges, max(nodes.size, 1))
    repeated = len(keys) - (len(edges) if pairs is None else len(arrows))
    return EdgeList(nodes.size, first, second, loops, repeated, strangers, unreadable)


def _refuse_unwritable(path: StrPath, nodes: NodeSet) -> None:
    """Refuse nodes whose edges could not stand in a file of this format."""
    if isinstance(nodes.ids, range):
        return
    ending, names = extension(path), [str(name).encode(errors="replace") for name in nodes.ids]
    if ending in PLAIN and any(re.search(rb"\s", name) or name[:1] == b"#" for name in names):
        raise BadInput(
            f"{path} is plain text, in which ids hold no white space and do not begin with #, "
            "as some of the nodes do; write the edges as .csv or .tsv.",
            path=str(path),
        )
    if ending in DELIMITERS and any(re.search(rb"[\r\n]", name) for name in names):
        raise BadInput(
            f"{path} has a row in each line, but some of the nodes have a line break in their "
            "id; write the edges as .parquet.",
            path=str(path),
        )
