"""Units counted by keys that are not declared, as one query: only keys and their counts come back.

The filter, the cells and the hash are those of every query of a tally.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

from tightrope.characters import REFUSED
from tightrope.declarations import BETWEEN, CutKey, KeyTally
from tightrope.tables.sources.queries import Engine, holds, join_texts, named_table, unit_text

if TYPE_CHECKING:
    from sqlalchemy import Select


class KeyEngine(Engine, Protocol):
    """An engine that can tell which texts are keys."""

    def key(self, cell: Any, longest: int) -> Any:
        """`TextColumn.key`; NULL for None."""


def key_query(
    tally: KeyTally, key: CutKey, engine: KeyEngine, table: str, names: Iterable[str],
    schema: str | None = None,
) -> Select[Any]:
    """Keys, and how many units each has."""
    from sqlalchemy import String, cast, func, literal, select

    rows = table_rows = named_table(table, names, schema)
    wanted = [engine.key(table_rows.c[name], text.longest).label(f"text_{name}")
              for name, text in tally.texts.items()]
    for place, reading in enumerate(tally.readings):
        value, rows = engine.read(rows, table_rows.c[reading.name], place, reading)
        wanted.append(value.label(f"reading_{place}"))
    naming = tally.declaration.naming
    if naming:
        wanted.append(unit_text([engine.name(table_rows.c[part.name], place, part)
                                 for place, part in enumerate(naming)]).label("person"))
    read = select(*wanted).select_from(rows).subquery("read")
    readings = {reading: read.c[f"reading_{place}"] for place, reading in enumerate(tally.readings)}
    parts = [read.c[f"text_{name}"] if name in tally.texts else
             cast(readings[tally.key_readings[name]], String) for name in tally.keys]
    conditions = [holds(tally.where, readings), *(part.is_not(None) for part in parts)]
    if naming:
        conditions.append(read.c.person.is_not(None))
    whole = join_texts(parts, BETWEEN).label("key")
    counting = select(whole, *([read.c.person] if naming else [])).where(*conditions)
    if not naming:
        counted = counting.subquery("counting")
    else:
        pairs = counting.distinct().subquery("pairs")
        text = join_texts([literal("key ") + pairs.c.key, pairs.c.person])
        ranked = select(pairs.c.key, func.row_number().over(
            partition_by=pairs.c.person, order_by=engine.digest(key, text)).label("number"),
        ).subquery("ranked")
        counted = select(ranked.c.key).where(ranked.c.number <= tally.most).subquery("cut")
    return select(counted.c.key, func.count()).group_by(counted.c.key)


def barred_characters(written: str) -> str:
    """A regular expression for one character that no key holds, each written by its number.

    Databases hold neither halves of characters nor, some of them, the number 0.
    """
    return "[" + "".join(f"{written.format(max(low, 1))}-{written.format(high)}"
                         for low, high in REFUSED if low != 0xD800) + "]"
