"""qif's tight-constraints mechanism on a k × k grid.

    python qif_tight.py SIDE EPSILON REPEATS LIMIT

Distances are handed over as a matrix, which is faster than a Python function; making that
matrix is not timed. The best counts of what takes less than a second; after LIMIT
seconds of the processor it is stopped.
"""

import json
import resource
import sys
import time

import numpy as np
import qif

side, epsilon, repeats, limit = (kind(word) for kind, word in
                                 zip((int, float, int, int), sys.argv[1:], strict=True))
resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
cells = np.stack(np.divmod(np.arange(side * side), side), axis=1).astype(np.float64)
lengths = epsilon * np.hypot(*(cells[:, None, :] - cells[None, :, :]).transpose(2, 0, 1))
metric = qif.metric.from_distance_matrix(lengths)
seconds = float("inf")
for _ in range(repeats):
    started = time.process_time()
    found = np.asarray(qif.mechanism.d_privacy.tight_constraints(side * side, metric))
    seconds = min(seconds, time.process_time() - started)
    if seconds > 1:
        break
made = found.size > 0
print(json.dumps({
    "seconds": seconds,
    "gain": float(np.trace(found)) / side**2 if made else None,
    "least": float(found.min()) if made else None,
    "version": qif.__version__,
}))
