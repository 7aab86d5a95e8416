"""Randomizing a column and estimating its proportions, Tightrope beside two libraries.

10 and 1000 categories with proportions 1, 1/2, 1/3, ..., k-ary randomized response at ε = 1,
data in memory, one core, best of three. Slow libraries get fewer rows; the measure is rows per
second. Errors are of the same 100,000 rows for all, on average over 30 runs. Estimates that
may leave [0, 1] and clipped ones are compared each with its own kind.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from environments import peers_python
from reports import Report

HERE = Path(__file__).resolve().parent
EPSILON, REPEATS = 1.0, 3
TINY = {"scale": 1000, "repeats": 1, "peers": False}


@dataclass(frozen=True)
class Contender:
    """A library, the script that runs it, and its rows for 10 and for 1000 categories."""

    name: str
    script: str
    rows: dict[int, int]
    manner: str


OURS = Contender("Tightrope", "tightrope_estimate", {10: 10_000_000, 1000: 10_000_000},
                 "whole column, cryptographic")
PEERS = (
    Contender("multi-freq-ldpy", "multi_freq_ldpy_estimate", {10: 10_000_000, 1000: 1_000_000},
              "compiled loop"),
    Contender("pure-ldp", "pure_ldp_estimate", {10: 1_000_000, 1000: 1_000_000}, "Python loop"),
)


def measure(scale: int = 1, repeats: int = REPEATS, peers: bool = True) -> Report:
    """Run every contender; `scale` divides the rows for a quick look."""
    rows, numbers = [], {}
    for categories in (10, 1000):
        own = _timed(OURS, Path(sys.executable), categories, scale, repeats)
        found = [(OURS, own)]
        if peers:
            found += [(p, _timed(p, peers_python(), categories, scale, repeats)) for p in PEERS]
        for contender, result in found:
            speed = result["rows"] / result["seconds"]
            numbers[f"{contender.script} k={categories} rows per second"] = speed
            errors = result["errors"]
            for name, error in errors.items():
                numbers[f"{contender.script} k={categories} {name} error"] = error
            lead = own["rows"] / own["seconds"] / speed
            rows.append([
                f"{categories} categories",
                f"{contender.name} {result['version']}",
                contender.manner,
                f"{result['rows']:,}",
                f"{speed:,.0f}",
                "" if contender is OURS else f"{lead:,.1f}",
                _shown(errors, "unbiased"),
                _shown(errors, "clipped"),
            ])
    return Report(
        title="Sanitize and estimate",
        question=f"k-ary randomized response at ε = {EPSILON:g}, one core, best of {repeats}.",
        columns=["problem", "library", "called by", "rows", "rows per second", "ratio",
                 "error, unbiased", "error, clipped"],
        rows=rows,
        remarks=[
            "Ratio: the speed of Tightrope over that of the library.",
            "Error: the mean squared error of all proportions times the number of rows, for the "
            "same 100,000 rows, on average over 30 runs; compare within a column. With 10 "
            "categories such an average is known to about one part in ten.",
            "Clipped: negative proportions set to zero and the others scaled, the only kind that "
            "multi-freq-ldpy has.",
            "Tightrope draws from an exactly rational law with the system's entropy; the others "
            "use doubles and a generator that is not cryptographic. The compiled loop is ours.",
        ],
        numbers=numbers,
    )


def _shown(errors: dict[str, float], name: str) -> str:
    return f"{errors[name]:.3g}" if name in errors else ""


def _timed(
    contender: Contender, python: Path, categories: int, scale: int, repeats: int
) -> dict[str, Any]:
    alone = {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    ended = subprocess.run(
        [python, "-W", "ignore", HERE / "peers" / f"{contender.script}.py",
         str(contender.rows[categories] // scale), str(categories), str(EPSILON), str(repeats)],
        env={**os.environ, **alone}, capture_output=True, text=True, check=False,
    )
    if ended.returncode:
        raise SystemExit(f"{contender.name} failed:\n{ended.stderr}")
    return dict(json.loads(ended.stdout.splitlines()[-1]))
