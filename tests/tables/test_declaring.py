"""Drafts of declarations: from the schema alone, with the rule by which cells are read."""

import tomllib
from decimal import Decimal

import duckdb
import pandas
import polars
import pyarrow as pa
import pytest

from tightrope.tables.declaring import draft_declaration

TABLE = pa.table({
    "count": pa.array([1], pa.int16()), "id": pa.array([1], pa.uint64()),
    "cents": pa.array([Decimal("3")], pa.decimal128(9, 0)), "share": pa.array([0.5]),
    "price": pa.array([Decimal("3.10")], pa.decimal128(9, 2)), "name": ["a"], "on": [True],
})


def columns(data):
    return tomllib.loads(draft_declaration(data).text)["columns"]


@pytest.mark.parametrize("data", [TABLE, polars.from_arrow(TABLE), duckdb.from_arrow(TABLE)])
def test_a_resolution_of_1_is_drafted_where_whole_numbers_are_stored(data):
    drafted = columns(data)
    assert drafted["count"] == drafted["id"] == {"type": "number", "resolution": 1}
    assert drafted["share"] == drafted["price"] == {"type": "number"}
    assert drafted["name"] == drafted["on"] == {"type": "category"}


def test_rows_decide_nothing_in_a_draft():
    whole, other = (columns(pandas.DataFrame({"x": cells})) for cells in ([1, 2], [0.5, "a"]))
    assert whole == other == {"x": {}}


@pytest.mark.parametrize("data", [TABLE, {"x": [1]}])
def test_a_draft_says_how_cells_are_matched(data):
    text = draft_declaration(data).text
    for words in ("matched by the same text", "1.0 is 1; 01, 1E3 are codes", "TRUE, 1",
                  *(['or "text", if nobody'] if data is TABLE else []),
                  "if none: 2^20 steps, for quantiles 1,000"):
        assert words in text
    assert all(len(line) <= 80 for line in text.splitlines())
