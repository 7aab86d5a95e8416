"""What is declared of a graph before anything of it is read: the level, what is protected."""

from __future__ import annotations

from tightrope.choices import Protect, member_of
from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level, Number, sizes


def drawable(level: Level | Number) -> Level:
    """The level, if answers of graphs can be drawn at it.

    >>> drawable("1/2").text
    '0.5'
    """
    found = Level.positive(level)
    least, most = sizes.SMALLEST_DRAWN_EPSILON, sizes.LARGEST_CONE_REACH
    if not least <= float(found) <= most:
        raise BadLevel(f"ε = {found.text}", f"an ε from {least:g} to {most} for graphs")
    return found


def checked_protection(protect: Protect | str, max_degree: int | None) -> Protect:
    """What is protected; nodes need a largest degree.

    >>> checked_protection("nodes", 5)
    <Protect.NODES: 'nodes'>
    """
    found = member_of(Protect, protect)
    if found is Protect.NODES and max_degree is None:
        raise BadInput(
            "protecting nodes needs a largest degree (max_degree), declared without looking at "
            "the graph: edges beyond it are left out."
        )
    return found


def protected(nodes: int, protect: Protect) -> dict[str, str]:
    """Whom a count of a graph protects, as budgets state it.

    >>> protected(77, Protect.EDGES)
    {'unit': 'edge', 'neighbors': 'add-remove:nodes=77'}
    """
    if protect is Protect.EDGES:
        return {"unit": "edge", "neighbors": f"add-remove:nodes={nodes}"}
    return {"unit": "node", "neighbors": f"rewire:nodes={nodes}"}
