"""The protocol of spaces: points, distances, irreducible pairs, neighbors, kernel products.

A space is a finite metric space with at least two points; distances may be infinite, but not
all of them (`components`). Its points are numbered from 0;
indices are what the rest of the library works with, labels are what people see. A space is
a frozen value compared by content, and it never expands what its structure can answer:
only `edges`, `neighbors.pairs`, `kernel_product` and tables enumerate, and those refuse
spaces beyond a stated number of points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol, TypeAlias

import numpy as np

from tightrope.characters import few
from tightrope.errors import BadInput, TooLarge
from tightrope.exact import FloatArray, IntArray, Surd, own

Label: TypeAlias = int | str | tuple["Label", ...]

MOST_POINTS: Final = 10_000_000
"""Points of a space that may be enumerated."""

MOST_PAIRS: Final = 50_000_000
"""Pairs that may be held at once: two arrays of 400 MB."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of indices, each with first < second.

    >>> pairs = Pairs(np.array([0, 1]), np.array([1, 2]))
    >>> len(pairs), list(pairs)
    (2, [(0, 1), (1, 2)])
    """

    first: IntArray
    second: IntArray

    def __post_init__(self) -> None:
        own(self, "first", "second")

    def __len__(self) -> int:
        return len(self.first)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(zip(self.first.tolist(), self.second.tolist(), strict=True))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pairs):
            return NotImplemented
        return np.array_equal(self.first, other.first) and np.array_equal(self.second, other.second)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, eq=False)
class Neighbors:
    """A declared relation: which pairs are protected, in plain words and one by one.

    `span` gives distances between which those of all neighbors lie; both are met, but on
    large graphs with links that are no shortest paths.
    """

    relation: str
    find: Callable[[], Pairs]
    span: Callable[[], tuple[Surd, Surd]]

    @cached_property
    def pairs(self) -> Pairs:
        """The protected pairs, found when first asked for."""
        return self.find()

    @cached_property
    def apart(self) -> tuple[Surd, Surd]:
        """The distances of the nearest and of the farthest neighbors."""
        return self.span()


class Space(Protocol):
    """Finitely many inputs, the points, and a distance between any two.

    Two inputs at distance d are protected by the factor e^(ε d). `path`, `categories`, `grid`
    and others make one, or `tightrope.space` from text. i and j are indices of points.

    `lengths` are doubles with relative error at most `tolerances.LENGTH_ERROR`; everything
    else about distances is exact. `edges` are the irreducible pairs: those at a finite distance
    with no third point z such that d(x, z) + d(z, y) = d(x, y). They imply every other
    constraint of a privacy level. `classes` gives the distinct exact distances of many pairs,
    in increasing order, and for every pair its position among them.

    >>> from tightrope.spaces import path
    >>> space: Space = path(0, 9)
    >>> space.size, space.text, space.points[3], str(space.distance(0, 9)), len(space.edges())
    (10, 'path:0..9', 3, '9', 9)
    """

    @property
    def size(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def points(self) -> Sequence[Label]: ...
    def index(self, point: Label) -> int: ...
    def distance(self, i: int, j: int) -> Surd: ...
    def lengths(self, i: IntArray, j: IntArray) -> FloatArray: ...
    def classes(self, i: IntArray, j: IntArray) -> tuple[list[Surd], IntArray]: ...
    def edges(self) -> Pairs: ...
    @property
    def neighbors(self) -> Neighbors | None: ...
    @property
    def diameter(self) -> Surd: ...
    @property
    def least_distance(self) -> Surd: ...
    def kernel_product(self, epsilon: float, v: FloatArray) -> FloatArray: ...
    def describe(self) -> dict[str, Any]: ...
    def __hash__(self) -> int: ...


@dataclass(frozen=True, eq=False)
class LazyPoints(Sequence[Label]):
    """The points of a space as a sequence that makes each label when it is asked for."""

    size: int
    label: Callable[[int], Label]

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return tuple(self[k] for k in range(self.size)[i])
        position = i + self.size if i < 0 else i
        if not 0 <= position < self.size:
            raise IndexError(f"point {i} of {self.size}")
        return self.label(int(position))

    def __repr__(self) -> str:
        return f"({few(self, self.size)})"


def refuse_above(limit: int, number: int, what: str, instead: str) -> None:
    """Raise `TooLarge` if a number exceeds the limit."""
    if number > limit:
        raise TooLarge(what, number, limit, instead)


def every_index(size: int) -> IntArray:
    """All indices of a space, or `TooLarge` if there are more than may be enumerated."""
    refuse_above(
        MOST_POINTS, size, "the number of points", "use a smaller space, or a coarser grid"
    )
    return np.arange(size, dtype=np.int64)


def plain(label: Label) -> Any:
    """A label as documents hold it: tuples become lists."""
    return [plain(part) for part in label] if isinstance(label, tuple) else label


def own_labels(labels: Any) -> Sequence[Label]:
    """Labels that cannot change: those of a space as they are, others as a tuple.

    >>> own_labels([1, ["a", 2]]), own_labels(range(3))
    ((1, ('a', 2)), range(0, 3))
    """
    if type(labels) in (range, LazyPoints):
        return labels  # type: ignore[no-any-return]
    listed = isinstance(labels, Iterable) and not isinstance(labels, str | bytes | Mapping | set)
    listed = listed and np.ndim(labels) > 0 if isinstance(labels, np.ndarray) else listed
    names = tuple(x if type(x) in (int, str) else label_of(x) for x in labels) if listed else ()
    if listed and not names:
        raise BadInput("expected a list of labels, at least one, found an empty list.")
    if not names or not all(type(x) in (int, str) or _is_label(x) for x in names):
        raise BadInput(
            "expected a list of labels, each a whole number, text or a list of those, "
            f"found {str(labels)[:60]!r}."
        )
    return names


def _is_label(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_label, value))
    return isinstance(value, int | str) and not isinstance(value, bool)


def label_of(value: Any) -> Any:
    """A label as a hashable value: lists and arrays become tuples, whole numbers of any kind ints.

    >>> label_of([1, ["a", 2.0]])
    (1, ('a', 2))
    """
    if isinstance(value, list | tuple):
        return tuple(label_of(part) for part in value)
    if isinstance(value, np.ndarray):
        return label_of(value.tolist())
    if isinstance(value, np.integer | np.str_):
        return value.item()
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return int(value)
    return value
