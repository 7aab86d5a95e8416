"""qif's planar noise at ε = ln 2/200 for each meter: `python qif_positions.py`."""

import json
import math
import time

import qif

EPSILON = math.log(2) / 200
geo = qif.mechanism.geo_ind


def timed(count, draw):
    started = time.process_time()
    points = [draw() for _ in range(count)]
    seconds = time.process_time() - started
    return {"rate": count / seconds,
            "mean": sum(math.hypot(point.x, point.y) for point in points) / count}


print(json.dumps({
    "planar Laplace": timed(200_000, lambda: geo.planar_laplace_sample(EPSILON)),
    "planar geometric": timed(10, lambda: geo.planar_geometric_sample(1.0, EPSILON)),
    "version": qif.__version__,
}))
