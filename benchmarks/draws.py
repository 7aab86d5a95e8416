"""Randomized response on a column: rows drawn per second, Tightrope beside other libraries.

Ten categories, ε = 1, data in memory, one core. Every library runs in a process of its own,
through the fastest public call it has for k-ary randomized response, and is timed three
times; the best counts. What it drew is checked against the law it was asked for. Slow
libraries get fewer rows; the measure is rows per second.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from environments import peers_python
from reports import Report

HERE = Path(__file__).resolve().parent
CATEGORIES, EPSILON, REPEATS = 10, 1.0, 3
TINY = {"scale": 1000, "repeats": 1, "peers": False}


@dataclass(frozen=True)
class Contender:
    """A library, the script that runs it, how many rows it gets and how it is called."""

    name: str
    script: str
    rows: int
    call: str
    manner: str
    cryptographic: bool


OURS = Contender("Tightrope", "tightrope_column", 10_000_000, "draw_indices",
                 "whole column", True)
PEERS = (
    Contender("multi-freq-ldpy", "multi_freq_ldpy_compiled", 10_000_000, "GRR_Client",
              "compiled loop", False),
    Contender("multi-freq-ldpy", "multi_freq_ldpy_loop", 1_000_000, "GRR_Client",
              "Python loop", False),
    Contender("pure-ldp", "pure_ldp_loop", 1_000_000, "DEClient",
              "Python loop", False),
    Contender("diffprivlib", "diffprivlib_loop", 100_000, "ExponentialCategorical",
              "Python loop", True),
    Contender("OpenDP", "opendp_loop", 20_000, "make_randomized_response",
              "Python loop", True),
)


def measure(scale: int = 1, repeats: int = REPEATS, peers: bool = True) -> Report:
    """Run every contender and compare; `scale` divides the rows for a quick look."""
    contenders = (OURS, *PEERS) if peers else (OURS,)
    results = [timed(contender, scale, repeats) for contender in contenders]
    ours = results[0]
    rows, numbers = [], {}
    for contender, found in zip(contenders, results, strict=True):
        speed = found["rows"] / found["seconds"]
        numbers[f"{contender.script} rows per second"] = speed
        lead = ours["rows"] / ours["seconds"] / speed
        rows.append([
            f"{contender.name} {found['version']}",
            contender.manner,
            "yes" if contender.cryptographic else "no",
            f"{found['rows']:,}",
            f"{speed:,.0f}",
            "" if contender is OURS else f"{lead:,.1f}",
        ])
    return Report(
        title="Randomized response, in memory",
        question=f"{CATEGORIES} categories, ε = {EPSILON:g}, one core, best of {repeats}.",
        columns=["library", "called by", "cryptographic", "rows", "rows per second", "ratio"],
        rows=rows,
        remarks=[
            "Ratio: the speed of Tightrope over that of the library.",
            "Each library ran in its own process, on one core, through its fastest public call: "
            f"{calls(contenders)}. The compiled loop is ours; the library has none.",
            "Tightrope draws from an exactly rational law; the others take theirs in doubles.",
            "Every column that came out was checked against the law asked for.",
            f"Beside the libraries: {versions(results)}.",
        ],
        numbers=numbers,
    )


def timed(contender: Contender, scale: int, repeats: int) -> dict[str, Any]:
    """The report of a contender from a process of its own, checked."""
    python, size = sys.executable if contender is OURS else peers_python(), contender.rows // scale
    alone = {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    ended = subprocess.run(
        [python, "-W", "ignore", HERE / "peers" / f"{contender.script}.py",
         str(size), str(CATEGORIES), str(EPSILON), str(repeats)],
        env={**os.environ, **alone}, capture_output=True, text=True, check=False,
    )
    if ended.returncode:
        raise SystemExit(f"{contender.name} failed:\n{ended.stderr}")
    found: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    expected = math.exp(EPSILON) / (math.exp(EPSILON) + CATEGORIES - 1)
    spread = math.sqrt(expected * (1 - expected) / size)
    if abs(found["kept"] - expected) > 6 * spread:
        raise SystemExit(f"{contender.name} kept {found['kept']:.5f}, expected {expected:.5f}.")
    return found


def calls(contenders: tuple[Contender, ...]) -> str:
    named = dict.fromkeys(f"{contender.name} {contender.call}" for contender in contenders)
    return ", ".join(named)


def versions(results: list[dict[str, Any]]) -> str:
    held = {name: text for found in results for name, text in found["beside"].items()}
    return ", ".join(f"{name} {held[name]}" for name in sorted(held))
