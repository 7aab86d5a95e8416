"""Which ordered pairs of inputs are protected, whatever their distance (KL10, Section 2).

A privacy relation R is a set of ordered pairs of different inputs. It may be directed (to
protect i from being told from j is not to protect j from i) and need not be connected.
Neighbors of a space are such a relation, both ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tightrope.errors import BadInput
from tightrope.spaces.directed import Directed
from tightrope.spaces.protocol import Label, Space, label_of, own_labels


@dataclass(frozen=True)
class Relation:
    """Ordered pairs of inputs, by their positions in `points`.

    >>> chain = Relation.of("abcd", [("a", "b"), ("b", "a"), ("c", "d")])
    >>> chain.pairs, chain.symmetric, chain.components
    (((0, 1), (1, 0), (2, 3)), False, ((0, 1), (2, 3)))
    """

    points: Sequence[Label]
    pairs: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", own_labels(self.points))
        pairs = tuple(dict.fromkeys((int(i), int(j)) for i, j in self.pairs))
        object.__setattr__(self, "pairs", pairs)
        if not pairs:
            raise BadInput("expected at least one protected pair.")
        size = len(self.points)
        for i, j in pairs:
            if not (0 <= i < size and 0 <= j < size):
                raise BadInput(f"the pair ({i}, {j}) is not among the {size:,} inputs.")
            if i == j:
                raise BadInput(
                    "a pair of inputs that is protected must be two different inputs, "
                    f"found {self.points[i]!r} twice."
                )

    @classmethod
    def of(
        cls, points: Sequence[Label] | str, pairs: Iterable[Any], *, both_ways: bool = False
    ) -> Relation:
        """The relation of pairs of labels, as they are given or in both directions."""
        labels = own_labels(tuple(points) if isinstance(points, str) else points)
        place = {label: position for position, label in enumerate(labels)}
        indices = []
        for pair in pairs:
            ends = tuple(label_of(pair)) if isinstance(pair, list | tuple) else ()
            if len(ends) != 2:
                raise BadInput(f"expected a pair of inputs, found {str(pair)[:60]!r}.")
            for end in ends:
                if end not in place:
                    raise BadInput(f"the pair {list(ends)} names {end!r}, which is no input.")
            indices.append((place[ends[0]], place[ends[1]]))
        return cls(labels, tuple(_mirror(indices) if both_ways else indices))

    @classmethod
    def on(cls, space: Space) -> Relation:
        """The declared neighbors of a space, or its irreducible pairs, both ways.

        A directed space has its ordered pairs.
        """
        if isinstance(space, Directed):
            return cls(space.points, tuple(space.edges()))
        pairs = space.edges() if space.neighbors is None else space.neighbors.pairs
        return cls(space.points, tuple(_mirror(pairs)))

    @classmethod
    def complete(cls, points: Sequence[Label]) -> Relation:
        """Every input protected from every other one."""
        size = range(len(points))
        return cls(points, tuple((i, j) for i in size for j in size if i != j))

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def symmetric(self) -> bool:
        """Whether every pair is protected in both directions."""
        pairs = set(self.pairs)
        return all((j, i) in pairs for i, j in pairs)

    @property
    def components(self) -> tuple[tuple[int, ...], ...]:
        """The inputs that pairs join, in whichever direction; others stand alone."""
        name = list(range(len(self.points)))

        def root(x: int) -> int:
            while name[x] != x:
                name[x] = name[name[x]]
                x = name[x]
            return x

        for i, j in self.pairs:
            name[max(root(i), root(j))] = min(root(i), root(j))
        parts: dict[int, list[int]] = {}
        for x in range(len(name)):
            parts.setdefault(root(x), []).append(x)
        return tuple(map(tuple, parts.values()))

    def __repr__(self) -> str:
        way = "both ways" if self.symmetric else "directed"
        return f"Relation({len(self.pairs):,} ordered pairs of {len(self.points):,} inputs, {way})"


def _mirror(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    return [pair for i, j in pairs for pair in ((i, j), (j, i))]
