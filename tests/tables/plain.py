"""Every statistic row by row, in plain Python: every engine must agree with it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, assert_never

from tightrope.declarations import CutKey, KeyTally, Tally
from tightrope.declarations.filters import All, AnyOf, Filter, Not
from tightrope.declarations.keys import BETWEEN
from tightrope.declarations.namings import Naming
from tightrope.declarations.readings import Reading
from tightrope.declarations.tallies import Once, Tallied


def truth(of: Filter, readings: Mapping[Reading, int | None]) -> bool | None:
    """Whether a filter is true or false for a row, None if that is unknown."""
    match of:
        case Not():
            inner = truth(of.inner, readings)
            return None if inner is None else not inner
        case All() | AnyOf():
            ends = isinstance(of, AnyOf)  # a part of this truth decides
            parts = {truth(part, readings) for part in of.parts}
            return ends if ends in parts else None if None in parts else not ends
        case _:
            reading = readings[of]
            return None if reading is None else bool(reading)


def unit_text(namings: Sequence[Naming], row: Mapping[str, Any]) -> str | None:
    """The name of the unit of a row; None if it is nobody's."""
    texts = [naming.text(row.get(naming.name)) for naming in namings]
    if any(text is None for text in texts):
        return None
    if len(texts) == 1:
        return texts[0]
    return ",".join(str(text).replace("\\", "\\\\").replace(",", "\\,") for text in texts)


def row_text(person: str, readings: str, copy: int) -> bytes:
    """The hashed text of a row: its copy number, from 1, its readings, and the person."""
    return f"{copy},{readings},{person}".encode("utf-8", "surrogatepass")


def cell_text(person: str, cell: int) -> bytes:
    """The hashed text of a cell."""
    return f"cell {cell},{person}".encode("utf-8", "surrogatepass")


def readings_text(readings: Iterable[int | None]) -> str:
    """All that a release reads of a row, as hashes cover it."""
    return ",".join("-" if reading is None else str(reading) for reading in readings)


def least_rows(
    key: CutKey, person: str, readings: Sequence[str], most: int
) -> list[int]:
    """The places of the rows of one person that count, where at most so many do."""
    copies: Counter[str] = Counter()
    hashes = []
    for text in readings:
        copies[text] += 1
        hashes.append(key.digest(row_text(person, text, copies[text])))
    return sorted(range(len(hashes)), key=hashes.__getitem__)[:most]


def least_cells(key: CutKey, person: str, cells: Iterable[int], most: int) -> set[int]:
    """The cells in which one person counts, where at most so many are."""
    return set(sorted({*cells}, key=lambda cell: key.digest(cell_text(person, cell)))[:most])


def tally_rows(tally: Tally, rows: Iterable[Mapping[str, Any]], key: CutKey) -> Tallied:
    """The statistic of rows given one by one."""
    unit = tally.declaration.unit
    counting: list[_Row] = []
    people: dict[str, list[_Row]] = defaultdict(list)
    for row in rows:
        values = {reading: reading.of(row.get(reading.name)) for reading in tally.readings}
        if any(values[reading] is None for reading in tally.required) or not truth(
            tally.where, values
        ):
            continue
        read = _read(tally, values)
        person = None if unit.person is None else unit_text(tally.declaration.naming, row)
        if unit.person is None:
            counting.append(read)
        elif person is not None:
            people[person].append(read)
    for person, own in people.items():
        counting.extend(_bound_contributions(tally, key, person, own))
    return _sum_rows(tally, counting)


@dataclass(frozen=True)
class _Row:
    """A row that may count, and what it adds to its cell."""

    cell: int
    readings: str
    codes: tuple[int, ...]
    met: tuple[bool, ...]


def cell_of(tally: Tally, readings: Mapping[Reading, int | None]) -> int:
    """The cell of a row that counts."""
    place = 0
    for number, (key, length) in enumerate(zip(tally.key_readings, tally.shape, strict=True)):
        own = readings[key]
        assert own is not None
        place = place * length + (own // tally.fine if tally.by_code(number) else own)
    return place


def _read(tally: Tally, values: Mapping[Reading, int | None]) -> _Row:
    text = readings_text(values[reading] for reading in tally.readings)
    return _Row(cell_of(tally, values), text,
                tuple(values[reading] or 0 for reading in tally.measured),
                tuple(truth(condition, values) is True for condition in tally.conditions))


def _bound_contributions(tally: Tally, key: CutKey, person: str, rows: list[_Row]) -> list[_Row]:
    """Of one person's rows, those that count within the contribution bounds of the unit."""
    unit = tally.declaration.unit
    assert unit.cells is not None
    if tally.once is not None:
        return _once(tally, tally.once, rows)
    if tally.people:
        rows = list({row.cell: row for row in rows}.values())
    else:
        places = least_rows(key, person, [row.readings for row in rows], unit.rows)
        rows = [rows[place] for place in places]
    if not tally.cuts_cells:
        return rows
    cells = least_cells(key, person, (row.cell // tally.values for row in rows), unit.cells)
    return [row for row in rows if row.cell // tally.values in cells]


def _once(tally: Tally, once: Once, rows: list[_Row]) -> list[_Row]:
    """One row in the one cell in which a person counts, or none."""
    unit, cells = tally.declaration.unit, {row.cell for row in rows}
    assert unit.cells is not None
    match once:
        case Once.HIGHEST:
            cell = max(cells)
        case Once.LOWEST:
            cell = min(cells)
        case Once.CUT:
            if len(rows) <= unit.rows and len(cells) <= unit.cells:
                return []
            cell = 0 if len(rows) > unit.rows else 1
        case _:
            assert_never(once)
    return [replace(rows[0], cell=cell)]


def _sum_rows(tally: Tally, rows: Iterable[_Row]) -> Tallied:
    numbers: dict[int, list[int]] = {}
    for row in rows:
        added = (1, *row.codes, *row.met)
        before = numbers.get(row.cell, (0,) * len(added))
        numbers[row.cell] = [a + b for a, b in zip(before, added, strict=True)]
    return Tallied.of(tally, numbers)


def key_text(person: str, key: str) -> bytes:
    """The hashed text of a key of a person."""
    return f"key {key},{person}".encode("utf-8", "surrogatepass")


def key_rows(tally: KeyTally, rows: Iterable[Mapping[str, Any]], key: CutKey) -> dict[str, int]:
    """The units of each key, of rows given one by one."""
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
