"""How far the optimum reaches: proved gaps on square grids within ten minutes.

Euclidean grids and loss at ε = 1, two threads. With the uniform prior the eight symmetries of
the square are used; with a random prior there are none. Every run has ten minutes for the
solver; the gap is what was proved afterwards, and seconds and memory are of the whole run,
in a process of its own.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

from reports import Report

HERE = Path(__file__).resolve().parent
MINUTES = 10
RUNS = (
    (24, True, 1e-4), (32, True, 1e-3), (32, True, 1e-4), (36, True, 1e-3),
    (16, False, 1e-3), (16, False, 1e-4), (18, False, 1e-3),
)


def measure() -> Report:
    """Solve every grid in a process of its own."""
    rows: list[list[str]] = []
    numbers: dict[str, float] = {}
    for side, symmetric, gap in RUNS:
        ended = subprocess.run(
            [sys.executable, __file__, str(side), str(int(symmetric)), str(gap)],
            capture_output=True, text=True, check=True, cwd=HERE,
        )
        found = json.loads(ended.stdout.splitlines()[-1])
        prior = "uniform" if symmetric else "random"
        rows.append([
            f"{side} x {side}", prior, f"{gap:.0e}", f"{found['gap']:.1e}",
            f"{found['seconds']:.0f}", f"{found['megabytes']:,.0f}", f"{found['value']:.7f}",
        ])
        numbers[f"{side} {prior} {gap:.0e} seconds"] = found["seconds"]
        numbers[f"{side} {prior} {gap:.0e} gap"] = found["gap"]
    return Report(
        "How far the optimum reaches",
        "Euclidean grid and loss, ε = 1, two threads, ten minutes for the solver.",
        ["grid", "prior", "gap asked", "gap proved", "seconds", "megabytes", "loss"],
        rows,
        [*_largest(numbers),
         "Only the sizes listed were tried. Seconds include repair and both exact proofs."],
        numbers,
    )


def _largest(numbers: dict[str, float]) -> list[str]:
    """The largest grid whose gap was proved in time, with and without symmetry."""
    remarks = []
    for prior, how in (("uniform", "with symmetry"), ("random", "without symmetry")):
        for gap in ("1e-03", "1e-04"):
            sides = [int(name.split()[0]) for name, found in numbers.items()
                     if name.endswith("gap") and name.split()[1] == prior and found <= float(gap)
                     and numbers[name.removesuffix("gap") + "seconds"] <= 60 * MINUTES]
            if sides:
                side = max(sides)
                remarks.append(f"Largest to {float(gap):g} in {MINUTES} minutes, {how}: "
                               f"{side} x {side}, {side * side:,} points.")
    return remarks


def _solve(side: int, symmetric: bool, gap: float) -> dict[str, float]:
    from optimum import random_prior

    from tightrope.constructions import Effort, min_loss_given_level
    from tightrope.exact import Level
    from tightrope.spaces import grid
    from tightrope.utility import euclidean, uniform

    started = time.perf_counter()
    found = min_loss_given_level(
        grid((side, side)), Level.epsilon(1), loss=euclidean,
        prior=uniform if symmetric else random_prior(side * side),
        effort=Effort(gap=gap, seconds=60.0 * MINUTES),
    )
    return {
        "seconds": time.perf_counter() - started, "value": found.value, "gap": found.gap,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


if __name__ == "__main__":
    print(json.dumps(_solve(int(sys.argv[1]), sys.argv[2] == "1", float(sys.argv[3]))))
