"""Several requests are one scan of the rows, of one snapshot, whatever holds them."""

import duckdb
import pyarrow as pa
import pytest

from tests.tables.plain import tally_rows
from tests.tables.sources.test_same_statistic import (
    COLUMNS,
    KEY,
    ROWS,
    SOURCES,
    TABLE,
    TALLIES,
    UNITS,
    declared,
    tally_of,
)
from tightrope.declarations import Declaration, Tally
from tightrope.tables import open_source
from tightrope.tables.sources import duck, grouped, queries
from tightrope.tables.sources.batches import BatchSource


def several(unit):
    return [tally_of(name, declared(unit)) for name in TALLIES]


@pytest.mark.parametrize("unit", ["rows", "people"])
@pytest.mark.parametrize("kind", ["csv", "arrow", "mapping"])
def test_batches_are_read_once_for_all_requests(tmp_path, kind, unit):
    data, options = SOURCES[kind](tmp_path)
    source = open_source(data, declared(unit), **options)
    scans = []

    def batches(columns):
        scans.append(tuple(columns))
        return source.batches(columns)

    BatchSource(source.names, batches, source.types).tallies(several(unit), KEY)
    person = ("who",) if unit == "people" else ()
    assert [set(columns) for columns in scans] == [{"age", "pay", "vote", "area", *person}]


@pytest.mark.parametrize("unit", UNITS)
def test_duckdb_scans_its_rows_once_for_all_requests(unit):
    relation = duckdb.from_arrow(TABLE)
    engine = duck._Duck(duck.DuckSource(relation).kinds)
    query = grouped.grouped_query(several(unit), engine, queries.named_table(
        "t", relation.columns)) if unit == "rows" else queries.tallies_query(
            several(unit), KEY, engine, "t", relation.columns)
    text = str(query.compile(dialect=duck._dialect(), compile_kwargs={"literal_binds": True}))
    plan = relation.query("t", f"EXPLAIN {text}").fetchall()[0][1]
    assert plan.count("ARROW_SCAN") == 1, plan


@pytest.mark.parametrize(("names", "sets"), [
    (["all", "by vote", "sum", "some", "two sums"], 1),
    (["by vote", "by every value", "sum by", "by large code"], 3),
])
def test_small_questions_share_the_groups_of_duckdb(names, sets):
    tallies = [tally_of(name, declared("rows")) for name in names]
    relation = duckdb.from_arrow(TABLE)
    query = grouped.grouped_query(tallies, duck._Duck(duck.DuckSource(relation).kinds),
                                  queries.named_table("t", relation.columns))
    text = str(query.compile(dialect=duck._dialect(), compile_kwargs={"literal_binds": True}))
    assert text.count("GROUPING SETS") == (sets > 1)
    if sets > 1:
        listed = text.partition("GROUPING SETS(")[2].partition("))")[0]
        assert listed.count("(") == sets, listed
    statistics = open_source(relation, declared("rows")).tallies(tallies, KEY)
    assert list(statistics) == [tally_rows(tally, ROWS, KEY) for tally in tallies]


def test_columns_of_a_table_have_any_name():
    """Those of the query itself among them."""
    for name in ("count", "sum_0", "group_0", "measured_0", "cell", "place"):
        declaration = Declaration.of({"dataset": "d", "columns": {
            name: COLUMNS["vote"], "x": {"type": "number", "low": 0, "high": 4, "resolution": 1,
                                         "bins": [0, 2, 4]}}})
        rows = [{name: "yes" if place % 3 else "no", "x": float(place % 5)}
                for place in range(20)]
        tallies = [Tally(declaration, (name,)), Tally(declaration, (name,), ("x",)),
                   Tally(declaration, (name, "x")), Tally(declaration, ("x",), fine=1)]
        expected = tuple(tally_rows(tally, rows, KEY) for tally in tallies)
        source = open_source(duckdb.from_arrow(pa.Table.from_pylist(rows)), declaration)
        assert tuple(source.tallies((tally,), KEY)[0] for tally in tallies) == expected
        assert source.tallies(tallies, KEY) == expected


def test_more_columns_than_duckdb_tells_apart_at_once_are_counted_the_same():
    names = [f"x{place}" for place in range(66)]
    form = {"type": "number", "low": 0, "high": 3, "resolution": 1, "bins": [0, 1, 2, 3]}
    declaration = Declaration.of({"dataset": "d", "columns": dict.fromkeys(names, form)})
    rows = [{name: float((row * place) % 4) for place, name in enumerate(names)}
            for row in range(5)]
    tallies = [Tally(declaration, (name,)) for name in names]
    source = open_source(duckdb.from_arrow(pa.Table.from_pylist(rows)), declaration)
    assert source.tallies(tallies, KEY) == tuple(tally_rows(tally, rows, KEY) for tally in tallies)
