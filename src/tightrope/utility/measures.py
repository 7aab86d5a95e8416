"""What a mechanism tells, as single numbers.

- min-capacity: the largest min-entropy leakage over all priors, log2 Σ_z max_y P(z | y);
  the uniform prior attains it (ECP);
- Dobrushin: -min over pairs of inputs of Σ_z min(P(z | y), P(z | y')), as in KL10;
- rank of the matrix of probabilities.
"""

from __future__ import annotations

import numpy as np

from tightrope.mechanisms import FiniteMechanism
from tightrope.utility.expectation import probabilities


def min_capacity(mechanism: FiniteMechanism) -> float:
    """The min-capacity in bits.

    >>> from fractions import Fraction
    >>> from tightrope.mechanisms import KernelMechanism
    >>> from tightrope.spaces import categories
    >>> rr = KernelMechanism(categories(2), Fraction(3), Fraction(1), (Fraction(1),) * 2)
    >>> round(min_capacity(rr), 6), dobrushin(rr), rank(rr)
    (0.584963, -0.5, 2)
    """
    return float(np.log2(probabilities(mechanism).max(axis=0).sum()))


def dobrushin(mechanism: FiniteMechanism) -> float:
    """The negative Dobrushin coefficient; 0 would tell two inputs apart for certain."""
    table = probabilities(mechanism)
    least = 1.0
    for y in range(1, len(table)):
        least = min(least, float(np.minimum(table[:y], table[y]).sum(axis=1).min()))
    return -least


def rank(mechanism: FiniteMechanism) -> int:
    """The numerical rank of the matrix of probabilities."""
    return int(np.linalg.matrix_rank(probabilities(mechanism)))
