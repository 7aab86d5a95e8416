"""multi-freq-ldpy as its manual shows it: `GRR_Client` once for each value."""

from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client
from stopwatch import race


def prepare(categories, epsilon):
    return lambda column: [GRR_Client(value, categories, epsilon) for value in column]


race(prepare, "multi-freq-ldpy", form=lambda codes: codes.tolist(), beside=("numba", "numpy"))
