"""One count of a graph, released with edge privacy: of a graph at hand, or of a file of edges.

An answer is public in all its parts. What depends on the edges beside it (the true count, how
far off answers are for this very graph, which rows were left out) is for the curator alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tightrope.applications.networks.mean_errors import mean_error, worst_mean_error
from tightrope.applications.networks.methods import count_mechanism, method_for
from tightrope.choices import Count, Method, member_of
from tightrope.data import EdgeList, NodeSet, StrPath, read_edges
from tightrope.errors import BadLevel
from tightrope.exact import Level, Number, own, sizes
from tightrope.privacy import Evidence, certified
from tightrope.samplers import SYSTEM, Source, draw
from tightrope.spaces import Graphs, Network, check_nodes, count_of, ladder_widths, largest_count


@dataclass(frozen=True)
class NetworkAnswer:
    """A released count with what is proved of it; every field is public.

    The law that it was drawn from is not among them: it is centered at the true count.
    """

    answer: int
    count: Count
    method: Method
    nodes: int
    largest: int
    level: Level
    evidence: Evidence
    statement: str
    neighbors: str

    @property
    def worst_mean_error(self) -> float:
        """What the mean error is at most, whatever the edges."""
        return worst_mean_error(self.nodes, self.count, self.level, self.method)

    def as_json(self) -> dict[str, Any]:
        """All parts, as `tightrope network --json` prints them."""
        return {
            "answer": self.answer,
            "epsilon": float(self.level),
            "epsilon_text": self.level.text,
            "method": self.method.value,
            "count": self.count.value,
            "nodes": self.nodes,
            "largest": self.largest,
            "worst_mean_error": self.worst_mean_error,
            "evidence": self.evidence.value,
            "statement": self.statement,
            "neighbors": self.neighbors,
        }


@dataclass(frozen=True)
class CuratorFigures:
    """Figures that depend on the edges: for the curator only, not private.

    `loops`, `repeated`, `strangers` and `unreadable` count the rows of a file that were left
    out (see `EdgeList`); `local_sensitivity` is what one edge changes here at most.
    """

    true_count: int
    edges: int
    loops: int
    repeated: int
    strangers: int
    unreadable: int
    local_sensitivity: int
    mean_errors: Mapping[Method, float]

    def __post_init__(self) -> None:
        own(self)

    @classmethod
    def of(cls, listed: EdgeList, graph: Network, count: Count, level: Level) -> CuratorFigures:
        """The figures of a graph, and of the list that it was read from."""
        return cls(
            count_of(graph, count),
            len(listed.first),
            listed.loops,
            listed.repeated,
            listed.strangers,
            listed.unreadable,
            int(ladder_widths(graph, count)[0]),
            {method: mean_error(graph, count, level, method) for method in Method},
        )

    def as_json(self) -> dict[str, Any]:
        """All figures by name."""
        parts = {name: held for name, held in vars(self).items() if name != "mean_errors"}
        return parts | {f"{way}_mean_error": error for way, error in self.mean_errors.items()}


@dataclass(frozen=True)
class EdgeRelease:
    """A count released from a file of edges: the answer, and which nodes are public."""

    answer: NetworkAnswer
    node_set: str
    curator: CuratorFigures | None

    def as_json(self) -> dict[str, Any]:
        """The object that `tightrope network --json` prints."""
        private = None if self.curator is None else self.curator.as_json()
        return {**self.answer.as_json(), "node_set": self.node_set, "curator": private}


def release_count(
    network: Network,
    count: Count | str,
    level: Level | Number,
    method: Method | str | None = None,
    source: Source = SYSTEM,
) -> NetworkAnswer:
    """The count of a graph, released with edge privacy at the level.

    >>> from tightrope.samplers import SeededSource
    >>> import numpy as np
    >>> ring = Network(60, np.arange(59), np.arange(1, 60))
    >>> found = release_count(ring, Count.TRIANGLES, Level.epsilon(1), source=SeededSource(1))
    >>> found.method.value, found.evidence.value, found.answer >= 0
    ('ladder', 'theorem', True)
    """
    level = Level.of(level)
    count = member_of(Count, count)
    least, most = sizes.SMALLEST_DRAWN_EPSILON, sizes.LARGEST_CONE_REACH
    if not least <= float(level) <= most:
        raise BadLevel(f"ε = {level.text}", f"an ε from {least:g} to {most} for graphs")
    chosen = method_for(network.nodes, count) if method is None else member_of(Method, method)
    proved = certified(count_mechanism(network.nodes, count, level, chosen), level)
    largest = largest_count(network.nodes, count)
    drawn = draw(proved, network, source)
    assert isinstance(drawn, int)
    return NetworkAnswer(
        min(max(drawn, 0), largest),
        count,
        chosen,
        network.nodes,
        largest,
        level,
        proved.certificate.evidence,
        proved.certificate.statement,
        Graphs.relation,
    )


def release_edges(
    edges: StrPath,
    nodes: NodeSet,
    count: Count | str,
    level: Level | Number,
    *,
    method: Method | str | None = None,
    header: bool = False,
    curator: bool = False,
    source: Source = SYSTEM,
) -> EdgeRelease:
    """The count of the graph in a file of edges, released with edge privacy at the level.

    Which nodes there are is declared and public; rows that name others are left out. With
    `curator`, the figures that depend on the edges are told beside it: they are not private.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "ring.csv").write_text("1,2\\n2,3\\n3,4\\n4,1\\n")
    ...     found = release_edges(Path(folder, "ring.csv"), NodeSet.numbered(4), "edges", 1)
    >>> 0 <= found.answer.answer <= 6, found.node_set
    (True, 'the ids 1 to 4')
    """
    count, level = member_of(Count, count), Level.of(level)
    check_nodes(nodes.size)
    listed = read_edges(edges, nodes, header=header)
    graph = Network(listed.nodes, listed.first, listed.second)
    answer = release_count(graph, count, level, method, source)
    private = CuratorFigures.of(listed, graph, count, level) if curator else None
    return EdgeRelease(answer, nodes.origin, private)
