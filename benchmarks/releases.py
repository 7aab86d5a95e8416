"""Releases at scale: rows that DuckDB adds up, people, and a histogram of a million cells.

A DuckDB file of generated rows: a person in ten rows, an age in doubles, a vote of four texts, a
pay. Each statistic is added up once, by the engine, with the memory that DuckDB is given.
"""

from __future__ import annotations

import os
import resource
import tempfile
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from reports import Report

from tightrope.declarations import CutKey, Declaration, Tally
from tightrope.ledger import Budget, Ledger
from tightrope.releases import open_books
from tightrope.tables import open_source

ROWS = int(os.environ.get("TIGHTROPE_BENCH_ROWS", 100_000_000))
MILLION = 1_000_000
TINY = {"size": 10_000, "cells": 1000}
COLUMNS: dict[str, Any] = {
    "vote": {"type": "category", "values": ["no", "yes", "maybe"]},
    "age": {"type": "number", "low": 10, "high": 90, "resolution": "0.5",
            "bins": [10, 20, 30, 40, 50, 60, 70, 80, 90]},
    "pay": {"type": "number", "low": 0, "high": 999_999, "resolution": 1},
}


def measure(size: int = ROWS, cells: int = MILLION) -> Report:
    """Fill a file once, and add up every statistic."""
    import duckdb

    rows, numbers = [], {}
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "rows.duckdb")
        with duckdb.connect(path) as made:
            made.execute(
                f"CREATE TABLE t AS SELECT (hash(range) % {max(1, size // 10)})::BIGINT AS who, "
                "(10 + hash(range + 1) % 8001 / 100)::DOUBLE AS age, "
                "['no', 'yes', 'maybe', 'other'][1 + (hash(range + 2) % 4)::INT] AS vote, "
                f"(hash(range + 3) % 1000000)::INT AS pay FROM range({size})")
        opened = duckdb.connect(path, read_only=True)
        for name, unit, asked in QUESTIONS:
            form = {"dataset": "d", "unit": unit, "columns": COLUMNS}
            tally = Tally(Declaration.of(form), **asked)
            source = open_source(opened.table("t"), tally.declaration)
            started = perf_counter()
            source.tallies((tally,), CutKey(bytes(32)))[0]
            seconds = perf_counter() - started
            numbers[f"{name} seconds"] = seconds
            rows.append([name, f"{size:,}", f"{tally.size:,}", f"{seconds:.1f}"])
        opened.close()
        seconds = whole_release(Path(folder), cells)
        numbers["release of many cells seconds"] = seconds
        rows.append(["release of many cells, with its entry", f"{cells:,}", f"{cells:,}",
                     f"{seconds:.1f}"])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return Report(
        title="Releases at scale",
        question=f"{size:,} generated rows in a DuckDB file, added up before any noise, one run.",
        columns=["statistic", "rows", "cells", "seconds"],
        rows=rows,
        remarks=[
            f"Memory of the process at its peak: {peak:.1f} GB, most of it what DuckDB may use to "
            "avoid its own temporary files.",
            "People have ten rows on average, of which three count: those with the least SHA-256 "
            "behind a fresh key. Other work went on on the machine.",
            "The release is all of it, from an Arrow table: adding up, charging, drawing, keeping "
            "and answering; declaring a million cells takes some seconds before.",
        ],
        numbers=numbers,
    )


def whole_release(folder: Path, cells: int) -> float:
    """Seconds from question to answers for so many cells, charged to a ledger."""
    import pyarrow as pa

    column = {"type": "number", "low": 0, "high": cells, "bins": [*range(cells + 1)]}
    declared = Declaration.of({"dataset": "d", "columns": {"pay": column}})
    ledger = Ledger.create(folder / "books.sqlite")
    ledger.open_budget(Budget.of("b", declared, epsilon=1))
    drawn = Random(5)
    table = pa.table({"pay": [drawn.randrange(cells) for _ in range(cells)]})
    books = open_books(table, declared, ledger=ledger, budget="b")
    started = perf_counter()
    found = books.histogram("pay", 1)
    seconds = perf_counter() - started
    assert len(found.answers) == cells
    return seconds


PEOPLE = {"person": "who", "rows": 3}
QUESTIONS = (
    ("count", {}, {}),
    ("histogram of texts", {}, {"keys": ("vote",)}),
    ("histogram of doubles", {}, {"keys": ("age",)}),
    ("sum by text", {}, {"keys": ("vote",), "measures": ("pay",)}),
    ("histogram of a million cells", {}, {"keys": ("pay",), "fine": 1}),
    ("histogram of texts, people of ten rows", PEOPLE, {"keys": ("vote",)}),
)
