"""Graphs from files: simple, undirected, without weights, on nodes that were declared.

Every row follows a rule, and none is refused: an edge from a node to itself is left out, an
edge that is listed twice (in either direction) counts once, an edge that names an id that
is no node is left out, and so is a row that does not hold two ids. How many is told to the
curator only. A line with the names of the columns names no nodes, so it needs no rule of
its own, unless these names are ids as well: then `header` says that it is there. Rows are
undirected edges unless they are declared to be arrows; then a pair of nodes is joined by an arrow
either way or, if so declared, only by arrows both ways. One row decides about one pair at most.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tightrope.choices import Directed, member_of
from tightrope.errors import BadInput
from tightrope.exact import IntArray
from tightrope.files import DELIMITERS, StrPath, extension
from tightrope.tables.edge_rows import PLAIN, rows_of_edges
from tightrope.tables.node_sets import NodeSet


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

    With `header` the first line of a text file is left out, whatever it holds. With `directed`
    rows are arrows, and it says which pairs they join.

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
    if ending in PLAIN and any(len(name.split()) > 1 or name[:1] == b"#" for name in names):
        raise BadInput(
            f"{path} is plain text, in which ids hold no white space and do not begin with #, "
            "as some of the nodes do; write the edges as .csv or .tsv.",
            path=str(path),
        )
    if ending in DELIMITERS and any(len(name.splitlines()) > 1 for name in names):
        raise BadInput(
            f"{path} has a row in each line, but some of the nodes have a line break in their "
            "id; write the edges as .parquet.",
            path=str(path),
        )
