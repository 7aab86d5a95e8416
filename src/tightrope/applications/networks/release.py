"""One count of a graph, released with edge privacy.

Ladder: rung t lies within the local sensitivities at distances below t of the true count,
and weighs q^-t with q at most e^(ε/2). Global: staircase noise for the most that one edge
can ever change. Smooth: Cauchy noise for the smooth sensitivity. Every answer is then moved
into the range of possible counts, from 0 to that of the complete graph; that costs nothing.
Which method is used is the user's choice, or follows from the public number of nodes: never
from the graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

import numpy as np

from tightrope.applications.networks.counts import (
    Count,
    Network,
    count_of,
    global_sensitivity,
    ladder_widths,
    largest_count,
)
from tightrope.applications.networks.smooth import smooth_factors, smooth_law
from tightrope.choices import member_of
from tightrope.constructions import best_share, integer_staircase
from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level, Surd, sizes
from tightrope.mechanisms import RungLaw
from tightrope.privacy import Evidence, certified_integer_noise
from tightrope.privacy.theorems import Lemma, certified_rungs, certified_smooth
from tightrope.samplers import SYSTEM, Source, draw_answer

FEW_NODES = 50
"""Graphs with fewer nodes get global noise unless the user chooses."""


class Method(StrEnum):
    """How the count is protected."""

    LADDER = "ladder"
    SMOOTH = "smooth"
    GLOBAL = "global"


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


def method_for(nodes: int, count: Count | str) -> Method:
    """The method for a public number of nodes: global noise for edges and for few nodes."""
    if member_of(Count, count) is Count.EDGES or nodes < FEW_NODES:
        return Method.GLOBAL
    return Method.LADDER


def ladder_ratio(level: Level) -> Fraction:
    """q: what a rung more divides the weight by, at or just below e^(ε/2)."""
    return level.pure.scaled(Fraction(1, 2)).ratio_below(Surd.of(1))


def ladder_law(network: Network, count: Count | str, level: Level) -> RungLaw:
    """The ladder around the true count; a curator's figure, not private."""
    widths = ladder_widths(network, count)
    reach = np.concatenate([[0], np.cumsum(widths)])
    value = count_of(network, count)
    return RungLaw(ladder_ratio(level), value - reach, value + reach, int(widths[-1]))


def global_noise(nodes: int, count: Count | str, level: Level) -> RungLaw:
    """Staircase noise for the global sensitivity, with nearly the best first step."""
    reach = global_sensitivity(nodes, count)
    first = max(1, round(best_share(level) * reach))
    return integer_staircase(reach, level, first)


def release_count(
    network: Network,
    count: Count | str,
    level: Level,
    method: Method | str | None = None,
    source: Source = SYSTEM,
) -> NetworkAnswer:
    """The count of a graph, released with edge privacy at the level.

    >>> from tightrope.samplers import SeededSource
    >>> ring = Network(60, np.arange(59), np.arange(1, 60))
    >>> found = release_count(ring, Count.TRIANGLES, Level.epsilon(1), source=SeededSource(1))
    >>> found.method.value, found.evidence.value, found.answer >= 0
    ('ladder', 'theorem', True)
    """
    count = member_of(Count, count)
    least, most = sizes.SMALLEST_DRAWN_EPSILON, sizes.LARGEST_CONE_REACH
    if not least <= float(level) <= most:
        raise BadLevel(f"ε = {level.text}", f"an ε from {least:g} to {most} for graphs")
    chosen = method_for(network.nodes, count) if method is None else member_of(Method, method)
    largest = largest_count(network.nodes, count)
    reach = global_sensitivity(network.nodes, count)
    if not reach:
        raise BadInput(f"every graph on {network.nodes} nodes has 0 {count}: nothing to protect.")
    if chosen is Method.LADDER:
        proved = certified_rungs(ladder_law(network, count, level), level, Lemma.LADDER)
        drawn = draw_answer(proved, source)
    elif chosen is Method.SMOOTH:
        growth, _ = smooth_factors(level)
        proved = certified_smooth(smooth_law(network, count, level), growth, level)
        drawn = draw_answer(proved, source)
    else:
        proved = certified_integer_noise(global_noise(network.nodes, count, level), reach, level)
        drawn = count_of(network, count) + draw_answer(proved, source)
    statement = proved.certificate.statement
    if chosen is Method.GLOBAL:
        statement = f"one edge changes the count by at most {reach:,}; {statement}"
    answer = min(max(drawn, 0), largest)
    return NetworkAnswer(
        answer,
        count,
        chosen,
        network.nodes,
        largest,
        level,
        proved.certificate.evidence,
        statement,
        Lemma.LADDER.neighbors,
    )
