"""multi-freq-ldpy: `GRR_Client` from a compiled loop, then `GRR_Aggregator_MI`."""

import numpy as np
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client
from numba import njit
from stopwatch import estimate_race


@njit
def randomized(codes, categories, epsilon):
    drawn = np.empty_like(codes)
    for place in range(len(codes)):
        drawn[place] = GRR_Client(codes[place], categories, epsilon)
    return drawn


def prepare(categories, epsilon):
    def run(codes):
        reports = randomized(codes, categories, epsilon)
        return {"clipped": GRR_Aggregator_MI(reports, categories, epsilon)}

    return run


estimate_race(prepare, "multi-freq-ldpy", beside=("numba", "numpy"))
