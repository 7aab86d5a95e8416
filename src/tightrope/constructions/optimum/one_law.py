"""The least loss at ε = 0 and δ = 0: all inputs have one law, so the best one is sought.

For the average that is one answer. For the worst input it is a game: a law q on answers against
a prior on inputs, both from one small linear program. Multipliers prove that nothing loses less:
with r the first input and c_z[y] = prior[y] · loss[y, z], the multipliers move c_z from y to r,
at no cost where e^(-ε d) = 1, and the price of r is min_z Σ_y c_z[y].
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from tightrope.choices import Goal
from tightrope.constructions.closed_forms.written_kernels import one_law
from tightrope.errors import SolverFailed
from tightrope.privacy import certified
from tightrope.utility import Multipliers, Prior, Problem, Solution, cost_columns, prove_bound

_BITS = 50
"""Bits of the exact shares of a game: about those of a double."""


def solve_with_one_law(problem: Problem) -> Solution:
    """The best law for a problem at ε = 0 on a connected space, with its dual.

    >>> best = solve_with_one_law(Problem("path:0..4", 0, loss="absolute"))
    >>> round(best.value, 12), best.gap < 1e-12, best.certified.mechanism.row_at(0)[2]
    (1.2, True, Fraction(1, 1))
    >>> round(solve_with_one_law(Problem("categories:4", 0, goal="worst")).value, 9)
    0.75
    """
    if problem.goal is Goal.WORST:
        law, prior = _game(problem)
    else:
        best = int(np.argmin(problem.chances @ problem.losses))
        law = [Fraction(int(z == best)) for z in range(len(problem.answers))]
        prior = problem.averaged
    made = certified(one_law(problem.space, law, problem.answers), problem.level)
    return Solution(problem, made, "optimal").proved(
        prove_bound(problem, _multipliers(problem, prior), prior)
    )


def _game(problem: Problem) -> tuple[list[Fraction], Prior]:
    """A law on answers with the least worst loss, and the least favorable prior."""
    from scipy.optimize import linprog

    losses = problem.losses
    inputs, answers = losses.shape
    least = np.append(np.zeros(answers), 1.0)  # minimize t
    solution = linprog(
        least,
        A_ub=np.hstack([losses, -np.ones((inputs, 1))]),  # Σ_z loss[y, z] q_z <= t
        b_ub=np.zeros(inputs),
        A_eq=np.append(np.ones(answers), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * answers + [(None, None)],
        method="highs",
    )
    if not solution.success:
        raise SolverFailed("the solver did not find the best law for the worst input.")
    weights = [-share for share in solution.ineqlin.marginals.tolist()]
    return _shares(solution.x[:-1].tolist()), Prior(tuple(_shares(weights)))


def _shares(weights: Sequence[float]) -> list[Fraction]:
    """Doubles as short exact shares that add up to 1, none negative."""
    whole = [max(0, round(weight * 2**_BITS)) for weight in weights]
    return [Fraction(weight, sum(whole)) for weight in whole]


def _multipliers(problem: Problem, prior: Prior) -> list[Multipliers]:
    """For every answer, multipliers that move all costs to the first input."""
    costs = cost_columns(prior.exact(problem.space), problem.bracket)
    others = np.arange(1, problem.space.size)
    multipliers = []
    for z in range(len(problem.answers)):
        moved = costs(z)[1:]
        gain = np.array([amount < 0 for amount in moved])
        first, second = np.where(gain, 0, others), np.where(gain, others, 0)
        multipliers.append(Multipliers(first, second, tuple(abs(int(amount)) for amount in moved)))
    return multipliers
