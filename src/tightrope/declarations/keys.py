"""Units counted by keys that are not declared: texts, alone or with declared cells beside them.

A key is written as one text, its parts on lines of their own: no part holds a line break. A unit
counts once for each of its keys, and for at most as many of them as its contribution bound says;
which ones is decided by the hashes of that unit's keys alone, as in `cuts`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tightrope.declarations.columns import NumberColumn
from tightrope.declarations.cuts import CutKey
from tightrope.declarations.declaration import Declaration
from tightrope.declarations.filters import All, Filter, conditions_in, truth
from tightrope.declarations.namings import unit_text
from tightrope.declarations.readings import Bin, Code, Reading
from tightrope.declarations.texts import TextColumn
from tightrope.errors import BadInput
from tightrope.markup import brief

BETWEEN = "\n"
"""The character between the parts of a key."""


@dataclass(frozen=True)
class KeyTally:
    """A request to count the units of rows that pass a filter, by the keys of some columns."""

    declaration: Declaration
    keys: tuple[str, ...]
    where: Filter = All()  # noqa: RUF009, a frozen value

    def __post_init__(self) -> None:
        if len(set(self.keys)) < len(self.keys):
            raise BadInput("a column is named twice among those to count by.")
        for name in self.keys:
            if name not in self.texts and not self.declaration.column(name).cells:
                raise BadInput(f"the column {name!r} is a number without bins: declare its bins "
                               "to count by them.")

    __repr__ = brief

    @cached_property
    def texts(self) -> dict[str, TextColumn]:
        """The columns of which texts are read."""
        columns = self.declaration.columns
        return {name: column for name in self.keys
                if isinstance(column := columns.get(name), TextColumn)}

    @cached_property
    def key_readings(self) -> dict[str, Code | Bin]:
        """How the declared keys are read: categories by their codes, numbers by their bins."""
        readings: dict[str, Code | Bin] = {}
        for name in self.keys:
            if name not in self.texts:
                column, source = self.declaration.column(name), self.declaration.source(name)
                readings[name] = (Bin(source, column) if isinstance(column, NumberColumn)
                                  else Code(source, column))
        return readings

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """All readings: those of declared keys and of conditions."""
        return tuple(dict.fromkeys((*self.key_readings.values(), *conditions_in(self.where))))

    @property
    def required(self) -> tuple[Reading, ...]:
        """Readings without which a row does not count."""
        return tuple(self.key_readings.values())

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that matter, in the order of the declaration."""
        wanted = {*self.texts, *(reading.name for reading in self.readings)}
        return tuple(name for name in self.declaration.columns if name in wanted)

    @property
    def people(self) -> bool:
        """Whether people are counted, not rows."""
        return self.declaration.unit.person is not None

    @property
    def most(self) -> int:
        """Keys of one unit that count."""
        unit = self.declaration.unit
        assert unit.cells is not None
        return unit.cells

    def cell(self, key: str) -> tuple[str, ...]:
        """The parts of a key, declared ones by their names."""
        return tuple(part if name in self.texts else
                     self.declaration.column(name).cells[int(part)]
                     for name, part in zip(self.keys, key.split(BETWEEN), strict=True))


def key_text(person: str, key: str) -> bytes:
    """The hashed text of a key of a person."""
    return f"key {key},{person}".encode("utf-8", "surrogatepass")


def key_rows(tally: KeyTally, rows: Iterable[Mapping[str, Any]], key: CutKey) -> dict[str, int]:
    """The units of each key, of rows given one by one: what every engine must agree with.

    >>> visits = Declaration.of({"dataset": "visits", "columns": {"drug": {"type": "text"}}})
    >>> key_rows(KeyTally(visits, ("drug",)), [{"drug": "a"}, {"drug": None}], CutKey(bytes(32)))
    {'a': 1}
    """
    unit = tally.declaration.unit
    counts: Counter[str] = Counter()
    people: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        values = {reading: reading.of(row.get(reading.name)) for reading in tally.readings}
        parts = [column.key(row.get(name)) if (column := tally.texts.get(name)) is not None
                 else _code(values[tally.key_readings[name]]) for name in tally.keys]
        if None in parts or not truth(tally.where, values):
            continue
        text = BETWEEN.join(part for part in parts if part is not None)
        person = None if unit.person is None else unit_text(tally.declaration.naming, row)
        if unit.person is None:
            counts[text] += 1
        elif person is not None:
            people[person].add(text)
    for person, keys in people.items():
        by_hash = sorted(keys, key=lambda text: key.digest(key_text(person, text)))
        counts.update(by_hash[: tally.most])
    return dict(counts)


def _code(reading: int | None) -> str | None:
    return None if reading is None else str(reading)
