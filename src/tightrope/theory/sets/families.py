"""Families of finite sets: the algebra that they generate, and measures along chains.

Two elements that lie in the same sets are in one atom; the algebra that the sets generate holds all
unions of atoms. On finite sets a sequence that grows or shrinks ends, so every family is a
monotone class and a generated algebra is its own σ-algebra: Theorem 3.1 of H16 says there that an
algebra within a family lies in it with all its unions. A measure of a chain of sets ends at the
measure of its union or intersection (Proposition 3.1).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from tightrope.characters import counted, label_text
from tightrope.errors import BadInput
from tightrope.exact import Number, stated
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of

Element = Hashable
Part = frozenset[Element]

_WRITTEN_OUT = 60
"""Atoms up to which the number of their unions is written out, not as a power."""


@dataclass(frozen=True)
class SetFamily:
    """Sets of finitely many elements, with the atoms of the algebra that they generate.

    `direction` is "increasing" or "decreasing" for a chain, None for no chain. `measures` are those
    of the sets, one after another, and `limit` that of their union or intersection. `missing` is a
    set of the generated algebra outside another family, None if there is no such set or no family;
    `family` is how many sets that family has.
    """

    elements: tuple[Element, ...]
    sets: tuple[Part, ...]
    atoms: tuple[Part, ...]
    direction: str | None
    measures: tuple[Fraction, ...] | None
    limit: Fraction | None
    missing: Part | None
    family: int | None = None

    @property
    def is_algebra(self) -> bool:
        """Whether the family holds all unions of its atoms, and so the complement of each set."""
        return len(set(self.sets)) == 1 << len(self.atoms)

    def facts(self) -> Facts:
        """Whether they are an algebra, the atoms, and measures along a chain."""
        atoms = tuple((Shown(self._ordered(atom), ", ".join(
            label_text(str(x)) for x in self._ordered(atom))),) for atom in self.atoms)
        power = len(self.atoms)
        count = 2**power if power <= _WRITTEN_OUT else f"2^{power}"
        return Facts(
            "SetFamily",
            f"{counted(len(self.sets), 'set')} of {counted(len(self.elements), 'element')}: "
            + ("an algebra" if self.is_algebra else "no algebra"),
            (*data(is_algebra=self.is_algebra),
             Fact("generated", "algebra", Shown(
                 count, f"{count if isinstance(count, str) else f'{count:,}'} sets: all unions of "
                 f"{counted(len(self.atoms), 'atom')}")),
             Fact("direction", "chain", self.direction),
             Fact("limit", "limit", self.limit, meaning="the measure of the "
                  + ("union" if self.direction == "increasing" else "intersection")),
             *holds_all(self.family, self.missing is None),
             Fact("missing", "not in the family", None if self.missing is None else Shown(
                 self._ordered(self.missing),
                 ", ".join(label_text(str(x)) for x in self._ordered(self.missing)[:12])
                 or "the empty set")),
             *data(measures=self.measures, sets=tuple(map(self._ordered, self.sets))),
             Table("atoms", "Atoms:", (Column("elements", "elements"),), atoms)),
            ("At δ = 0 a level that holds for every atom holds for every set of the algebra.",),
        )

    def _ordered(self, part: Part) -> tuple[Element, ...]:
        return tuple(element for element in self.elements if element in part)

    __repr__ = lines_of
    _repr_html_ = card_of


def set_family(
    sets: Sequence[Sequence[Element]],
    *,
    elements: Sequence[Element] | None = None,
    measure: Mapping[Element, Number] | None = None,
    within: Sequence[Sequence[Element]] | None = None,
) -> SetFamily:
    """The algebra that sets generate, and their measures if they are a chain.

    `elements` are those of all sets unless given. `within` is another family: is the whole
    algebra in it?

    Returns: a `SetFamily`; `atoms` generate the algebra, `limit` is the measure at the end.

    Raises: `BadInput` for no sets, unknown elements, or a measure below 0 or with gaps.

    >>> told = set_family([["a"], ["a", "b"]], elements=["a", "b", "c"],
    ...                   measure={"a": "1/2", "b": "1/3", "c": "1/6"})
    >>> len(told.atoms), told.is_algebra, told.direction, str(told.limit)
    (3, False, 'increasing', '5/6')
    """
    parts = [frozenset(part) for part in sets]
    known = tuple(dict.fromkeys(
        [x for part in sets for x in part] if elements is None else elements))
    if not parts or not known:
        raise BadInput("expected at least one set, and one element.")
    unknown = [x for part in (*parts, *map(frozenset, within or ())) for x in part
               if x not in known]
    if unknown:
        raise BadInput(f"{unknown[0]!r} is in a set, but it is none of the elements.")
    atoms = atoms_of(parts, known)
    rising = all(a <= b for a, b in pairwise(parts))
    falling = all(a >= b for a, b in pairwise(parts))
    direction = "increasing" if rising else "decreasing" if falling else None
    weights = None if measure is None else _weights(measure, known)
    sums = None if weights is None else tuple(_measure(weights, part) for part in parts)
    end = frozenset.union(*parts) if rising else frozenset.intersection(*parts)
    limit = None if weights is None or direction is None else _measure(weights, end)
    family = None if within is None else {frozenset(part) for part in within}
    missing = None if family is None else missing_union(atoms, family)
    return SetFamily(known, tuple(parts), atoms, direction, sums, limit, missing,
                     None if family is None else len(family))


def holds_all(family: int | None, holds: bool) -> tuple[Fact, ...]:
    """Whether a family of so many sets holds a whole algebra, if there is a family."""
    if family is None:
        return ()
    return (Fact("within", "family", Shown(holds, (
        f"{counted(family, 'set')}, " + ("the whole algebra among them" if holds else
                                         "not the whole algebra"))),),)


def atoms_of(parts: Sequence[Part], elements: Sequence[Element]) -> tuple[Part, ...]:
    """The largest sets of elements that lie in the same parts, in the order of the elements."""
    groups: dict[tuple[bool, ...], list[Element]] = {}
    for x in elements:
        groups.setdefault(tuple(x in part for part in parts), []).append(x)
    return tuple(map(frozenset, groups.values()))


def missing_union(atoms: Sequence[Part], family: set[Part]) -> Part | None:
    """A union of atoms that is not in the family; one more union than it has sets are tried."""
    for number in range(min(2 ** len(atoms), len(family) + 1)):
        chosen = [atom for k, atom in enumerate(atoms) if number >> k & 1]
        union = frozenset().union(*chosen)
        if union not in family:
            return union
    return None


def _weights(measure: Mapping[Element, Number], elements: Sequence[Element]) -> dict[
    Element, Fraction
]:
    if set(measure) != set(elements):
        raise BadInput("expected a measure of every element, and of nothing else.")
    weights = {x: stated(value, "a measure of 0 or more") for x, value in measure.items()}
    if min(weights.values()) < 0:
        raise BadInput("expected measures of 0 or more.")
    return weights


def _measure(weights: Mapping[Element, Fraction], part: Part) -> Fraction:
    return sum((weights[x] for x in part), Fraction(0))
