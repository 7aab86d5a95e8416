"""How every contender is timed: on one core, after a short run to warm up, best of several."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import numpy as np


def race(
    prepare: Callable[[int, float], Callable[[Any], Any]],
    package: str,
    *,
    form: Callable[[Any], Any] = lambda column: column,
    beside: tuple[str, ...] = ("numpy",),
) -> None:
    """Time `prepare(categories, epsilon)` on a column, and print what was found as JSON.

    `form` turns an array of codes into the kind of column the library takes; that, and the
    preparation, are not timed.
    """
    rows, categories, epsilon, repeats = (kind(text) for kind, text in
                                          zip((int, int, float, int), sys.argv[1:], strict=True))
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    codes = np.random.default_rng(20).integers(0, categories, rows)
    column, randomize = form(codes), prepare(categories, epsilon)
    randomize(form(codes[:1000]))
    best, drawn = float("inf"), None
    for _ in range(repeats):
        start = time.perf_counter()
        drawn = randomize(column)
        best = min(best, time.perf_counter() - start)
    print(json.dumps({
        "rows": rows,
        "seconds": best,
        "kept": float(np.mean(np.asarray(drawn) == np.asarray(column))),
        "version": version(package),
        "beside": {name: version(name) for name in beside},
    }))
