"""Min-entropy leakage in bits (ECP, Section 3.5).

An attacker with the prior π who sees the output guesses right with probability
Σ_z max_y π_y P(z | y), and without it with max_y π_y; the leakage is log2 of the quotient. It
is the binary gain under the best remap in other words (Proposition 4).
"""

from __future__ import annotations

from math import log2

from tightrope.mechanisms import FiniteMechanism, Held, Matrix, matrix_form
from tightrope.spaces import Space
from tightrope.utility.expectation import probabilities
from tightrope.utility.priors import Prior, PriorLike, prior_of, uniform


def min_entropy(space: Space, prior: Prior = uniform) -> float:
    """-log2 max π: how uncertain a single guess is.

    >>> from tightrope.spaces import categories
    >>> min_entropy(categories(4))
    2.0
    """
    return -log2(float(prior.on(space).max()))


def leakage(
    mechanism: FiniteMechanism | Held | Matrix, prior: PriorLike = uniform
) -> float:
    """By how many bits one look at the answer helps somebody who guesses the input once.

    log2 (Σ_z max_y π_y P(z | y) / max π): the chance of a right guess after, over the one before
    (min-entropy leakage). 0 where nothing helps, 1 where the chance doubles.

    Returns: bits as a float, in double arithmetic.

    Raises: `BadMatrix` for rows or a prior that are no probabilities; `BadInput` for integer noise.

    >>> from tightrope.mechanisms import KernelMechanism
    >>> from tightrope.spaces import categories
    >>> from fractions import Fraction
    >>> rr = KernelMechanism(categories(2), Fraction(3), Fraction(1), (Fraction(1),) * 2)
    >>> round(leakage(rr), 6), round(leakage(rr, Prior.of(["3/4", "1/4"])), 6)
    (0.584963, 0.0)
    """
    mechanism = matrix_form(mechanism)
    law = prior_of(prior, mechanism.space).on(mechanism.space)
    joint = law[:, None] * probabilities(mechanism)
    return log2(float(joint.max(axis=0).sum()) / float(law.max()))
