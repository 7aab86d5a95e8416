"""A release as a document that may be published whole."""

from __future__ import annotations

import json
from typing import Any

from tightrope.data.files import StrPath, read_text
from tightrope.errors import BadDocument


def read_entry(path: StrPath) -> dict[str, Any]:
    """The entry of the ledger that a release prints."""
    try:
        held = json.loads(read_text(path))
    except (ValueError, RecursionError):
        held = None
    entry = held.get("entry") if isinstance(held, dict) else None
    if not isinstance(entry, dict):
        raise BadDocument(f"{path} is no release with an entry of a ledger.")
    return entry
