"""One count of a graph, released with edge or node privacy, of a graph or of a file of edges.

An answer is public in all its parts. What depends on the edges beside it (the true count, how
far off answers are for this very graph, which rows were left out) is for the curator alone.
Where nodes are protected, edges beyond a declared largest degree are left out before anything
is counted; whether there are any changes nothing but the answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tightrope.characters import shorten
from tightrope.choices import Count, Method, Protect, member_of
from tightrope.errors import BadInput
from tightrope.exact import Level, Number
from tightrope.ledger import Account, Booked, drawn_once
from tightrope.networks.declared import checked_protection, drawable, protected
from tightrope.networks.mean_errors import worst_mean_error
from tightrope.networks.methods import count_mechanism, method_for
from tightrope.privacy import Certified, Evidence, certified, level_of
from tightrope.samplers import SYSTEM, Source
from tightrope.spaces import Network


@dataclass(frozen=True)
class NetworkAnswer:
    """A released count with what is proved of it; every field is public.

    The law that it was drawn from is not among them: it is centered at the true count. With a
    largest degree nodes are protected, and the count is that of the graph cut to it.
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
    radius: int = 0
    max_degree: int | None = None
    booked: Booked | None = None

    def __repr__(self) -> str:
        return (
            f"NetworkAnswer({self.count}: {self.answer:,}, {self.method} noise at "
            f"ε = {shorten(self.level.text)}, {self.protect} protected, {self.nodes:,} nodes)"
        )

    @property
    def protect(self) -> Protect:
        """What neighbors differ in."""
        return Protect.EDGES if self.max_degree is None else Protect.NODES

    @property
    def certified(self) -> Certified:
        """The mechanism that it was drawn from, proved: it depends on public figures alone."""
        return certified(
            count_mechanism(self.nodes, self.count, self.level, self.method,
                            radius=self.radius, max_degree=self.max_degree),
            self.level,
        )

    @property
    def worst_mean_error(self) -> float:
        """What the mean error is at most, whatever the edges."""
        return worst_mean_error(
            self.nodes, self.count, self.level, self.method,
            radius=self.radius, max_degree=self.max_degree,
        )

    def as_json(self) -> dict[str, Any]:
        """All parts, as `tightrope network --json` prints them."""
        return {
            "answer": self.answer,
            "epsilon": float(self.level),
            "epsilon_text": self.level.text,
            "method": self.method.value,
            "count": self.count.value,
            "protect": self.protect.value,
            "max_degree": self.max_degree,
            "radius": self.radius,
            "nodes": self.nodes,
            "largest": self.largest,
            "worst_mean_error": self.worst_mean_error,
            "evidence": self.evidence.value,
            "statement": self.statement,
            "neighbors": self.neighbors,
            "booked": None if self.booked is None else self.booked.as_json(),
        }


def release_count(
    network: Network,
    count: Count | str,
    epsilon: Level | Number | None = None,
    method: Method | str | None = None,
    source: Source = SYSTEM,
    *,
    ratio: Number | None = None,
    protect: Protect | str = Protect.EDGES,
    max_degree: int | None = None,
    radius: int = 0,
    account: Account | None = None,
) -> NetworkAnswer:
    """The count of a graph, released with edge or node privacy at the level.

    Parameters
    ----------
    protect
        `nodes` protects all edges of a node; it needs a largest degree, declared in public,
        beyond which edges are left out. Edges and stars can be counted so, not triangles.
    radius
        The δ of WXH's Theorem 3, for the method `privacy-first`.

    >>> from tightrope.samplers import SeededSource
    >>> import numpy as np
    >>> ring = Network(60, np.arange(59), np.arange(1, 60))
    >>> found = release_count(ring, Count.TRIANGLES, Level.epsilon(1), source=SeededSource(1))
    >>> found.method.value, found.evidence.value, found.answer >= 0
    ('ladder', 'theorem', True)
    >>> found = release_count(ring, "edges", 1, protect="nodes", max_degree=3)
    >>> found.largest, round(found.worst_mean_error, 2)
    (90, 2.91)
    """
    level = drawable(level_of(epsilon, ratio=ratio))
    count = member_of(Count, count)
    protect = checked_protection(protect, max_degree)
    if protect is Protect.EDGES and max_degree is not None:
        raise BadInput("a largest degree is for counts where nodes are protected, and for degrees.")
    if method is not None:
        chosen = member_of(Method, method)
    elif protect is Protect.NODES:
        chosen = Method.GLOBAL
    else:
        chosen = method_for(network.nodes, count)
    mechanism = count_mechanism(
        network.nodes, count, level, chosen, radius=radius, max_degree=max_degree
    )
    proved = certified(mechanism, level)
    drawn, booked = drawn_once(proved, network, f"count of {count.value}", account,
                               source=source, **protected(network.nodes, protect))
    assert isinstance(drawn, int)
    return NetworkAnswer(
        min(max(drawn, 0), mechanism.largest),
        count,
        chosen,
        network.nodes,
        mechanism.largest,
        level,
        proved.certificate.evidence,
        proved.certificate.statement,
        mechanism.space.relation,
        radius,
        max_degree,
        booked,
    )
