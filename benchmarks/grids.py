"""Tight-constraints mechanisms on k × k grids: Tightrope beside qif, and a million cells.

Euclidean distances, ε = 0.7, uniform prior. Tightrope's time is until the mechanism is proved
private and proved optimal; qif's is the solve alone, which proves nothing. What does not end
within the limit, or needs more memory than there is, is reported as such.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from environments import peers_python
from reports import Report

from tightrope.constructions import design
from tightrope.exact import Level
from tightrope.samplers import draw_indices
from tightrope.spaces import grid

HERE = Path(__file__).resolve().parent
EPSILON, LIMIT = "0.7", 120.0
SIDES = (10, 20, 30, 50, 100)


def measure() -> Report:
    """Every side for both, then the million and its draws."""
    rows: list[list[str]] = []
    numbers: dict[str, float] = {}
    design(grid((24, 24)), Level.epsilon(EPSILON), construction="tight")  # imports
    for side in (*SIDES, 1000):
        started = time.perf_counter()
        found = design(grid((side, side)), Level.epsilon(EPSILON), construction="tight")
        own = time.perf_counter() - started
        numbers[f"{side} Tightrope"] = own
        rows.append([f"{side} × {side}", "Tightrope", f"{own:.2f}", f"{1 - (found.value or 0):.9f}",
                     f"level and optimum proved, gap {found.gap:.0e}", ""])
        if side in SIDES:
            rows.append(_by_qif(side, own, numbers))
    codes = np.random.default_rng(1).integers(0, 10**6, 10**6)
    started = time.perf_counter()
    draw_indices(found.certified, codes)
    numbers["draws"] = time.perf_counter() - started
    rows.append(["1000 × 1000", "Tightrope, a million draws", f"{numbers['draws']:.2f}", "",
                 "exactly the proved law", ""])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    numbers["gigabytes"] = peak
    return Report(
        "Tight constraints on grids",
        f"k × k cells, Euclidean, ε = {EPSILON}; stopped after {LIMIT:.0f} s.",
        ["grid", "by", "seconds", "gain", "what is known", "Tightrope is faster by"],
        rows,
        [f"The largest memory of Tightrope over all of this was {peak:.1f} GB."],
        numbers,
    )


def _by_qif(side: int, own: float, numbers: dict[str, float]) -> list[str]:
    name = f"{side} × {side}"
    script = HERE / "peers" / "qif_tight.py"
    try:
        ended = subprocess.run(
            [peers_python(), script, str(side), EPSILON],
            capture_output=True, text=True, timeout=LIMIT, check=True,
        )
    except subprocess.TimeoutExpired:
        return [name, "qif", f"above {LIMIT:.0f}", "", "stopped", f"above {LIMIT / own:.0f}"]
    except subprocess.CalledProcessError:
        return [name, "qif", "", "", "ended without an answer", ""]
    told = json.loads(ended.stdout.splitlines()[-1])
    numbers[f"{side} qif"] = told["seconds"]
    gain = "none" if told["gain"] is None else f"{told['gain']:.9f}"
    return [name, f"qif {told['version']}", f"{told['seconds']:.2f}", gain, "nothing proved",
            f"{told['seconds'] / own:.1f}"]


if __name__ == "__main__":
    sys.exit("run this as: python benchmarks/run.py grids")
