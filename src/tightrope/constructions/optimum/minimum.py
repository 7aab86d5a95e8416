"""The least loss of all mechanisms at a level: which program finds it, and where none can.

At δ = 0 it is a program over copies of the privacy cone (`optimal`), and at ε = 0 the best single
law (`one_law`). With δ it is a program over pairs of neighbors (`approximate`). Components of a
space are solved separately (`separate`); where pairs are protected one way it is a plain linear
program (`one_way`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from time import monotonic

from tightrope.choices import Goal
from tightrope.constructions.obstacles import refuse
from tightrope.constructions.optimum.approximate import solve_with_delta
from tightrope.constructions.optimum.effort import ORDINARY, Effort
from tightrope.constructions.optimum.one_answer import always_one_answer
from tightrope.constructions.optimum.one_law import solve_with_one_law
from tightrope.constructions.optimum.one_way import solve_one_way
from tightrope.constructions.optimum.optimal import refuse_large, solve_cone
from tightrope.constructions.optimum.separate import solve_by_component
from tightrope.errors import SolverFailed, TooLarge
from tightrope.exact import Level, Number, sizes
from tightrope.privacy import certified, level_of
from tightrope.spaces import Directed, Label, Space, farthest, is_connected
from tightrope.utility import (
    LossLike,
    PriorLike,
    Problem,
    Solution,
    all_neighbors,
    best_dual,
    uniform,
)

_SHARE = 0.75
"""Share of the time for the program with δ; the rest is for the optimum without."""

_PATIENCE = 2.0
"""Seconds for the optimum without δ after Ctrl-C, and the least it has."""


def min_loss_given_level(
    space: Space | str,
    epsilon: Level | Number | None = None,
    *,
    delta: Number | None = None,
    ratio: Number | None = None,
    prior: PriorLike = uniform,
    loss: LossLike | None = None,
    goal: Goal | str = Goal.AVERAGE,
    outputs: Sequence[Label] | None = None,
    effort: Effort = ORDINARY,
) -> Solution:
    """The mechanism with the smallest loss at the level, and the proof that it is.

    minimize Σ_y prior[y] Σ_z P(z | y) loss[y, z], or for the goal `worst` the largest of those
    sums over z. Mechanisms with the level and these outputs (the inputs if not given) compete.
    For the worst input the bound is that of the average over the least favorable prior, which the
    dual carries.

    Returns: a `Solution`; its `gap` is the distance to the proved bound.

    Raises: `TooLarge` beyond the memory or range of the solver; `Infeasible` for δ above 0 without
    declared neighbors.

    >>> best = min_loss_given_level("categories:4", Level.ratio(2), goal="worst")
    >>> round(best.value, 6), best.gap < 1e-6
    (0.6, True)
    >>> round(min_loss_given_level("categories:2", ratio=3, delta="0.1").value, 9)
    0.225
    """
    level = level_of(epsilon, delta=delta, ratio=ratio)
    return minimum(Problem(space, level, prior, loss, goal, outputs), effort)


def obstacle(problem: Problem) -> str | None:
    """Why the optimum is not defined, in one sentence; None where it is."""
    if problem.level.delta > 0 and problem.space.neighbors is None:
        return f"with δ it needs declared neighbors, which {problem.space.text} has not."
    return None


def minimum(problem: Problem, effort: Effort = ORDINARY) -> Solution:
    """The best mechanism for a problem."""
    refuse("optimal", obstacle(problem))
    outputs = problem.outputs
    refuse_large(problem.space.size, problem.space.size if outputs is None else len(outputs))
    _refuse_far(problem)
    return _solve(problem, effort)


def _solve(problem: Problem, effort: Effort) -> Solution:
    if (settled := always_one_answer(problem)) is not None:
        return settled
    if isinstance(problem.space, Directed):
        return solve_one_way(problem, effort)
    if not is_connected(problem.space):
        return solve_by_component(problem, _sequential_solver(effort))
    if problem.level.delta:
        return _solve_with_delta(problem, effort)
    return solve_with_one_law(problem) if problem.level.is_zero else solve_cone(problem, effort)


def _sequential_solver(effort: Effort) -> Callable[[Problem, float], Solution]:
    """Searches one after the other, each in a share of the time that those before it left.

    After Ctrl-C those that follow make no step.
    """
    end = monotonic() + effort.seconds

    def solve(part: Problem, share: float) -> Solution:
        nonlocal end
        solution = _solve(part, replace(effort, seconds=share * max(0.0, end - monotonic())))
        if solution.statistics.get("interrupted"):
            end = monotonic()
        return solution

    return solve


def _solve_with_delta(problem: Problem, effort: Effort) -> Solution:
    """The best mechanism at (ε, δ) or, where time runs out or Ctrl-C comes, that at δ = 0.

    An unfinished program with δ has nothing that could be proved.
    """
    started, interrupted = monotonic(), False
    seconds = _SHARE * effort.seconds
    try:
        return solve_with_delta(problem, replace(effort, seconds=seconds))
    except KeyboardInterrupt:
        rest, interrupted = 0.0, True
    except SolverFailed:
        rest = effort.seconds - (monotonic() - started)
        if rest > effort.seconds - seconds:  # it failed for another reason
            raise
    pure = _solve_without_delta(problem, replace(effort, seconds=max(rest, _PATIENCE)))
    return pure.noting(statistics={**pure.statistics, "interrupted": interrupted})


def _solve_without_delta(problem: Problem, effort: Effort) -> Solution:
    """The optimum at δ = 0, which has the level too, and the bound of its multipliers with δ."""
    pure = minimum(problem.at(problem.level.pure), effort)
    proved = certified(pure.certified.mechanism, problem.level)
    statistics = {**pure.statistics, "finished": False, "exhausted": False}
    solution = Solution(problem, proved, "optimal", statistics=statistics)
    if pure.dual is None or not all_neighbors(problem.space, pure.dual.multipliers):
        return solution
    return solution.proved(best_dual(problem, pure.dual.multipliers, pure.dual.prior))


def solver_reach(space: Space, delta: Fraction) -> float:
    """The distance d for which the search of the optimum works with e^(-ε d).

    With δ that is three times the distance of neighbors: optima are about e^-ε there, and
    both they and their errors have to be in the range of doubles.

    >>> from tightrope.spaces import path
    >>> solver_reach(path(0, 9), Fraction(0)), solver_reach(path(0, 9), Fraction(1, 100))
    (9.0, 3.0)
    """
    if not delta or space.neighbors is None:
        return float(farthest(space))
    pairs = space.neighbors.pairs
    return 3 * float(space.lengths(pairs.first, pairs.second).max())


def _refuse_far(problem: Problem) -> None:
    """Refuse probabilities beyond the range of the solver's numbers."""
    delta = problem.level.delta
    reach = float(problem.level) * solver_reach(problem.space, delta)
    if reach > sizes.LARGEST_CONE_REACH:
        raise TooLarge(
            "3 ε times the distance of neighbors" if delta else "ε times the diameter",
            ceil(reach),
            sizes.LARGEST_CONE_REACH,
            "beyond, probabilities leave the range of the solver's numbers; use a smaller ε",
        )
