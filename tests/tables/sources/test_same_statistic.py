"""The same table everywhere: every source gives the statistic of the plain definition."""

import csv
import gzip
import io
import random
import sqlite3
from collections import Counter

import duckdb
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.systems import postgres
from tests.tables.plain import tally_rows
from tightrope.declarations import CutKey, Declaration, Once, Tally, read_filter
from tightrope.errors import BadInput, BadTable
from tightrope.tables import open_source

KEY = CutKey(bytes(range(32)))
COLUMNS = {
    "age": {"type": "number", "low": 10, "high": 60, "resolution": "0.5", "missing": 30,
            "bins": [10, 20, "33.25", 60]},
    "pay": {"type": "number", "low": -(2**39), "high": 2**39, "resolution": 1},
    "vote": {"type": "category", "values": ["no", "yes", "other"], "other": "other",
             "missing": "no"},
    "area": {"type": "category", "values": [1, 2, 3]},
}
UNITS = {
    "rows": {},
    "people": {"person": "who", "rows": 2},
    "people in one cell": {"person": "who", "rows": 3, "cells": 1},
    "people in two cells": {"person": "who", "rows": 1, "cells": 2},
    "people and areas": {"person": ["who", "area"], "rows": 2},
    "people and votes in one cell": {"person": ["vote", "who"], "rows": 3, "cells": 1},
    "people in two of many cells": {"person": "who", "rows": 6, "cells": 2},
}
TALLIES = {
    "all": {},
    "by vote": {"keys": ("vote",)},
    "by two": {"keys": ("age", "area")},
    "sum": {"measures": ("pay",)},
    "sum by": {"measures": ("pay",), "keys": ("vote", "age")},
    "some": {"keys": ("area",), "where": "age >= 20 and not (vote = 'yes' or area = 3)"},
    "by code": {"keys": ("vote", "age"), "fine": 3},
    "by large code": {"keys": ("pay",), "fine": 2**35 + 1},
    "by every value": {"keys": ("vote", "pay"), "fine": 1},
    "conditions": {"keys": ("vote",), "where": "age >= 11",
                   "conditions": ("pay > 5", "area is missing", "not age > 20")},
    "two sums": {"measures": ("pay", "age"), "keys": ("vote",), "conditions": ("area = 1",)},
    "absent": {"where": "area is missing or pay > 5"},
    "unknown": {"where": "not (area = 3 and pay > 5)", "conditions": ("not area = 1",)},
}


WHO = ["a", "b", "c", "d", "a,1", "a\\", None]


def rows(count=240, seed=5):
    """Rows with everything that a typed table can hold."""
    draw = random.Random(seed)
    ages = [5.0, 10.0, 19.75, 20.0, 33.0, 33.25, 60.0, 1e300, float("inf"), -float("inf"), None]
    return [
        {
            "who": draw.choice(WHO) if draw.random() < 0.7 else f"p{k}",
            "age": draw.choice(ages),
            "pay": draw.choice([None, 0, 7, -(2**39), 2**39, 2**39 - 1, 2**62]),
            "vote": draw.choice(["no", "yes", "maybe", "", None]),
            "area": draw.choice([1, 2, 3, 4, None]),
        }
        for k in range(count)
    ]


ROWS = rows()
TABLE = pa.table({
    "who": pa.array([row["who"] for row in ROWS]),
    "age": pa.array([row["age"] for row in ROWS], type=pa.float64()),
    "pay": pa.array([row["pay"] for row in ROWS], type=pa.int64()),
    "vote": pa.array([row["vote"] for row in ROWS]),
    "area": pa.array([row["area"] for row in ROWS], type=pa.int32()),
})


def declared(unit):
    return Declaration.of({"dataset": "d", "unit": UNITS[unit], "columns": COLUMNS})


def tally_of(name, declaration):
    asked = dict(TALLIES[name])
    if "where" in asked:
        asked["where"] = read_filter(asked["where"], declaration.columns)
    asked["conditions"] = tuple(read_filter(text, declaration.columns)
                                for text in asked.get("conditions", ()))
    return Tally(declaration, **asked)


def of_people(declaration):
    """Tallies in which a person counts once: in a cell, or in one cell alone."""
    where = read_filter("not vote = 'yes'", declaration.columns)
    return [Tally(declaration, ("vote",), people=True), *(
        Tally(declaration, keys, where=where, once=once)
        for once in Once for keys in (("age",), ("age", "area"), ()))]


def text_of():
    out = io.StringIO()
    written = csv.DictWriter(out, list(ROWS[0]), lineterminator="\n")
    written.writeheader()
    written.writerows(ROWS)
    return out.getvalue()


@pytest.fixture(scope="module")
def database():
    from sqlalchemy import create_engine

    with postgres.server() as url:
        engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
        with engine.begin() as connection:
            connection.exec_driver_sql(
                "CREATE TABLE people (who text, age float8, pay numeric, vote text, area int)")
            connection.exec_driver_sql(
                "INSERT INTO people VALUES (%(who)s, %(age)s, %(pay)s, %(vote)s, %(area)s)", ROWS)
            connection.exec_driver_sql("CREATE VIEW seen AS SELECT * FROM people")
        engine.dispose()
        yield url


def lite(tmp_path):
    with sqlite3.connect(tmp_path / "t.sqlite") as db:
        db.execute("CREATE TABLE people (who, age, pay, vote, area)")
        db.executemany("INSERT INTO people VALUES (:who, :age, :pay, :vote, :area)", ROWS)
    return f"sqlite:///{tmp_path / 't.sqlite'}", {"table": "people"}


def parquet(tmp_path):
    pq.write_table(TABLE, tmp_path / "t.parquet", row_group_size=50)
    return tmp_path / "t.parquet", {}


def arrow(tmp_path):
    with pa.ipc.new_file(str(tmp_path / "t.arrow"), TABLE.schema) as out:
        out.write_table(TABLE, max_chunksize=33)
    return str(tmp_path / "t.arrow"), {}


def text(tmp_path):
    (tmp_path / "t.csv").write_text(text_of())
    return tmp_path / "t.csv", {}


def packed(tmp_path):
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text_of().encode()))
    return tmp_path / "t.csv.gz", {}


SOURCES = {
    "csv": text, "csv.gz": packed, "parquet": parquet, "arrow file": arrow, "sqlite": lite,
    "arrow": lambda _: (TABLE, {}),
    "pandas": lambda _: (pandas.DataFrame(ROWS), {}),
    "pandas objects": lambda _: (pandas.DataFrame(ROWS, dtype=object), {}),
    "polars": lambda _: (polars.from_arrow(TABLE), {}),
    "polars lazy": lambda _: (polars.from_arrow(TABLE).lazy(), {}),
    "duckdb": lambda _: (duckdb.from_arrow(TABLE), {}),
    "mapping": lambda _: ({name: [row[name] for row in ROWS] for name in ROWS[0]}, {}),
}


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("kind", SOURCES)
def test_every_source_counts_and_adds_up_the_same(tmp_path, kind, unit):
    declaration = declared(unit)
    held = ROWS
    if kind.startswith("csv"):  # where an empty text and a missing one are the same
        held = [{name: cell if cell != "" else None for name, cell in row.items()} for row in ROWS]
    data, options = SOURCES[kind](tmp_path)
    source = open_source(data, declaration, **options)
    for name in TALLIES:
        tally = tally_of(name, declaration)
        assert source.tallies((tally,), KEY)[0] == tally_rows(tally, held, KEY), name
    if unit != "rows":
        for tally in of_people(declaration):
            assert source.tallies((tally,), KEY)[0] == tally_rows(tally, held, KEY), tally.once
        people = of_people(declaration)
        assert source.tallies(people, KEY) == tuple(
            tally_rows(tally, held, KEY) for tally in people)
    several = [tally_of(name, declaration) for name in TALLIES]
    assert source.tallies(several, KEY) == tuple(
        tally_rows(tally, held, KEY) for tally in several)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("table", ["people", "public.people", "seen"])
def test_postgresql_adds_up_the_same(database, unit, table):
    declaration = declared(unit)
    source = open_source(database, declaration, table=table)
    for name in TALLIES:
        tally = tally_of(name, declaration)
        assert source.tallies((tally,), KEY)[0] == tally_rows(tally, ROWS, KEY), name
    if unit != "rows":
        for tally in of_people(declaration):
            assert source.tallies((tally,), KEY)[0] == tally_rows(tally, ROWS, KEY), tally.once
    several = [tally_of(name, declaration) for name in TALLIES]
    assert source.tallies(several, KEY) == tuple(
        tally_rows(tally, ROWS, KEY) for tally in several)


def by_cell(found):
    cells = range(len(found.counts)) if found.cells is None else found.cells
    return Counter(dict(zip(cells, found.counts, strict=True)))


def test_the_order_of_rows_does_not_matter():
    declaration = declared("people")
    tally = tally_of("sum by", declaration)
    shuffled = ROWS[:]
    random.Random(1).shuffle(shuffled)
    assert tally_rows(tally, shuffled, KEY) == tally_rows(tally, ROWS, KEY)


def test_a_person_changes_no_more_than_was_declared():
    for unit in ("people", "people in one cell"):
        declaration = declared(unit)
        for name in TALLIES:
            tally = tally_of(name, declaration)
            whole = by_cell(tally_rows(tally, ROWS, KEY))
            for person in "abcd":
                rest = by_cell(tally_rows(
                    tally, [row for row in ROWS if row["who"] != person], KEY))
                changes = [whole[cell] - rest[cell] for cell in {*whole, *rest}]
                assert sum(map(abs, changes)) <= declaration.unit.rows
                if not tally.fine:
                    assert sum(map(bool, changes)) <= declaration.unit.cells


def test_hostile_cells_never_stop_a_count(tmp_path):
    declaration = declared("people")
    tally = tally_of("sum by", declaration)
    hostile = b'who,age,pay,vote,area\n\xff\xfe,"1\n2",,,\n,,,,,,,,\nx\n\0,\0,1e9999,nan,"\n' * 9
    (tmp_path / "t.csv").write_bytes(hostile)
    source = open_source(tmp_path / "t.csv", declaration)
    assert len(source.tallies((tally,), KEY)[0].counts) == 9
    frame = pandas.DataFrame({"who": [1, "a", None], "age": [object(), b"x", [1]],
                              "pay": [10**400, -(10**400), float("nan")],
                              "vote": [True, {"a": 1}, 3.5], "area": [1, 2.0, "3"]}, dtype=object)
    assert sum(open_source(frame, declared("rows")).tallies(
        (tally_of("by vote", declared("rows")),), KEY)[0].counts) == 3


def test_standard_input_is_read_once_and_loses_no_row(monkeypatch):
    import sys

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text_of().encode())))
    held = [{name: cell if cell != "" else None for name, cell in row.items()} for row in ROWS]
    declaration = declared("people")
    source = open_source("-", declaration)
    for name in TALLIES:
        tally = tally_of(name, declaration)
        assert source.tallies((tally,), KEY)[0] == tally_rows(tally, held, KEY), name


def test_cells_that_nothing_can_be_made_of_are_missing():
    class Loud:
        def __float__(self):
            raise RuntimeError

        def __str__(self):
            raise RuntimeError

    far = pa.array([2**62], type=pa.timestamp("s"))  # a date that Python has none for
    for cells in ([Loud()], far):
        ages = [Loud()]  # a column of dates is refused as numbers
        data = {"who": cells, "age": ages, "pay": [1], "vote": cells, "area": [1]}
        by_vote = tally_of("by vote", declared("rows"))
        assert open_source(data, declared("rows")).tallies((by_vote,), KEY)[0].counts == (1, 0, 0)
        everybody = tally_of("all", declared("people"))
        assert open_source(data, declared("people")).tallies((everybody,), KEY)[0].counts == (0,)


def test_numbers_beyond_all_doubles_are_clamped_in_postgresql(database):
    from sqlalchemy import create_engine

    engine = create_engine(database.replace("postgresql://", "postgresql+psycopg://"))
    values = ["1e400", "-1e400", "1e-400", "NaN", "12.5", "19.7"]
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE wide (age numeric, pay int8, vote bool, area text,"
                                   " who int)")
        for value in values:
            connection.exec_driver_sql("INSERT INTO wide VALUES (%s, 1, true, '2', 3)", (value,))
    engine.dispose()
    declaration = declared("rows")
    tally = Tally(declaration, ("age",), measures=("age",))
    found = open_source(database, declaration, table="wide").tallies((tally,), KEY)[0]
    by_hand = [60, 10, 10, 30, 12.5, 19.5]
    bins = [sum(a < 20 for a in by_hand), sum(20 <= a < 33.25 for a in by_hand),
            sum(a >= 33.25 for a in by_hand)]
    assert list(found.counts) == bins
    assert sum(found.sums[0]) == sum((a - 10) * 2 for a in by_hand)


@pytest.mark.parametrize(("data", "said"), [
    ({"who": [1]}, "none of that name"),
    (pa.table({**{name: [1] for name in ("who", "pay", "vote", "area")}, "age": ["old"]}),
     "declared as a number"),
    (polars.DataFrame({**{name: [1] for name in ("who", "age", "pay", "vote")}, "area": [[1]]}),
     "expected numbers, texts"),
    (7, "expected a table"),
    ("no.csv", "no file"),
    ("t.xlsx", "no table that can be read"),
    ("sqlite:///no.sqlite", "name the table"),
])
def test_a_declaration_that_does_not_fit_is_refused_before_any_row(data, said):
    with pytest.raises((BadInput, BadTable), match=said):
        open_source(data, declared("people"))


def test_an_address_of_another_kind_of_database_is_refused_without_its_password():
    with pytest.raises(BadInput) as failed:
        open_source("mysql://me:s3cret@host/x", declared("rows"), table="t")
    assert str(failed.value) == "tables by an address are looked up in SQLite or PostgreSQL."


def test_a_category_that_is_written_as_a_number_with_a_point_is_that_number(tmp_path):
    """What pandas writes of doubles; texts with exponents or leading zeros are codes."""
    declared = Declaration.of({"dataset": "d", "columns": {
        "area": {"type": "category", "values": [1, 2, "3.50", "x"], "other": "x"}}})
    file = tmp_path / "t.csv"
    pandas.DataFrame({"area": [1.0, 2.0, 2.0]}).to_csv(file, index=False)
    with file.open("a") as more:
        more.write("3.50\n3.5\n1e0\n02\n2.0.0\n")
    assert open_source(file, declared).tallies(
        (Tally(declared, ("area",)),), KEY)[0].counts == (1, 2, 2, 3)
    typed = pa.table({"area": ["1.0", "1"]})
    assert open_source(typed, declared).tallies(
        (Tally(declared, ("area",)),), KEY)[0].counts == (2, 0, 0, 0)


@pytest.mark.parametrize("size", [127, 128, 129, 130, 2**15, 2**15 + 1])
def test_the_last_of_many_values_has_room_in_the_integers_that_hold_codes(size):
    declaration = Declaration.of({"dataset": "d", "columns": {
        "c": {"type": "category", "values": [f"v{place}" for place in range(size)]},
        "x": {"type": "number", "low": 1, "high": size, "resolution": 1}}})
    table = {"c": [f"v{size - 1}"] * 2 + ["v0"], "x": [size, size, 1]}
    for name in ("c", "x"):
        tally = Tally(declaration, (name,), fine=1)
        found = open_source(table, declaration).tallies((tally,), KEY)[0]
        assert dict(zip(found.cells, found.counts, strict=True)) == {0: 1, size - 1: 2}
