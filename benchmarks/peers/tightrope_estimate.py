"""Tightrope: `draw_indices` on the whole column, then `estimate` from its counts."""

import numpy as np
from stopwatch import estimate_race

from tightrope.constructions import randomized_response
from tightrope.exact import Level
from tightrope.samplers import draw_indices
from tightrope.spaces import categories
from tightrope.utility import Estimator, estimate


def prepare(size: int, epsilon: float):
    level = Level.epsilon(str(epsilon))
    proved = randomized_response(categories(size), level)

    def run(codes):
        counts = np.bincount(draw_indices(proved, codes), minlength=size)
        found = {}
        for estimator in (Estimator.UNBIASED, Estimator.CLIPPED):
            rows = estimate(counts, proved.mechanism, estimator=estimator).rows
            found[estimator.value] = [row.estimate for row in rows]
        return found

    return run


estimate_race(prepare, "tightrope")
