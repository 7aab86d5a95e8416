"""Releases at scale: rows that DuckDB adds up, people, and a histogram of a million cells.

A DuckDB file of generated rows: a person in ten rows, an age in doubles, a vote of four texts, a
pay. Each statistic is added up once, by the engine, with the memory that DuckDB is given.
"""

from __future__ import annotations

import os
import resource
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from reports import Report

from tightrope.data.sources import open_source
from tightrope.declarations import Declaration, Tally

ROWS = int(os.environ.get("TIGHTROPE_BENCH_ROWS", 100_000_000))
COLUMNS: dict[str, Any] = {
    "vote": {"type": "category", "values": ["no", "yes", "maybe"]},
    "age": {"type": "number", "low": 10, "high": 90, "resolution": "0.5",
            "bins": [10, 20, 30, 40, 50, 60, 70, 80, 90]},
    "pay": {"type": "number", "low": 0, "high": 999_999},
}


def measure() -> Report:
    """Fill a file once, and add up every statistic."""
    import duckdb

    rows, numbers = [], {}
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "rows.duckdb")
        with duckdb.connect(path) as made:
            made.execute(
                f"CREATE TABLE t AS SELECT (hash(range) % {max(1, ROWS // 10)})::BIGINT AS who, "
                "(10 + hash(range + 1) % 8001 / 100)::DOUBLE AS age, "
                "['no', 'yes', 'maybe', 'other'][1 + (hash(range + 2) % 4)::INT] AS vote, "
                f"(hash(range + 3) % 1000000)::INT AS pay FROM range({ROWS})")
        opened = duckdb.connect(path, read_only=True)
        for name, unit, asked in QUESTIONS:
            form = {"dataset": "d", "unit": unit, "columns": COLUMNS}
            tally = Tally(Declaration.of(form), **asked)
            source = open_source(opened.table("t"), tally.declaration)
            started = perf_counter()
            found = source.tally(tally)
            seconds = perf_counter() - started
            numbers[f"{name} seconds"] = seconds
            rows.append([name, f"{tally.size:,}", f"{sum(found.counts) <= ROWS}", f"{seconds:.1f}"])
        opened.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return Report(
        title="Releases at scale",
        question=f"{ROWS:,} generated rows in a DuckDB file, before any noise, one run each.",
        columns=["statistic", "cells", "complete", "seconds"],
        rows=rows,
        remarks=[
            f"Memory of the process at its peak: {peak:.1f} GB, most of it what DuckDB may use to "
            "avoid its own temporary files.",
            "People have ten rows on average, of which three count: those with the least SHA-256 "
            "of their codes, which is where the time goes.",
        ],
        numbers=numbers,
    )


PEOPLE = {"person": "who", "rows": 3}
QUESTIONS = (
    ("count", {}, {}),
    ("histogram of texts", {}, {"keys": ("vote",)}),
    ("histogram of doubles", {}, {"keys": ("age",)}),
    ("sum by text", {}, {"keys": ("vote",), "measure": "pay"}),
    ("histogram of a million cells", {}, {"keys": ("pay",), "fine": 1}),
    ("histogram of texts, people of ten rows", PEOPLE, {"keys": ("vote",)}),
)
