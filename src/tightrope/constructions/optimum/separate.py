"""The optimum on a space of several components: that of each, side by side.

Nothing binds rows of different components to each other, so the program falls apart. On
average the losses of the components add up, weighted by their prior probabilities, and so do
their bounds; for the worst input the component with the largest bound proves it. An input
that is a component of its own is released as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tightrope.choices import Goal
from tightrope.exact import FloatArray, IntArray, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import certified
from tightrope.spaces import Space, split_components
from tightrope.utility import (
    Dual,
    LossMatrix,
    Multipliers,
    Prior,
    Problem,
    Solution,
    prove_bound,
    uniform,
)

Solve = Callable[[Problem, float], Solution]
"""Returns the best mechanism on a component, in a share of the remaining time."""


@dataclass(frozen=True, eq=False)
class _Part:
    """The mechanism on one component: its weights, and the solution if there was a search."""

    members: IntArray
    weights: Weights
    solution: Solution | None

    @property
    def dual(self) -> Dual | None:
        return None if self.solution is None else self.solution.dual


def solve_by_component(problem: Problem, solve: Solve) -> Solution:
    """The best mechanism on a space that is not connected, from the best on each component."""
    parts = list(_solve_components(problem, solve))
    mechanism = MatrixMechanism(problem.space, problem.answers, _join_rows(problem.space, parts))
    solution = Solution(
        problem, certified(mechanism, problem.level), "optimal", statistics=_statistics(parts)
    )
    return solution.proved(_prove(problem, parts))


def _solve_components(problem: Problem, solve: Solve) -> Iterable[_Part]:
    answers, losses = problem.answers, problem.losses
    chances = problem.averaged.exact(problem.space)
    split = list(split_components(problem.space))
    left = sum(len(members) ** 2 for members, component in split if component is not None)
    for members, component in split:
        own = [chances[i] for i in members.tolist()]
        share = len(members) ** 2 / max(left, 1)
        left -= 0 if component is None else len(members) ** 2
        if component is None or not any(own):
            best = np.zeros((len(members), len(answers)))
            best[:, int(np.argmin(losses[members].sum(axis=0)))] = 1
            yield _Part(members, Weights.from_floats(best), None)
            continue
        prior = Prior(tuple(p / sum(own) for p in own)) if problem.averaged.weights else uniform
        part = Problem(
            component, problem.level, prior, LossMatrix(losses[members]), problem.goal, answers
        )
        solution = solve(part, share)
        mechanism = solution.certified.mechanism
        assert isinstance(mechanism, MatrixMechanism)
        yield _Part(members, mechanism.weights, solution)


def _statistics(parts: list[_Part]) -> dict[str, Any]:
    """Steps and seconds of all searches, and how the unfinished ones ended."""
    searches = [part.solution.statistics for part in parts if part.solution is not None]
    unfinished = [statistics for statistics in searches if not statistics.get("finished", True)]
    return {
        "iterations": sum(statistics.get("iterations", 0) for statistics in searches),
        "finished": not unfinished,
        "exhausted": bool(unfinished) and all(statistics["exhausted"] for statistics in unfinished),
        "interrupted": any(statistics.get("interrupted", False) for statistics in searches),
        "seconds": sum(statistics.get("seconds", 0.0) for statistics in searches),
    }


def _join_rows(space: Space, parts: list[_Part]) -> Weights:
    """The rows of all components, each at its place."""
    order = np.argsort(np.concatenate([part.members for part in parts]))
    mantissas = np.concatenate([part.weights.mantissas for part in parts])
    exponents = np.concatenate([part.weights.exponents for part in parts])
    return Weights(mantissas[order], exponents[order])


def _prove(problem: Problem, parts: list[_Part]) -> Dual:
    """The bound of all components together, or of the worst one, proved on the whole space."""
    space, prior = problem.space, problem.averaged
    if problem.goal is Goal.WORST:
        parts = [_worst(problem.losses, parts)]
        shares = [Fraction(0)] * space.size
        own = parts[0].dual
        size = len(parts[0].members)
        chances = (own and own.prior.weights) or (Fraction(1, size),) * size
        for i, chance in zip(parts[0].members.tolist(), chances, strict=True):
            shares[i] = chance
        prior = Prior(tuple(shares))
    exact = prior.exact(space)
    multipliers = []
    for z in range(len(problem.answers)):
        first, second, amounts = [np.empty(0, np.int64)], [np.empty(0, np.int64)], []
        for part in parts:
            if part.dual is not None:
                dual = part.dual.multipliers[z]
                top, bottom = sum(
                    (exact[i] for i in part.members.tolist()), Fraction(0)
                ).as_integer_ratio()
                first.append(part.members[dual.first])
                second.append(part.members[dual.second])
                amounts += [amount * top // bottom for amount in dual.amounts]
        multipliers.append(
            Multipliers(np.concatenate(first), np.concatenate(second), tuple(amounts))
        )
    return prove_bound(problem, multipliers, prior)


def _worst(losses: FloatArray, parts: list[_Part]) -> _Part:
    """The component whose worst input loses most, by its bound."""

    def least(part: _Part) -> float:
        if part.solution is None:
            return float(losses[part.members].sum(axis=0).min())
        return -np.inf if part.solution.bound is None else part.solution.bound

    return max(parts, key=least)
