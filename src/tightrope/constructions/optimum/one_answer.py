"""Problems where one answer is best for every possible input.

Where losses have many zeros, or few inputs are possible, one answer may be as good as the truth.
Always giving it is private at every level, and no mechanism loses less, private or not. A solver
would only approach its loss, 0 for instance.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tightrope.choices import Goal
from tightrope.exact import Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import certified
from tightrope.utility import Multipliers, Prior, Problem, Solution, prove_bound


def always_one_answer(problem: Problem) -> Solution | None:
    """The mechanism that always gives one answer, where that is best for all possible inputs.

    >>> best = always_one_answer(Problem("path:0..2", 1, loss=lambda x, z: max(0, x - z)))
    >>> best.value, best.gap, best.certified.mechanism.row(0)
    (0.0, 0.0, (Fraction(0, 1), Fraction(0, 1), Fraction(1, 1)))
    """
    worst, losses = problem.goal is Goal.WORST, problem.losses
    least = losses.min(axis=1)
    possible = np.ones(len(losses), dtype=np.bool_) if worst else problem.chances > 0
    best = np.flatnonzero((losses == least[:, None])[possible].all(axis=0))
    if not len(best):
        return None
    constant = np.zeros(losses.shape)
    constant[:, best[0]] = 1
    mechanism = MatrixMechanism(problem.space, problem.answers, Weights.from_floats(constant))
    nobody = np.empty(0, dtype=np.int64)
    none = [Multipliers(nobody, nobody, ())] * len(problem.answers)
    prior = problem.averaged
    if worst:
        hardest = int(np.argmax(least))
        prior = Prior(tuple(Fraction(int(y == hardest)) for y in range(len(losses))))
    solution = Solution(problem, certified(mechanism, problem.level), "optimal")
    return solution.proved(prove_bound(problem, none, prior))
