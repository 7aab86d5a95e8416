"""Graphs from files: simple, undirected, without weights.

CSV and TSV tables have a line of names and a row for each edge, the first two columns being
its ends; so have Parquet files. Other text is read as SNAP writes it: two ids a line, lines
with # are remarks. GraphML needs the extra `networks`. An edge from a node to itself is left
out, an edge that is listed twice (in either direction) counts once; how many is told to the
curator only. Directed and weighted graphs are refused. Messages never quote an id.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tightrope.data.files import StrPath, extension, read_bytes, read_text
from tightrope.data.tables import is_text, open_table
from tightrope.errors import BadTable
from tightrope.spaces import IntArray

_TABLES = (".csv", ".tsv", ".parquet", ".pq")
_WEIGHTS = ("weight", "weights", "value", "capacity", "strength", "w")


@dataclass(frozen=True, eq=False)
class EdgeList:
    """A simple graph on nodes 0, 1, ...: each edge once, the smaller node first.

    `loops` and `repeated` count what was left out; they depend on the edges, so only a
    curator may see them.
    """

    nodes: int
    first: IntArray
    second: IntArray
    loops: int
    repeated: int


def read_edges(path: StrPath, nodes: int | None = None) -> EdgeList:
    """The graph in a file. `nodes` is the public number of nodes, if the file names fewer.

    Raises
    ------
    BadTable
        If ids are missing or unreadable, the graph is directed or weighted, or the file
        names more nodes than stated.
    """
    ending = extension(path)
    if ending == ".graphml":
        ends, others, listed = _graphml(path)
    elif ending in _TABLES:
        ends, others = _table(path)
        listed = None
    else:
        ends, others = _snap(path)
        listed = None
    if not len(ends) and listed is None:
        raise BadTable(f"{path} has no edges.", path=str(path))
    return _simple(path, ends, others, listed, nodes)


def _simple(
    path: StrPath, ends: Any, others: Any, listed: int | None, nodes: int | None
) -> EdgeList:
    named, place = np.unique(np.concatenate([ends, others]), return_inverse=True)
    found = max(len(named), listed or 0)
    if nodes is not None and nodes < found:
        raise BadTable(
            f"{path} names more nodes than the {nodes} stated.", path=str(path)
        )
    one, two = place[: len(ends)], place[len(ends) :]
    loop = one == two
    low, high = np.minimum(one, two)[~loop], np.maximum(one, two)[~loop]
    keys = np.unique(low.astype(np.int64) * max(found, 1) + high)
    first, second = keys // max(found, 1), keys % max(found, 1)
    size = found if nodes is None else nodes
    loops = int(loop.sum())
    return EdgeList(size, first, second, loops, len(ends) - loops - len(keys))


def _table(path: StrPath) -> tuple[Any, Any]:
    table = open_table(path)
    names = table.schema.names
    if len(names) < 2:
        raise BadTable(f"{path} needs two columns, the ends of each edge.", path=str(path))
    heavy = [name for name in names[2:] if name.strip().lower() in _WEIGHTS]
    if heavy:
        raise BadTable(
            f"{path} has a column {heavy[0]!r}: weighted graphs are not counted; remove it if "
            "every edge counts once.",
            path=str(path),
        )
    if any(name.strip().lower() == "directed" for name in names[2:]):
        raise BadTable(f"{path} has a column 'directed': expected an undirected graph.",
                       path=str(path))
    if all(name.strip().lstrip("-").isdecimal() for name in names[:2]):
        raise BadTable(
            f"{path} starts with two numbers: expected a line with the names of the columns.",
            path=str(path),
        )
    columns: list[list[Any]] = [[], []]
    for batch in table.batches(names[:2]):
        for held, column in zip(columns, batch.columns, strict=True):
            held.append(_ids(column, path))
    ends, others = (np.concatenate(held) if held else np.zeros(0) for held in columns)
    return ends, others


def _ids(column: Any, path: StrPath) -> Any:
    """The ids of a column as text; missing ones and numbers with a fraction are refused."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind = column.type
    if column.null_count or not (pa.types.is_integer(kind) or is_text(kind)):
        raise BadTable(
            f"{path} has node ids that are missing, or neither text nor whole numbers.",
            path=str(path),
        )
    ids = np.asarray(column.cast(pa.string()).to_pylist(), dtype=str)
    return np.char.strip(ids)


def _snap(path: StrPath) -> tuple[Any, Any]:
    ends, others = [], []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        text = line.strip()
        if text.startswith("#"):
            if "directed graph" in text.lower() and not (
                "undirected" in text.lower() or "unordered pair" in text.lower()
            ):
                raise BadTable(f"{path} says that it is directed; expected an undirected graph.",
                               path=str(path))
            continue
        if not text:
            continue
        parts = text.split()
        if len(parts) > 2:
            raise BadTable(
                f"{path}, line {number}: expected two node ids, found {len(parts)} entries; "
                "weighted graphs are not counted.",
                path=str(path),
            )
        if len(parts) < 2:
            raise BadTable(f"{path}, line {number}: expected two node ids, found one.",
                           path=str(path))
        ends.append(parts[0])
        others.append(parts[1])
    return np.array(ends, dtype=str), np.array(others, dtype=str)


def _graphml(path: StrPath) -> tuple[Any, Any, int]:
    from xml.etree.ElementTree import ParseError

    try:
        import networkx as nx
    except ImportError:
        raise BadTable(
            f"{path}: GraphML needs the package networkx; install tightrope[networks].",
            path=str(path),
        ) from None
    try:
        graph = nx.parse_graphml(read_bytes(path).decode("utf-8"))
    except nx.NetworkXError as error:
        if "directed" in str(error):
            raise BadTable(f"{path} has directed edges; expected an undirected graph.",
                           path=str(path)) from None
        raise BadTable(f"{path} is not readable GraphML.", path=str(path)) from None
    except (ParseError, UnicodeDecodeError, KeyError, ValueError):
        raise BadTable(f"{path} is not readable GraphML.", path=str(path)) from None
    if graph.is_directed():
        raise BadTable(f"{path} is directed; expected an undirected graph.", path=str(path))
    if any(key.strip().lower() in _WEIGHTS for *_, data in graph.edges(data=True) for key in data):
        raise BadTable(f"{path} is weighted; expected edges that count once.", path=str(path))
    pairs = [(str(a), str(b)) for a, b in graph.edges()]
    return (
        np.array([a for a, _ in pairs], dtype=str),
        np.array([b for _, b in pairs], dtype=str),
        graph.number_of_nodes(),
    )
