"""How the cells of a lattice are called: integers, tuples, names or subsets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from tightrope.spaces.protocol import Label


def label_to_json(label: Label) -> Any:
    """A label as JSON has it: tuples become lists.

    >>> label_to_json((0, ("red", 1)))
    [0, ['red', 1]]
    """
    return [label_to_json(part) for part in label] if isinstance(label, tuple) else label


class Naming(Protocol):
    """Labels for cells, and back; None for what is not a label."""

    def label(self, cell: tuple[int, ...]) -> Label: ...
    def cell(self, label: Any) -> tuple[int, ...] | None: ...


@dataclass(frozen=True)
class Integers:
    """One axis, called low, low + 1, ..."""

    low: int = 0

    def label(self, cell: tuple[int, ...]) -> Label:
        """The integer of a cell."""
        return cell[0] + self.low

    def cell(self, label: Any) -> tuple[int, ...] | None:
        """The cell of an integer."""
        return (label - self.low,) if is_integer(label) else None


@dataclass(frozen=True)
class Tuples:
    """The cells themselves."""

    def label(self, cell: tuple[int, ...]) -> Label:
        """The cell."""
        return cell

    def cell(self, label: Any) -> tuple[int, ...] | None:
        """The cell, if the label is a tuple of integers."""
        if isinstance(label, tuple) and all(is_integer(part) for part in label):
            return label
        return None


@dataclass(frozen=True)
class Names:
    """One axis, whose values have names."""

    names: tuple[str, ...]

    def label(self, cell: tuple[int, ...]) -> Label:
        """The name of a cell."""
        return self.names[cell[0]]

    def cell(self, label: Any) -> tuple[int, ...] | None:
        """The cell of a name."""
        place = self._order.get(label) if isinstance(label, str) else None
        return None if place is None else (place,)

    @cached_property
    def _order(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}


@dataclass(frozen=True)
class Subsets:
    """Cells of zeros and ones; the last axis says whether item 0 is in the subset.

    >>> Subsets(3).label((1, 0, 1)), Subsets(3).cell((0, 2))
    ((0, 2), (1, 0, 1))
    """

    items: int

    def label(self, cell: tuple[int, ...]) -> Label:
        """The items of a subset in increasing order."""
        return tuple(item for item, bit in enumerate(reversed(cell)) if bit)

    def cell(self, label: Any) -> tuple[int, ...] | None:
        """The cell of an increasing tuple of items."""
        if not isinstance(label, tuple) or not all(is_integer(item) for item in label):
            return None
        inside = set(label)
        if label != tuple(sorted(inside)) or not inside <= set(range(self.items)):
            return None
        return tuple(int(item in inside) for item in reversed(range(self.items)))


def is_integer(value: object) -> bool:
    """Whether a label is an integer; booleans are not."""
    return isinstance(value, int) and not isinstance(value, bool)
