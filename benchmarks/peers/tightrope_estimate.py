"""Tightrope: `draw_indices` on the whole column, then `estimate` from its counts."""

import numpy as np
from stopwatch import estimate_race

from tightrope.choices import Estimator
from tightrope.constructions import randomized_response
from tightrope.exact import Level
from tightrope.samplers import draw_indices
from tightrope.spaces import categories
from tightrope.utility import estimate


def prepare(size: int, epsilon: float):
    level = Level.epsilon(str(epsilon))
    proved = randomized_response(categories(size), level)

    def run(codes):
        counts = np.bincount(draw_indices(proved, codes), minlength=size)
        rows = estimate(counts, proved.mechanism, estimator=Estimator.CLIPPED).rows
        return {"unbiased": [row.estimate for row in rows],
                "clipped": [row.adjusted for row in rows]}

    return run


estimate_race(prepare, "tightrope")
