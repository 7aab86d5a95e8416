"""Dates and times in every source against the written rule, cell by cell.

What a cell means is stated here by hand: the moment in UTC that it is, "first" or "last" for one
beyond the years 1 to 9999, or None. No source is compared with another, and the calendar is that of
Python's own datetime.
"""

import csv
import random
import sqlite3
from collections import Counter
from datetime import UTC, date, datetime, time, timedelta, timezone

import duckdb
import numpy as np
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.systems import postgres
from tests.tables.plain import tally_rows
from tightrope.declarations import CutKey, Declaration, Tally, read_filter
from tightrope.errors import BadTable
from tightrope.tables import open_source

KEY = CutKey(bytes(range(32)))
EPOCH = datetime(1970, 1, 1)
ENDS = {"first": datetime(1, 1, 1), "last": datetime(9999, 12, 31, 23, 59, 59)}
EAST = timezone(timedelta(hours=5, minutes=30))

TEXTS = {
    "2024-02-29": "2024-02-29 00:00:00", " 2024-03-01\t": "2024-03-01 00:00:00",
    "2024-03-01 14:30": "2024-03-01 14:30:00", "2024-03-01T14:30:05": "2024-03-01 14:30:05",
    "2024-03-01T23:59:59.999999": "2024-03-01 23:59:59",
    "2024-03-01 00:30:00+02:00": "2024-02-29 22:30:00",
    "2024-03-31T23:30:00-0100": "2024-04-01 00:30:00", "2024-03-01T00:00Z": "2024-03-01 00:00:00",
    "2024-03-01 10:00:00 +00": "2024-03-01 10:00:00", "2024-03-01t24:00": "2024-03-02 00:00:00",
    "1969-12-31 23:59:59.5": "1969-12-31 23:59:59", "0001-01-01": "first",
    "0001-01-01T00:00+10:00": "first", "9999-12-31T23:59:59.5": "last",
    "9999-12-31T23:00-08:00": "last", "infinity": "last", "-infinity": "first",
    **dict.fromkeys(("", "x", "2023-02-29", "2024-13-01", "2024-00-10", "0000-01-01", "20240301",
                     "2024-3-1", "01/03/2024", "2024-03", "2024-03-01 25:00", "2024-03-01 10:60",
                     "2024-03-01 24:00:01", "2024-03-01T10", "12024-03-01", "2024-03-01+02:00",
                     "2024-03-01 10:00+25:00", "\u0662\u0660\u0662\u0664-03-01", "NaT", "2024",
                     "2024-03-01 10:00:00 CET", "1709251200", "2024-03-01\n", "14:30")),
}
STORED = {
    datetime(2024, 3, 1, 14, 30, 5, 999_999): "2024-03-01 14:30:05",
    datetime(1969, 12, 31, 23, 59, 59, 500_000): "1969-12-31 23:59:59",
    datetime(1, 1, 1): "first", datetime(9999, 12, 31, 23, 59, 59, 999_999): "last",
    datetime(2024, 12, 31): "2024-12-31 00:00:00", datetime(2024, 1, 1, 0, 0, 1):
    "2024-01-01 00:00:01", None: None,
}
ZONED = {
    datetime(2024, 3, 1, 1, 0, tzinfo=EAST): "2024-02-29 19:30:00",
    datetime(1970, 1, 1, 5, 29, 59, 1, tzinfo=EAST): "1969-12-31 23:59:59",
    datetime(2024, 7, 1, 12, 0, tzinfo=UTC): "2024-07-01 12:00:00", None: None,
}
DAYS = {
    date(2024, 2, 29): "2024-02-29 00:00:00", date(1, 1, 1): "first",
    date(9999, 12, 31): "9999-12-31 00:00:00", date(1969, 12, 31): "1969-12-31 00:00:00",
    None: None,
}
ODD = [20240301, 1.5, True, b"2024-03-01", float("nan"), pandas.NaT, pandas.NA, [1], object(),
       timedelta(1), pandas.Timedelta(1), pandas.Period("2024-03", "M"), np.datetime64("NaT"),
       time(14, 30, tzinfo=UTC)]
ANY = {"texts": TEXTS, "stored": STORED, "zoned": ZONED, "days": DAYS}
COLUMNS = {
    "date": {"low": "2024-01-01", "high": "2024-12-31"},
    "datetime": {"low": "2024-01-01 00:00:01", "high": "2024-12-31 23:59:58",
                 "missing": "2024-06-01"},
    "time": {"low": "08:00:00", "high": "20:15:00"},
}
PERIODS = {"date": ("year", "quarter", "month", "week", "day", "weekday"),
           "datetime": ("year", "quarter", "month", "week", "day", "weekday", "hour"),
           "time": ("hour",)}


def seconds(moment):
    """Seconds from 1970 on of what a cell is said to mean."""
    if moment is None:
        return None
    whole = ENDS.get(moment) or datetime.fromisoformat(moment)
    return (whole - EPOCH) // timedelta(seconds=1)


def number(kind, meaning):
    second = seconds(meaning)
    if second is None:
        return None
    return {"date": second // 86400, "time": second % 86400}.get(kind, second)


def bound(kind, text):
    if kind == "time":
        h, m, s = map(int, text.split(":"))
        return 3600 * h + 60 * m + s
    return number(kind, f"{text} 00:00:00" if len(text) == 10 else text)


def expected(kind, meanings):
    """The number and the code of every cell."""
    column = COLUMNS[kind]
    low, high = bound(kind, column["low"]), bound(kind, column["high"])
    absent = bound(kind, column["missing"]) if "missing" in column else None
    numbers = [absent if number(kind, meaning) is None else number(kind, meaning)
               for meaning in meanings]
    return numbers, [None if x is None else min(max(x, low), high) - low for x in numbers]


def period_name(kind, period, x):
    """The name of the period of a number, by Python's calendar."""
    if kind == "time":
        return f"{x // 3600:02}:00"
    moment = EPOCH + timedelta(**{"days" if kind == "date" else "seconds": x})
    year, week, _ = moment.isocalendar()
    return {"year": f"{moment:%Y}", "quarter": f"{moment:%Y}-Q{-(-moment.month // 3)}",
            "month": f"{moment:%Y-%m}", "week": f"{year}-W{week:02}", "day": f"{moment:%Y-%m-%d}",
            "weekday": f"{moment:%A}", "hour": f"{moment:%H}:00"}[period]


def declared(kind, count):
    return Declaration.of({"dataset": "d", "columns": {
        "cell": {"type": kind, **COLUMNS[kind]},
        **{period: {"type": "period", "of": "cell", "period": period} for period in PERIODS[kind]},
        "row": {"type": "category", "values": list(range(count))}}})


def agrees(data, kind, meanings, **options):
    """Hold numbers, codes, periods and conditions of every cell against the rule."""
    declaration = declared(kind, len(meanings))
    source = open_source(data, declaration, **options)
    numbers, codes = expected(kind, meanings)
    low = bound(kind, COLUMNS[kind]["low"])
    sums = source.tallies((Tally(declaration, ("row",), ("cell",)),), KEY)[0]
    assert [code if count else None for code, count in zip(
        sums.sums[0], sums.counts, strict=True)] == codes
    middle = {"date": "2024-03-01", "datetime": "2024-03-01 14:30:05", "time": "14:30:05"}[kind]
    constant = bound(kind, middle)
    conditions = {f"cell >= '{middle}'": lambda x: x >= constant,
                  f"cell = '{middle}'": lambda x: x == constant,
                  f"not cell in ('{middle}')": lambda x: x != constant}
    filters = tuple(read_filter(text, declaration.columns)
                    for text in (*conditions, "cell is missing", "month is missing")
                    if kind != "time" or "month" not in text)
    met = source.tallies((Tally(declaration, ("row",), conditions=filters),), KEY)[0].met
    for counts, holds in zip(met, conditions.values(), strict=False):
        assert list(map(bool, counts)) == [x is not None and holds(x) for x in numbers]
    for counts in met[len(conditions):]:
        assert list(map(bool, counts)) == [x is None for x in numbers]
    for period in PERIODS[kind]:
        tally = Tally(declaration, ("row", period))
        grid = np.array(source.tallies((tally,), KEY)[0].counts).reshape(len(meanings), -1)
        names = [declaration.columns[period].cells[int(row.argmax())] if row.sum() else None
                 for row in grid]
        assert names == [None if code is None else period_name(kind, period, low + code)
                         for code in codes], period


def rows(cells):
    return {"cell": list(cells), "row": list(range(len(cells)))}


def texts_in_csv(cells, folder):
    with (folder / "t.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["cell", "row"], *(
            ["" if cell is None else cell, row] for row, cell in enumerate(cells))])
    return folder / "t.csv", {}


def in_sqlite(cells, folder):
    with sqlite3.connect(folder / "t.sqlite") as db:
        db.execute("CREATE TABLE t (cell, row)")
        db.executemany("INSERT INTO t VALUES (?, ?)",
                       [(None if cell is None else str(cell), row)
                        for row, cell in enumerate(cells)])
    return folder / "t.sqlite", {"table": "t"}


def arrow(cells, kind):
    return pa.table({"cell": pa.array(list(cells), kind), "row": pa.array(range(len(cells)))})


def in_parquet(cells, folder, kind):
    pq.write_table(arrow(cells, kind), folder / "t.parquet")
    return folder / "t.parquet", {}


def in_duckdb(table):
    """A stored table: DuckDB may fail on zoned times of frames, which are refused."""
    connection = duckdb.connect()
    connection.from_arrow(table).create("t")
    return connection.table("t")


ARROW = {"texts": pa.string(), "stored": pa.timestamp("us"), "zoned": pa.timestamp("us", "UTC"),
         "days": pa.date32()}
SOURCES = {
    "mapping": lambda cells, held, folder: (rows(cells), {}),
    "pandas objects": lambda cells, held, folder: (
        pandas.DataFrame({"cell": pandas.Series(list(cells), dtype=object),
                          "row": range(len(cells))}), {}),
    "csv": lambda cells, held, folder: texts_in_csv(cells, folder),
    "sqlite": lambda cells, held, folder: in_sqlite(cells, folder),
    "arrow": lambda cells, held, folder: (arrow(cells, ARROW[held]), {}),
    "arrow dictionary": lambda cells, held, folder: (
        arrow(cells, ARROW[held]).set_column(
            0, "cell", arrow(cells, ARROW[held])["cell"].dictionary_encode()), {}),
    "parquet": lambda cells, held, folder: in_parquet(cells, folder, ARROW[held]),
    "polars": lambda cells, held, folder: (polars.from_arrow(arrow(cells, ARROW[held])), {}),
    "polars lazy": lambda cells, held, folder: (
        polars.from_arrow(arrow(cells, ARROW[held])).lazy(), {}),
    "duckdb": lambda cells, held, folder: (in_duckdb(arrow(cells, ARROW[held])), {}),
    "pandas by Arrow": lambda cells, held, folder: (
        arrow(cells, ARROW[held]).to_pandas(types_mapper=pandas.ArrowDtype), {}),
}


UNTYPED = ("mapping", "pandas objects", "pandas by Arrow", "csv", "sqlite")


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("held", ANY)
@pytest.mark.parametrize("source", SOURCES)
def test_a_cell_is_the_moment_of_the_written_rule(source, held, kind, tmp_path):
    cells, meanings = list(ANY[held]), list(ANY[held].values())
    if kind == "time" and held == "texts":
        meanings[cells.index("14:30")] = "1970-01-01 14:30:00"
    if source == "csv":  # a line break would end the line
        cells = ["x" if cell == "2024-03-01\n" else cell for cell in cells]
    data, options = SOURCES[source](cells, held, tmp_path)
    if kind == "time" and held == "days" and source not in UNTYPED:
        with pytest.raises(BadTable, match="declared as a time of day"):
            open_source(data, declared(kind, len(cells)))
        return
    agrees(data, kind, meanings, **options)


@pytest.mark.parametrize("kind", COLUMNS)
def test_nothing_else_is_a_moment(kind):
    agrees(rows([*ODD, "2024-03-01 14:30:05"]), kind, [None] * len(ODD) + ["2024-03-01 14:30:05"])


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin"])
def test_every_unit_of_stored_times_is_read_by_its_number(unit, zone):
    per = {"s": 1, "ms": 1000, "us": 10**6, "ns": 10**9}[unit]
    values = [0, -1, 1709303405 * per + per - 1, 2**63 - 1, -(2**63) + 1, None]
    cells = pa.array(values, pa.int64()).cast(pa.timestamp(unit, zone))
    meanings = []
    for value in values:
        second = None if value is None else value // per
        beyond = second is not None and not -62135596800 <= second <= 253402300799
        meanings.append(None if second is None else ("last" if second > 0 else "first")
                        if beyond else str(EPOCH + timedelta(seconds=second)))
    table = pa.table({"cell": cells, "row": pa.array(range(len(values)))})
    for data in (table, polars.from_arrow(table) if unit != "s" else table,
                 table.to_pandas() if unit != "ns" else table,
                 in_duckdb(table) if unit == "us" else table):
        agrees(data, "datetime", meanings)
        agrees(data, "date", meanings)


def test_dates_in_milliseconds_are_read_by_their_day():
    values = [0, -1, 1709303405123, 2**63 - 1, -(2**63), None]
    cells = pa.Array.from_buffers(pa.date64(), 6, pa.array(values, pa.int64()).buffers())
    agrees(pa.table({"cell": cells, "row": pa.array(range(6))}), "date",
           ["1970-01-01 00:00:00", "1969-12-31 00:00:00", "2024-03-01 00:00:00", "last", "first",
            None])


def test_times_of_day_are_read_in_every_unit():
    values = [0, 36_000, 52_205, 86_399, None]
    meanings = [None if value is None else str(EPOCH + timedelta(seconds=value))
                for value in values]
    for kind, per in ((pa.time32("s"), 1), (pa.time32("ms"), 1000), (pa.time64("us"), 10**6),
                      (pa.time64("ns"), 10**9)):
        parts = [None if value is None else value * per + per - 1 for value in values]
        cells = pa.array(parts, pa.int32() if per < 10**6 else pa.int64()).cast(kind)
        table = pa.table({"cell": cells, "row": pa.array(range(5))})
        agrees(table, "time", meanings)
        if per < 10**9:
            agrees(duckdb.from_arrow(table), "time", meanings)
    held = [None if value is None else (EPOCH + timedelta(seconds=value)).time()
            for value in values]
    agrees(rows(held), "time", meanings)
    agrees(rows([None if cell is None else str(cell) for cell in held]), "time", meanings)


FAR = {
    "DATE": {"infinity": "last", "-infinity": "first", "0044-03-15 (BC)": "first",
             "12345-01-01": "last", "1969-12-31": "1969-12-31 00:00:00", "5000000-01-01": "last"},
    "TIMESTAMP": {"infinity": "last", "-infinity": "first", "0044-03-15 (BC)": "first",
                  "290000-01-01": "last", "9999-12-31 23:59:59.999999": "last",
                  "2024-03-01 14:30:05.999999": "2024-03-01 14:30:05"},
    "TIMESTAMPTZ": {"infinity": "last", "-infinity": "first",
                    "2024-03-01 00:30:00+02:00": "2024-02-29 22:30:00",
                    "9999-12-31 23:00:00-08": "last"},
    "TIME": {"00:00:00": "1970-01-01 00:00:00", "14:30:05.9": "1970-01-01 14:30:05"},
}


def sql_kinds(name):
    return ["time"] if name == "TIME" else ["date", "datetime"] if name == "DATE" else COLUMNS


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati"])
@pytest.mark.parametrize("name", [*FAR, "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"])
def test_duckdb_reads_every_moment_that_it_can_hold(name, zone):
    cells = dict(FAR.get(name, FAR["TIMESTAMP"]))
    if name == "TIMESTAMP_NS":
        cells = {"infinity": "2262-04-11 23:47:16", "-infinity": "1677-09-21 00:12:43",
                 "2024-03-01 14:30:05.999999999": "2024-03-01 14:30:05"}
    if name in ("TIMESTAMP_S", "TIMESTAMP_MS"):
        for text in ("2024-03-01 14:30:05.999999", "9999-12-31 23:59:59.999999"):
            del cells[text]  # they are rounded when they are stored
        cells["2024-03-01 14:30:05"] = "2024-03-01 14:30:05"
    connection = duckdb.connect()
    connection.execute(f"SET TimeZone = '{zone}'")
    connection.execute(f"CREATE TABLE t (cell {name}, row BIGINT)")
    for row, text in enumerate([*cells, None]):
        connection.execute(f"INSERT INTO t VALUES (CAST(? AS {name}), ?)", [text, row])
    for kind in sql_kinds(name):
        agrees(connection.table("t"), kind, [*cells.values(), None])


@pytest.fixture(scope="module")
def url():
    with postgres.server() as address:
        yield address


def postgres_table(url, name, cells, zone, names=()):
    from sqlalchemy import create_engine

    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        for setting in (f"TimeZone = '{zone}'", "DateStyle = 'SQL, DMY'"):
            connection.exec_driver_sql(f"ALTER DATABASE postgres SET {setting}")
        connection.exec_driver_sql("SET DateStyle = 'ISO'")
        connection.exec_driver_sql("DROP TABLE IF EXISTS t")
        connection.exec_driver_sql(f"CREATE TABLE t (cell {name}, row BIGINT, who TEXT)")
        for row, text in enumerate(cells):
            connection.exec_driver_sql(
                f"INSERT INTO t VALUES (CAST(%s AS {name}), %s, %s)",
                (text and text.replace("(BC)", "BC"), row, names[row] if names else None))
    engine.dispose()


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati"])
@pytest.mark.parametrize("name", FAR)
def test_postgresql_reads_every_moment_that_it_can_hold(url, name, zone):
    cells = FAR[name]
    postgres_table(url, name, [*cells, None], zone)
    for kind in sql_kinds(name):
        agrees(url, kind, [*cells.values(), None], table="t")


def test_a_date_is_a_category_by_its_iso_text_whatever_the_style(url):
    postgres_table(url, "DATE", ["2024-03-01", "2024-01-03", None], "UTC")
    for data, options in ((url, {"table": "t"}),
                          (duckdb.sql("SELECT DATE '2024-03-01' AS cell UNION ALL SELECT DATE "
                                      "'2024-01-03' UNION ALL SELECT NULL"), {})):
        declaration = Declaration.of({"dataset": "d", "columns": {
            "cell": {"type": "category", "values": ["2024-03-01"]}}})
        source = open_source(data, declaration, **options)
        assert source.tallies((Tally(declaration, ("cell",)),), KEY)[0].counts == (1,)


def test_rows_of_people_are_cut_alike_by_periods(tmp_path):
    cells = [date(2024, 1, 1) + timedelta(days=7 * (k % 40)) for k in range(200)]
    held = [{"cell": cell, "who": f"p{k % 9}"} for k, cell in enumerate(cells)]
    declaration = Declaration.of({
        "dataset": "d", "unit": {"person": "who", "rows": 3, "cells": 2},
        "columns": {"cell": {"type": "date", **COLUMNS["date"]},
                    "month": {"type": "period", "of": "cell", "period": "month"}}})
    table = pa.table({"cell": pa.array(cells), "who": pa.array([row["who"] for row in held])})
    for people in (False, True):
        tally = Tally(declaration, ("month",), people=people,
                      where=read_filter("cell >= '2024-02-01'", declaration.columns))
        plain = tally_rows(tally, held, KEY)
        assert sum(plain.counts) == (9 * 2 if people else sum(plain.counts))
        for data in (table, duckdb.from_arrow(table), table.to_pandas()):
            assert open_source(data, declaration).tallies((tally,), KEY)[0] == plain


@pytest.mark.parametrize("unit", [["who", "cell"], ["who", "month"], ["cell", "who", "day"]])
@pytest.mark.parametrize("kind", ["date", "datetime"])
def test_a_person_and_a_day_are_one_unit_in_every_source(unit, kind, tmp_path, url):
    """The day is the declared one, whatever is stored: two times of one day are one unit."""
    draw = random.Random(3)
    cells = [datetime(2024, draw.choice([1, 2, 11]), draw.randrange(1, 4), draw.randrange(3), 30)
             for _ in range(150)] + [None]
    names = [draw.choice(["a", "b", "a,b", "a\\\\", None]) for _ in cells]
    declaration = Declaration.of({
        "dataset": "d", "unit": {"person": unit, "rows": 2}, "columns": {
            "cell": {"type": kind, **COLUMNS[kind]}, **{
                period: {"type": "period", "of": "cell", "period": period}
                for period in ("month", "day", "weekday")}}})

    def key(row):
        cell, who = row
        if cell is None and kind == "datetime":  # what stands for missing is a moment
            cell = datetime(2024, 6, 1)
        if cell is None or who is None:
            return None
        parts = {"who": who, "cell": cell.date() if kind == "date" else cell,
                 "month": cell.month, "day": cell.date()}
        return tuple(parts[name] for name in unit)

    groups = Counter(key(row) for row in zip(cells, names, strict=True))
    del groups[None]
    table = pa.table({"cell": pa.array(cells, pa.timestamp("us")), "who": pa.array(names)})
    csv_table = {"cell": [None if cell is None else cell.isoformat() for cell in cells],
                 "who": names}
    postgres_table(url, "TIMESTAMP", [None if cell is None else str(cell) for cell in cells], "UTC",
                   names)
    with sqlite3.connect(tmp_path / "t.sqlite") as db:
        db.execute("CREATE TABLE t (cell, who)")
        db.executemany("INSERT INTO t VALUES (?, ?)",
                       zip(csv_table["cell"], names, strict=True))
    sources = {"arrow": (table, {}), "duckdb": (duckdb.from_arrow(table), {}),
               "texts in duckdb": (duckdb.from_arrow(pa.table(csv_table)), {}),
               "mapping": (csv_table, {}), "sqlite": (tmp_path / "t.sqlite", {"table": "t"}),
               "postgresql": (url, {"table": "t"})}
    rows = [{"cell": cell, "who": who} for cell, who in zip(cells, names, strict=True)]
    for people in (True, False):
        tally = Tally(declaration, ("weekday",) if people else (), people=people)
        plain = tally_rows(tally, rows, KEY)
        if not people:
            assert plain.counts == (sum(min(count, 2) for count in groups.values()),)
        for name, (data, options) in sources.items():
            source = open_source(data, declaration, **options)
            assert source.tallies((tally,), KEY) == (plain,), name


@pytest.mark.parametrize(("cells", "kind"), [
    (pa.array([1]), "date"), (pa.array([1.5]), "datetime"), (pa.array([True]), "date"),
    (pa.array([1], pa.time32("s")), "date"), (pa.array([1], pa.duration("s")), "time"),
])
def test_a_stored_type_that_is_no_moment_is_refused_before_any_row(cells, kind):
    table = pa.table({"cell": cells, "row": pa.array([0])})
    for data in (table, polars.from_arrow(table), duckdb.from_arrow(table)):
        with pytest.raises(BadTable, match="is declared as a"):
            open_source(data, declared(kind, 1))


def test_texts_are_no_moments_in_postgresql(url):
    postgres_table(url, "TEXT", ["2024-03-01"], "UTC")
    with pytest.raises(BadTable, match="declared as a date, and the table holds text"):
        open_source(url, declared("date", 1), table="t")


def test_times_before_midnight_are_earlier_than_it_in_duckdb_too():
    table = pa.table({"cell": pa.array([-1, -(10**6), 0], pa.time64("us"))})
    declaration = Declaration.of({"dataset": "d", "columns": {"cell": {
        "type": "time", "low": "00:00:00", "high": "23:59:59"}}})
    tally = Tally(declaration, where=read_filter("cell < '00:00:00'", declaration.columns))
    for data in (table, duckdb.from_arrow(table)):
        assert open_source(data, declaration).tallies((tally,), KEY)[0].counts == (2,)
