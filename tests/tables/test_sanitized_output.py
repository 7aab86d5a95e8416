"""A sanitized table is made from declared values and drawn numbers alone, in any order asked."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.laws.verdicts import LawTest
from tightrope.samplers import SeededSource, uniform_order
from tightrope.tables import sanitize
from tightrope.tables.sanitization import shuffle_rows

SURE = 60
CELLS = ["no"] * 5 + ["yes"]
ODD = {"another value": "HIV", "missing": None, "a number": 7, "a float": 0.5, "truth": True,
       "bytes": b"yes", "a time": pd.Timestamp("2026-01-01"), "huge": 2**70}


def _pandas(cells, **kind):
    return pd.DataFrame({"v": pd.Series(cells, **kind), "id": range(len(cells))})


KINDS = {
    "pandas": _pandas,
    "categories": lambda cells: _pandas(cells, dtype="category"),
    "objects": lambda cells: _pandas(cells, dtype=object),
    "lists": lambda cells: {"v": list(cells), "id": list(range(len(cells)))},
    "arrays": lambda cells: {"v": np.array(cells, dtype=object), "id": np.arange(len(cells))},
}


def _described(table):
    """All that a table tells beside its drawn values."""
    if isinstance(table, pd.DataFrame):
        categories = [getattr(kind, "categories", None) for kind in table.dtypes]
        return (list(table.columns), [str(kind) for kind in table.dtypes], str(categories),
                table.index.tolist(), type(table.index), dict(table.attrs))
    return {name: (type(column), getattr(column, "dtype", None), {type(cell) for cell in column})
            for name, column in table.items()}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("odd", ODD)
def test_one_protected_cell_changes_nothing_but_drawn_values(kind, odd):
    usual = sanitize(KINDS[kind](CELLS), {"v": "no/yes"}, SURE)
    other = sanitize(KINDS[kind]([*CELLS[:3], ODD[odd], *CELLS[4:]]), {"v": "no/yes"}, SURE)
    assert _described(usual.table) == _described(other.table)
    assert usual.clear == other.clear
    assert list(other.table["v"]) == CELLS  # what is not declared counts as the first


@pytest.mark.parametrize("cells", [["no", "HIV", "yes"], ["no", "no", "yes"]])
def test_dictionaries_and_metadata_of_the_old_column_are_gone(tmp_path, cells):
    coded = pa.array(cells).dictionary_encode()
    table = pa.table({"v": coded}, metadata={"num_categories": str(len(set(cells)))})
    found = sanitize(table, {"v": "no/yes"}, SURE).table
    assert (found.schema.types, found.schema.metadata) == ([pa.string()], None)
    pq.write_table(table, tmp_path / "in.parquet")
    sanitize(tmp_path / "in.parquet", {"v": "no/yes"}, SURE, output=tmp_path / "out.parquet")
    read = pq.ParquetFile(tmp_path / "out.parquet")
    assert b"HIV" not in (tmp_path / "out.parquet").read_bytes()
    assert "num_categories" not in str(read.metadata.metadata)
    frame = pl.DataFrame({"v": pl.Series(cells, dtype=pl.Enum(sorted({*cells, "no"})))})
    assert sanitize(frame, {"v": "no/yes"}, SURE).table.schema == {"v": pl.String}


def test_an_index_of_ones_own_and_the_order_are_named():
    frame = pd.DataFrame({"v": CELLS}, index=list("abcdef"))
    assert sanitize(frame, {"v": "no/yes"}, 1).clear == ("(index)", "(order of rows)")
    assert sanitize(frame.reset_index(drop=True), {"v": "no/yes"}, 1).clear == ("(order of rows)",)
    assert sanitize(frame, {"v": "no/yes"}, 1, shuffle=True).clear == ("(index)",)


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "lists", "csv", "parquet"])
def test_shuffled_rows_stay_whole_and_lose_their_order(tmp_path, kind):
    rows = 400
    columns = {"v": ["no"] * 200 + ["yes"] * 200, "id": list(range(rows))}
    made = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table, "lists": dict}
    if kind in made:
        found = sanitize(made[kind](columns), {"v": "no/yes"}, SURE, shuffle=True).table
        if kind == "pandas":
            assert found.index.tolist() == list(range(rows))
        found = {name: list(found[name].to_pylist() if kind == "arrow" else found[name])
                 for name in columns}
    else:
        source, target = tmp_path / f"in.{kind}", tmp_path / f"out.{kind}"
        frame = pd.DataFrame(columns)
        frame.to_csv(source, index=False) if kind == "csv" else frame.to_parquet(source)
        done = sanitize(source, {"v": "no/yes"}, SURE, shuffle=True, output=target, batch_rows=64)
        assert (done.rows, done.clear) == (rows, ("id",))
        read = pd.read_csv(target) if kind == "csv" else pd.read_parquet(target)
        found = {name: read[name].tolist() for name in columns}
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
            [source.name, target.name, f"{target.name}.v.mechanism.json"])
    assert sorted(found["id"]) == columns["id"]
    assert all((cell == "yes") == (row >= 200)
               for cell, row in zip(found["v"], found["id"], strict=True))
    near = sum(b - a == 1 for a, b in zip(found["id"], found["id"][1:], strict=False))
    assert near < 15  # about 1 of 399; more in less than one of a million runs


def test_every_order_is_equally_likely_in_memory_and_in_parts(tmp_path):
    source, orders = SeededSource(3), list(permutations(range(4)))
    even = LawTest((Fraction(1, 24),) * 24)
    seen = Counter(tuple(uniform_order(4, source).tolist()) for _ in range(24_000))
    assert even.accepts([seen[order] for order in orders])
    swapped = Counter({order: 500 if order[0] < order[1] else 1500 for order in orders})
    assert not even.accepts([swapped[order] for order in orders])
    schema = pa.schema([("n", pa.int64())])
    batch = pa.record_batch({"n": list(range(4))}, schema=schema)
    seen = Counter()
    for _ in range(4_800):
        rows = shuffle_rows(iter([batch]), schema, 4, tmp_path / "t", 2, source)
        seen[tuple(n for part in rows for n in part["n"].to_pylist())] += 1
    assert even.accepts([seen[order] for order in orders])


@pytest.mark.parametrize("odd", [None, "HIV", "=cmd()", "a\x00b", "\x1b[31m", "9" * 400])
def test_what_is_no_declared_value_comes_out_as_missing_where_that_is_a_value(odd):
    """At such a level a cell changes once in 10^25 draws."""
    for missing, out in (("value", None), ("first", "no")):
        made = sanitize({"v": ["yes", odd, "no"]}, {"v": "no/yes"}, SURE, missing=missing)
        assert made.table["v"] == ["yes", out, "no"]
