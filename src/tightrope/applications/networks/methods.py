"""How a count of a graph is protected against one edge more or less.

Ladder: rungs as wide as the local sensitivities, each weighs q^-1 of the one before, q at most
e^(ε/2). Global: staircase noise for the most that one edge can ever change, its first step
nearly the best. Smooth: Cauchy noise for the smooth sensitivity. Every answer is then moved
into the range of possible counts, from 0 to that of the complete graph; that costs nothing.
Which method is used is the user's choice, or follows from the public number of nodes: never
from the graph.
"""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from tightrope.choices import Count, Method, member_of
from tightrope.constructions import best_share
from tightrope.exact import Level, Surd
from tightrope.mechanisms import CountMechanism, GlobalCount, LadderCount, SmoothCount
from tightrope.spaces import Graphs, global_sensitivity

_ONE = Surd.of(1)

FEW_NODES = 50
"""Graphs with fewer nodes get global noise unless the user chooses."""


def method_for(nodes: int, count: Count | str) -> Method:
    """The method for a public number of nodes: global noise for edges and for few nodes."""
    if member_of(Count, count) is Count.EDGES or nodes < FEW_NODES:
        return Method.GLOBAL
    return Method.LADDER


def smooth_factors(level: Level) -> tuple[Fraction, Fraction]:
    """The public factors q and k of a level: how fast S grows, how far f moves.

    q is a short rational number at most e^(ε/8), and k = e^(ε/2)/q, from below, so that
    k² q² is at most e^ε.

    >>> q, k = smooth_factors(Level.epsilon(1))
    >>> q, float(k)
    (Fraction(9, 8), 1.465530018...)
    """
    half = level.pure.scaled(Fraction(1, 2)).ratio_below(_ONE)
    whole = level.pure.scaled(Fraction(1, 8)).ratio_below(_ONE)
    bottom = 1
    while (growth := Fraction(int(whole * bottom), bottom)) - 1 < (whole - 1) * Fraction(7, 8):
        bottom *= 2
    return growth, half / growth


def count_mechanism(
    nodes: int, count: Count | str, level: Level, method: Method | str
) -> CountMechanism:
    """The mechanism of a method for graphs on so many nodes, at the level or just below.

    >>> count_mechanism(60, Count.TRIANGLES, Level.ratio(4), Method.LADDER).ratio
    Fraction(2, 1)
    """
    graphs, count = Graphs(nodes), member_of(Count, count)
    match member_of(Method, method):
        case Method.LADDER:
            ratio = level.pure.scaled(Fraction(1, 2)).ratio_below(_ONE)
            return LadderCount(graphs, count, ratio)
        case Method.SMOOTH:
            return SmoothCount(graphs, count, *smooth_factors(level))
        case Method.GLOBAL:
            first = max(1, round(best_share(level) * global_sensitivity(nodes, count)))
            return GlobalCount(graphs, count, level.pure.ratio_below(_ONE), first)
        case _ as unknown:
            assert_never(unknown)
