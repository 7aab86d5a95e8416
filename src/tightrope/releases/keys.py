"""Answers by keys that are not declared: which keys appear, how surely, and with which counts.

A key appears by chance, and the more units it has the surer. What is drawn is a list of keys in
the order of their texts, each with its number where counts are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tightrope.characters import label_text
from tightrope.declarations import KeyTally, Neighbors, TextColumn
from tightrope.errors import BadDocument, BadInput
from tightrope.releases.accuracy import KEYED
from tightrope.releases.answers import Answer
from tightrope.releases.subqueries import Rows, Strategy, Subquery
from tightrope.spaces import KeyCounts

if TYPE_CHECKING:
    from tightrope.releases.planning import QuestionPlan

SHOWN = tuple(Fraction(percent, 100) for percent in (1, 5, 25, 50, 75, 95, 99, 100))
"""Chances whose least number of units a dry run lists."""
RELEASED = "released"
"""The answer for a key without a count."""


def key_strategy(
    rows: Rows, *columns: str, people: bool = False, counted: bool = True
) -> Strategy | None:
    """Units of each key, if a column that is counted by is not declared; else None."""
    keys, declaration = (*columns, *rows.by), rows.declaration
    if not any(isinstance(declaration.columns.get(name), TextColumn) for name in keys):
        return None
    unit = declaration.unit
    if unit.person is not None and counted and not people:
        raise BadInput("by values that are not declared people are counted, not rows: ask people "
                       f"by {', '.join(map(label_text, keys))}.")
    if unit.person is None and people:
        raise BadInput("people are counted where a column names them; here each row is a unit.")
    tally = KeyTally(declaration, keys, rows.where)
    touched = tally.most * (2 if unit.neighbors is Neighbors.REPLACE else 1)
    subquery = Subquery(tally, KeyCounts(touched), lambda _: (), counted=counted)
    return Strategy((subquery,), "people" if tally.people else "rows", KEYED)


def key_answers(plan: QuestionPlan, drawn: Sequence[Sequence[Any]]) -> tuple[Answer, ...]:
    """The keys that were released, each with its count and an interval, or alone."""
    planned = plan.subqueries[0]
    (entries,) = drawn
    if not planned.subquery.counted:
        return tuple(Answer(tuple(cell), RELEASED, None, None) for (cell,) in entries)
    ends = {number: planned.key_interval(number, plan.confidence)
            for number in {number for _, number in entries}}
    return tuple(Answer(tuple(cell), Fraction(number), Fraction(low), Fraction(high))
                 for cell, number in entries for low, high in [ends[number]])


def check_entries(plan: QuestionPlan, entries: Any) -> None:
    """Refuse what cannot have been drawn: other keys, another order, counts that are not released.
    """
    planned, tally = plan.subqueries[0], plan.keys
    assert tally is not None
    length = 2 if planned.subquery.counted else 1
    if not isinstance(entries, list) or not all(
            isinstance(entry, list) and len(entry) == length and _is_cell(tally, entry[0])
            for entry in entries):
        raise BadDocument("what was drawn are keys, with their numbers where they are counted.")
    cells = [entry[0] for entry in entries]
    if any(first >= second for first, second in pairwise(cells)):
        raise BadDocument("the keys are not in the order of their texts.")
    if planned.subquery.counted and not all(
            type(number) is int and number >= planned.least_released for _, number in entries):
        raise BadDocument("a key has a number with which none is released.")


def _is_cell(tally: KeyTally, cell: Any) -> bool:
    """Whether these are the parts of a key: texts of a key's form, or declared cells."""
    return isinstance(cell, list) and len(cell) == len(tally.keys) and all(
        isinstance(part, str) and (
            tally.texts[name].key(part) == part if name in tally.texts
            else part in tally.declaration.column(name).cells)
        for name, part in zip(tally.keys, cell, strict=True))


@dataclass(frozen=True)
class Chance:
    """The chance that a key of so many units appears; beside it, that of keys without counts."""

    units: int
    chance: Fraction
    alone: Fraction

    def as_json(self) -> dict[str, Any]:
        """The chances as JSON has them."""
        return {"units": self.units, "chance": float(self.chance), "alone": float(self.alone)}


def chances(plan: QuestionPlan) -> tuple[Chance, ...]:
    """The least numbers of units that appear with some chances, from a single unit on."""
    chance, alone = key_chances(plan)
    units = sorted({1, *(_least(chance, wanted) for wanted in SHOWN)})
    return tuple(Chance(number, chance(number), alone(number)) for number in units)


def key_chances(plan: QuestionPlan) -> tuple[Callable[[int], Fraction], Callable[[int], Fraction]]:
    """The chance of a key by its units in this plan, and if keys alone were asked for."""
    from tightrope.constructions import key_selection

    planned = plan.subqueries[0]
    space = planned.subquery.space
    assert isinstance(space, KeyCounts)
    best: Any = planned.mechanism if not planned.subquery.counted else (
        key_selection(space, plan.level).mechanism)
    chosen: Any = planned.mechanism
    return chosen.chance, best.chance


def _least(chance: Callable[[int], Fraction], wanted: Fraction) -> int:
    """The least number of units with at least this chance."""
    high = 1
    while chance(high) < wanted:
        high *= 2
    low = high // 2
    while high - low > 1:
        half = (low + high) // 2
        low, high = (half, high) if chance(half) < wanted else (low, half)
    return high
