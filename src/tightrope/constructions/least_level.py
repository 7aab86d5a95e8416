"""How small can ε be for this accuracy?

The least loss falls as ε grows. Every level tried gives a certified mechanism and a proved
bound. If the loss is small enough, ε need not be larger; if the bound is too large, no smaller ε
will do. The multipliers of the bound also say how steep the loss is, so that a few levels suffice
(Newton's method), and levels far from the end are solved roughly. The bracket between the two is
narrowed until it is as narrow as asked, in the end without a search: between two levels, their
interpolated multipliers prove about the same bound as a search there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from tightrope.choices import Goal
from tightrope.constructions.optimum.effort import ORDINARY, Effort
from tightrope.constructions.optimum.minimum import minimum, obstacle, solver_reach
from tightrope.errors import BadInput, Infeasible, SolverFailed
from tightrope.exact import Level, Number, sizes, stated, told_apart, tolerances
from tightrope.mechanisms import MatrixMechanism
from tightrope.spaces import Label, QueryLike, Space
from tightrope.utility import (
    SCALE,
    Dual,
    LossLike,
    Multipliers,
    Prior,
    PriorLike,
    Problem,
    Solution,
    best_dual,
    uniform,
)

_MOST_TRIALS = 80
"""Levels tried before the search gives up."""
_ROUGH, _FAR = 1e-3, 0.03
"""The gap of trials that are further than this share of ε from the last one: they are quicker."""
_LITTLE, _IDLE = 0.9, 3
"""Trials that leave more than this share of the bracket are idle; after so many the search ends."""
_FARTHEST = 4.0
"""A trial is at most this factor away from the last."""
_ASIDE = 0.4
"""Share of the width by which a trial is shifted off the expected end, to bracket it."""
_BELOW = 0.9
"""Share of the width by which a level lies below one that will do, where it is to be refuted."""
_PARTS = 32
"""Bits of the weights with which multipliers are interpolated."""


@dataclass(frozen=True)
class LeastLevel:
    """A certified mechanism with at most the loss asked for, and a level too small for it.

    `solution` has the smallest level found; at `refuted` the proved bound is above the loss
    asked for, and so it is at every smaller level.
    """

    solution: Solution
    level: Level
    refuted: Level
    trials: int


def min_level_given_loss(
    space: Space | str,
    most: Number,
    *,
    prior: PriorLike = uniform,
    loss: LossLike | None = None,
    goal: Goal | str = Goal.AVERAGE,
    outputs: Sequence[Label] | None = None,
    query: QueryLike | None = None,
    delta: Number = 0,
    width: float = tolerances.DEFAULT_GAP,
    effort: Effort = ORDINARY,
) -> LeastLevel:
    """The smallest ε at which some mechanism has a loss of at most `most`, bracketed.

    The two levels differ by at most `width`, relative to the larger, unless the gap of the
    optimum leaves more undecided.

    Returns: a `LeastLevel`; its `solution` has the loss at `level`, and at `refuted` nothing has.

    Raises: `Infeasible` if no private mechanism has the loss; `BadInput` if a constant answer has.

    >>> least = min_level_given_loss("categories:2", "1/4")
    >>> abs(float(least.level) - math.log(3)) < 2e-6  # randomized response errs 1/(1 + e^ε)
    True
    """
    problem = Problem(space, Level.epsilon(1, delta), prior, loss, goal, outputs, query)
    largest, share = stated(most, "a loss as a number"), problem.level.delta
    _refuse_unreachable(problem, largest)
    if (reason := obstacle(problem)) is not None:
        raise Infeasible(f"the smallest level is not known here: {reason}")
    reach = solver_reach(problem.space, share)
    top = (1 - tolerances.DEFAULT_GAP) * sizes.LARGEST_CONE_REACH / reach

    def attempt(epsilon: Fraction, gap: float) -> tuple[Level, Solution]:
        level = Level.epsilon(epsilon, share)
        return level, minimum(problem.at(level), replace(effort, gap=max(gap, effort.gap)))

    def prove(epsilon: Fraction, given: Sequence[Multipliers], prior: Prior) -> tuple[Level, Dual]:
        level = Level.epsilon(epsilon, share)
        return level, best_dual(problem.at(level), given, prior)

    return _Search(attempt, None if share else prove, largest, top, width).run()


def _refuse_unreachable(problem: Problem, most: Fraction) -> None:
    """Refuse a loss that no level reaches, and one that a constant answer has."""
    losses, chances = problem.losses, problem.chances
    best = losses.min(axis=1)
    worst = problem.goal is Goal.WORST
    least = float(best.max() if worst else chances @ best)
    constant = float((losses.max(axis=0) if worst else chances @ losses).min())
    if most >= constant:
        reached, asked = told_apart(constant, most, 6)
        raise BadInput(
            f"one and the same answer for everybody already has a loss of {reached}, at any ε; "
            f"ask for a loss below that, not {asked}."
        )
    if most <= least:
        reached, asked = told_apart(least, most, 6)
        raise Infeasible(
            f"no private mechanism has a loss of {asked}: even without privacy it is "
            f"{reached}; ask for more than that."
        )


class _Search:
    """The state of one search; lives only inside `min_level_given_loss`.

    `low` is a refuted level with the bound there and `under` the dual that proves it. `high` is a
    level with a mechanism that attains the loss, `last` the last trial, and `slope` the
    derivative of the least loss in ε there.
    """

    def __init__(
        self,
        attempt: Callable[[Fraction, float], tuple[Level, Solution]],
        prove: Callable[[Fraction, Sequence[Multipliers], Prior], tuple[Level, Dual]] | None,
        most: Fraction,
        top: float,
        width: float,
    ) -> None:
        self.attempt, self.prove = attempt, prove
        self.most, self.top, self.width = most, top, width
        self.low: tuple[Level, float] | None = None
        self.under: Dual | None = None
        self.high: tuple[Level, Solution] | None = None
        self.last: tuple[Level, Solution] | None = None
        self.slope: float | None = None
        self.at, self.trials, self.idle = 0.0, 0, 0
        self.undecided: list[float] = []

    def run(self) -> LeastLevel:
        """Try levels until the bracket is narrow, or two trials hardly narrowed it."""
        epsilon, gap = min(1.0, self.top), _ROUGH
        while True:
            before = self._ends()
            self._try(epsilon, gap)
            low, high = self._ends()
            if math.isfinite(high) and high - low <= self.width * high:
                break
            little = low > 0 and high - low > _LITTLE * (before[1] - before[0])
            self.idle = self.idle + 1 if little and gap <= self.width else 0
            if self.idle >= _IDLE:
                break
            guess = self._next()
            gap = _ROUGH if abs(guess - epsilon) > _FAR * epsilon else 0.0
            epsilon = guess
        (level, solution), (refuted, _) = self.high, self.low  # type: ignore[misc]
        return LeastLevel(solution, level, refuted, self.trials)

    def _try(self, epsilon: float, gap: float) -> None:
        """Solve at a level, and move the ends of the bracket accordingly."""
        self.trials += 1
        if self.trials > _MOST_TRIALS:
            raise SolverFailed("the search for the smallest level did not end.")
        self.at = epsilon
        level, solution = self.last = self.attempt(_short(epsilon), gap)
        value, bound = solution.value, solution.bound
        if value + abs(value) * tolerances.LOSS_ERROR <= self.most:
            if self.high is None or level.compare_level(self.high[0]) < 0:
                self.high = self.last
                self._refute_below(float(level), solution.dual)
        elif bound is not None and bound > self.most:
            self._raise_low(level, bound, solution.dual)
        else:
            self.undecided.append(float(level))
        self.slope = _steepness(solution)

    def _raise_low(self, level: Level, bound: float, dual: Dual | None) -> None:
        if self.low is None or level.compare_level(self.low[0]) > 0:
            self.low, self.under = (level, bound), dual

    def _refute_below(self, high: float, over: Dual | None) -> None:
        """Refute the level just below `high`, if the multipliers of both ends prove that."""
        low, target, under = self._ends()[0], high * (1 - _BELOW * self.width), self.under
        if self.prove is None or over is None or under is None or over.prior != under.prior:
            return
        if low < target < high:
            given = _interpolate(under, over, (target - low) / (high - low))
            level, dual = self.prove(_short(target), given, over.prior)
            if dual.bound > self.most:
                self._raise_low(level, float(dual.bound), dual)

    def _ends(self) -> tuple[float, float]:
        """The bracket; from 0 to infinity before there is one."""
        low = 0.0 if self.low is None else float(self.low[0])
        return low, math.inf if self.high is None else float(self.high[0])

    def _next(self) -> float:
        """The level to try next, strictly inside the bracket.

        It is shifted from the expected end towards the farther end of the bracket, by more the
        more levels the gap of the optimum left undecided.
        """
        low, high = self._ends()
        guess, epsilon = self._newton(), float(self.last[0])  # type: ignore[index]
        shift = self.width * epsilon * _ASIDE * 2 ** len(self.undecided)
        if self.high is None:
            if self.at >= self.top:
                raise self._unreachable_error()
            least = max(low, epsilon)
            guess = 2 * least if guess is None else max(guess, least) + shift
            return min(guess, _FARTHEST * least, self.top)
        if self.low is None:
            if high / _FARTHEST < sizes.LEAST_SOUGHT_LEVEL:
                raise self._any_level_error()
            guess = 0.0 if guess is None else min(guess, high) - shift
            return max(guess, high / _FARTHEST)
        if guess is None or not low < guess < high:
            guess = self._between(low, high)
        guess += shift if high - guess > guess - low else -shift
        least = min(shift, (high - low) / 4)
        return float(np.clip(guess, low + least, high - least))

    def _newton(self) -> float | None:
        """Newton step: where the loss meets the requested one, extrapolated from the last level."""
        if self.slope is None or self.last is None:
            return None
        (level, solution), most = self.last, float(self.most)
        near = solution.value if solution.bound is None else (solution.value + solution.bound) / 2
        positive = near > 0 and most > 0  # such losses fall about exponentially
        over = near * math.log(near / most) if positive else near - most
        return float(level) - over / self.slope

    def _between(self, low: float, high: float) -> float:
        """Where the loss, taken as exponential in ε, meets the requested one, or the middle.

        With undecided levels it is the middle of the wider interval beside them.
        """
        left, right = min(self.undecided, default=low), max(self.undecided, default=high)
        if self.undecided and low < left <= right < high:
            return (low + left) / 2 if left - low > high - right else (right + high) / 2
        above, below = self.low[1], self.high[1].value  # type: ignore[index]
        if self.trials % 2 or not above > below > 0 or self.most <= 0:
            return (low + high) / 2
        share = math.log(above / float(self.most)) / math.log(above / below)
        return low + share * (high - low)

    def _any_level_error(self) -> BadInput:
        level, solution = self.high  # type: ignore[misc]
        given = f"with δ = {float(level.delta):g} " if level.delta else ""
        reached, asked = told_apart(solution.value, self.most, 6)
        return BadInput(
            f"{given}a loss of {reached} is already reached at ε = {float(level):.3g}, "
            f"and smaller levels are not sought; ask for a loss below that"
            f"{' or for a smaller δ' if level.delta else ''}, not {asked}."
        )

    def _unreachable_error(self) -> Infeasible:
        level, solution = self.last  # type: ignore[misc]
        reached, asked = told_apart(solution.value, self.most, 6)
        return Infeasible(
            f"a loss of {asked} is out of reach: the smallest that was reached is {reached}, at "
            f"ε = {float(level):.6g}, and beyond it the solver's numbers end."
        )


def _steepness(solution: Solution) -> float | None:
    """The derivative of the least loss in ε, from a solution and its dual; None if unknown.

    That is Σ m_z[a, b] h[b, z] times the change of e^(-ε d(a,b)), and the toll times -d.
    """
    dual, mechanism = solution.dual, solution.certified.mechanism
    if dual is None or not isinstance(mechanism, MatrixMechanism):
        return None
    space, masses = mechanism.space, mechanism.weights.floats
    level, slope = float(solution.problem.level), 0.0
    for given, column in zip(dual.multipliers, masses.T, strict=True):
        lengths = space.lengths(given.first, given.second)
        amounts = np.array(given.amounts, dtype=np.float64)
        slope -= float((amounts * column[given.second] * lengths * np.exp(-level * lengths)).sum())
    slope += dual.toll * float(space.least_distance)
    return slope / 2**SCALE if slope < 0 else None


def _interpolate(under: Dual, over: Dual, share: float) -> list[Multipliers]:
    """Multipliers between those of two levels: `share` of `over`, the rest of `under`.

    At the level between the two their bound falls short of the optimum only by the change of
    multipliers times the change of the level.
    """
    more = int(share * 2**_PARTS)
    parts = (under, 2**_PARTS - more), (over, more)
    return [
        Multipliers(
            np.concatenate([dual.multipliers[z].first for dual, _ in parts]),
            np.concatenate([dual.multipliers[z].second for dual, _ in parts]),
            tuple(amount * part >> _PARTS for dual, part in parts
                  for amount in dual.multipliers[z].amounts),
        )
        for z in range(len(over.multipliers))
    ]


def _short(epsilon: float) -> Fraction:
    """ε to twelve digits, so that documents stay readable."""
    return Fraction(f"{epsilon:.12g}")
