"""A million positions blurred: Tightrope beside qif and GeoPrivacy, at 200 m and a factor 2.

Tightrope goes from longitude and latitude to longitude and latitude, the law is exact and its
level proved for true positions on Earth. qif draws planar Laplace noise in doubles, one point at a
time, in a plane that it leaves to the caller; its planar geometric on cells is drawn ten times
only, as it takes that long. GeoPrivacy draws planar Laplace noise one point at a time too, its
angle and its radius from two generators, and its seed reaches only the first.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from environments import told_by
from reports import Report

from tightrope.choices import Blur
from tightrope.locations import noise
from tightrope.samplers import draw_cells

COUNT = 1_000_000
REGION = "-120,30,-75,48"
TINY = {"count": 2000, "peers": False}


def measure(count: int = COUNT, peers: bool = True) -> Report:
    """Positions for each second, and the mean displacement."""
    plan, smooth = (noise(REGION, "200 m", 2, mechanism=law)
                    for law in (Blur.PLANAR, Blur.PLANAR_LAPLACE))
    random = np.random.default_rng(1)
    lon, lat = random.uniform(-120, -75, count), random.uniform(30, 48, count)
    for one in (plan, smooth):
        one.draw(lon[:1000], lat[:1000])
    rows: list[list[str]] = []
    numbers: dict[str, float] = {}
    for name, own, run in (
            ("cells drawn", plan, lambda: draw_cells(plan.certified, lon, lat)),
            ("longitude and latitude in and out", plan, lambda: plan.draw(lon, lat)),
            ("planar Laplace, in and out", smooth, lambda: smooth.draw(lon, lat))):
        started = time.process_time()
        run()
        numbers[name] = count / (time.process_time() - started)
        rows.append(["Tightrope", name, f"{numbers[name]:,.0f}", f"{own.mean_displacement:.1f}",
                     "level proved for true positions, law exact"])
    for peer in ("qif", "GeoPrivacy") if peers else ():
        told = told_by(f"{peer.lower()}_positions", limit=300)
        for name in ("planar Laplace", "planar geometric"):
            if name in told:
                numbers[f"{peer} {name}"] = told[name]["rate"]
                rows.append([f"{peer} {told['version']}", name, f"{told[name]['rate']:,.0f}",
                             f"{told[name]['mean']:.1f}",
                             "nothing proved, the plane is the caller's"])
    return Report(
        "Positions blurred",
        "Within 200 m positions look the same up to a factor 2; one core.",
        ["by", "what", "positions per second", "mean displacement in m", "what is known"],
        rows,
        ["Seconds are of the processor. Means of peers are of draws, Tightrope's is a bound."],
        numbers,
    )


if __name__ == "__main__":
    sys.exit("run this as: python benchmarks/run.py positions")
