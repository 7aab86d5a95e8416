"""qif's optimal d-private mechanism: `python qif_optimum.py PROBLEM.npz RESULT.npy`.

The problem holds prior, loss, privacy (ε times distance) and chainable (pairs implied by
others, which qif then leaves out).
"""

import json
import sys
import time

import numpy as np
import qif

given = np.load(sys.argv[1])
prior, loss = given["prior"], given["loss"].tolist()
privacy, chainable = given["privacy"].tolist(), given["chainable"].tolist()
started = time.perf_counter()
found = qif.mechanism.d_privacy.min_loss_given_d(
    prior,
    len(loss[0]),
    lambda a, b: privacy[a][b],
    lambda a, b: loss[a][b],
    d_priv_ch=lambda a, b: chainable[a][b],
)
seconds = time.perf_counter() - started
np.save(sys.argv[2], np.asarray(found))
print(json.dumps({"seconds": seconds, "version": qif.__version__}))
