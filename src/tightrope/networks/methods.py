"""How a count of a graph is protected against one edge more or less, or one node rewired.

Ladder: rungs as wide as the local sensitivities, each weighs q^-1 of the one before, q at most
e^(ε/2). Global: staircase noise for the most that one edge can ever change, its first step
nearly the best. Smooth: Cauchy noise for the smooth sensitivity. Privacy first: by how many
edges must change for an answer to be right, within a radius (WXH, Theorems 2 and 3). Where
nodes are protected, global noise for one node of a graph cut to a largest degree. Every answer is
then moved into the range of possible counts, from 0 to the largest; that costs nothing.
Which method is used is the user's choice, or follows from the public number of nodes: never
from the graph.
"""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from tightrope.choices import Count, Method, member_of
from tightrope.constructions import best_share
from tightrope.errors import BadInput, Infeasible
from tightrope.exact import Level, Surd
from tightrope.mechanisms import (
    CountMechanism,
    GlobalCount,
    LadderCount,
    PrivacyFirstCount,
    SmoothCount,
)
from tightrope.spaces import (
    MOST_LISTED_NODES,
    CutGraphs,
    Graphs,
    global_sensitivity,
    node_sensitivity,
)

_ONE = Surd.of(1)

FEW_NODES = 50
"""Graphs with fewer nodes get global noise unless the user chooses."""


def method_for(nodes: int, count: Count | str) -> Method:
    """The method for a public number of nodes: global noise for edges and for few nodes."""
    if member_of(Count, count) is Count.EDGES or nodes < FEW_NODES:
        return Method.GLOBAL
    return Method.LADDER


def methods_for(nodes: int, count: Count | str) -> tuple[Method, ...]:
    """The methods that there are for a public number of nodes, if edges are protected.

    >>> [way.value for way in methods_for(8, "triangles")]
    ['ladder', 'smooth', 'global']
    """
    listed = member_of(Count, count) is Count.EDGES or nodes <= MOST_LISTED_NODES
    return tuple(way for way in Method if listed or way is not Method.PRIVACY_FIRST)


def smooth_factors(level: Level) -> tuple[Fraction, Fraction]:
    """The public factors q and k of a level: how fast S grows, how far f moves.

    q is a short rational number at most e^(ε/8), and k = e^(ε/2)/q, from below, so that
    k² q² is at most e^ε.

    >>> q, k = smooth_factors(Level.epsilon(1))
    >>> q, float(k)
    (Fraction(9, 8), 1.465530018...)
    """
    half = _half(level)
    whole = level.pure.scaled(Fraction(1, 8)).ratio_below(_ONE)
    bottom = 1
    while (growth := Fraction(int(whole * bottom), bottom)) - 1 < (whole - 1) * Fraction(7, 8):
        bottom *= 2
    return growth, half / growth


def count_mechanism(
    nodes: int,
    count: Count | str,
    level: Level,
    method: Method | str,
    *,
    radius: int = 0,
    max_degree: int | None = None,
) -> CountMechanism | PrivacyFirstCount:
    """The mechanism of a method for graphs on so many nodes, at the level or just below.

    With a largest degree graphs are cut to it and nodes are protected, not edges. The radius
    is the δ of Theorem 3, for `privacy-first` alone.

    >>> count_mechanism(60, Count.TRIANGLES, Level.ratio(4), Method.LADDER).ratio
    Fraction(2, 1)
    >>> count_mechanism(60, "edges", Level.ratio(4), "global", max_degree=5).step
    5
    """
    count, method = member_of(Count, count), member_of(Method, method)
    if radius and method is not Method.PRIVACY_FIRST:
        raise BadInput(f"the method {method} has no radius; privacy-first has.")
    if max_degree is not None:
        return _cut_mechanism(CutGraphs(nodes, max_degree), count, level, method)
    graphs = Graphs(nodes)
    match method:
        case Method.LADDER:
            return LadderCount(graphs, count, _half(level))
        case Method.SMOOTH:
            return SmoothCount(graphs, count, *smooth_factors(level))
        case Method.GLOBAL:
            first = max(1, round(best_share(level) * global_sensitivity(nodes, count)))
            return GlobalCount(graphs, count, level.pure.ratio_below(_ONE), first)
        case Method.PRIVACY_FIRST:
            linear = count is Count.EDGES
            ratio = level.pure.ratio_below(_ONE) if linear else _half(level)
            return PrivacyFirstCount(graphs, count, radius, ratio)
        case _ as unknown:
            assert_never(unknown)


def _cut_mechanism(graphs: CutGraphs, count: Count, level: Level, method: Method) -> GlobalCount:
    if count is Count.TRIANGLES:
        raise Infeasible(
            "triangles are not offered where nodes are protected: cutting degrees can change edges "
            "far from a node, and with them more triangles than is known here; edges, stars and "
            "degrees are offered."
        )
    if method is not Method.GLOBAL:
        raise Infeasible(
            f"the method {method} is not offered where nodes are protected; global is."
        )
    step = node_sensitivity(graphs.nodes, count, graphs.degree)
    first = max(1, round(best_share(level) * step))
    return GlobalCount(graphs, count, level.pure.ratio_below(_ONE), first)


def _half(level: Level) -> Fraction:
    """A rational number at or just below e^(ε/2)."""
    return level.pure.scaled(Fraction(1, 2)).ratio_below(_ONE)
