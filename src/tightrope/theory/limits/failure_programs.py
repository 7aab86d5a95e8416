"""The least worst-case failure at a level: linear programs, and what proves their answers.

Each engine answers three questions about an aim: the least failure at a level, in doubles; a
certified mechanism that fails seldom enough, or None; a proof that every mechanism at the level
fails more often, or None. Both proofs are exact, whatever the solver did.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tightrope.characters import label_text, shorten
from tightrope.choices import Goal
from tightrope.constructions import Effort, min_loss_given_level
from tightrope.errors import BadInput, NotAPoint, SolverFailed
from tightrope.exact import FloatArray, Level, tolerances
from tightrope.mechanisms import FiniteMechanism, MatrixMechanism
from tightrope.privacy import Certified, repair
from tightrope.spaces import Label
from tightrope.symmetry import Symmetry, preserving, symmetries
from tightrope.theory.limits.aims import Aim
from tightrope.utility import Dual, Multipliers, Prior, Problem, Solution, prove_bound


class Engine(Protocol):
    """Who answers questions about the least failure."""

    @property
    def aim(self) -> Aim: ...

    def value(self, epsilon: float) -> float:
        """The least worst-case failure at a level."""
        ...

    def enough(self, level: Level) -> Certified | None:
        """A certified mechanism at the level that fails seldom enough, or None."""
        ...

    def short(self, level: Level) -> Dual | None:
        """A proof that every mechanism at the level fails more often, or None."""
        ...


@dataclass(frozen=True)
class SimplexGame:
    """The linear program of the least worst-case failure, over orbits of the symmetries."""

    aim: Aim
    loss: FloatArray
    symmetry: Symmetry

    @property
    def copies(self) -> int:
        """The number of columns that the symmetries leave."""
        return len(self.symmetry.representatives)

    @classmethod
    def of(cls, aim: Aim) -> SimplexGame:
        space, loss = aim.space, aim.loss.values
        even = np.full(space.size, 1 / space.size)
        symmetry = preserving(
            space, aim.answers.points, symmetries(space), prior=even, loss=loss
        )
        return cls(aim, loss, symmetry)

    def value(self, epsilon: float) -> float:
        """The least worst-case failure at a level."""
        return self.solve(epsilon).value

    def enough(self, level: Level) -> Certified | None:
        """A certified mechanism at the level that fails seldom enough, or None."""
        inner = float(level.inside(self.aim.space.least_distance))
        solution = self.solve(inner)
        matrix = np.maximum(self.symmetry.spread(self.symmetry.settled(solution.columns)), 0)
        return proved_enough(self.aim, level, matrix)

    def short(self, level: Level) -> Dual | None:
        """A proof that every mechanism at the level fails more often, or None."""
        solution = self.solve(float(level))
        total = solution.prior.sum()
        if not total > 0:  # a failure too rare for the solver to see
            return None
        prior = Prior.of([Fraction(p) for p in (solution.prior / total).tolist()])
        shipped = []
        for line in solution.multipliers / total:
            used = np.flatnonzero(line > 0)
            units = tuple(int(v) << 32 for v in np.ldexp(line[used], 64).tolist())
            shipped.append((solution.first[used], solution.second[used], units))
        multipliers = []
        for position, carrier in self.symmetry.carriers():
            origins, targets, units = shipped[position]
            multipliers.append(Multipliers(carrier[origins], carrier[targets], units))
        dual = prove_bound(problem_of(self.aim, level, prior), multipliers)
        return dual if dual.bound > self.aim.failure else None

    def solve(self, epsilon: float) -> _Strategy:
        """Both sides of the game at a level, in double arithmetic."""
        from scipy.optimize import linprog
        from scipy.sparse import block_diag, coo_array, csr_array, hstack, vstack

        space = self.aim.space
        size, sizes = space.size, self.symmetry.sizes.astype(np.float64)
        copies = len(sizes)
        pairs = space.edges()
        a = np.concatenate([pairs.first, pairs.second])
        b = np.concatenate([pairs.second, pairs.first])
        lines = np.arange(len(a))
        shares = np.exp(-epsilon * space.lengths(a, b))
        cone = csr_array(
            coo_array(
                (np.concatenate([-np.ones(len(a)), shares]),
                 (np.concatenate([lines, lines]), np.concatenate([a, b]))),
                (len(a), size),
            )
        )  # e^(-ε d) v[b] - v[a] <= 0
        orbit = self.symmetry.input_orbits
        members = np.bincount(orbit)
        mean = csr_array((1 / members[orbit], (orbit, np.arange(size))), (len(members), size))
        losses = self.loss[:, self.symmetry.representatives]
        rows = hstack([s * mean for s in sizes])
        fails = hstack([s * mean * losses[:, k] for k, s in enumerate(sizes)])
        cones = block_diag([cone] * copies)
        zero = csr_array((cones.shape[0], 1))
        upper = vstack([hstack([cones, zero]), hstack([fails, -np.ones((len(members), 1))])])
        optimum = linprog(
            np.append(np.zeros(copies * size), 1.0),
            A_ub=upper.tocsr(), b_ub=np.zeros(upper.shape[0]),
            A_eq=hstack([rows, csr_array((len(members), 1))]).tocsr(), b_eq=np.ones(len(members)),
            method="highs-ds",
            options={"primal_feasibility_tolerance": tolerances.SHIPPING_ERROR / 10,
                     "dual_feasibility_tolerance": tolerances.SHIPPING_ERROR / 10},
        )
        if optimum.status != 0:
            raise SolverFailed("the program of the least failure was not solved.")
        duals = -optimum.ineqlin.marginals
        weights = np.maximum(duals[cones.shape[0] :], 0) / members
        multipliers = np.maximum(duals[: cones.shape[0]], 0).reshape(copies, -1) / sizes[:, None]
        return _Strategy(
            float(optimum.fun), optimum.x[:-1].reshape(copies, size), weights[orbit], a, b,
            multipliers,
        )


@dataclass(frozen=True)
class _Strategy:
    """Columns of a mechanism, a least favorable prior and multipliers that go with it."""

    value: float
    columns: FloatArray
    prior: FloatArray
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    multipliers: FloatArray


@dataclass(frozen=True)
class ConeGame:
    """The same game by the cone program of the worst case, for many points or a long reach."""

    aim: Aim

    def solve(self, level: Level) -> Solution:
        """Mechanism and bound at a level, both proved."""
        aim, effort = self.aim, Effort(gap=tolerances.LEVEL_WIDTH)
        return min_loss_given_level(
            aim.space, level, loss=aim.loss, goal=Goal.WORST, outputs=outputs_of(aim),
            effort=effort,
        )

    def value(self, epsilon: float) -> float:
        """The least worst-case failure at a level."""
        return self.solve(Level.epsilon(epsilon)).value

    def enough(self, level: Level) -> Certified | None:
        """A certified mechanism at the level that fails seldom enough, or None."""
        certified = self.solve(level).certified
        return certified if keeps(certified, self.aim) else None

    def short(self, level: Level) -> Dual | None:
        """A proof that every mechanism at the level fails more often, or None."""
        dual = self.solve(level).dual
        return dual if isinstance(dual, Dual) and dual.bound > self.aim.failure else None


def outputs_of(aim: Aim) -> tuple[Label, ...] | None:
    """The answers, None if they are the inputs themselves."""
    return None if aim.answers is aim.space else tuple(aim.answers.points)


def problem_of(aim: Aim, level: Level, prior: Prior) -> Problem:
    """How often answers are too far off on average over a prior."""
    return Problem(aim.space, level, prior, aim.loss, outputs=outputs_of(aim))


def proved_enough(aim: Aim, level: Level, matrix: FloatArray) -> Certified | None:
    """The matrix put right and proved at the level, if it then fails seldom enough."""
    rows = matrix / matrix.sum(axis=1, keepdims=True)
    costs = aim.loss.values
    certified = repair(rows, aim.space, level, outputs=outputs_of(aim), costs=costs).certified
    return certified if keeps(certified, aim) else None


def keeps(certified: Certified, aim: Aim) -> bool:
    """Whether every input fails with at most the probability allowed, added up exactly."""
    mechanism = certified.mechanism
    assert isinstance(mechanism, MatrixMechanism)
    return max(chances_outside(mechanism, aim)) <= aim.failure


def chances_outside(mechanism: FiniteMechanism, aim: Aim) -> Iterator[Fraction]:
    """For every input the exact probability of an answer that is too far off."""
    places = [_answer(label, aim) for label in mechanism.outputs]
    for y, near in enumerate(aim.near):
        row = mechanism.row_at(y)
        yield sum((p for p, z in zip(row, places, strict=True) if not near[z]), Fraction(0))


def _answer(label: Label, aim: Aim) -> int:
    """Which point of the space of answers an output is."""
    try:
        return aim.answers.index(label)
    except NotAPoint:
        raise BadInput(
            f"the output {label_text(label)} is no point of {shorten(aim.answers.text)}; give the "
            "query whose values the outputs are, as query=…"
        ) from None
