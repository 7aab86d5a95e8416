"""A union of rectangles A × B as disjoint ones (H16, Lemmas 3.1 and 3.2).

Elements b that lie in the same B_i have one set of partners, the union of those A_i. So the
union is that of ∪ A_i × (∩ B_i without the other B_j) over sets of indices, and the second sides
are disjoint (Lemma 3.1). The same from the other side makes the first sides disjoint (Lemma 3.2).
The atoms of the product algebra are the products of atoms. A family of sets of pairs that is
closed under limits of chains, and on finite sets each is, holds that algebra if it holds all
unions of disjoint rectangles (Theorem 3.2): on finite sets these are one and the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from tightrope.characters import counted, label_text
from tightrope.errors import BadInput
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.theory.sets.families import Element, Part, atoms_of, holds_all, missing_union

Rectangle = tuple[Part, Part]


@dataclass(frozen=True)
class DisjointRectangles:
    """The same union as rectangles with disjoint second sides, and with disjoint first sides.

    `missing` is a set of pairs of the product algebra outside a family of `family` sets, if any.
    """

    given: tuple[Rectangle, ...]
    second_disjoint: tuple[Rectangle, ...]
    first_disjoint: tuple[Rectangle, ...]
    atoms: int
    missing: Part | None = None
    family: int | None = None

    @property
    def pairs(self) -> int:
        """The number of pairs in the union."""
        return sum(len(first) * len(second) for first, second in self.second_disjoint)

    def facts(self) -> Facts:
        """Both decompositions, and how many atoms the product algebra has."""
        columns = (Column("first", "first side"), Column("second", "second side"))

        def rows(rectangles: Sequence[Rectangle]) -> tuple[tuple[object, ...], ...]:
            return tuple((_text(a), _text(b)) for a, b in rectangles)

        return Facts(
            "DisjointRectangles",
            f"a union of {counted(len(self.given), 'rectangle')} with {self.pairs:,} pairs",
            (Table("second_disjoint", "With disjoint second sides (Lemma 3.1):", columns,
                   rows(self.second_disjoint)),
             Table("first_disjoint", "With disjoint first sides (Lemma 3.2):", columns,
                   rows(self.first_disjoint)),
             Fact("atoms", "atoms", self.atoms, meaning="of the algebra of the product"),
             *holds_all(self.family, self.missing is None),
             Fact("missing", "not in the family", None if self.missing is None else Shown(
                 sorted(self.missing, key=str),
                 ", ".join(sorted(label_text(str(pair)) for pair in self.missing)[:12])
                 or "the empty set")),
             *data(pairs=self.pairs)),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def disjoint_rectangles(
    rectangles: Sequence[tuple[Sequence[Element], Sequence[Element]]],
    *,
    within: Sequence[Sequence[tuple[Element, Element]]] | None = None,
) -> DisjointRectangles:
    """A union of rectangles as disjoint ones, in both ways of H16, Lemmas 3.1 and 3.2.

    `within` is a family of sets of pairs: is the algebra of the product in it (Theorem 3.2)?

    Returns: `DisjointRectangles`.

    Raises: `BadInput` for no rectangle, or an empty side.

    >>> told = disjoint_rectangles([("ab", "xy"), ("bc", "yz")])
    >>> [(sorted(a), sorted(b)) for a, b in told.second_disjoint]
    [(['a', 'b'], ['x']), (['a', 'b', 'c'], ['y']), (['b', 'c'], ['z'])]
    """
    given = tuple((frozenset(a), frozenset(b)) for a, b in rectangles)
    if not given or not all(a and b for a, b in given):
        raise BadInput("expected at least one rectangle, each with two sides that are not empty.")
    sides = [list(dict.fromkeys(x for pair in rectangles for x in pair[side])) for side in (0, 1)]
    first = _cut(given, sides[1])
    second = _cut([(b, a) for a, b in given], sides[0])
    one, other = (atoms_of([pair[side] for pair in given], sides[side]) for side in (0, 1))
    made = DisjointRectangles(given, first, tuple((a, b) for b, a in second),
                              len(one) * len(other))
    if within is None:
        return made
    family: set[Part] = {frozenset((a, b) for a, b in part) for part in within}
    atoms: list[Part] = [frozenset(product(a, b)) for a, b in product(one, other)]
    return replace(made, missing=missing_union(atoms, family), family=len(family))


def _text(side: Part) -> str:
    return ", ".join(sorted(label_text(str(x)) for x in side))


def _cut(given: Sequence[Rectangle], elements: Sequence[Element]) -> tuple[Rectangle, ...]:
    """Rectangles whose second sides are the atoms of the second sides that are given."""
    return tuple(
        (frozenset().union(*(a for a, b in given if atom <= b)), atom)
        for atom in atoms_of([b for _, b in given], elements))
