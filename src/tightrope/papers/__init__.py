"""The source papers, item by item: published, found, verdict, reason.

A new item is a small module with an `ITEM`, listed in the front door of its paper and in the
table docs/reference/papers.toml.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

from tightrope.errors import BadInput
from tightrope.papers import ecp, h16, kl10, klpc, wxh
from tightrope.papers.item import Attempt, Contents, Item, Reproduction, Verdict
from tightrope.papers.naming import choose, choose_pictured, settings
from tightrope.papers.pages import report

__all__ = [
    "Verdict",
    "contents",
    "items",
    "pictured",
    "report",
    "reproduce",
]


def items() -> tuple[Item, ...]:
    """Every item of every paper, in order."""
    return (*ecp.ITEMS, *h16.ITEMS, *kl10.ITEMS, *klpc.ITEMS, *wxh.ITEMS)


def contents(what: str | None = None) -> Contents:
    """The items that can be tried again: all of them, those of one paper, or one item of it.

    >>> [item.title for item in contents("KL10 Proposition 2.1.4").items]
    ["The attacker's log-odds"]
    """
    return Contents(choose(what, items()))


def pictured(what: str | None) -> Item:
    """The one item that a text names, if a picture can be drawn of it.

    Raises: `BadInput` otherwise, with the items that have pictures.

    >>> pictured("ECP Figure 4").key
    'ecp/figure-4'
    """
    return choose_pictured(what, items())


def reproduce(
    what: str | None = None,
    *,
    changes: Sequence[str] = (),
    during: Callable[[str], AbstractContextManager[object]] = nullcontext,
) -> Reproduction:
    """Published figures tried again: all of them, those of one paper, or one item of it.

    `changes` are texts `name=value` that replace parameters of the paper, for one item. Every
    item runs inside `during(its name)`, for whoever wants to show what goes on. `figure()` of the
    result draws what the run of one item computed; `report` makes a page of all of it.

    >>> found = reproduce("KL10 Proposition 2.1.4")
    >>> found.drifted, found.attempts[0].finding.verdict.value
    (0, 'confirmed')
    """
    named = choose(what, items())
    if changes and len(named) > 1:
        raise BadInput("parameters are changed for one item at a time; name that item.")
    attempts = []
    for number, item in enumerate(named, start=1):
        changed = settings(item, changes)
        with during(f"{item.key}, {number} of {len(named)}"):
            attempts.append(Attempt(item, item.run(**changed), changed))
    return Reproduction(tuple(attempts))
