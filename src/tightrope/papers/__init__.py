"""The source papers, item by item: published, found, verdict, reason.

A new item is a small module with an `ITEM`, listed in the front door of its paper.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from tightrope.errors import BadInput
from tightrope.papers import ecp, h16, kl10, klpc, wxh
from tightrope.papers.item import Attempt, Finding, Item, Reproduction, Verdict

__all__ = ["Attempt", "Finding", "Item", "Reproduction", "Verdict", "items", "reproduce"]


def items() -> tuple[Item, ...]:
    """Every item of every paper, in order."""
    return (*ecp.ITEMS, *h16.ITEMS, *kl10.ITEMS, *klpc.ITEMS, *wxh.ITEMS)


def reproduce(
    what: str | None = None,
    *,
    during: Callable[[str], AbstractContextManager[object]] = nullcontext,
) -> Reproduction:
    """Published figures tried again: all of them, those of one paper, or one item of it.

    Every item runs inside `during(its name)`, for whoever wants to show what goes on.

    >>> found = reproduce("kl10/proposition-2.1.4")
    >>> found.drifted, found.attempts[0].finding.verdict.value
    (0, 'confirmed')
    """
    attempts = []
    for item in _chosen(what):
        with during(f"{item.paper}/{item.name}"):
            attempts.append(Attempt(item, item.run()))
    return Reproduction(tuple(attempts))


def _chosen(what: str | None) -> tuple[Item, ...]:
    known = items()
    if what is None:
        return known
    paper, _, name = what.partition("/")
    found = tuple(item for item in known if item.paper == paper and name in ("", item.name))
    if not found:
        listed = ", ".join(f"{item.paper}/{item.name}" for item in known)
        raise BadInput(f"there is no item {what!r}; the known ones are {listed}.")
    return found
