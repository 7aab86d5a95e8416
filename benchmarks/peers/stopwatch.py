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

ERROR_ROWS, ERROR_RUNS = 100_000, 30


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


def estimate_race(
    prepare: Callable[[int, float], Callable[[Any], dict[str, Any]]],
    package: str,
    *,
    form: Callable[[Any], Any] = lambda column: column,
    beside: tuple[str, ...] = ("numpy",),
) -> None:
    """Time randomizing a column and estimating its proportions, and print it with the error.

    The function that `prepare` returns gives estimated proportions under the name of each
    estimator. Errors are the mean square over all values times the rows, on average over 30
    runs on the first 100,000 rows, the same for all libraries.
    """
    rows, categories, epsilon, repeats = (kind(text) for kind, text in
                                          zip((int, int, float, int), sys.argv[1:], strict=True))
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    chances = 1 / np.arange(1, categories + 1)
    codes = np.random.default_rng(20).choice(categories, rows, p=chances / chances.sum())
    column, run = form(codes), prepare(categories, epsilon)
    run(form(codes[:1000]))
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        run(column)
        best = min(best, time.perf_counter() - start)
    part = codes[:ERROR_ROWS]
    truth = np.bincount(part, minlength=categories) / len(part)
    errors: dict[str, float] = {}
    for _ in range(ERROR_RUNS):
        for name, estimate in run(form(part)).items():
            square = float(np.mean((np.asarray(estimate) - truth) ** 2)) * len(part)
            errors[name] = errors.get(name, 0.0) + square / ERROR_RUNS
    print(json.dumps({
        "rows": rows,
        "seconds": best,
        "errors": errors,
        "version": version(package),
        "beside": {name: version(name) for name in beside},
    }))
