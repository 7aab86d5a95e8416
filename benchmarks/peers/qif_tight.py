"""qif's tight-constraints mechanism on a k × k grid: `python qif_tight.py SIDE EPSILON REPEATS`.

Distances are handed over as a matrix, which is faster than a Python function; making that
matrix is not timed. The best counts of what takes less than a second.
"""

import json
import sys
import time

import numpy as np
import qif

side, epsilon, repeats = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
cells = np.stack(np.divmod(np.arange(side * side), side), axis=1).astype(np.float64)
lengths = epsilon * np.hypot(*(cells[:, None, :] - cells[None, :, :]).transpose(2, 0, 1))
metric = qif.metric.from_distance_matrix(lengths)
seconds = float("inf")
for _ in range(repeats):
    started = time.perf_counter()
    found = np.asarray(qif.mechanism.d_privacy.tight_constraints(side * side, metric))
    seconds = min(seconds, time.perf_counter() - started)
    if seconds > 1:
        break
made = found.size > 0
print(json.dumps({
    "seconds": seconds,
    "gain": float(np.trace(found)) / side**2 if made else None,
    "least": float(found.min()) if made else None,
    "version": qif.__version__,
}))
