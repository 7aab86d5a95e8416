"""Declarations on a graph, checked before it is read: the level, and what is protected."""

from __future__ import annotations

from tightrope.choices import Protect, member_of
from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level, Number, sizes


def check_level(level: Level | Number) -> Level:
    """The level, if answers of graphs can be drawn at it.

    >>> check_level("1/2").text
    '0.5'
    """
    level = Level.positive(level)
    least, most = sizes.SMALLEST_DRAWN_EPSILON, sizes.LARGEST_CONE_REACH
    if not least <= float(level) <= most:
        raise BadLevel(f"ε = {level.text}", f"an ε from {least:g} to {most} for graphs")
    return level


def check_protection(protect: Protect | str, max_degree: int | None) -> Protect:
    """Whether edges or nodes are protected; nodes need a largest degree.

    >>> check_protection("nodes", 5)
    <Protect.NODES: 'nodes'>
    """
    chosen = member_of(Protect, protect)
    if chosen is Protect.NODES and max_degree is None:
        raise BadInput(
            "protecting nodes needs a largest degree (max_degree), declared without looking at "
            "the graph: edges beyond it are left out."
        )
    return chosen


def protected_unit(nodes: int, protect: Protect) -> dict[str, str]:
    """The unit of privacy and the neighbors of a count of a graph, as budgets state them.

    >>> protected_unit(77, Protect.EDGES)
    {'unit': 'edge', 'neighbors': 'add-remove:nodes=77'}
    """
    if protect is Protect.EDGES:
        return {"unit": "edge", "neighbors": f"add-remove:nodes={nodes}"}
    return {"unit": "node", "neighbors": f"rewire:nodes={nodes}"}
