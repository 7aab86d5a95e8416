"""Large Parquet files and DuckDB: quicker ways to the statistic of the plain definition."""

import math

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tables.plain import tally_rows
from tests.tables.sources.test_same_statistic import (
    KEY,
    ROWS,
    TABLE,
    TALLIES,
    UNITS,
    declared,
    tally_of,
)
from tightrope.declarations import Declaration, Tally, read_filter
from tightrope.tables import open_source
from tightrope.tables.sources import duck, grouped, parquet
from tightrope.tables.sources.parquet import ParquetSource

ALIKE = {"cell": [1.0, 2.0, 2.0, None]}


@pytest.fixture(autouse=True)
def large(monkeypatch):
    """Every file is large."""
    monkeypatch.setattr(parquet, "LARGE", 0)


def file_of(folder, table, name="t.parquet"):
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, folder / name)
    return folder / name


@pytest.mark.parametrize("name", TALLIES)
def test_a_large_file_is_added_up_by_duckdb_as_by_arrow(tmp_path, name):
    tally = tally_of(name, declared("rows"))
    source = open_source(file_of(tmp_path, TABLE), tally.declaration)
    expected = (tally_rows(tally, ROWS, KEY),)
    assert source._by_duckdb((tally,), KEY) == source.arrow.tallies((tally,), KEY) == expected
    assert source.tallies((tally,), KEY) == expected


def by_category(values=("1", "2")):
    form = {"type": "category", "values": list(values), "other": values[0], "missing": values[1]}
    declaration = Declaration.of({"dataset": "d", "columns": {"cell": form}})
    return declaration, Tally(declaration, ("cell",))


@pytest.mark.parametrize(("folder", "name", "columns"), [
    ("cell=7", "t.parquet", ALIKE),
    ("cell=1", "t.parquet", {"cell": pa.array([1, 2, 2, None])}),
    (".", "t*.parquet", ALIKE),
    (".", "[t]?.parquet", ALIKE),
    (".", "it's.parquet", ALIKE),
    (".", "t.parquet", {"CELL": [5.0] * 4, **ALIKE}),
    (".", "t.parquet", {"cell": pa.array(["1", "é", "", None])}),
    (".", "t.parquet", {"cell": pa.array([1, 2**64 - 1, 3], pa.uint64())}),
    (".", "t.parquet", {"cell": pa.array([b"1", b"\xff", b"1\x00"]).view(pa.string())}),
    (".", "t.parquet", {"cell": pa.array(["1", "2", None]).dictionary_encode()}),
    (".", "t.parquet", {"cell": pa.array([0.1, 2.0, math.nan], pa.float32())}),
    (".", "t.parquet", {"cell": pa.array([True, False, None])}),
])
def test_whatever_duckdb_would_read_otherwise_is_read_by_arrow(tmp_path, folder, name, columns):
    declaration, tally = by_category()
    source = open_source(file_of(tmp_path / folder, pa.table(columns), name), declaration)
    file_of(tmp_path / folder, pa.table({"cell": ["2"] * 9}), "tt.parquet")  # matches the patterns
    assert isinstance(source, ParquetSource)
    expected = source.arrow.tallies((tally,), KEY)[0]
    assert sum(expected.counts) == source.rows
    assert source.tallies((tally,), KEY)[0] == expected


def test_statistics_of_a_parquet_file_decide_nothing(tmp_path):
    """They leave out NaN, which DuckDB then takes to lie between the least and the largest."""
    path = str(file_of(tmp_path, pa.table({"x": [0.25, math.nan, 0.75, None]})))
    form = {"type": "number", "low": 0, "high": 1, "resolution": "0.25", "bins": [0, "0.5", 1]}
    connection = duckdb.connect()
    relation = connection.read_parquet(path)
    for missing in ("leave out", "0.25"):
        declaration = Declaration.of({"dataset": "d", "columns": {
            "x": {**form, "missing": missing}}})
        for tally in (Tally(declaration, ("x",), ("x",)), Tally(declaration, ("x",), fine=1),
                      Tally(declaration, where=read_filter("x is missing or x > 0.9",
                                                           declaration.columns))):
            rows = [{"x": x} for x in (0.25, math.nan, 0.75, None)]
            expected = tally_rows(tally, rows, KEY)
            for data in (path, relation):
                assert open_source(data, declaration).tallies((tally,), KEY)[0] == expected
    [(after,)] = connection.execute("SELECT current_setting('disabled_optimizers')").fetchall()
    assert after == "", "the setting of the connection is as before"


@pytest.mark.parametrize("kind", [pa.float32(), pa.float64()])
def test_categories_of_a_parquet_relation_depend_on_no_statistics(tmp_path, kind):
    """A NaN among them is missing, also where the least and the largest number leave it out."""
    declaration, tally = by_category()
    cells = pa.array([0.1, 2.0, math.nan], kind)
    relation = duckdb.connect().read_parquet(str(file_of(tmp_path, pa.table({"cell": cells}))))
    assert open_source(relation, declaration).tallies((tally,), KEY)[0].counts == (1, 2)


def test_small_files_and_people_are_left_to_arrow(tmp_path, monkeypatch):
    path = file_of(tmp_path, TABLE)
    monkeypatch.setattr(ParquetSource, "_by_duckdb", lambda *_: pytest.fail("by DuckDB"))
    people = tally_of("by vote", declared("people"))
    assert open_source(path, people.declaration).tallies((people,), KEY)[0] == tally_rows(
        people, ROWS, KEY)
    monkeypatch.setattr(parquet, "LARGE", len(ROWS) + 1)
    rows = tally_of("by vote", declared("rows"))
    opened = open_source(path, rows.declaration)
    assert opened.tallies((rows,), KEY)[0] == tally_rows(rows, ROWS, KEY)


@pytest.mark.parametrize("most", [-1, 2**24], ids=["by a query", "in memory"])
@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit != "rows"])
def test_duckdb_cuts_people_by_a_query_as_in_memory(unit, most, monkeypatch):
    monkeypatch.setattr(duck, "MOST_PEOPLE_ROWS", most)
    tallies = [*(tally_of(name, declared(unit)) for name in TALLIES),
               Tally(declared(unit), ("vote",), people=True)]
    source = open_source(duckdb.from_arrow(TABLE), declared(unit))
    expected = tuple(tally_rows(tally, ROWS, KEY) for tally in tallies)
    assert source.tallies(tallies, KEY) == expected
    assert source.tallies((tallies[4],), KEY)[0] == expected[4]


BOUNDS = st.sampled_from([("0", "1", "0.1"), ("-3", "7", "0.5"), ("-1", "2", "1"),
                          ("0", "1048577", "1"), ("10", "90", "0.4"), ("0.1", "0.7", "0.2"),
                          ("1e17", "100000000000000123", "1"), ("-1e100", "1e100", "1e90"),
                          ("1e17", "100000000000000128", "1"),
                          ("0", "1e-100", "1e-101"), ("5", "9007199254740005", "10000"),
                          ("-5", "1099511627771", "1")])
DOUBLES = st.floats() | st.integers(-40, 400).map(lambda k: k / 20) | st.sampled_from(
    [-0.0, 5e-324, math.nan, math.inf, -math.inf, 0.05, 0.15, 0.25, 1e17 + 16, 2.0**53 + 2])


@given(bounds=BOUNDS, cells=st.lists(st.none() | DOUBLES, min_size=1, max_size=12),
       missing=st.booleans())
@example(bounds=("1e17", "100000000000000123", "1"), cells=[math.inf], missing=False)  # rounded up
def test_doubles_have_the_codes_and_bins_of_the_definition_to_the_bit(bounds, cells, missing):
    low, high, step = bounds
    assert_same(pa.array(cells, pa.float64()), cells, low, high, step, missing)


@given(bounds=BOUNDS, cells=st.lists(st.none() | st.integers(-(2**63), 2**63 - 1)
                                     | st.integers(10**17, 10**17 + 128)
                                     | st.integers(-20, 120), min_size=1, max_size=12))
@example(bounds=("1e17", "100000000000000128", "1"), cells=[10**17 + 9])  # no double is that
def test_whole_numbers_have_the_codes_and_bins_of_the_definition(bounds, cells):
    low, high, step = bounds
    assert_same(pa.array(cells, pa.int64()), cells, low, high, step, False)


def assert_same(array, cells, low, high, step, missing):
    """All that is read of numbers, by DuckDB and by the definition."""
    from fractions import Fraction

    ends = [Fraction(low), Fraction(high)]
    inner = [ends[0] + (ends[1] - ends[0]) * part for part in (Fraction(1, 7), Fraction(1, 2))]
    bins = [ends[0] - 2, ends[0] - 1, ends[0], *inner, ends[1], ends[1] + 1, ends[1] + 2]
    form = {"type": "number", "low": low, "high": high, "resolution": step, "bins": bins}
    form |= {"missing": str(inner[1])} if missing else {}
    declaration = Declaration.of({"dataset": "d", "columns": {"x": form}})
    where = read_filter("not x > 0.05", declaration.columns)
    source = open_source(duckdb.from_arrow(pa.table({"x": array})), declaration)
    tallies = [Tally(declaration, ("x",), fine=1), Tally(declaration, measures=("x",)),
               Tally(declaration, ("x",), ("x",), where=where, conditions=(where,))]
    rows = [{"x": cell} for cell in cells]
    expected = tuple(tally_rows(tally, rows, KEY) for tally in tallies)
    assert tuple(source.tallies((tally,), KEY)[0] for tally in tallies) == expected
    assert source.tallies(tallies, KEY) == expected


def test_the_plain_price_depends_on_no_filter_below_the_groups():
    """DuckDB would move a filter of cells below the groups: categories would be read each row."""
    _, tally = by_category()
    relation = duckdb.from_arrow(pa.table({"cell": ["1", "2"]}))
    query = grouped.grouped_query([tally], duck._Duck(duck.DuckSource(relation).kinds),
                                  duck.named_table("t", ("cell",)))
    text = str(query.compile(dialect=duck._dialect(), compile_kwargs={"literal_binds": True}))
    plan = relation.query("t", f"EXPLAIN {text}").fetchall()[0][1]
    assert "FILTER" not in plan.upper()
