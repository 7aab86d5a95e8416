"""multi-freq-ldpy: its compiled `GRR_Client`, called from a compiled loop over the column."""

import numpy as np
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client
from numba import njit
from stopwatch import race


@njit
def randomized(codes, categories, epsilon):
    drawn = np.empty_like(codes)
    for place in range(len(codes)):
        drawn[place] = GRR_Client(codes[place], categories, epsilon)
    return drawn


def prepare(categories, epsilon):
    return lambda codes: randomized(codes, categories, epsilon)


race(prepare, "multi-freq-ldpy", beside=("numba", "numpy"))
