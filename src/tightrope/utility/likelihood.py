"""The most likely proportions behind a randomized column.

With frequencies q̂ of the outputs, the mean log-likelihood Σ_z q̂_z ln (Pᵀπ)_z is concave in π.
The iterative Bayesian update π_x ← π_x g_x with g_x = Σ_z P[x,z] q̂_z / (Pᵀπ)_z never lowers it
and stays within proportions. No π' is better than π by more than max_x g_x - 1, which is how
the answer says how good it is. Steps are lengthened by extrapolation where that helps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadTable, SolverFailed
from tightrope.exact import FloatArray, own, tolerances
from tightrope.mechanisms import FiniteMechanism
from tightrope.utility.inversion import Channel, channel_of

MOST_STEPS = 100_000
"""Updates after which the search gives up."""


@dataclass(frozen=True)
class Likelihood:
    """The most likely proportions, and by how much at most the log-likelihood of all rows
    could still grow."""

    proportions: FloatArray
    gap: float
    steps: int

    def __post_init__(self) -> None:
        own(self)


def most_likely(
    counts: Sequence[int] | NDArray[np.integer],
    mechanism: FiniteMechanism,
    *,
    gap: float = tolerances.LIKELIHOOD_GAP,
) -> Likelihood:
    """The proportions of the inputs that make these counts of outputs likeliest.

    They exist for every mechanism; where its outputs do not determine the proportions, they
    are one of several equally likely answers.

    >>> from fractions import Fraction
    >>> from tightrope.mechanisms import KernelMechanism
    >>> from tightrope.spaces import parse
    >>> space, weights = parse("categories:no/yes"), (Fraction(1), Fraction(1))
    >>> response = KernelMechanism(space, Fraction(3), Fraction(1), weights)
    >>> found = most_likely([80, 20], response)  # fewer yes than lies alone would give
    >>> found.proportions.round(3).tolist()
    [1.0, 0.0]
    """
    held = np.asarray(counts, dtype=np.float64)
    n = float(held.sum())
    if held.shape != (len(mechanism.outputs),) or n <= 0 or (held < 0).any():
        raise BadTable(
            f"expected counts of {len(mechanism.outputs)} outputs that are not all zero."
        )
    channel = channel_of(mechanism)
    climb = _Climb(channel, held / n)
    law = np.full(mechanism.space.size, 1 / mechanism.space.size)
    for steps in range(0, MOST_STEPS, 3):
        gains = climb.gains(law)
        left = n * float(gains.max() - 1)
        if left <= gap:
            return Likelihood(law, max(left, 0.0), steps)
        law = climb.longer(law, law * gains)
    raise SolverFailed(
        f"the most likely proportions were not found in {MOST_STEPS:,} steps; the unbiased "
        "estimate exists."
    )


@dataclass(frozen=True)
class _Climb:
    channel: Channel
    shares: FloatArray

    def gains(self, law: FloatArray) -> FloatArray:
        """g_x for every input; outputs that were not seen do not count."""
        expected = self.channel.forward(law)
        ratios = np.divide(self.shares, expected, out=np.zeros_like(expected),
                           where=self.shares > 0)
        return self.channel.back(ratios)

    def height(self, law: FloatArray) -> float:
        """The mean log-likelihood."""
        seen = self.shares > 0
        with np.errstate(divide="ignore"):
            return float(self.shares[seen] @ np.log(self.channel.forward(law)[seen]))

    def longer(self, law: FloatArray, once: FloatArray) -> FloatArray:
        """Two updates extrapolated, if the result has proportions and is likelier."""
        twice = once * self.gains(once)
        first, bend = once - law, twice - 2 * once + law
        length = float(np.linalg.norm(bend))
        if length == 0:
            return twice
        reach = -max(1.0, float(np.linalg.norm(first)) / length)
        tried = law - 2 * reach * first + reach**2 * bend
        if tried.min() < 0:
            return twice
        tried = tried * self.gains(tried)
        tried /= tried.sum()
        return tried if self.height(tried) >= self.height(twice) else twice
