"""Keys that nobody listed: every source counts the units that the rule, written apart, counts."""

import csv
import hashlib
import random
import sqlite3
from collections import Counter, defaultdict
from decimal import Decimal

import duckdb
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.systems import postgres
from tests.tables.plain import key_rows
from tightrope.declarations import CutKey, Declaration, KeyTally, read_filter
from tightrope.errors import BadInput, BadTable
from tightrope.tables import open_source

SECRET = bytes(range(32))
KEY = CutKey(SECRET)
LONGEST = 12
DRUGS = ["aspirin", "Aspirin", "ä", "e\u0301", "it's", "a,b", "x" * 12, "x" * 13, "y" * 5000,
         "tab\there", "bell\x07", "\x7f", "\x9f", "\u202eback", "\u2028", "\u200b", "\U0001f48a",
         "\U0001fffe", "\ufdd0", " aspirin", "true", "1.0", "1", "NULL", "[link]", "cell 3", "",
         None]
UNITS = {"rows": {}, "one key": {"person": "who", "rows": 4, "cells": 1},
         "two keys": {"person": "who", "rows": 1, "cells": 2}}
ASKED = {"drug": (("drug",), None), "with a filter": (("drug",), "area = 1 or drug = 'aspirin'"),
         "beside a category": (("vote", "drug"), None), "beside bins": (("drug", "age"), None),
         "numbers as texts": (("dose",), "not drug = 'ä'")}
COLUMNS = {"drug": {"type": "text", "longest": LONGEST}, "dose": {"type": "text"},
           "vote": {"type": "category", "values": ["no", "yes"]},
           "area": {"type": "category", "values": [1, 2]},
           "age": {"type": "number", "low": 0, "high": 90, "bins": [0, 30, 60, 90]}}


def rows(count=400, seed=3):
    draw = random.Random(seed)
    return [{"who": draw.choice([*"abcdefgh", None]) if draw.random() < 0.7 else f"p{k % 40}",
             "drug": draw.choice(DRUGS), "dose": draw.choice([0.5, 1.0, 1e22, -0.0, None]),
             "vote": draw.choice(["no", "yes", "maybe"]), "area": draw.choice([1, 2, 3, None]),
             "age": draw.choice([5.0, 30.0, 100.0, None])} for k in range(count)]


ROWS = rows()
KINDS = {"who": pa.string(), "drug": pa.string(), "dose": pa.float64(), "vote": pa.string(),
         "area": pa.int32(), "age": pa.float64()}
TABLE = pa.table({name: pa.array([row[name] for row in ROWS], kind)
                  for name, kind in KINDS.items()})


def is_key(text):
    """At most 12 characters, none a control or direction mark, no half and no noncharacter."""
    barred = [*range(32), *range(127, 160), 0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F),
              *range(0x2066, 0x206A), *range(0xFDD0, 0xFDF0)]
    return len(text) <= LONGEST and not any(
        ord(c) in barred or ord(c) & 0xFFFE == 0xFFFE or 0xD800 <= ord(c) < 0xE000 for c in text)


def parts_of(row, names):
    dose = row["dose"]
    written = None if dose is None else {0.5: "0.5", 1.0: "1", 1e22: "1" + "0" * 22, 0.0: "0"}[dose]
    ages = {5.0: "0", 30.0: "1", 100.0: "2", None: None}
    votes = {"no": "0", "yes": "1", "maybe": None}
    drug = row["drug"] if row["drug"] is not None and is_key(row["drug"]) else None
    listed = {"drug": drug, "dose": written, "vote": votes[row["vote"]], "age": ages[row["age"]]}
    return [listed[name] for name in names]


def meets(row, where):
    drug = row["drug"]
    if where is None:
        return True
    if where.startswith("not"):
        return drug is not None and drug != "ä"
    return row["area"] == 1 or drug == "aspirin"


def expected(held, names, where, unit):
    """The rule once more, in plain Python."""
    counts, people = Counter(), defaultdict(set)
    for row in held:
        parts = parts_of(row, names)
        if None in parts or not meets(row, where):
            continue
        key = "\n".join(parts)
        if unit == "rows":
            counts[key] += 1
        elif row["who"] is not None:
            people[row["who"]].add(key)
    for person, keys in people.items():
        def digest(key, person=person):
            return hashlib.sha256(f"{SECRET.hex()},key {key},{person}".encode()).digest()

        counts.update(sorted(keys, key=digest)[: UNITS[unit]["cells"]])
    return dict(counts)


def declared(unit):
    return Declaration.of({"dataset": "d", "unit": UNITS[unit], "columns": COLUMNS})


def tally_of(name, declaration):
    names, where = ASKED[name]
    return KeyTally(declaration, names, *([read_filter(where, declaration.columns)] if where
                                          else []))


def lite(folder):
    with sqlite3.connect(folder / "t.sqlite") as db:
        db.execute("CREATE TABLE visits (who, drug, dose, vote, area, age)")
        db.executemany("INSERT INTO visits VALUES (:who, :drug, :dose, :vote, :area, :age)", ROWS)
    return folder / "t.sqlite", {"table": "visits"}


def parquet(folder):
    pq.write_table(TABLE, folder / "t.parquet", row_group_size=50)
    return folder / "t.parquet", {}


def file_of_duckdb(folder):
    with duckdb.connect(str(folder / "t.duckdb")) as db:
        db.register("rows", TABLE)
        db.execute("CREATE TABLE visits AS SELECT * FROM rows")
    return folder / "t.duckdb", {"table": "visits"}


SOURCES = {
    "parquet": parquet, "sqlite": lite, "duckdb file": file_of_duckdb,
    "arrow": lambda _: (TABLE, {}),
    "arrow in batches": lambda _: (pa.concat_tables(
        [TABLE.slice(first, 90) for first in range(0, len(ROWS), 90)]), {}),
    "duckdb": lambda _: (duckdb.from_arrow(TABLE), {}),
    "pandas": lambda _: (pandas.DataFrame(ROWS), {}),
    "pandas objects": lambda _: (pandas.DataFrame(ROWS, dtype=object), {}),
    "polars": lambda _: (polars.from_arrow(TABLE), {}),
    "polars lazy": lambda _: (polars.from_arrow(TABLE).lazy(), {}),
    "mapping": lambda _: ({name: [row[name] for row in ROWS] for name in ROWS[0]}, {}),
}


def check(source, declaration, unit, held=ROWS):
    for name, (names, where) in ASKED.items():
        assert source.count_keys(tally_of(name, declaration), KEY) == expected(
            held, names, where, unit), name


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("kind", SOURCES)
def test_every_source_counts_the_same_keys(tmp_path, kind, unit):
    declaration = declared(unit)
    data, options = SOURCES[kind](tmp_path)
    check(open_source(data, declaration, **options), declaration, unit)


@pytest.mark.parametrize("unit", UNITS)
def test_the_plain_definition_is_the_rule(unit):
    declaration = declared(unit)
    for name, (names, where) in ASKED.items():
        assert key_rows(tally_of(name, declaration), ROWS, KEY) == expected(
            ROWS, names, where, unit)


@pytest.mark.parametrize("unit", UNITS)
def test_text_files_count_the_same_keys(tmp_path, unit):
    """A line is a row, and an empty cell is missing; controls stay within their cells."""
    held = [row for row in ROWS if not {*(row["drug"] or "")} & {*"\x07\t\x7f\x9f\u2028"}]
    with (tmp_path / "t.csv").open("w", newline="", encoding="utf-8") as out:
        written = csv.DictWriter(out, list(ROWS[0]), lineterminator="\n")
        written.writeheader()
        written.writerows({**row, "dose": None} for row in held)
    held = [{**row, "drug": row["drug"] or None, "dose": None} for row in held]
    declaration = declared(unit)
    check(open_source(tmp_path / "t.csv", declaration), declaration, unit, held)


@pytest.fixture(scope="module")
def database():
    from sqlalchemy import create_engine

    with postgres.server() as url:
        engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
        with engine.begin() as connection:
            connection.exec_driver_sql("CREATE TABLE visits (who text, drug text, dose float8, "
                                       "vote text, area int, age float8)")
            connection.exec_driver_sql(
                "INSERT INTO visits VALUES (%(who)s, %(drug)s, %(dose)s, %(vote)s, %(area)s, "
                "%(age)s)", [{**row, "drug": (row["drug"] or "").replace("\x00", "") or
                              row["drug"]} for row in ROWS])
            connection.exec_driver_sql("CREATE TABLE days (drug timestamp, who text)")
        engine.dispose()
        yield url


@pytest.mark.parametrize("unit", UNITS)
def test_postgresql_counts_the_same_keys(database, unit):
    declaration = declared(unit)
    check(open_source(database, declaration, table="visits"), declaration, unit)


def test_a_column_whose_text_depends_on_settings_is_refused(database):
    days = Declaration.of({"dataset": "d", "columns": {"drug": {"type": "text"}}})
    with pytest.raises(BadTable, match="expected numbers, texts"):
        open_source(database, days, table="days")


def test_cells_of_mixed_types_and_no_unicode_are_keys_by_their_text_or_left_out():
    class Rude:
        def __str__(self):
            raise ValueError

    cells = ["a", 1, 1.0, Decimal("1.50"), True, float("nan"), None, b"a", Rude(), "\ud800", "a"]
    mixed = Declaration.of({"dataset": "d", "columns": {"drug": {"type": "text"}}})
    source = open_source({"drug": cells}, mixed)
    assert source.count_keys(KeyTally(mixed, ("drug",)), KEY) == {
        "a": 2, "1": 2, "1.5": 1, "true": 1, "b'a'": 1}


def test_no_rows_have_no_keys():
    for unit in UNITS:
        declaration = declared(unit)
        source = open_source(TABLE.slice(0, 0), declaration)
        assert source.count_keys(tally_of("drug", declaration), KEY) == {}


def test_declarations_of_texts_are_read_and_refused_in_a_sentence():
    assert declared("rows").columns["drug"].as_json() == {"type": "text", "longest": LONGEST}
    assert Declaration.of(declared("rows").as_json()) == declared("rows")
    for column, wrong in (({"type": "text", "longest": 0}, "from 1 to 10,000"),
                          ({"type": "text", "values": ["a"]}, "of no meaning"),
                          ({"type": "category"}, "of type text")):
        with pytest.raises(BadInput, match=wrong):
            Declaration.of({"dataset": "d", "columns": {"drug": column}})
    columns = declared("rows").columns
    for text in ("drug = 5", "drug > 5", "drug < 'a'"):
        with pytest.raises(BadInput, match="text"):
            read_filter(text, columns)
    with pytest.raises(BadInput, match="twice"):
        KeyTally(declared("rows"), ("drug", "drug"))
