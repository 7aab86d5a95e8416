"""ε*(γ, δ): how little privacy must be given up to be right within γ except with chance δ.

A mechanism from a space to itself has (γ, δ)-utility if, for every input y, the output lies
in the ball of radius γ around y with probability at least 1 - δ; ε* is the smallest level at
which there is one (KL-pc, Definition 2.3). For a fixed level the least worst-case chance of
failure is a linear program. It falls as the level rises, so a root is found in doubles and
both ends of a narrow bracket are proved: above, by a certified mechanism whose chances of
failure are added up exactly; below, by a least favorable prior and multipliers that prove
that every mechanism at that level fails more often. Balls are closed unless said otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log

import numpy as np
from numpy.typing import NDArray

from tightrope.constructions import Effort, min_loss_given_level
from tightrope.errors import Infeasible, SolverFailed, TooLarge
from tightrope.exact import (
    FloatArray,
    Level,
    ball_of,
    float_above,
    float_below,
    lower_bound,
    sizes,
    tolerances,
)
from tightrope.mechanisms import FiniteMechanism, MatrixMechanism
from tightrope.privacy import Certified, repair
from tightrope.spaces import Space, require_connected
from tightrope.symmetry import Symmetry, preserving, symmetries
from tightrope.theory.covers import balls, best_measure
from tightrope.theory.packings import check_request, packing_bound
from tightrope.utility import (
    Dual,
    Goal,
    LossMatrix,
    Multipliers,
    Prior,
    Problem,
    Solution,
    prove_bound,
)

MOST_CELLS = 800
"""Columns times inputs up to which a simplex solver is asked; beyond, the cone program."""

_WIDE = 2.0**-29
"""Relative width of a bracket from which on the second solver is asked as well."""
_RAREST = 2.0**-1000
"""What a failure that the solver finds to be 0 is taken for."""
_TOO_RARE = "so rare a failure is beyond the solver's double arithmetic; allow a larger one."


@dataclass(frozen=True)
class SmallestLevelFor:
    """ε* as a proved bracket.

    At `upper` there is a mechanism (`certified`) that fails with probability at most
    `failure` for every input; at `lower` there is none (`dual` proves it; None if lower is
    0). `epsilon_star` lies between them. `closed` says which balls were meant.
    """

    epsilon_star: float
    lower: float
    upper: float
    radius: Fraction
    failure: Fraction
    closed: bool
    certified: Certified | None
    dual: Dual | None

    @property
    def width(self) -> float:
        """The width of the bracket."""
        return self.upper - self.lower


def failures(
    mechanism: FiniteMechanism, radius: Fraction, *, closed: bool = True
) -> tuple[Fraction, ...]:
    """For every input the exact probability that the output lies outside its ball."""
    inside = balls(mechanism.space, radius, closed=closed)
    return tuple(
        sum((p for p, near in zip(mechanism.row_at(y), inside[y], strict=True) if not near),
            Fraction(0))
        for y in range(mechanism.space.size)
    )


def smallest_level_for(
    space: Space, radius: Fraction, failure: Fraction, *, closed: bool = True
) -> SmallestLevelFor:
    """The smallest ε at which every answer is within `radius` except with chance `failure`.

    >>> from tightrope.spaces import categories
    >>> found = smallest_level_for(categories(3), Fraction(0), Fraction(1, 5))
    >>> found.lower <= log(8) <= found.upper, found.upper - found.lower < 1 / 2**30
    (True, True)

    Raises
    ------
    Infeasible
        if no finite level will do: a failure of 0 where one output cannot serve all inputs.
    """
    check_request(radius, failure)
    require_connected(space, "ε* is sought on")
    if space.size**2 > sizes.LARGEST_CONE:
        raise TooLarge(
            "the number of pairs of inputs", space.size**2, sizes.LARGEST_CONE,
            "ε* is found for smaller spaces only",
        )
    if radius == 0 and not closed:
        raise Infeasible("open balls of radius 0 are empty: every answer is too far off.")
    packed = packing_bound(space, radius, failure, closed=closed).epsilon
    if packed == 0 and 1 - best_measure(space, radius, closed=closed)[1] <= failure:
        return SmallestLevelFor(0.0, 0.0, 0.0, radius, failure, closed, None, None)
    if failure == 0:
        raise Infeasible(
            "never failing needs an output that some inputs exclude, and then no level is "
            "finite; allow a failure above 0, or a larger radius."
        )
    if failure < Fraction(_RAREST):
        raise SolverFailed(_TOO_RARE)
    outside = LossMatrix((~balls(space, radius, closed=closed)).astype(np.float64))
    found: list[SmallestLevelFor] = []
    for engine in (_Game.of(space, outside), _Cones(space, outside)):
        if isinstance(engine, _Game) and engine.copies * space.size > MOST_CELLS:
            continue
        try:
            found.append(_bracket(engine, radius, failure, closed, packed))
        except SolverFailed:  # probabilities too small for its doubles
            if isinstance(engine, _Cones) and not found:
                raise
        if found and found[0].width <= _WIDE * found[0].upper:
            break
    return min(found, key=lambda one: one.width)


def _bracket(
    engine: _Game | _Cones, radius: Fraction, failure: Fraction, closed: bool, least: float
) -> SmallestLevelFor:
    """A root in doubles, and the narrowest bracket around it that is proved."""
    root = _root(engine, float(failure), least)
    width = engine.width * root
    certified: Certified | None = None
    dual: Dual | None = None
    lower, upper = Fraction(0), Fraction(0)
    while certified is None or dual is None:
        if width > root / 4:
            raise SolverFailed("the solver was not accurate enough to prove a bracket of ε*.")
        if certified is None:
            upper = Fraction(root + width)
            certified = engine.enough(Level.epsilon(upper), failure)
        if dual is None:
            lower = Fraction(root - width)
            dual = engine.short(Level.epsilon(lower), failure)
        width *= 8
    ends = float_below(ball_of(lower, 80)), float_above(ball_of(upper, 80))
    return SmallestLevelFor(root, *ends, radius, failure, closed, certified, dual)


def sample_size(epsilon_star: SmallestLevelFor, level: Level, *, sensitivity: int = 1) -> int:
    """The least N with ε* · sensitivity / N <= ε (KL-pc, Remark 2.4).

    For a query that moves by `sensitivity`/N when one of N rows changes.
    """
    needed = Fraction(epsilon_star.upper) * sensitivity
    with_level = lower_bound(level.ball(128))
    return max(1, ceil(needed / with_level))


@dataclass(frozen=True)
class _Game:
    """The linear program of the least worst-case failure, over orbits of the symmetries."""

    space: Space
    loss: LossMatrix
    symmetry: Symmetry

    @property
    def width(self) -> float:
        """Relative half width of the first bracket that is tried."""
        return tolerances.LEVEL_WIDTH

    @property
    def copies(self) -> int:
        """The number of columns that the symmetries leave."""
        return len(self.symmetry.representatives)

    @classmethod
    def of(cls, space: Space, loss: LossMatrix) -> _Game:
        even = np.full(space.size, 1 / space.size)
        symmetry = preserving(
            space, space.points, symmetries(space), prior=even, loss=loss.values
        )
        return cls(space, loss, symmetry)

    def value(self, epsilon: float) -> float:
        """The least worst-case failure at a level."""
        return self.solve(epsilon).value

    def enough(self, level: Level, failure: Fraction) -> Certified | None:
        """A certified mechanism at the level that fails seldom enough, or None."""
        inner = float(level.inside(self.space.least_distance))
        found = self.solve(inner)
        matrix = np.maximum(self.symmetry.spread(self.symmetry.settled(found.columns)), 0)
        matrix /= matrix.sum(axis=1, keepdims=True)
        certified = repair(matrix, self.space, level, costs=self.loss.values).certified
        return certified if _keeps(certified, self.loss, failure) else None

    def short(self, level: Level, failure: Fraction) -> Dual | None:
        """A proof that every mechanism at the level fails more often, or None."""
        found = self.solve(float(level))
        total = found.prior.sum()
        if not total > 0:  # a failure too rare for the solver to see
            return None
        prior = Prior.of([Fraction(p) for p in (found.prior / total).tolist()])
        shipped = []
        for line in found.multipliers / total:
            used = np.flatnonzero(line > 0)
            units = tuple(int(v) << 32 for v in np.ldexp(line[used], 64).tolist())
            shipped.append((found.first[used], found.second[used], units))
        multipliers = []
        for position, carrier in self.symmetry.carriers():
            origins, targets, units = shipped[position]
            multipliers.append(Multipliers(carrier[origins], carrier[targets], units))
        dual = prove_bound(Problem(self.space, level, prior, self.loss), multipliers)
        return dual if dual.bound > failure else None

    def solve(self, epsilon: float) -> _Strategy:
        """Both sides of the game at a level, in double arithmetic."""
        from scipy.optimize import linprog
        from scipy.sparse import block_diag, coo_array, csr_array, hstack, vstack

        size, sizes = self.space.size, self.symmetry.sizes.astype(np.float64)
        copies = len(sizes)
        pairs = self.space.edges()
        a = np.concatenate([pairs.first, pairs.second])
        b = np.concatenate([pairs.second, pairs.first])
        lines = np.arange(len(a))
        shares = np.exp(-epsilon * self.space.lengths(a, b))
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
        losses = self.loss.values[:, self.symmetry.representatives]
        rows = hstack([s * mean for s in sizes])
        fails = hstack([s * mean * losses[:, k] for k, s in enumerate(sizes)])
        cones = block_diag([cone] * copies)
        zero = csr_array((cones.shape[0], 1))
        upper = vstack([hstack([cones, zero]), hstack([fails, -np.ones((len(members), 1))])])
        found = linprog(
            np.append(np.zeros(copies * size), 1.0),
            A_ub=upper.tocsr(), b_ub=np.zeros(upper.shape[0]),
            A_eq=hstack([rows, csr_array((len(members), 1))]).tocsr(), b_eq=np.ones(len(members)),
            method="highs-ds",
            options={"primal_feasibility_tolerance": tolerances.SHIPPING_ERROR / 10,
                     "dual_feasibility_tolerance": tolerances.SHIPPING_ERROR / 10},
        )
        if found.status != 0:
            raise SolverFailed("the program of the least failure was not solved.")
        duals = -found.ineqlin.marginals
        weights = np.maximum(duals[cones.shape[0] :], 0) / members
        multipliers = np.maximum(duals[: cones.shape[0]], 0).reshape(copies, -1) / sizes[:, None]
        return _Strategy(
            float(found.fun), found.x[:-1].reshape(copies, size), weights[orbit], a, b, multipliers
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
class _Cones:
    """The same game by the cone program of the worst case, for many points or a long reach."""

    space: Space
    loss: LossMatrix

    @property
    def width(self) -> float:
        """Relative half width of the first bracket that is tried."""
        return tolerances.LEVEL_WIDTH

    def solve(self, level: Level) -> Solution:
        """Mechanism and bound at a level, both proved."""
        effort = Effort(gap=tolerances.LEVEL_WIDTH)
        return min_loss_given_level(
            self.space, level, loss=self.loss, goal=Goal.WORST, effort=effort
        )

    def value(self, epsilon: float) -> float:
        """The least worst-case failure at a level."""
        return self.solve(Level.epsilon(epsilon)).value

    def enough(self, level: Level, failure: Fraction) -> Certified | None:
        """A certified mechanism at the level that fails seldom enough, or None."""
        certified = self.solve(level).certified
        return certified if _keeps(certified, self.loss, failure) else None

    def short(self, level: Level, failure: Fraction) -> Dual | None:
        """A proof that every mechanism at the level fails more often, or None."""
        dual = self.solve(level).dual
        return dual if isinstance(dual, Dual) and dual.bound > failure else None


def _keeps(certified: Certified, loss: LossMatrix, failure: Fraction) -> bool:
    """Whether every input fails with at most the probability allowed, added up exactly."""
    mechanism = certified.mechanism
    assert isinstance(mechanism, MatrixMechanism)
    for y, far in enumerate(loss.values):
        row = mechanism.row_at(y)
        if sum((p for p, out in zip(row, far, strict=True) if out), Fraction(0)) > failure:
            return False
    return True


def _root(game: _Game | _Cones, failure: float, least: float) -> float:
    """The level at which the least failure equals the one allowed, in double arithmetic."""
    from scipy.optimize import brentq

    def excess(epsilon: float) -> float:
        return log(max(game.value(epsilon), _RAREST)) - log(failure)

    reach = float(game.space.diameter)
    low = max(least, tolerances.SOLVER_ERROR / float(game.space.least_distance))
    if excess(low) <= 0:
        return low
    high = max(1.25 * low, 1 / (8 * reach))
    while excess(high) > 0:  # in short steps: solvers are weakest where failures are rare
        low, high = high, 1.25 * high
        if high * reach > sizes.LARGEST_CONE_REACH:
            raise SolverFailed(_TOO_RARE)
    return float(brentq(excess, low, high, xtol=game.width * low / 8, rtol=2.0**-50))
