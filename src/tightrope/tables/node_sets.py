"""The nodes of a graph, declared before its edges are read.

Which nodes there are is public and the same for all neighbors: a list, whole numbers from one to
another, or, if the owner says that these are public, the ids that a file of edges names. An id is
text without white space around it; 7 and 07 are two ids.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tightrope.errors import BadInput, BadTable
from tightrope.files import (
    DELIMITERS,
    PARQUET,
    StrPath,
    extension,
    plain_lines,
    read_bytes,
    read_column,
)
from tightrope.tables.edge_rows import PLAIN, rows_of_edges

_LONGEST_NUMBER = 30
_FIRST_TO_LAST = re.compile(r"(\d+)\.\.(\d+)", re.ASCII)
_TABLE_AND_COLUMN = re.compile(r"(.*\.(?:csv|tsv|parquet|pq)):(.+)", re.IGNORECASE | re.DOTALL)
_BLANKS = " \t\n\r\v\f"  # what bytes.strip() takes off


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
