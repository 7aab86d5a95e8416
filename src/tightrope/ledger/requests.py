"""Requests by name: asked again, one is answered as before, and only if it asks the very same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tightrope.errors import Refused
from tightrope.ledger.entries import Charge, Record

_SUMS = {"spent", "asker_spent"}


def another_question(request: str | None) -> Refused:
    """The refusal of a request whose name was used for something else."""
    return Refused(f"the request {request!r} was another question. Nothing was spent.")


def refuse_another(entry: Record, charge: Charge) -> None:
    """Refuse a charge that is not the one which was made by the name of its request."""
    other = _differences(entry.body, charge.as_json()) - _SUMS
    if other == {"asker"}:
        asker = entry.body.get("asker")
        who = "nobody that is named" if asker is None else asker
        raise Refused(f"the request {charge.request!r} was asked by {who}; ask under another name "
                      "of a request. Nothing was spent.")
    if other == {"law"}:  # a search elsewhere may end in other last digits
        raise Refused(f"the request {charge.request!r} asked the same and was drawn from another "
                      f"law, as it was found then; its answer stands with entry {entry.number}, "
                      "and is not drawn again. Nothing was spent.")
    if "declaration" in other and not other & {"question", "parts"}:
        raise Refused(f"the request {charge.request!r} was asked under another declaration. "
                      "Nothing was spent.")
    if other:
        raise another_question(charge.request)


def _differences(first: Mapping[str, Any], other: Mapping[str, Any]) -> set[str]:
    """The names whose values are not the same in both."""
    return {name for name in {*first, *other} if first.get(name) != other.get(name)}
