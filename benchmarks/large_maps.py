"""Large maps with a public prior: what could be gained over planar noise that is moved by it.

On blocks of 12 x 12 cells of 6 km, at one level: the optimum, an optimum on every second cell that
is lifted to all cells and mended, and two levels (which quarter of the block first, then the
optimum given that). On blocks of 12 x 12 cells of 15 km: noise in steps that is moved, and the best
of all that keep the promise at its distance. Then, on whole maps and at one promise for true
positions, planar noise and noise in steps, both moved by the prior; truths are towns, drawn by
their population.
"""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from math import log
from pathlib import Path

import numpy as np
from environments import peers_python
from reports import Report

from tightrope.applications.locations import places_of, plan_locations
from tightrope.applications.locations.nearness import best_near, near_space
from tightrope.constructions import Effort, design
from tightrope.exact import FloatArray, Level
from tightrope.spaces import Space, grid, points
from tightrope.utility import Prior

HERE = Path(__file__).resolve().parent
SPAIN, MADRID = "-7.5,36.8,1.5,43.6", "-3.9,40.3,-3.5,40.6"
BLOCKS = {"Madrid": (-3.7, 40.4), "northwest": (-7.0, 42.6)}
SIDE, STEP, WIDE, WITHIN, FACTOR = 12, 6.0, 15.0, 75.0, 100
MAPS = ((SPAIN, "75 km", 100), (SPAIN, "20 km", 10), (SPAIN, "10 km", 2), (MADRID, "2 km", 10),
        (MADRID, "2 km", 100), (MADRID, "1 km", 20))
DRAWS = 40_000
EFFORT = Effort(gap=5e-3, seconds=300.0)
RATE = log(FACTOR) / WITHIN * STEP

EAST, NORTH = np.indices((SIDE, SIDE)).reshape(2, -1)
FAR = np.hypot(EAST[:, None] - EAST, NORTH[:, None] - NORTH)
CELLS = grid((SIDE, SIDE))


def measure() -> Report:
    """Losses on blocks in kilometers, then mean displacements on maps."""
    rows, numbers = [], {}
    spain = _towns(SPAIN)
    for name, middle in BLOCKS.items():
        found = _on_block(_block(spain, *middle, STEP)) | _near(_block(spain, *middle, WIDE))
        for how, value in found.items():
            rows.append([f"block, {name}", how, f"{value:.2f}"])
            numbers[f"{name}, {how}"] = value
    for region, within, factor in MAPS:
        towns = _towns(region)
        for noise in ("planar", "steps"):
            mean, error = _moved(region, within, factor, noise, towns)
            told = f"{'Spain' if region == SPAIN else 'Madrid'}, {within}, factor {factor}"
            rows.append([told, f"{noise}, moved by the prior", f"{mean:.3f} ± {2 * error:.3f}"])
            numbers[f"{told}, {noise}"] = mean
    return Report(
        "Large maps with a public prior",
        f"Blocks of {SIDE} x {SIDE} cells of {STEP:g} km, all at ln {FACTOR} within {WITHIN:g} km "
        "from center to center; maps at one promise for true positions.",
        ["where", "mechanism", "mean displacement in km"],
        rows,
        ["On blocks nothing is charged for cells but in the row that says so. Planar noise has the "
         "level at every distance, noise in steps at the distance of the promise."],
        numbers,
    )


def _towns(region: str) -> dict[str, list[float]]:
    ended = subprocess.run([peers_python(), HERE / "peers" / "towns.py", region],
                           capture_output=True, text=True, check=True)
    found: dict[str, list[float]] = json.loads(ended.stdout.splitlines()[-1])
    return found


def _block(towns: dict[str, list[float]], lon: float, lat: float, step: float) -> FloatArray:
    """The people in each cell of a block, one in 1,000 spread evenly."""
    x, y, weight = (np.array(towns[name]) for name in ("lon", "lat", "weight"))
    at = [np.rint(part / step + (SIDE - 1) / 2).astype(int) for part in (
        (x - lon) * 111.32 * np.cos(np.radians(40)), (y - lat) * 111.2)]
    inside = (at[0] >= 0) & (at[0] < SIDE) & (at[1] >= 0) & (at[1] < SIDE)
    held = np.bincount(at[0][inside] * SIDE + at[1][inside], weight[inside], SIDE * SIDE)
    return np.asarray(0.999 * held / held.sum() + 0.001 / held.size)


def _on_block(shares: FloatArray) -> dict[str, float]:
    planar = _solved(CELLS, RATE, shares, "planar-geometric", "euclidean")
    # at one promise for true positions, planar noise has no cells to pay for
    free = _solved(CELLS, RATE * (1 + 2**0.5 * STEP / WITHIN), shares, "planar-geometric",
                   "euclidean")
    best = _solved(CELLS, RATE, shares, "optimal", "euclidean")
    return {
        "planar noise, moved": _lost(planar, shares),
        "planar noise, moved, where the others pay for their cells": _lost(free, shares),
        "optimum": _lost(best, shares),
        "optimum on every second cell, lifted and mended": _lost(_anchored(shares), shares),
        "two levels, a tenth for the quarter": _two_levels(shares, 0.1),
        "two levels, a fifth for the quarter": _two_levels(shares, 0.2),
    }


def _near(shares: FloatArray) -> dict[str, float]:
    """Noise in steps on wide cells, moved, and the best that is told apart so within a distance."""
    widths, first = WITHIN / WIDE, 0.26 * WITHIN / WIDE
    line = np.arange(-2 * SIDE, 3 * SIDE)
    z = np.stack(np.meshgrid(line, line)).reshape(2, -1)
    far = np.hypot(EAST[:, None] - z[0], NORTH[:, None] - z[1])
    held = float(FACTOR) ** -np.ceil(np.maximum(far - first, 0) / widths)
    moved = ((shares[:, None] * held / held.sum(axis=1, keepdims=True)).T @ FAR).min(axis=1).sum()
    parts = [Fraction(float(share)) for share in shares]
    prior = Prior(tuple(part / sum(parts) for part in parts))
    space = near_space((SIDE, SIDE), Fraction(WIDE), Fraction(WITHIN))
    best = best_near(space, (SIDE, SIDE), Fraction(WIDE), Level.ratio(FACTOR), prior, EFFORT)
    return {"wide cells: noise in steps, moved": float(moved * WIDE),
            "wide cells: best for the distance": best.value,
            "wide cells: proved bound for the distance": best.bound or 0.0}


def _solved(space: Space, rate: float, shares: FloatArray, name: str, loss: object,
            outputs: list[str] | None = None) -> FloatArray:
    parts = [Fraction(float(share)) for share in shares]
    prior = Prior(tuple(part / sum(parts) for part in parts))
    found = design(space, Level.of(f"{rate:.8f}"), prior=prior, loss=loss, outputs=outputs,
                   construction=name, effort=EFFORT)
    chances: FloatArray = found.certified.mechanism.to_numpy()
    return chances


def _lost(chances: FloatArray, shares: FloatArray) -> float:
    """The mean loss with the best answer for each output."""
    return float(((shares[:, None] * chances).T @ FAR).min(axis=1).sum() * STEP)


def _anchored(shares: FloatArray) -> FloatArray:
    """Columns of the optimum on every second cell, lifted halfway, the leftover to one output."""
    anchors = np.flatnonzero((EAST % 2 == 0) & (NORTH % 2 == 0))
    nearest = np.argmin(FAR[:, anchors], axis=1)
    held = np.bincount(nearest, shares, len(anchors))
    losses = np.array([shares[nearest == a] @ FAR[nearest == a] / held[a]
                       for a in range(len(anchors))])
    space = points([str(a) for a in anchors], [(int(EAST[a]), int(NORTH[a])) for a in anchors])
    columns = _solved(space, RATE, held, "optimal", losses, [str(z) for z in range(SIDE * SIDE)])
    fall = np.exp(-RATE * FAR[:, anchors])
    low = (fall[:, :, None] * columns).max(axis=1)
    high = (columns / fall[:, :, None]).min(axis=1)
    lifted = np.sqrt(low * high)  # in the cone, since both are
    sums, nearest_ratio = lifted.sum(axis=1), np.exp(RATE)
    whole = (nearest_ratio * sums.max() - sums.min()) / (nearest_ratio - 1)
    left = (whole - sums) / whole
    mended = lifted / whole
    mended[:, np.argmin((shares * left) @ FAR)] += left
    return np.asarray(mended)


def _two_levels(shares: FloatArray, part: float) -> float:
    """A part of the level for the quarter of the block, the rest for the optimum given it."""
    quarter = (EAST >= SIDE // 2) * 2 + (NORTH >= SIDE // 2)
    losses = np.array([[0.0 if quarter[a] == k else FAR[a][quarter == k].min() for k in range(4)]
                       for a in range(SIDE * SIDE)])
    first = _solved(CELLS, part * RATE, shares, "optimal", losses, [str(k) for k in range(4)])
    total = 0.0
    for k in range(4):
        given = shares * first[:, k]
        weight = float(given.sum())
        second = _solved(CELLS, (1 - part) * RATE, given / weight, "optimal", "euclidean")
        total += weight * _lost(second, given / weight)
    return total


def _moved(region: str, within: str, factor: int, noise: str,
           towns: dict[str, list[float]]) -> tuple[float, float]:
    """The mean displacement of towns drawn by their population, in kilometers, and its error."""
    plan = plan_locations(region, within, factor, places=places_of(towns), mechanism=noise)
    lon, lat, weight = (np.array(towns[name], dtype=float) for name in ("lon", "lat", "weight"))
    who = np.random.default_rng(1).choice(len(lon), DRAWS, p=weight / weight.sum())
    plane = plan.space.region.plane
    truth, out = (np.stack(plane.project(*pair)) for pair in (
        (lon[who], lat[who]), plan.blur(lon[who], lat[who])))
    far = np.hypot(*(truth - out)) / 1000
    return float(far.mean()), float(far.std() / DRAWS**0.5)


if __name__ == "__main__":
    sys.exit("run this as: python benchmarks/run.py large_maps")
