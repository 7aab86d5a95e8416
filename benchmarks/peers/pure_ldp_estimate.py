"""pure-ldp: direct encoding and its aggregation, once for each value."""

import numpy as np
from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer
from stopwatch import estimate_race


def prepare(categories, epsilon):
    client = DEClient(epsilon, categories, index_mapper=lambda value: value)

    def run(column):
        server = DEServer(epsilon, categories, index_mapper=lambda value: value)
        for value in column:
            server.aggregate(client.privatise(value))
        counts = [server.estimate(value, suppress_warnings=True) for value in range(categories)]
        return {"unbiased": np.array(counts) / len(column)}

    return run


estimate_race(prepare, "pure-ldp", form=lambda codes: codes.tolist())
