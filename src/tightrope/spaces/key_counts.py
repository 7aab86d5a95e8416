"""Tables in which units have keys that nobody listed: how many units have each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tightrope.errors import BadInput
from tightrope.exact import own_numbers

Key = str | tuple[str, ...]

MOST_TOUCHED = 10_000
"""Keys in which neighbors differ."""


@dataclass(frozen=True)
class KeyCounts:
    """How many units have each key; the keys themselves are not declared.

    Neighbors differ in at most `touched` keys, by one unit in each. A key that no unit has is
    not there.

    >>> KeyCounts(touched=2).relation
    'tables in which at most 2 keys have one unit more or less; keys are not listed'
    """

    touched: int
    family: ClassVar[str] = "key-counts"

    def __post_init__(self) -> None:
        own_numbers(self, whole=("touched",))
        if not 1 <= self.touched <= MOST_TOUCHED:
            raise BadInput(f"expected from 1 to {MOST_TOUCHED:,} keys in which neighbors differ.")

    @property
    def relation(self) -> str:
        """Which tables are neighbors."""
        keys = "1 key has" if self.touched == 1 else f"{self.touched:,} keys have"
        return f"tables in which at most {keys} one unit more or less; keys are not listed"

    @property
    def text(self) -> str:
        """The datasets in one line."""
        return f"key-counts:touched={self.touched}"

    def describe(self) -> dict[str, Any]:
        """The document form."""
        return {"family": self.family, "touched": self.touched}

    def accept(self, data: object) -> dict[Key, int]:
        """The keys that units have, in the order of their texts; what else there was is not told.
        """
        if not isinstance(data, Mapping) or not all(
            _is_key(key) and type(count) is int and count >= 0 for key, count in data.items()
        ):
            raise BadInput("expected keys, each a text, with the number of units that have it.")
        return {key: data[key] for key in sorted(data, key=_parts) if data[key]}


def _parts(key: Key) -> tuple[str, ...]:
    return (key,) if isinstance(key, str) else key


def _is_key(key: object) -> bool:
    return isinstance(key, str) or (
        isinstance(key, tuple) and len(key) > 0 and all(isinstance(part, str) for part in key))
