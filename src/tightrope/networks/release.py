"""One count of a graph, released with edge or node privacy, of a graph or of a file of edges.

An answer is public in all its parts. Other figures depend on the edges: the true count, the error
for this very graph, the rows that were left out. They are for the curator alone. Where nodes are
protected, edges beyond a declared largest degree are left out before anything is counted; whether
there are any changes nothing but the answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, Context
from functools import cached_property

from tightrope.choices import Count, Method, Protect, member_of
from tightrope.errors import BadInput
from tightrope.exact import Level, Number
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.ledger import Account, Booked, drawn_once
from tightrope.networks.declared import check_level, check_protection, protected_unit
from tightrope.networks.describing import MORE, graph_facts
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

    @property
    def protect(self) -> Protect:
        """The unit of privacy: an edge or a node."""
        return Protect.EDGES if self.max_degree is None else Protect.NODES

    @property
    def certified(self) -> Certified:
        """The mechanism that it was drawn from, proved: it depends on public figures alone."""
        return certified(
            count_mechanism(self.nodes, self.count, self.level, self.method,
                            radius=self.radius, max_degree=self.max_degree),
            self.level,
        )

    @cached_property
    def worst_mean_error(self) -> float:
        """The largest mean error over all graphs on these nodes."""
        return worst_mean_error(
            self.nodes, self.count, self.level, self.method,
            radius=self.radius, max_degree=self.max_degree,
        )

    def facts(self) -> Facts:
        """The count and its error, then the level, what is protected, and the method."""
        error = self.worst_mean_error
        noise = " (may be noise, below its error)" if self.answer <= error else ""
        method = f"{self.method.value}, radius {self.radius}" if self.radius else self.method
        return Facts(
            "NetworkAnswer",
            f"{self.count}: {self.answer:,}{noise}",
            (
                *data(answer=self.answer),
                Fact("worst_mean_error", "mean error", Shown(
                    error, f"at most {_round_up(error)}, whatever the edges")),
                *graph_facts(self),
                Fact("method", "method", Shown(self.method, str(method)), detail=True),
                Fact("largest", "range", Shown(self.largest, f"0 to {self.largest:,}"),
                     detail=True),
                *data(count=self.count, radius=self.radius),
            ),
            (MORE,),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def _round_up(value: float) -> str:
    """A bound in four digits that still is one.

    >>> _round_up(2.00001), _round_up(123456.0)
    ('2.001', '1.235e+05')
    """
    short = Context(prec=4, rounding=ROUND_CEILING).create_decimal_from_float(value)
    return f"{float(short):.4g}"


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

    Returns
    -------
    NetworkAnswer, whose `answer` is a whole number from 0 to the largest count possible.

    Raises
    ------
    BadInput
        if the count, method or level cannot be used, or a largest degree is missing or
        stated where edges are protected.
    Infeasible
        if triangles are asked for where nodes are protected.
    Refused
        if the account has too little left, or is for something else.

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
    level = check_level(level_of(epsilon, ratio=ratio))
    count = member_of(Count, count)
    protect = check_protection(protect, max_degree)
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
    drawn, booked = drawn_once(proved, network, f"network:{count.value}", account,
                               source=source, **protected_unit(network.nodes, protect))
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
