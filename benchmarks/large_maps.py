"""Large maps with a public prior: what could be gained over planar noise that is moved by it.

On blocks of 12 x 12 cells of 6 km, at one level: the optimum, an optimum on every second cell that
is lifted to all cells and mended, and two levels (which quarter of the block first, then the
optimum given that). On blocks of 12 x 12 cells of 15 km: noise in steps that is moved, and the best
of all that keep the promise at its distance. Then, on whole maps and at one promise for true
positions, planar noise and noise in steps, both moved by the prior; truths are towns, drawn by
their population.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import log

import numpy as np
from environments import told_by
from reports import Report

from tightrope.constructions import Effort, design
from tightrope.exact import FloatArray, IntArray, Level
from tightrope.locations import noise
from tightrope.locations.nearness import best_near, near_space
from tightrope.spaces import Space, grid, points
from tightrope.utility import Prior

SPAIN, MADRID = "-7.5,36.8,1.5,43.6", "-3.9,40.3,-3.5,40.6"
BLOCKS = {"Madrid": (-3.7, 40.4), "northwest": (-7.0, 42.6)}
SIDE, STEP, WIDE, WITHIN, FACTOR = 12, 6.0, 15.0, 75.0, 100
MAPS = ((SPAIN, "75 km", 100), (SPAIN, "20 km", 10), (SPAIN, "10 km", 2), (MADRID, "2 km", 10),
        (MADRID, "2 km", 100), (MADRID, "1 km", 20))
DRAWS = 40_000
EFFORT = Effort(gap=5e-3, seconds=300.0)
RATE = log(FACTOR) / WITHIN * STEP
Towns = dict[str, list[float]]
TINY = {"side": 4, "maps": MAPS[-1:], "draws": 100, "cities": {
    "lon": [-3.7, -3.8, -3.6, -7.0], "lat": [40.4, 40.5, 40.35, 42.6], "weight": [5, 1, 2, 1]}}


@dataclass(frozen=True)
class Block:
    """Square cells, and the share of the people in each."""

    side: int
    shares: FloatArray

    @property
    def cells(self) -> Space:
        return grid((self.side, self.side))

    @cached_property
    def at(self) -> IntArray:
        """How far east and north each cell is, in cells."""
        return np.indices((self.side, self.side)).reshape(2, -1)

    @cached_property
    def far(self) -> FloatArray:
        """The distances from center to center, in cells."""
        return np.asarray(np.hypot(*(self.at[:, :, None] - self.at[:, None, :])))


def measure(
    side: int = SIDE, maps: tuple[tuple[str, str, int], ...] = MAPS, draws: int = DRAWS,
    cities: Towns | None = None,
) -> Report:
    """Losses on blocks in kilometers, then mean displacements on maps."""
    rows, numbers = [], {}
    spain = cities or told_by("towns", SPAIN)
    for name, middle in BLOCKS.items():
        found = (_on_block(_block(spain, *middle, STEP, side))
                 | _near(_block(spain, *middle, WIDE, side)))
        for how, value in found.items():
            rows.append([f"block, {name}", how, f"{value:.2f}"])
            numbers[f"{name}, {how}"] = value
    for region, within, factor in maps:
        towns = cities or told_by("towns", region)
        for law in ("planar", "steps"):
            mean, error = _moved(region, within, factor, law, towns, draws)
            told = f"{'Spain' if region == SPAIN else 'Madrid'}, {within}, factor {factor}"
            rows.append([told, f"{law}, moved by the prior", f"{mean:.3f} ± {2 * error:.3f}"])
            numbers[f"{told}, {law}"] = mean
    return Report(
        "Large maps with a public prior",
        f"Blocks of {side} x {side} cells of {STEP:g} km, all at ln {FACTOR} within {WITHIN:g} km "
        "from center to center; maps at one promise for true positions.",
        ["where", "mechanism", "mean displacement in km"],
        rows,
        ["On blocks nothing is charged for cells but in the row that says so. Planar law has the "
         "level at every distance, law in steps at the distance of the promise."],
        numbers,
    )


def _block(towns: Towns, lon: float, lat: float, step: float, side: int) -> Block:
    """The people in each cell of a block, one in 1,000 spread evenly."""
    x, y, weight = (np.array(towns[name]) for name in ("lon", "lat", "weight"))
    at = [np.rint(part / step + (side - 1) / 2).astype(int) for part in (
        (x - lon) * 111.32 * np.cos(np.radians(40)), (y - lat) * 111.2)]
    inside = (at[0] >= 0) & (at[0] < side) & (at[1] >= 0) & (at[1] < side)
    held = np.bincount(at[0][inside] * side + at[1][inside], weight[inside], side * side)
    return Block(side, np.asarray(0.999 * held / held.sum() + 0.001 / held.size))


def _on_block(block: Block) -> dict[str, float]:
    cells, shares = block.cells, block.shares
    planar = _solved(cells, RATE, shares, "planar-geometric", "euclidean")
    # at one promise for true positions, planar noise has no cells to pay for
    free = _solved(cells, RATE * (1 + 2**0.5 * STEP / WITHIN), shares, "planar-geometric",
                   "euclidean")
    best = _solved(cells, RATE, shares, "optimal", "euclidean")
    return {
        "planar noise, moved": _lost(planar, block),
        "planar noise, moved, where the others pay for their cells": _lost(free, block),
        "optimum": _lost(best, block),
        "optimum on every second cell, lifted and mended": _lost(_anchored(block), block),
        "two levels, a tenth for the quarter": _two_levels(block, 0.1),
        "two levels, a fifth for the quarter": _two_levels(block, 0.2),
    }


def _near(block: Block) -> dict[str, float]:
    """Noise in steps on wide cells, moved, and the best that is told apart so within a distance."""
    side, shares = block.side, block.shares
    widths, first = WITHIN / WIDE, 0.26 * WITHIN / WIDE
    line = np.arange(-2 * side, 3 * side)
    z = np.stack(np.meshgrid(line, line)).reshape(2, -1)
    far = np.hypot(*(block.at[:, :, None] - z[:, None, :]))
    held = float(FACTOR) ** -np.ceil(np.maximum(far - first, 0) / widths)
    spread = held / held.sum(axis=1, keepdims=True)
    moved = ((shares[:, None] * spread).T @ block.far).min(axis=1).sum()
    space = near_space((side, side), Fraction(WIDE), Fraction(WITHIN))
    best = best_near(space, (side, side), Fraction(WIDE), Level.ratio(FACTOR), _prior(shares),
                     EFFORT)
    return {"wide cells: noise in steps, moved": float(moved * WIDE),
            "wide cells: best for the distance": best.value,
            "wide cells: proved bound for the distance": best.bound or 0.0}


def _prior(shares: FloatArray) -> Prior:
    parts = [Fraction(float(share)) for share in shares]
    return Prior(tuple(part / sum(parts) for part in parts))


def _solved(space: Space, rate: float, shares: FloatArray, name: str, loss: object,
            outputs: list[str] | None = None) -> FloatArray:
    found = design(space, Level.of(f"{rate:.8f}"), prior=_prior(shares), loss=loss, outputs=outputs,
                   construction=name, effort=EFFORT)
    chances: FloatArray = found.certified.mechanism.to_numpy()
    return chances


def _lost(chances: FloatArray, block: Block) -> float:
    """The mean loss with the best answer for each output."""
    return float(((block.shares[:, None] * chances).T @ block.far).min(axis=1).sum() * STEP)


def _anchored(block: Block) -> FloatArray:
    """Columns of the optimum on every second cell, lifted halfway, the leftover to one output."""
    far, shares = block.far, block.shares
    anchors = np.flatnonzero((block.at % 2 == 0).all(axis=0))
    nearest = np.argmin(far[:, anchors], axis=1)
    held = np.bincount(nearest, shares, len(anchors))
    losses = np.array([shares[nearest == a] @ far[nearest == a] / held[a]
                       for a in range(len(anchors))])
    space = points([str(a) for a in anchors], block.at[:, anchors].T.tolist())
    columns = _solved(space, RATE, held, "optimal", losses, [str(z) for z in range(len(far))])
    fall = np.exp(-RATE * far[:, anchors])
    low = (fall[:, :, None] * columns).max(axis=1)
    high = (columns / fall[:, :, None]).min(axis=1)
    lifted = np.sqrt(low * high)  # in the cone, since both are
    sums, nearest_ratio = lifted.sum(axis=1), np.exp(RATE)
    whole = (nearest_ratio * sums.max() - sums.min()) / (nearest_ratio - 1)
    left = (whole - sums) / whole
    mended = lifted / whole
    mended[:, np.argmin((shares * left) @ far)] += left
    return np.asarray(mended)


def _two_levels(block: Block, part: float) -> float:
    """A part of the level for the quarter of the block, the rest for the optimum given it."""
    cells, half = block.cells, block.side // 2
    quarter = (block.at[0] >= half) * 2 + (block.at[1] >= half)
    losses = np.array([[0.0 if quarter[a] == k else far[quarter == k].min() for k in range(4)]
                       for a, far in enumerate(block.far)])
    first = _solved(cells, part * RATE, block.shares, "optimal", losses,
                    [str(k) for k in range(4)])
    total = 0.0
    for k in range(4):
        joint = block.shares * first[:, k]
        weight = float(joint.sum())
        given = replace(block, shares=joint / weight)
        second = _solved(cells, (1 - part) * RATE, given.shares, "optimal", "euclidean")
        total += weight * _lost(second, given)
    return total


def _moved(region: str, within: str, factor: int, law: str,
           towns: Towns, draws: int) -> tuple[float, float]:
    """The mean displacement of towns drawn by their population, in kilometers, and its error."""
    plan = noise(region, within, factor, prior=towns, mechanism=law)
    lon, lat, weight = (np.array(towns[name], dtype=float) for name in ("lon", "lat", "weight"))
    who = np.random.default_rng(1).choice(len(lon), draws, p=weight / weight.sum())
    plane = plan.space.region.plane
    truth, out = (np.stack(plane.project(*pair)) for pair in (
        (lon[who], lat[who]), plan.draw(lon[who], lat[who])))
    far = np.hypot(*(truth - out)) / 1000
    return float(far.mean()), float(far.std() / draws**0.5)


if __name__ == "__main__":
    sys.exit("run this as: python benchmarks/run.py large_maps")
