"""Columns of texts that nobody listed: their values are keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tightrope.characters import control_in
from tightrope.declarations.cells import as_text
from tightrope.declarations.columns import AnyColumn
from tightrope.errors import BadInput

LONGEST_KEY, MOST_CHARACTERS = 100, 10_000
"""Characters of a key that is not declared: if nothing is stated, and at most."""


@dataclass(frozen=True)
class TextColumn(AnyColumn):
    """Texts that nobody listed: they are counted by, as keys, and compared in conditions.

    A key is the text of a cell, of at most `longest` characters. A longer one, or one with a
    character that no name may hold, is left out, as a missing cell is.

    >>> drug = TextColumn(longest=10)
    >>> [drug.key(cell) for cell in ("aspirin", 3.0, chr(27), "x" * 11)]
    ['aspirin', '3', None, None]
    """

    longest: int = LONGEST_KEY

    def __post_init__(self) -> None:
        if type(self.longest) is not int or not 1 <= self.longest <= MOST_CHARACTERS:
            raise BadInput(f"the longest key is a whole number of characters from 1 to "
                           f"{MOST_CHARACTERS:,}.")

    def key(self, cell: Any) -> str | None:
        """The key of a cell; None if it is left out."""
        text = as_text(cell)
        if text is None or len(text) > self.longest or control_in(text) is not None:
            return None
        return text

    def as_json(self) -> dict[str, Any]:
        """The column as a declaration holds it."""
        return {"type": "text", "longest": self.longest}
