"""Columns of every kind, drawn by `draw_many`: rows per second beside `draw_indices`.

Ten categories at ε = 1. What differs is how a column is read and made again; the draws are
the same ones.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from reports import Report

from tightrope.constructions import design
from tightrope.samplers import draw_indices, draw_many
from tightrope.spaces import categories, path

ROWS, CATEGORIES = 4_000_000, 10
TINY = {"size": 4000}


def measure(size: int = ROWS) -> Report:
    """Draw each column five times, keep the quickest."""
    names = [f"value-{k}" for k in range(CATEGORIES)]
    text = design(categories(names), 1, loss="binary")
    whole = design(path(0, CATEGORIES - 1), 1, loss="absolute")
    codes = np.random.default_rng(1).integers(0, CATEGORIES, size)
    labels = [names[code] for code in codes.tolist()]
    columns: dict[str, Any] = {
        "pandas, category": pd.Series(labels, dtype="category"),
        "pandas, text": pd.Series(labels),
        "Polars, category": pl.Series(labels, dtype=pl.Categorical),
        "Polars, text": pl.Series(labels),
        "Arrow, dictionary": pa.array(labels).dictionary_encode(),
        "Arrow, text": pa.array(labels),
        "numpy, objects": np.array(labels, dtype=object),
        "numpy, text": np.array(labels),
        "list of text": labels,
    }
    numbers: dict[str, Any] = {
        "numpy, integers": codes,
        "pandas, integers": pd.Series(codes),
        "list of integers": codes.tolist(),
    }
    found = {"indices (draw_indices)": _speed(size, lambda: draw_indices(text, codes))}
    for columns_, solution in ((columns, text), (numbers, whole)):
        for name, column in columns_.items():
            found[name] = _speed(size, lambda c=column, s=solution: draw_many(s, c))
    return Report(
        "Columns of every kind",
        f"{size:,} rows, {CATEGORIES} categories or a path of as many points, ε = 1, one core, "
        "processor time, best of 5.",
        ["column", "rows per second"],
        [[name, f"{speed:,.0f}"] for name, speed in found.items()],
        ["A column comes back as the kind it was, with the index and name of a Series."],
        dict(found),
    )


def _speed(size: int, run: Callable[..., Any]) -> float:
    best = float("inf")
    for _ in range(5):
        start = process_time()
        run()
        best = min(best, process_time() - start)
    return size / best
