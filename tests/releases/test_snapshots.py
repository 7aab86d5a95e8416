"""A release reads its table once: a row that changes meanwhile is never on both sides."""

import sqlite3
import sys
import threading
from contextlib import contextmanager

import duckdb
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from tests.systems import postgres
from tightrope.curves.release import curve
from tightrope.declarations import CutKey, Declaration
from tightrope.exact import Level
from tightrope.releases import Question, plan_release
from tightrope.releases.releasing import all_statistics, statistics
from tightrope.releases.statistics import STATISTICS
from tightrope.tables import open_source
from tightrope.tables.sources.duck import DuckSource
from tightrope.tables.tables import FileTable

KEY = CutKey(bytes(32))
COLUMNS = {"x": {"type": "number", "low": 0, "high": 10, "resolution": 1, "bins": [0, 5, 10]},
           "c": {"type": "category", "values": ["a", "b"]}}
EACH = Declaration.of({"dataset": "d", "columns": COLUMNS})
PEOPLE = Declaration.of({"dataset": "d", "unit": {"person": "who", "rows": 2}, "columns": COLUMNS})
TEXTS = {"t": {"type": "text"}}
KEYS = Declaration.of({"dataset": "d", "columns": TEXTS})
KEYS_OF_PEOPLE = Declaration.of({"dataset": "d", "unit": {"person": "who", "rows": 2},
                                 "columns": TEXTS})
SHARE = Question("proportion", at="x > 5")
READS = 60
SWAP = "UPDATE t SET x = 10 - x"
"""Of two rows, 1 and 9, one is above 5 before, after, and never both or none."""

ASKED = {
    "count": {}, "people": {}, "counts": {"at": ["x > 5", "x > 2"]},
    "proportion": {"at": "x > 5"}, "cross": {"columns": ("x", "c")},
    "quantiles": {"columns": "x", "at": ["0.2", "0.7"]},
    "frequent": {"columns": "c", "at": 2}, "keys": {"columns": "t"},
    **{ask: {"columns": "x"} for ask in (
        "sum", "mean", "variance", "histogram", "median", "minimum", "maximum",
        "distribution", "mode", "left_out", "upper_bound", "lower_bound")},
    "cut": {},
}


BOTH = {"c": {"type": "category", "values": ["a", "b"]}, "t": {"type": "text"}}
BOTH_ROWS = {"c": ["a", "a"], "t": ["u", "u"], "who": ["p", "q"]}
STATES = ([2, 0], {("u",): 2}), ([0, 2], {("v",): 2})
"""Counts by a declared and by an undeclared column, which are changed together."""
FLIP = ("UPDATE t SET c = CASE c WHEN 'a' THEN 'b' ELSE 'a' END, "
        "t = CASE t WHEN 'u' THEN 'v' ELSE 'u' END")


def both(person=None):
    unit = {"unit": {"person": person, "rows": 1}} if person else {}
    return Declaration.of({"dataset": "d", **unit, "columns": BOTH})


def read_both(source, person=None):
    """The counts by a declared column, and those by keys, twice: each must be of one state."""
    level = Level.epsilon(1, delta="1e-6")
    keys = plan_release(Question.read("people by t" if person else "count by t"), both(person),
                        level)
    plans = [keys, plan_release(Question.read("count by c"), both(person), 1), keys]
    first, counts, second = all_statistics(plans, source, KEY)
    assert first == second
    return list(counts[0]), {tuple(cell): units for cell, units in first[0].items()}


class Reads:
    """A source that counts how often it is read."""

    def __init__(self, source):
        self.source, self.times = source, 0

    def tally(self, tally, key):
        self.times += 1
        return self.source.tallies((tally,), key)[0]

    def tallies(self, tallies, key):
        self.times += 1
        return self.source.tallies(tallies, key)

    def count_keys(self, tally, key):
        self.times += 1
        return self.source.count_keys(tally, key)

    def snapshot(self, tallies, keyed, key):
        self.times += 1
        return self.source.snapshot(tallies, keyed, key)


@pytest.mark.parametrize("declaration", [EACH, PEOPLE], ids=["rows", "people"])
@pytest.mark.parametrize("ask", STATISTICS)
def test_a_release_is_one_tally_of_its_table(ask, declaration):
    if ask in ("people", "cut") and declaration is EACH:
        return
    if ask == "keys":
        declaration = KEYS if declaration is EACH else KEYS_OF_PEOPLE
    level = Level.epsilon(1, delta="1e-6" if ask == "keys" else 0)
    plan = plan_release(Question(ask, **ASKED[ask]), declaration, level)
    rows = {"t": ["u", "u", "v"], "x": [1, 9, 9], "c": ["a", "b", "a"], "who": ["p", "p", "q"]}
    source = Reads(open_source(rows, declaration))
    statistics(plan, source, KEY)
    assert source.times == 1


@pytest.mark.parametrize("person", [None, "who"])
def test_a_plan_with_undeclared_keys_is_one_reading_of_its_table(person):
    source = Reads(open_source(BOTH_ROWS, both(person)))
    assert read_both(source, person) in STATES
    assert source.times == 1


def test_a_curve_is_one_tally_of_its_table(monkeypatch):
    opened, module = [], sys.modules[curve.__module__]
    monkeypatch.setattr(module, "open_source", lambda table, declared: opened.append(
        Reads(open_source(table, declared))) or opened[-1])
    table = {"JAN": [1, 2], "FEB": [3, 4], "MAR": [5, 6]}
    curve(table, 1, people=2, low=0, high=10)
    assert [source.times for source in opened] == [1]


@contextmanager
def writing(swap):
    """Somebody else changes the rows again and again; the changes made so far are counted."""
    done, ended = [0], threading.Event()

    def run():
        while not ended.is_set():
            swap()
            done[0] += 1

    writer = threading.Thread(target=run)
    writer.start()
    try:
        yield done
    finally:
        ended.set()
        writer.join()


def always_one_above(source, done):
    plan = plan_release(SHARE, EACH, 1)
    read = 0
    while read < READS or (done[0] < READS and read < 100 * READS):
        read += 1
        assert statistics(plan, source, KEY) == [[1, 1]], read
    assert done[0] >= READS


def always_one_state(source, done):
    read, seen = 0, []
    while read < READS or (done[0] < READS and read < 100 * READS):
        read += 1
        seen.append(read_both(source))
        assert seen[-1] in STATES, read
    assert done[0] >= READS


def test_a_row_that_changes_is_on_one_side_in_sqlite(tmp_path):
    path = tmp_path / "t.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE t (x, c)")
        db.execute("INSERT INTO t VALUES (1, 'a'), (9, 'b')")
    writer = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=60)
    with writing(lambda: writer.execute(SWAP)) as done:
        always_one_above(open_source(path, EACH, table="t"), done)
    writer.close()


def test_a_row_that_changes_is_on_one_side_in_postgresql():
    from sqlalchemy import create_engine

    with postgres.server() as url:
        engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
        with engine.connect() as writer:
            writer.exec_driver_sql("CREATE TABLE t (x int, c text)")
            writer.exec_driver_sql("INSERT INTO t VALUES (1, 'a'), (9, 'b')")
            writer.commit()

            def swap():
                writer.exec_driver_sql(SWAP)
                writer.commit()

            with writing(swap) as done:
                always_one_above(open_source(url, EACH, table="t"), done)
        engine.dispose()


def test_a_row_that_changes_is_on_one_side_in_duckdb():
    with duckdb.connect() as database:
        database.execute("CREATE TABLE t AS SELECT * FROM (VALUES (1, 'a'), (9, 'b')) v(x, c)")
        writer = database.cursor()
        with writing(lambda: writer.execute(SWAP)) as done:
            always_one_above(open_source(database.table("t"), EACH), done)


def test_keys_and_counts_of_a_plan_are_of_one_state_in_sqlite(tmp_path):
    path = tmp_path / "t.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE t (c, t)")
        db.execute("INSERT INTO t VALUES ('a', 'u'), ('a', 'u')")
    writer = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=60)
    with writing(lambda: writer.execute(FLIP)) as done:
        always_one_state(open_source(path, both(), table="t"), done)
    writer.close()


def test_keys_and_counts_of_a_plan_are_of_one_state_in_postgresql():
    from sqlalchemy import create_engine

    with postgres.server() as url:
        engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
        with engine.connect() as writer:
            writer.exec_driver_sql("CREATE TABLE t (c text, t text)")
            writer.exec_driver_sql("INSERT INTO t VALUES ('a', 'u'), ('a', 'u')")
            writer.commit()

            def swap():
                writer.exec_driver_sql(FLIP)
                writer.commit()

            with writing(swap) as done:
                always_one_state(open_source(url, both(), table="t"), done)
        engine.dispose()


def test_keys_and_counts_of_a_plan_are_of_one_state_in_duckdb():
    with duckdb.connect() as database:
        database.execute("CREATE TABLE t AS SELECT * FROM (VALUES ('a', 'u'), ('a', 'u')) v(c, t)")
        writer = database.cursor()
        with writing(lambda: writer.execute(FLIP)) as done:
            always_one_state(open_source(database.table("t"), both()), done)
        tables = database.execute("SELECT table_name FROM duckdb_tables() WHERE temporary")
        assert tables.fetchall() == []


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_keys_and_counts_of_a_plan_are_one_reading_of_a_file(ending, tmp_path, monkeypatch):
    path = tmp_path / f"t.{ending}"
    frame = pa.table({name: BOTH_ROWS[name] for name in ("c", "t")})
    pq.write_table(frame, path) if ending == "parquet" else pacsv.write_csv(frame, path)
    source, opened = open_source(path, both()), []
    batches = FileTable.batches
    monkeypatch.setattr(FileTable, "batches", lambda *given, **more: opened.append(1) or batches(
        *given, **more))
    assert read_both(source) == STATES[0]
    assert opened == [1]


def test_a_relation_over_a_file_is_copied_once(tmp_path, monkeypatch):
    """No transaction holds a file still: it is changed here as soon as it was read."""
    path = tmp_path / "t.csv"
    path.write_text("c,t\na,u\na,u\n")
    tallies = DuckSource.tallies

    def after(self, *given):
        path.write_text("c,t\nb,v\nb,v\n")
        return tallies(self, *given)

    monkeypatch.setattr(DuckSource, "tallies", after)
    with duckdb.connect() as database:
        source = open_source(database.sql(f"SELECT * FROM read_csv('{path}')"), both())
        assert read_both(source) == STATES[0]
