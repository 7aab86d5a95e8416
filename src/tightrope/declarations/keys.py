"""Units counted by keys that are not declared: texts, alone or with declared cells beside them.

A key is written as one text, its parts on lines of their own: no part holds a line break. A unit
counts once for each of its keys, and for at most as many of them as its contribution bound says;
which ones is decided by the hashes of that unit's keys alone, as in `cuts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tightrope.declarations.columns import NumberColumn
from tightrope.declarations.declaration import Declaration
from tightrope.declarations.filters import All, Filter, conditions_in
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
