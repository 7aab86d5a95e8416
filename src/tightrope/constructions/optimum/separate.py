"""The optimum on a space of several components: that of each, side by side.

Nothing binds rows of different components to each other, so the program falls apart. On
average the losses of the components add up, weighted by their prior probabilities, and so do
their bounds; for the worst input the component with the largest bound proves it. An input
that is a component of its own is told as it is.
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
"""What finds the best mechanism on a component, in a share of the time that is left."""


@dataclass(frozen=True, eq=False)
class _Part:
    """What was found for one component: rows of weights, and the dual if there is one."""

    members: IntArray
    weights: Weights
    solution: Solution | None

    @property
    def dual(self) -> Dual | None:
        return None if self.solution is None else self.solution.dual


def solve_by_component(problem: Problem, solve: Solve) -> Solution:
    """The best mechanism on a space that is not connected, from the best on each component."""
    parts = list(_solved(problem, solve))
    mechanism = MatrixMechanism(problem.space, problem.answers, _joined(problem.space, parts))
    solution = Solution(
        problem, certified(mechanism, problem.level), "optimal", statistics=_statistics(parts)
    )
    return solution.proved(_proved(problem, parts))


def _solved(problem: Problem, solve: Solve) -> Iterable[_Part]:
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
        asked = Problem(
            component, problem.level, prior, LossMatrix(losses[members]), problem.goal, answers
        )
        found = solve(asked, share)
        held = found.certified.mechanism
        assert isinstance(held, MatrixMechanism)
        yield _Part(members, held.weights, found)


def _statistics(parts: list[_Part]) -> dict[str, Any]:
    """The steps and seconds of all searches, and how those ended that did not reach their gap."""
    held = [part.solution.statistics for part in parts if part.solution is not None]
    open_ones = [found for found in held if not found.get("finished", True)]
    return {
        "iterations": sum(found.get("iterations", 0) for found in held),
        "finished": not open_ones,
        "exhausted": bool(open_ones) and all(found["exhausted"] for found in open_ones),
        "interrupted": any(found.get("interrupted", False) for found in held),
        "seconds": sum(found.get("seconds", 0.0) for found in held),
    }


def _joined(space: Space, parts: list[_Part]) -> Weights:
    """The rows of all components, each at its place."""
    order = np.argsort(np.concatenate([part.members for part in parts]))
    mantissas = np.concatenate([part.weights.mantissas for part in parts])
    exponents = np.concatenate([part.weights.exponents for part in parts])
    return Weights(mantissas[order], exponents[order])


def _proved(problem: Problem, parts: list[_Part]) -> Dual:
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
                held = part.dual.multipliers[z]
                top, bottom = sum(
                    (exact[i] for i in part.members.tolist()), Fraction(0)
                ).as_integer_ratio()
                first.append(part.members[held.first])
                second.append(part.members[held.second])
                amounts += [amount * top // bottom for amount in held.amounts]
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
