"""Kernels on spaces whose points are all equally far apart, drawn without a row each.

With f = q^(-d/unit), W = Σ w_z and N_y = w_y + (W - w_y) f,

    P(z | y) = w_z (f + (1 - f)[z = y]) / N_y = keep_y [z = y] + (1 - keep_y) w_z / W,
    keep_y = (1 - f) w_y / N_y.

The input is kept with probability keep_y, and otherwise replaced by a draw from the weights
(which may give the input again). Randomized response on 100,000 categories needs one coin
and one law this way, not a table of 10^10 probabilities.
"""

from __future__ import annotations

import numpy as np

from tightrope.exact import IntArray
from tightrope.mechanisms import KernelMechanism
from tightrope.samplers.laws import RationalLaw
from tightrope.samplers.rows import whole
from tightrope.samplers.sources import Source
from tightrope.samplers.tables import Tables


class MixtureSampler:
    """Keeps the input or draws anew; inputs of equal weight share a coin."""

    def __init__(self, mechanism: KernelMechanism) -> None:
        (step,) = mechanism.steps([mechanism.space.diameter])
        weights = whole(mechanism)
        near, far = mechanism.ratio.numerator**step, mechanism.ratio.denominator**step
        distinct = sorted(set(weights))
        position = {weight: at for at, weight in enumerate(distinct)}
        self._kind = np.array([position[weight] for weight in weights], dtype=np.int64)
        total = sum(weights)
        # [0, 1] = [anew, keep] in the proportions f W : (1 - f) w_y.
        self.coins = Tables(
            lambda c: RationalLaw(lambda: [far * total, (near - far) * distinct[c]]),
            len(distinct),
            2,
        )
        self.anew = Tables(lambda _: RationalLaw(lambda: weights), 1, len(weights))

    def draw(self, codes: IntArray, source: Source) -> IntArray:
        """One output index for each input index."""
        kept = self.coins.draw(self._kind[codes], source)
        drawn = codes.copy()
        replaced = np.flatnonzero(kept == 0)
        drawn[replaced] = self.anew.draw(np.zeros(len(replaced), dtype=np.int64), source)
        return drawn
