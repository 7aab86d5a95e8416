"""Whatever a cell holds: engines give it the code that the declaring function gives it."""

import math
from decimal import Decimal
from fractions import Fraction

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.systems import postgres
from tests.tables.plain import tally_rows
from tightrope.declarations import CutKey, Declaration, Tally
from tightrope.tables import open_source
from tightrope.tables.sources.duck import MOST_EDGES

KEY = CutKey(bytes(range(32)))

TEXTS = ["", " ", "a", "A", "a ", " a", "ä", "a\u0308", "ß", "ss", "1", "1.0", "01", "nan", "NULL",
         "true", "it's", 'say "x"', "back\\slash", "%s :x $1", "😀", "\0", "\n", "9" * 30, None]
DOUBLES = [0.0, -0.0, 1.0, 1.5, 0.1, -2.25, 1e15 + 0.25, -1e15 - 0.125, 9.1e15,
           1e16, 1e22, 1e300, -1e300, 5e-324, 1e-7, math.inf,
           -math.inf, math.nan, 2.0**53, 0.30000000000000004, 19.75, 33.25, None]
WHOLES = [0, 1, -1, 2, 10, 2**31, 2**53 + 1, 2**63 - 1, -(2**63), None]
NAMED = ["", "a", "A", "a ", "ä", "1", "1.0", "1.5", "0", "0.1", "inf", "nan", "true", "it's",
         "back\\slash", "😀", "10000000000000000000000", "1e-07", str(2**63 - 1), "2.5"]
CATEGORIES = {
    "few": {"type": "category", "values": NAMED, "other": "A", "missing": "ä"},
    "left out": {"type": "category", "values": NAMED[:7]},
    "many": {"type": "category", "values": [*NAMED, *(f"v{k}" for k in range(60))]},
}
NUMBERS = {
    "coarse": {"type": "number", "low": -2, "high": 40, "resolution": "0.5", "missing": 3,
               "bins": [-2, 0, "1.75", 40]},
    "odd": {"type": "number", "low": "-0.3", "high": "33.3", "resolution": "0.1",
            "bins": [f"{k}/7" for k in range(-3, 240, 6)]},
    "even": {"type": "number", "low": 0, "high": 2**40, "bins": [k * 2**34 for k in range(65)]},
    "beyond": {"type": "number", "low": 0, "high": 10, "resolution": 1,
               "bins": [-9, -2, "1/2", 12, 30, 50]},
    "tenths": {"type": "number", "low": 0, "high": 1, "resolution": "0.1",
               "bins": [0, "0.1", "0.3", "0.7", "0.9", 1]},
}
SINGLES = [0.1, 0.3, 0.7, 0.9, 1.5, math.nan, math.inf, -0.0, None]
MOST = {"type": "number", "low": 0, "high": 2**20, "bins": [0, *range(3, MOST_EDGES + 6), 2**20]}


def agrees(source_of, cells, columns, people=True):
    """Every way to count the cells is that of the declaring functions."""
    rows = [{"cell": cell} for cell in cells]
    for name, column in columns.items():
        by_people = people and name in ("few", "coarse")
        for unit in ({}, {"person": "cell", "rows": 2})[: 1 + by_people]:
            form = {"dataset": "d", "unit": unit, "columns": {"cell": column}}
            declaration = Declaration.of(form)
            measures = ("cell",) if column["type"] == "number" else ()
            tally = Tally(declaration, ("cell",), measures)
            source = source_of(declaration)
            assert source.tallies((tally,), KEY)[0] == tally_rows(tally, rows, KEY), (name, unit)


def duck(kind, cells):
    connection = duckdb.connect()
    connection.execute(f'CREATE TABLE t (cell {kind}, "it\'s" INT)')
    connection.execute("INSERT INTO t SELECT unnest(?), 1", [cells])
    relation = connection.table("t")
    held = [row[0] for row in relation.project("cell").fetchall()]
    held = cells if kind == "FLOAT" else held  # a single is its shortest decimal
    return (lambda declaration: open_source(relation, declaration)), held


@pytest.mark.parametrize(("kind", "cells"), [
    ("VARCHAR", TEXTS), ("VARCHAR COLLATE NOCASE", TEXTS),
    ("ENUM('a', 'A', 'ä', '')", ["a", "A", "", None]),
    ("DOUBLE", DOUBLES), ("FLOAT", [*SINGLES, 3e38, 16777216.0]),
    ("BIGINT", WHOLES), ("TINYINT", [0, 1, -128, 127, None]), ("UBIGINT", [0, 1, 2**64 - 1, None]),
    ("HUGEINT", [0, 1, 2**53 + 1, 2**127 - 1, -(2**127), None]),
    ("DECIMAL(38, 10)", [Decimal(x) for x in (
        "1.5", "0.1", "1", "33.25", "9007199254740993.0000000001", "-2.25")] + [None]),
    ("BOOLEAN", [True, False, None]),
])
def test_duckdb_reads_every_cell_like_the_declaring_functions(kind, cells):
    source, held = duck(kind, cells)
    numbers = {} if kind.startswith(("VARCHAR", "ENUM")) else NUMBERS
    agrees(source, held, {**CATEGORIES, **numbers})


@pytest.mark.parametrize(("kind", "cells"), [
    (pa.float64(), DOUBLES), (pa.float32(), SINGLES), (pa.float16(), SINGLES),
    (pa.int64(), WHOLES)], ids=str)
def test_frames_read_every_cell_like_the_declaring_functions(kind, cells):
    short = kind.to_pandas_dtype()
    table = pa.table({"cell": pa.array([None if x is None else short(x) for x in cells], kind)})
    agrees(lambda declaration: open_source(table, declaration), cells, {**CATEGORIES, **NUMBERS})


def test_more_bins_than_a_query_searches_are_counted_the_same():
    source, held = duck("DOUBLE", DOUBLES)
    agrees(source, held, {"most": MOST}, people=False)


@settings(max_examples=4, deadline=None)
@given(st.lists(st.one_of(st.floats(), st.floats(-3, 42), st.integers(-6, 90).map(lambda k: k / 2),
                          st.sampled_from(DOUBLES)), min_size=90, max_size=90))
def test_duckdb_rounds_any_double_the_same(cells):
    source, held = duck("DOUBLE", cells)
    agrees(source, held, NUMBERS, people=False)


@settings(max_examples=3, deadline=None)
@given(st.lists(st.one_of(st.text(), st.sampled_from(TEXTS)), min_size=60, max_size=60))
def test_duckdb_knows_any_text_the_same(cells):
    source, held = duck("VARCHAR", [cell and cell.encode("utf-8", "replace").decode()
                                    for cell in cells])
    agrees(source, held, CATEGORIES, people=False)


@pytest.mark.parametrize(("kind", "cells"), [
    ("text", [cell for cell in TEXTS if cell is None or "\0" not in cell]),
    ("float8", DOUBLES), ("real", SINGLES),
    ("bigint", WHOLES), ("boolean", [True, False, None]),
    ("numeric", [Decimal(x) for x in ("1.5", "0.1", "1e22", "1e400", "-1e400", "1e-400", "NaN",
                                      "0.10000000000000000000001", "10")] + [None]),
])
def test_postgresql_reads_every_cell_like_the_declaring_functions(server, kind, cells):
    from sqlalchemy import create_engine

    engine = create_engine(server.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE IF EXISTS t")
        connection.exec_driver_sql(f"CREATE TABLE t (cell {kind})")
        connection.exec_driver_sql("INSERT INTO t VALUES (%(cell)s)",
                                   [{"cell": cell} for cell in cells])
    engine.dispose()
    numbers = {} if kind == "text" else NUMBERS
    agrees(lambda declaration: open_source(server, declaration, table="t"), cells,
           {**CATEGORIES, **numbers})


@pytest.fixture(scope="module")
def server():
    with postgres.server() as url:
        yield url


def test_sums_do_not_overflow_in_duckdb():
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t AS SELECT 1e300::DOUBLE AS x FROM range(2000)")
    column = {"type": "number", "low": 0, "high": 2**40, "resolution": 1}
    declaration = Declaration.of({"dataset": "d", "columns": {"x": column}})
    doubled = connection.sql("SELECT a.x FROM t a, t b, range(3)")
    tally = Tally(declaration, (), ("x",))
    found = open_source(doubled, declaration).tallies((tally,), KEY)[0]
    assert found.counts == (12_000_000,)
    assert Fraction(found.sums[0][0], 2**40) == 12_000_000  # beyond 2^63


def test_whole_numbers_beyond_64_bits_are_their_nearest_doubles_in_duckdb():
    """DuckDB's own conversion of a HUGEINT may be the double beside it."""
    number = 88351633526326436714
    edge = int(float(number))
    declaration = Declaration.of({"dataset": "d", "columns": {"x": {
        "type": "number", "low": 0, "high": 10**20, "bins": [0, edge, 10**20]}}})
    relation = duckdb.connect().sql(f"SELECT {number}::HUGEINT AS x")
    tally = Tally(declaration, ("x",))
    assert open_source(relation, declaration).tallies((tally,), KEY)[0].counts == (0, 1)


@pytest.mark.parametrize("most", [-1, 2**24], ids=["by a query", "in memory"])
def test_people_in_duckdb_have_whole_numbers_of_any_size_in_columns_of_any_name(most, monkeypatch):
    """In memory, too, where Arrow would hold the largest as -1."""
    monkeypatch.setattr("tightrope.tables.sources.duck.MOST_PEOPLE_ROWS", most)
    declaration = Declaration.of({"dataset": "d", "unit": {"person": 'who "now"', "rows": 1},
                                  "columns": {'x"y': {"type": "category",
                                                      "values": ["-1", str(2**128 - 1)]}}})
    relation = duckdb.connect().sql(
        f"SELECT 'p' AS \"who \"\"now\"\"\", {2**128 - 1}::UHUGEINT AS \"x\"\"y\"")
    tally = Tally(declaration, ('x"y',))
    assert open_source(relation, declaration).tallies((tally,), KEY)[0].counts == (0, 1)
