"""A release as a document that may be published whole."""

from __future__ import annotations

import json
from typing import Any

from tightrope.data.files import StrPath, read_text
from tightrope.data.ledger import level_from
from tightrope.errors import AnswerIsNo, BadDocument


def read_entry(path: StrPath) -> dict[str, Any]:
    """The entry of the ledger that a release prints, and that the release itself agrees with.

    Raises
    ------
    AnswerIsNo
        If the release states another question, mechanism, declaration, number or level.
    """
    try:
        held = json.loads(read_text(path))
    except (ValueError, RecursionError):
        held = None
    entry = held.get("entry") if isinstance(held, dict) else None
    if not isinstance(entry, dict):
        raise BadDocument(f"{path} is no release with an entry of a ledger.")
    assert isinstance(held, dict)
    charged = {**{name: entry.get(name) for name in ("question", "mechanism", "declaration")},
               "ledger_entry": entry.get("number"), **level_from(entry.get("level")).as_json()}
    for name, value in charged.items():
        if held.get(name) != value:
            raise AnswerIsNo(f"{path} was changed: its {name} is not that of its entry.")
    return entry
