"""American airports and places, file in and file out, by every mechanism at one promise.

The positions are public (vega_datasets, bokeh_sampledata), so that their own displacement may be
told: along the ground, as long as the region is declared around them. The bound is for truths
that are spread evenly in the plane of the region.
"""

from __future__ import annotations

import subprocess
import sys
import time
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from environments import peers_python
from reports import Report

from tightrope.choices import CellBlur
from tightrope.errors import TightropeError
from tightrope.locations import cells, meters, noise, read_rows, region_of
from tightrope.locations.bounds import even_bound

HERE = Path(__file__).resolve().parent
REGION = "-125,24,-66,50"
PROMISES = (("5 km", 2, None), ("40 km", 10, "10 km"), ("40 km", 100, "10 km"))
FILES = ("airports", "places")
MECHANISMS = ("planar", "planar, cut", "exponential", "planar-geometric", "tight")
EARTH = 6_371_008.8
TINY = {"region": "-101,40,-100,41", "positions": "lon,lat\n-100.5,40.25\n-100.9,40.75\n-99,40\n"}


def measure(region: str = REGION, positions: str | None = None) -> Report:
    """Mean and 95th percentile of the displacement, seconds, and the bound.

    `positions` is the text of a file that stands for those of the packages.
    """
    rows: list[list[str]] = []
    numbers: dict[str, float] = {}
    with TemporaryDirectory() as name:
        folder = Path(name)
        _fill(folder, positions)
        for what in FILES:
            for within, factor, cell in PROMISES:
                rate = log(factor) / float(meters(within))
                bound = even_bound(region_of(region), rate)
                for mechanism in MECHANISMS[: 5 if cell else 2]:
                    told = _told(folder / f"{what}.csv", region, within, factor, mechanism, cell)
                    key = f"{what}, {within}, factor {factor}: {mechanism}"
                    if isinstance(told, str):
                        rows.append([what, f"{within}, factor {factor}", mechanism, told, "", "",
                                     ""])
                        continue
                    mean, far, seconds, size = told
                    numbers[key] = mean
                    rows.append([f"{size:,} {what}", f"{within}, factor {factor}", mechanism,
                                 f"{mean / 1000:.2f}", f"{far / 1000:.2f}", f"{seconds:.1f}",
                                 f"{bound / 1000:.2f}"])
    return Report(
        "American airports and places",
        f"File in, file out, in the region {region}; the promise is about true positions.",
        ["positions", "promise", "mechanism", "mean km", "95 of 100 within km", "seconds",
         "bound km"],
        rows,
        ["Positions in the region only; seconds are of the processor.",
         "Mechanisms on cells of 10 km pay for their cells: their level for each meter is "
         "ln(factor)/(54.2 km) instead of ln(factor)/(40 km).",
         "The bound is for truths spread evenly, for every mechanism of that level at every "
         "distance."],
        numbers,
    )


def _fill(folder: Path, positions: str | None) -> None:
    if positions is None:
        subprocess.run([peers_python(), HERE / "peers" / "american_places.py", folder], check=True)
        return
    for name in FILES:
        (folder / f"{name}.csv").write_text(positions, encoding="ascii")


def _told(
    path: Path, region: str, within: str, factor: int, mechanism: str, cell: str | None
) -> tuple[float, float, float, int] | str:
    """Mean and 95th percentile in meters, seconds and rows; or why there is none."""
    truth = read_rows(path)
    west, south, east, north = (float(side) for side in region.split(","))
    here = ((truth.lon > west) & (truth.lon < east) & (truth.lat > south) & (truth.lat < north))
    started = time.process_time()
    try:
        plan = cells(region, within, factor, cell, mechanism=mechanism) if (
            cell is not None and mechanism in list(CellBlur)) else noise(region, within, factor)
        done = plan.blur(path, cut=mechanism.endswith("cut"), output=path.with_name("out.csv"),
                         force=True)
    except TightropeError as absent:
        return str(absent)
    seconds = time.process_time() - started
    far = _apart(truth.lon[here], truth.lat[here], done.lon[here], done.lat[here])
    return float(far.mean()), float(np.quantile(far, 0.95)), seconds, int(here.sum())


def _apart(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Meters along a sphere."""
    a, b, c, d = (np.radians(part) for part in (a, b, c, d))
    half = np.sin((d - b) / 2) ** 2 + np.cos(b) * np.cos(d) * np.sin((c - a) / 2) ** 2
    return 2 * EARTH * np.arcsin(np.sqrt(np.minimum(1.0, half)))


if __name__ == "__main__":
    sys.exit("run this as: python benchmarks/run.py airports")
