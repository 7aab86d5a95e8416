"""The facts that a count and the degrees of a graph share."""

from __future__ import annotations

from typing import Final, Protocol

from tightrope.characters import shorten
from tightrope.choices import Protect
from tightrope.exact import Level
from tightrope.facts import Fact, Shown, data
from tightrope.ledger import Booked, booked_fact
from tightrope.privacy import Evidence

MORE: Final = "Releasing more of the same graph adds its ε to this one."


class GraphAnswer(Protocol):
    """Released numbers of a graph; every field is public."""

    @property
    def nodes(self) -> int: ...
    @property
    def max_degree(self) -> int | None: ...
    @property
    def protect(self) -> Protect: ...
    @property
    def level(self) -> Level: ...
    @property
    def evidence(self) -> Evidence: ...
    @property
    def statement(self) -> str: ...
    @property
    def neighbors(self) -> str: ...
    @property
    def booked(self) -> Booked | None: ...


def graph_facts(answer: GraphAnswer) -> tuple[Fact, ...]:
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


def _cut(answer: GraphAnswer) -> str:
    """The treatment of large degrees, whether there are any or not."""
    if answer.protect is Protect.NODES:
        return (f"edges beyond {answer.max_degree:,} at a node are left out first; answer and "
                "error are about what is left, and whether anything was left out is not told")
    return f"degrees from {answer.max_degree:,} on are counted as {answer.max_degree:,}"
