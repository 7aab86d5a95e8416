"""Tables whose truth is known: skewed, rare, empty, tied, missing, negative and huge numbers.

Every table has a number `y`, a category `c` with a rare and an empty value, and a group `g` of
which one has no row, one has one, one has five. They are made by a fixed seed, and all cells lie
within what is declared, so that the truth needs no clamping.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

GROUPS = ("none", "one", "five", "many")
VALUES = ("common", "half", "rare", "absent")
ROWS = 60
"""Rows of the group `many`: small, so that noise shows."""


@dataclass(frozen=True)
class Shape:
    """A table and the declaration of its number."""

    name: str
    rows: tuple[dict[str, Any], ...]
    low: int
    high: int
    bins: tuple[int, ...]

    @property
    def columns(self) -> dict[str, list[Any]]:
        return {name: [row[name] for row in self.rows] for name in ("y", "c", "g")}

    @property
    def declaration(self) -> dict[str, Any]:
        return {"dataset": self.name, "columns": {
            "y": {"type": "number", "low": self.low, "high": self.high, "resolution": 1,
                  "bins": list(self.bins)},
            "c": {"type": "category", "values": list(VALUES)},
            "g": {"type": "category", "values": list(GROUPS)}}}

    @property
    def threshold(self) -> int:
        """A bound inside the range, for conditions."""
        return self.bins[len(self.bins) // 2]


def _table(name: str, number: Any, low: int, high: int, *, rows: int = ROWS) -> Shape:
    random = Random(f"shape {name}")
    groups = ["one"] * bool(rows) + ["five"] * 5 * bool(rows) + ["many"] * rows
    made = tuple({"y": number(random), "g": group,
                  "c": random.choices(VALUES, (60, 35, 5, 0))[0]} for group in groups)
    fifth = (high - low) // 5
    return Shape(name, made, low, high, (low, *(low + k * fifth for k in (1, 2, 3, 4)), high))


def shapes() -> tuple[Shape, ...]:
    """All tables."""
    return (
        _table("skewed", lambda r: min(int(r.paretovariate(0.8)) - 1, 1000), 0, 1000),
        _table("rare", lambda r: int(r.random() < 0.05), 0, 10),
        _table("empty", lambda r: 0, 0, 10, rows=0),
        _table("tied", lambda r: 7, 0, 10),
        _table("missing", lambda r: None if r.random() < 0.3 else r.randrange(101), 0, 100),
        _table("negative", lambda r: r.randrange(-100, 51), -100, 50),
        _table("huge", lambda r: r.randrange(10**9 + 1), 0, 10**9),
    )
