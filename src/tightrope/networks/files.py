"""Graphs from files of edges, released: the nodes are declared, and no row is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, assert_never

import numpy as np

from tightrope.choices import Count, Directed, Method, Protect, Statistic, member_of
from tightrope.errors import BadInput, Infeasible
from tightrope.exact import Level, Number, own
from tightrope.facts import Column, Fact, Facts, Table, card_of, data, lines_of
from tightrope.files import StrPath
from tightrope.ledger import Account
from tightrope.networks.declared import check_protection
from tightrope.networks.degrees import DegreeAnswer, release_degrees
from tightrope.networks.mean_errors import mean_error
from tightrope.networks.methods import methods_for
from tightrope.networks.release import NetworkAnswer, release_count
from tightrope.samplers import SYSTEM, Source
from tightrope.spaces import (
    Network,
    check_nodes,
    count_of,
    cut,
    ladder_widths,
    steps_to_counts,
)
from tightrope.tables import EdgeList, NodeSet, read_edges


@dataclass(frozen=True)
class CuratorFigures:
    """Figures that depend on the edges: for the curator only, not private.

    `loops`, `repeated`, `strangers` and `unreadable` count the rows of a file that were left
    out (see `EdgeList`), `beyond` the edges beyond the largest degree; `local_sensitivity` is
    what one edge changes here at most. `sets` are the answers 0, 1, 2, ... edges away, where
    they are listed: one column of WXH's Algorithm 1. What has no meaning for degrees is None.
    """

    edges: int
    loops: int
    repeated: int
    strangers: int
    unreadable: int
    largest_degree: int
    beyond: int = 0
    true_count: int | None = None
    local_sensitivity: int | None = None
    mean_errors: Mapping[Method, float] | None = None
    sets: tuple[tuple[int, ...], ...] | None = None

    def __post_init__(self) -> None:
        own(self)

    @classmethod
    def of(
        cls, listed: EdgeList, graph: Network, answer: NetworkAnswer | DegreeAnswer
    ) -> CuratorFigures:
        """The figures of a graph, and of the list that it was read from."""
        rows = (len(listed.first), listed.loops, listed.repeated, listed.strangers,
                listed.unreadable, int(graph.degrees.max(initial=0)))
        kept = graph
        if answer.protect is Protect.NODES:
            assert answer.max_degree is not None
            kept = cut(graph, answer.max_degree)
        beyond = len(graph.first) - len(kept.first)
        if isinstance(answer, DegreeAnswer):
            return cls(*rows, beyond)
        count, level, top = answer.count, answer.level, answer.max_degree
        ways = methods_for(graph.nodes, count) if top is None else (answer.method,)
        errors = {
            way: mean_error(
                graph, count, level, way, max_degree=top,
                radius=answer.radius if way is Method.PRIVACY_FIRST else 0,
            )
            for way in ways
        }
        listable = answer.method is Method.PRIVACY_FIRST and count is not Count.EDGES
        sets = _sets(graph, count, answer.radius) if listable else None
        local = int(ladder_widths(graph, count)[0]) if top is None else None
        return cls(*rows, beyond, count_of(graph, count), local, errors, sets)

    def as_json(self) -> dict[str, Any]:
        """All figures by name."""
        parts = {name: figure for name, figure in vars(self).items() if name != "mean_errors"}
        errors = (self.mean_errors or {}).items()
        return parts | {f"{way.replace('-', '_')}_mean_error": error for way, error in errors}


    def table(self) -> Table:
        """The figures for people, with a warning."""
        errors = [f"{way} {error:.6g}" for way, error in (self.mean_errors or {}).items()]
        local, beyond = self.local_sensitivity, self.beyond
        rows: list[tuple[str, object]] = [
            ("true count", self.true_count),
            ("edges", f"{self.edges:,}, {beyond:,} of them beyond the largest degree"
             if beyond else self.edges),
            ("largest degree", self.largest_degree),
            ("left out", f"{self.strangers:,} rows that name another id, {self.unreadable:,} "
             f"without two ids, {self.loops:,} loops, {self.repeated:,} repeated"),
            ("one edge here", None if local is None else f"changes the count by up to {local:,}"),
            ("mean error here", ", ".join(errors) or None),
            *((f"{t} edges away", ", ".join(map(str, answers)) or "nothing")
              for t, answers in enumerate(self.sets or ())),
        ]
        columns = Column(None, "figure", words=True), Column(None, "value", words=True)
        return Table(None, "Curator only, not private:", columns,
                     tuple(row for row in rows if row[1] is not None), listed=0)


def _sets(graph: Network, count: Count, radius: int) -> tuple[tuple[int, ...], ...]:
    values, steps = steps_to_counts(graph, count, radius)
    return tuple(
        tuple(values[steps == t].tolist()) for t in range(int(np.max(steps)) + 1)
    )


@dataclass(frozen=True)
class EdgeRelease:
    """An answer released from a file of edges, which nodes are public and how rows were read."""

    answer: NetworkAnswer | DegreeAnswer
    node_set: str
    curator: CuratorFigures | None
    directed: Directed | None = None

    @property
    def edges_are(self) -> str:
        """Which pairs of nodes are edges, as declared."""
        match self.directed:
            case None:
                return "pairs in a row, without direction"
            case Directed.EITHER:
                return "pairs with an arrow either way; a pair is protected, arrows and all"
            case Directed.BOTH:
                return "pairs with arrows both ways; a pair is protected, arrows and all"
            case _:
                assert_never(self.directed)

    def facts(self) -> Facts:
        """The answer, the public nodes, how rows became edges, and the curator's figures."""
        return self.answer.facts().also(
            Fact("node_set", "public nodes", self.node_set, detail=True),
            Fact("edges_are", "edges", self.edges_are, detail=True),
            *data(directed=self.directed, curator=self.curator),
            *([] if self.curator is None else [self.curator.table()]),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def release_edges(
    edges: StrPath,
    nodes: NodeSet,
    count: Statistic | Count | str,
    level: Level | Number,
    *,
    method: Method | str | None = None,
    protect: Protect | str = Protect.EDGES,
    max_degree: int | None = None,
    radius: int = 0,
    header: bool = False,
    directed: Directed | str | None = None,
    curator: bool = False,
    source: Source = SYSTEM,
    account: Account | None = None,
) -> EdgeRelease:
    """A count or the degrees of the graph in a file of edges, released at the level.

    Which nodes there are is declared and public; rows that name others are left out. With
    `curator`, the figures that depend on the edges are told beside it: they are not private.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "ring.csv").write_text("1,2\\n2,3\\n3,4\\n4,1\\n")
    ...     found = release_edges(Path(folder, "ring.csv"), NodeSet.between(1, 4), "edges", 1)
    >>> 0 <= found.answer.answer <= 6, found.node_set
    (True, 'the ids 1 to 4')
    """
    statistic, level = member_of(Statistic, str(count), "count"), Level.positive(level)
    check_nodes(nodes.size)
    check_protection(protect, max_degree)
    degrees = statistic is Statistic.DEGREES
    if degrees:
        _check_degrees(method, radius, max_degree)
    listed = read_edges(edges, nodes, header=header, directed=directed)
    graph = Network(listed.nodes, listed.first, listed.second)
    answer: NetworkAnswer | DegreeAnswer
    if degrees and max_degree is not None:
        answer = release_degrees(
            graph, level, max_degree=max_degree, protect=protect, source=source,
            account=account,
        )
    else:
        answer = release_count(
            graph, Count(statistic.value), level, method, source,
            protect=protect, max_degree=max_degree, radius=radius, account=account,
        )
    private = CuratorFigures.of(listed, graph, answer) if curator else None
    pairs = None if directed is None else member_of(Directed, directed)
    return EdgeRelease(answer, nodes.origin, private, pairs)


def _check_degrees(method: Method | str | None, radius: int, max_degree: int | None) -> None:
    """Refuse what degrees cannot be released with."""
    if max_degree is None:
        raise BadInput(
            "degrees need the largest that is told apart (max_degree), declared without looking "
            "at the graph."
        )
    if method is not None and member_of(Method, method) is not Method.GLOBAL:
        raise Infeasible(f"the method {method} is not offered for degrees; global is.")
    if radius:
        raise BadInput("degrees have no radius; the method privacy-first for counts has.")
