"""How small can ε be for this accuracy?

The least loss falls as ε grows. Every level tried gives a certified mechanism (if its loss is
small enough, ε need not be larger) and a proved bound (if that is too large, no smaller ε will
do). The search narrows the bracket between the two until it is as narrow as asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tightrope.constructions.catalog import entry
from tightrope.constructions.objective import Goal, Objective
from tightrope.constructions.optimum.optimal import ORDINARY, Effort
from tightrope.constructions.solution import Solution
from tightrope.errors import BadInput, Infeasible, SolverFailed
from tightrope.exact import Level, tolerances
from tightrope.spaces import Space

_MOST_TRIALS = 80


@dataclass(frozen=True)
class LeastLevel:
    """A certified mechanism whose loss is at most what was asked, and a level too small for it.

    `solution` has the smallest level found; at `refuted` the proved bound is above the loss
    asked for, and so it is at every smaller level.
    """

    solution: Solution
    level: Level
    refuted: Level
    trials: int


def min_level_given_loss(
    space: Space,
    most: Fraction,
    objective: Objective,
    *,
    delta: Fraction = Fraction(0),
    width: float = tolerances.DEFAULT_GAP,
    effort: Effort = ORDINARY,
) -> LeastLevel:
    """The smallest ε at which some mechanism has a loss of at most `most`, bracketed.

    The two levels differ by at most `width`, relative to the larger, or by what the gap of
    the optimum leaves undecided.

    >>> from tightrope.spaces import categories
    >>> found = min_level_given_loss(categories(2), Fraction(1, 4), Objective())
    >>> abs(float(found.level) - math.log(3)) < 2e-6  # randomized response errs 1/(1 + e^ε)
    True
    """
    _refuse_unreachable(space, most, objective)
    optimal = entry("optimal")
    top = tolerances.LARGEST_CONE_REACH / float(space.diameter)

    def attempt(epsilon: Fraction) -> tuple[Level, Solution]:
        level = Level.epsilon(epsilon, delta)
        obstacle = optimal.obstacle(space, level, objective)
        if obstacle is not None:
            raise Infeasible(f"the smallest level is not known here: {obstacle}")
        return level, optimal.solve(space, level, objective, effort)

    return _Search(attempt, most, top, width).run()


def _refuse_unreachable(space: Space, most: Fraction, objective: Objective) -> None:
    """Refuse what no level reaches, and what a constant answer has."""
    losses = objective.loss.matrix(space, objective.answers(space))
    prior = objective.prior.on(space)
    best = losses.min(axis=1)
    worst = objective.goal is Goal.WORST
    least = float(best.max() if worst else prior @ best)
    constant = float((losses.max(axis=0) if worst else prior @ losses).min())
    if most >= constant:
        raise BadInput(
            f"one and the same answer for everybody already has a loss of {constant:g}, at any ε; "
            f"ask for a loss below that, not {float(most):g}."
        )
    if most <= least:
        raise Infeasible(
            f"no private mechanism has a loss of {float(most):g}: even without privacy it is "
            f"{least:g}; ask for more than that."
        )


class _Search:
    """The state of one search; lives only inside `min_level_given_loss`."""

    def __init__(
        self,
        attempt: Callable[[Fraction], tuple[Level, Solution]],
        most: Fraction,
        top: float,
        width: float,
    ) -> None:
        self.attempt, self.most, self.top, self.width = attempt, most, top, width
        self.low: tuple[Level, Solution] | None = None
        self.high: tuple[Level, Solution] | None = None
        self.trials = 0

    def run(self) -> LeastLevel:
        """Bracket the level, then narrow the bracket."""
        epsilon = min(1.0, self.top)
        while self.low is None or self.high is None:
            if self.high is None and self.low is not None and float(self.low[0]) >= self.top:
                raise self._out_of_reach(self.top, self.low[1].value)
            self._try(epsilon)
            epsilon = epsilon / 4 if self.low is None else min(2 * epsilon, self.top)
        while not self._narrow():
            guess = self._guess()
            if not self._try(guess):
                self._close_in(guess)
                break
        (level, solution), (refuted, _) = self.high, self.low
        return LeastLevel(solution, level, refuted, self.trials)

    def _try(self, epsilon: float) -> bool:
        """Solve at a level; False where the gap of the optimum leaves it undecided."""
        self.trials += 1
        if self.trials > _MOST_TRIALS:
            raise SolverFailed("the search for the smallest level did not end.")
        found = self.attempt(_short(epsilon))
        value, bound = found[1].value, found[1].bound
        if value is not None and value + abs(value) * tolerances.LOSS_ERROR <= self.most:
            self.high = found
        elif bound is not None and bound > self.most:
            self.low = found
        elif self.low is None or self.high is None:
            raise self._out_of_reach(epsilon, value)
        else:
            return False
        return True

    def _close_in(self, undecided: float) -> None:
        """Bring both ends as near to an undecided level as the gap of the optimum allows."""
        for side in (1, -1):
            step = self.width * undecided / 2
            while True:
                low, high = self._ends()
                near = undecided + side * step
                if not low < near < high or self._try(near):
                    break
                step *= 2

    def _narrow(self) -> bool:
        low, high = self._ends()
        return high - low <= self.width * high

    def _ends(self) -> tuple[float, float]:
        if self.low is None or self.high is None:
            raise SolverFailed("the level is not bracketed.")
        return float(self.low[0]), float(self.high[0])

    def _guess(self) -> float:
        """Where the loss, taken as exponential in ε, meets the one asked for.

        The guess is moved a little towards the farther end, so that both ends close in; every
        third trial halves the bracket, whatever the loss looks like.
        """
        low, high = self._ends()
        if self.trials % 3 == 0 or self.low is None or self.high is None:
            return (low + high) / 2
        above, below = self.low[1].bound or 0.0, self.high[1].value or 0.0
        guess = (low + high) / 2
        if above > below > 0 and self.most > 0:
            share = math.log(above / float(self.most)) / math.log(above / below)
            guess = low + share * (high - low)
        shift = self.width * high / 4
        guess += shift if high - guess > guess - low else -shift
        return float(np.clip(guess, low + shift, high - shift))

    def _out_of_reach(self, epsilon: float, value: float | None) -> Infeasible:
        return Infeasible(
            f"a loss of {float(self.most):g} is out of reach: the smallest that was reached is "
            f"{value:.6g}, at ε = {epsilon:.6g}, and beyond it the solver's numbers end."
        )


def _short(epsilon: float) -> Fraction:
    """ε to twelve digits, so that documents stay readable."""
    return Fraction(f"{epsilon:.12g}")
