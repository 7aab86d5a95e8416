"""GeoPrivacy's planar noise at ε = ln 2/200 for each meter: `python geoprivacy_positions.py`."""

import json
import math
import time
from importlib.metadata import version

import numpy as np
from GeoPrivacy import mechanism

EPSILON = math.log(2) / 200
COUNT = 200_000

started = time.process_time()
noise = mechanism.batch_laplace_noise(COUNT, EPSILON)
seconds = time.process_time() - started
print(json.dumps({
    "planar Laplace": {"rate": COUNT / seconds, "mean": float(np.hypot(*noise.T).mean())},
    "version": version("GeoPrivacy"),
}))
