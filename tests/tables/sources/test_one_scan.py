"""Several requests are one scan of the rows, of one snapshot, whatever holds them."""

import duckdb
import pytest

from tests.tables.sources.test_same_statistic import (
    KEY,
    SOURCES,
    TABLE,
    TALLIES,
    UNITS,
    declared,
    tally_of,
)
from tightrope.tables import open_source
from tightrope.tables.sources import duck, queries
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
    query = queries.tallies_query(several(unit), KEY, engine, "t", relation.columns)
    text = str(query.compile(dialect=duck._dialect(), compile_kwargs={"literal_binds": True}))
    plan = relation.query("t", f"EXPLAIN {text}").fetchall()[0][1]
    assert plan.count("ARROW_SCAN") == 1, plan
