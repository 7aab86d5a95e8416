"""The least worst-case failure on a path: the geometric mechanism and a randomized remap.

A failure does not fall as the distance grows, so among all mechanisms at a level some remap of
the truncated geometric is best for the worst input (Gupte and Sundararajan). That leaves a
linear program for the remap T alone, with two equations for each value instead of two for
each value and answer; reflection halves it, and of all entries of T only those near the
diagonal are given to the solver before others are asked for. Its prices are a least favorable
prior, whose bound comes from `path_bound` without a solver.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tightrope.constructions import path_bound
from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, IntArray, Level, sizes, tolerances
from tightrope.privacy import Certified
from tightrope.spaces import Family, family_of
from tightrope.theory.limits.aims import Aim
from tightrope.theory.limits.failure_programs import problem_of, proved_enough
from tightrope.utility import Dual, Prior

_NEAR = 2
"""Answers this far from an output, and no farther, are in the first program."""

_PRIOR_BITS = 60

_USED = tolerances.SHIPPING_ERROR
"""Shares and slacks above this are no error of the solver."""


@dataclass(frozen=True)
class PathGame:
    """The game on a path, for values and answers alike."""

    aim: Aim

    @classmethod
    def fits(cls, aim: Aim) -> bool:
        """Whether values and answers are one path, and not too long for a proof."""
        space = aim.space
        short = space.size <= sizes.LARGEST_PATH_PROOF
        return short and aim.answers is space and family_of(space) is Family.PATH

    def value(self, epsilon: float) -> float:
        """The least worst-case failure at a level."""
        return self.solve(epsilon).value

    def enough(self, level: Level) -> Certified | None:
        """A certified mechanism at the level that fails seldom enough, or None."""
        inner = float(level.inside(self.aim.space.least_distance))
        chances, remap = _geometric(self.aim.space.size, inner), self.solve(inner).remap
        return proved_enough(self.aim, level, chances @ remap)

    def short(self, level: Level) -> Dual | None:
        """A proof that every mechanism at the level fails more often, or None."""
        shares = np.maximum(self.solve(float(level)).prior, 0)
        units = [int(x) for x in np.ldexp(shares / shares.sum(), _PRIOR_BITS)]
        prior = Prior(tuple(Fraction(x, sum(units)) for x in units))
        dual = path_bound(problem_of(self.aim, level, prior))
        return dual if dual is not None and dual.bound > self.aim.failure else None

    def solve(self, epsilon: float) -> Remapped:
        """The best remap and the least favorable prior, in double arithmetic."""
        return best_remap(_geometric(self.aim.space.size, epsilon), self.aim.loss.values)


def best_remap(chances: FloatArray, loss: FloatArray) -> Remapped:
    """The remap of outputs (columns of `chances`) to answers with the least worst-case loss.

    Inputs, outputs and answers stand in the order of a line; turning the line around changes
    neither table.
    """
    costs = _Costs(chances, loss)
    inputs, size = chances.shape
    middle = np.clip(np.arange(costs.half), costs.first, costs.last)
    answers = np.arange(costs.first, costs.last + 1)
    outputs, answered = np.nonzero(np.abs(middle[:, None] - answers) <= _NEAR)
    answered = answers[answered]
    while True:
        optimum = _program(costs.of(outputs, answered), outputs, costs.half)
        prior, prices = -optimum.ineqlin.marginals, optimum.eqlin.marginals
        spare = costs.averages(prior, answers) - prices[:, None]
        known = np.zeros(spare.shape, dtype=bool)
        known[outputs, answered - costs.first] = True
        more = np.nonzero((spare < -tolerances.LEAST_ENTRY) & ~known)
        if not len(more[0]):
            break
        outputs = np.concatenate([outputs, more[0]])
        answered = np.concatenate([answered, answers[more[1]]])
    corner = _refine(costs.of(outputs, answered), outputs, optimum, costs.half)
    remap = np.zeros((size, size))
    remap[outputs, answered] = np.maximum(corner.shares, 0)
    both = np.zeros(inputs)
    both[: costs.rows] += corner.prior / 2
    both[::-1][: costs.rows] += corner.prior / 2
    return Remapped(corner.value, costs.mirrored(remap), both)


@dataclass(frozen=True)
class Remapped:
    """The least failure, a remap that attains it, a prior under which none fails less often."""

    value: float
    remap: FloatArray
    prior: FloatArray


class _Costs:
    """How often an input fails if an output is answered so, and its mirror image likewise."""

    def __init__(self, chances: FloatArray, loss: FloatArray) -> None:
        self.chances, self.loss = chances, loss
        inputs, self.size = chances.shape
        self.rows, self.half = (inputs + 1) // 2, (self.size + 1) // 2
        inside = np.flatnonzero(loss[0] == 0)  # answers near the end: none is better below them
        reach = min(int(inside.max()), (self.size - 1) // 2)
        self.first, self.last = reach, self.size - 1 - reach

    def of(self, outputs: IntArray, answers: IntArray) -> FloatArray:
        """For inputs of one half (rows): what each pair of output and answer adds."""
        inputs, end = slice(0, self.rows), self.size - 1
        own = self.chances[inputs][:, outputs] * self.loss[inputs][:, answers]
        other = self.chances[inputs][:, end - outputs] * self.loss[inputs][:, end - answers]
        return np.asarray(np.where(outputs == end - outputs, (own + other) / 2, own + other))

    def averages(self, prior: FloatArray, answers: IntArray) -> FloatArray:
        """The same on average over a prior, for all outputs of one half and all answers."""
        half, end = self.half, self.size - 1
        weighted, loss = prior[:, None] * self.chances[: self.rows], self.loss[: self.rows]
        own = weighted[:, :half].T @ loss[:, answers]
        mirror = weighted[:, end - np.arange(half)].T @ loss[:, end - answers]
        alone = (np.arange(half) == end - np.arange(half))[:, None]
        return np.asarray(np.where(alone, (own + mirror) / 2, own + mirror))

    def mirrored(self, remap: FloatArray) -> FloatArray:
        """The remap of one half and its mirror image."""
        turned = remap[::-1, ::-1]
        whole = remap + turned
        return np.asarray(whole / whole.sum(axis=1, keepdims=True))


def _geometric(size: int, epsilon: float) -> FloatArray:
    """The truncated geometric in doubles."""
    places, small = np.arange(size), np.exp(-epsilon)
    weights = np.full(size, (1 - small) / (1 + small))
    weights[[0, -1]] = 1 / (1 + small)
    return np.asarray(np.exp(-epsilon * np.abs(places[:, None] - places)) * weights)


@dataclass(frozen=True)
class _Corner:
    """A solution of the program: shares of the pairs, and the prices of inputs."""

    value: float
    shares: FloatArray
    prior: FloatArray


def _program(costs: FloatArray, outputs: IntArray, half: int) -> Any:
    """minimize t with costs x <= t and shares x >= 0 that add up to 1 for every output."""
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    rows, count = costs.shape
    even = coo_array((np.ones(count), (outputs, np.arange(count))), (half, count + 1))
    optimum = linprog(
        np.append(np.zeros(count), 1.0),
        A_ub=np.hstack([costs, -np.ones((rows, 1))]), b_ub=np.zeros(rows),
        A_eq=even.tocsr(), b_eq=np.ones(half),
        bounds=[*[(0.0, None)] * count, (None, None)], method="highs-ds",
        options={"primal_feasibility_tolerance": tolerances.PROGRAM_ERROR,
                 "dual_feasibility_tolerance": tolerances.PROGRAM_ERROR},
    )
    if optimum.status != 0:
        raise SolverFailed("the program of the best remap was not solved.")
    return optimum


def _refine(costs: FloatArray, outputs: IntArray, optimum: Any, half: int) -> _Corner:
    """The same corner in all digits of doubles: its equations solved again for what is used."""
    from scipy.linalg import lstsq

    rows, count = len(costs), len(outputs)
    used = np.flatnonzero(optimum.x[:-1] > _USED)
    tight = np.flatnonzero(optimum.ineqlin.residual <= _USED)
    even = (outputs[used] == np.arange(half)[:, None]).astype(np.float64)
    square = np.vstack([costs[tight][:, used], even])
    heights = np.append(-np.ones(len(tight)), np.zeros(half))
    square = np.hstack([square, heights[:, None]])
    solution = np.append(optimum.x[used], optimum.x[-1])
    right = np.append(np.zeros(len(tight)), np.ones(half))
    solution += lstsq(square, right - square @ solution, lapack_driver="gelsy")[0]
    prices = np.append(optimum.ineqlin.marginals[tight], optimum.eqlin.marginals)
    goal = np.append(np.zeros(len(used)), 1.0)
    prices += lstsq(square.T, goal - prices @ square, lapack_driver="gelsy")[0]
    shares, prior = np.zeros(count), np.zeros(rows)
    shares[used] = solution[:-1]
    prior[tight] = -prices[: len(tight)]
    return _Corner(float(solution[-1]), shares, prior)
