"""The facts that a count and the degrees of a graph share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tightrope.characters import shorten
from tightrope.choices import Protect
from tightrope.facts import Fact, Shown, data
from tightrope.ledger import booked_fact

if TYPE_CHECKING:
    from tightrope.networks.degrees import DegreeAnswer
    from tightrope.networks.release import NetworkAnswer

MORE: Final = "Releasing more of the same graph adds its ε to this one."


def graph_facts(answer: NetworkAnswer | DegreeAnswer) -> tuple[Fact, ...]:
    """The level, what is protected, the nodes, the proof and the books."""
    level = answer.level
    return (
        Fact("epsilon", "level", Shown(float(level), f"ε = {shorten(level.text)}")),
        Fact("neighbors", "protects", answer.neighbors),
        Fact("nodes", "nodes", answer.nodes, detail=True),
        Fact("max_degree", "cut", None if answer.max_degree is None else Shown(
            answer.max_degree, _cut(answer)), detail=True),
        Fact("evidence", "proof", answer.evidence, meaning=answer.statement, detail=True),
        *data(epsilon_text=level.text, protect=answer.protect, statement=answer.statement),
        booked_fact(answer.booked),
    )


def _cut(answer: NetworkAnswer | DegreeAnswer) -> str:
    """The treatment of large degrees, whether there are any or not."""
    if answer.protect is Protect.NODES:
        return (f"edges beyond {answer.max_degree:,} at a node are left out first; answer and "
                "error are about what is left, and whether anything was left out is not told")
    return f"degrees from {answer.max_degree:,} on are counted as {answer.max_degree:,}"
