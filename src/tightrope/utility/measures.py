"""Measures of information: how much a mechanism reveals, as single numbers.

- min-capacity: the largest min-entropy leakage over all priors, log2 Σ_z max_y P(z | y);
  the uniform prior attains it (ECP);
- mutual information between input and output, in bits, for a prior;
- Dobrushin: -min over pairs of inputs of Σ_z min(P(z | y), P(z | y')), as in KL10;
- determinant of a square matrix of probabilities, and rank.

Post-processing raises none of them (KL10, Axiom 3.1.4; the determinant among square ones).
It may lower an expected loss: as a measure of utility that one breaks the axiom.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import fmpq_mat

from tightrope.errors import BadInput, BadMatrix, TooLarge
from tightrope.exact import (
    Level,
    Number,
    Surd,
    from_flint,
    lower_bound,
    stated_whole,
    to_flint,
    upper_bound,
)
from tightrope.mechanisms import FiniteMechanism, Held, Matrix, matrix_form
from tightrope.privacy import level_of
from tightrope.utility.expectation import probabilities
from tightrope.utility.priors import PriorLike, prior_of, uniform

LARGEST_DETERMINANT = 100
"""Rows of a matrix whose determinant is computed in exact fractions."""


def min_capacity(mechanism: FiniteMechanism | Held | Matrix) -> float:
    """The most that a mechanism leaks under any prior, in bits: log2 Σ_z max_y P(z | y).

    See `leakage`; the uniform prior attains it.

    Returns: bits as a float, in double arithmetic.

    Raises: `BadMatrix` if rows are no probabilities; `BadInput` for integer noise.

    >>> from fractions import Fraction
    >>> from tightrope.mechanisms import KernelMechanism
    >>> from tightrope.spaces import categories
    >>> rr = KernelMechanism(categories(2), Fraction(3), Fraction(1), (Fraction(1),) * 2)
    >>> round(min_capacity(rr), 6), dobrushin(rr), rank(rr)
    (0.584963, -0.5, 2)
    """
    mechanism = matrix_form(mechanism)
    return float(np.log2(probabilities(mechanism).max(axis=0).sum()))


def dobrushin(mechanism: FiniteMechanism | Held | Matrix) -> float:
    """How little the laws of two inputs overlap at least, from -1 (all alike) to 0.

    -min over pairs of inputs of Σ_z min(P(z | y), P(z | y')); 0 would tell two inputs apart for
    certain. The negative Dobrushin coefficient, as in KL10.

    Returns: a float, in double arithmetic.

    Raises: `BadMatrix` if rows are no probabilities; `BadInput` for integer noise.

    >>> dobrushin([["3/4", "1/4"], ["1/4", "3/4"]]), dobrushin([[1, 0], [0, 1]])
    (-0.5, 0.0)
    """
    mechanism = matrix_form(mechanism)
    table = probabilities(mechanism)
    least = 1.0
    for y in range(1, len(table)):
        least = min(least, float(np.minimum(table[:y], table[y]).sum(axis=1).min()))
    return 0.0 - least  # never -0


def rank(mechanism: FiniteMechanism) -> int:
    """The numerical rank of the matrix of probabilities."""
    return int(np.linalg.matrix_rank(probabilities(mechanism)))


def mutual_information(
    mechanism: FiniteMechanism | Held | Matrix, prior: PriorLike = uniform
) -> float:
    """The mutual information of input and output in bits, in double arithmetic.

    Returns: a float; 0 where the output says nothing about the input.

    Raises: `BadMatrix` for rows or a prior that are no probabilities; `BadInput` for integer noise.

    >>> from tightrope.mechanisms import KernelMechanism
    >>> from tightrope.spaces import categories
    >>> from tightrope.utility import uniform
    >>> rr = KernelMechanism(categories(2), Fraction(3), Fraction(1), (Fraction(1),) * 2)
    >>> round(mutual_information(rr, uniform), 6), determinant(rr)
    (0.188722, Fraction(1, 2))
    """
    mechanism = matrix_form(mechanism)
    table = probabilities(mechanism)
    joint = prior_of(prior, mechanism.space).on(mechanism.space)[:, None] * table
    output = np.broadcast_to(joint.sum(axis=0), table.shape)
    positive = joint > 0
    return float((joint[positive] * np.log2(table[positive] / output[positive])).sum())


def determinant(mechanism: FiniteMechanism) -> Fraction:
    """The absolute value of the determinant of a square matrix of probabilities, exactly."""
    size = mechanism.space.size
    if size != len(mechanism.outputs):
        raise BadMatrix(
            f"a determinant needs as many outputs as inputs, found {len(mechanism.outputs)} "
            f"outputs and {size} inputs."
        )
    if size > LARGEST_DETERMINANT:
        raise TooLarge("the number of rows", size, LARGEST_DETERMINANT, "use the rank instead")
    entries = [to_flint(p) for y in range(size) for p in mechanism.row_at(y)]
    value = fmpq_mat(size, size, entries).det()
    return abs(from_flint(value))


def dobrushin_optimum(
    steps: int, epsilon: Level | Number | None = None, *, ratio: Number | None = None
) -> tuple[Fraction, Fraction]:
    """Lower and upper bound on the largest `dobrushin` at a level, for inputs `steps` apart.

    -e^(-dε/2) for an even diameter d, -2 e^(-(d-1)ε/2)/(1 + e^ε) for an odd one (KL10, Lemma
    3.3.8, where n stands for d). Both bounds are equal where e^ε is rational.

    Returns: two fractions, the lower bound first.

    Raises: `BadInput` for fewer than 1 step, steps that are not whole, or no level.

    >>> dobrushin_optimum(4, Level.ratio(2))[0], dobrushin_optimum(3, Level.ratio(2))[0]
    (Fraction(-1, 4), Fraction(-1, 3))
    """
    level = level_of(epsilon, ratio=ratio)
    steps = stated_whole(steps, "a diameter as a whole number of steps")
    if steps < 1:
        raise BadInput(f"expected a diameter of at least 1 step, found {steps}.")

    def value(factor: Fraction) -> Fraction:
        if steps % 2 == 0:
            return -1 / factor ** (steps // 2)
        return -2 / (factor ** ((steps - 1) // 2) * (1 + factor))

    exact = level.power(Surd.of(1))
    if exact is not None:
        return value(exact), value(exact)
    ball = level.power_ball(Surd.of(1), 128)
    return value(lower_bound(ball)), value(upper_bound(ball))
