"""How small can ε be for this accuracy?

The least loss falls as ε grows. Every level tried gives a certified mechanism (if its loss is
small enough, ε need not be larger) and a proved bound (if that is too large, no smaller ε will
do). The search narrows the bracket between the two until it is as narrow as asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tightrope.constructions.optimum.effort import ORDINARY, Effort
from tightrope.constructions.optimum.minimum import minimum, obstacle, solver_reach
from tightrope.errors import BadInput, Infeasible, SolverFailed
from tightrope.exact import Level, Number, sizes, stated, told_apart, tolerances
from tightrope.spaces import Label, QueryLike, Space
from tightrope.utility import Goal, LossLike, PriorLike, Problem, Solution, uniform

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

    The two levels differ by at most `width`, relative to the larger, or by what the gap of
    the optimum leaves undecided.

    >>> found = min_level_given_loss("categories:2", "1/4")
    >>> abs(float(found.level) - math.log(3)) < 2e-6  # randomized response errs 1/(1 + e^ε)
    True
    """
    problem = Problem(space, Level.epsilon(1, delta), prior, loss, goal, outputs, query)
    largest, share = stated(most, "a loss as a number"), problem.level.delta
    _refuse_unreachable(problem, largest)
    if (reason := obstacle(problem)) is not None:
        raise Infeasible(f"the smallest level is not known here: {reason}")
    reach = solver_reach(problem.space, share)
    top = (1 - tolerances.DEFAULT_GAP) * sizes.LARGEST_CONE_REACH / reach

    def attempt(epsilon: Fraction) -> tuple[Level, Solution]:
        level = Level.epsilon(epsilon, share)
        return level, minimum(problem.at(level), effort)

    return _Search(attempt, largest, top, width).run()


def _refuse_unreachable(problem: Problem, most: Fraction) -> None:
    """Refuse what no level reaches, and what a constant answer has."""
    losses, chances = problem.losses, problem.chances
    best = losses.min(axis=1)
    worst = problem.goal is Goal.WORST
    least = float(best.max() if worst else chances @ best)
    constant = float((losses.max(axis=0) if worst else chances @ losses).min())
    if most >= constant:
        found, asked = told_apart(constant, most, 6)
        raise BadInput(
            f"one and the same answer for everybody already has a loss of {found}, at any ε; "
            f"ask for a loss below that, not {asked}."
        )
    if most <= least:
        found, asked = told_apart(least, most, 6)
        raise Infeasible(
            f"no private mechanism has a loss of {asked}: even without privacy it is "
            f"{found}; ask for more than that."
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
        self.last: tuple[Level, Solution] | None = None
        self.trials = 0

    def run(self) -> LeastLevel:
        """Bracket the level, then narrow the bracket."""
        self._bracket()
        while not self._narrow():
            guess = self._guess()
            if not self._try(guess):
                self._close_in(guess)
                break
        (level, solution), (refuted, _) = self.high, self.low  # type: ignore[misc]
        return LeastLevel(solution, level, refuted, self.trials)

    def _bracket(self) -> None:
        """Find a level that is large enough, then one that is not."""
        epsilon = min(1.0, self.top)
        while self.high is None:
            self._try(epsilon)
            if self.high is None and epsilon >= self.top:
                raise self._out_of_reach()
            epsilon = min(2 * epsilon, self.top)
        epsilon = float(self.high[0])
        while self.low is None:
            epsilon /= 4
            if epsilon < sizes.LEAST_SOUGHT_LEVEL:
                raise self._at_any_level()
            self._try(epsilon)

    def _try(self, epsilon: float) -> bool:
        """Solve at a level; False where the gap of the optimum leaves it undecided."""
        self.trials += 1
        if self.trials > _MOST_TRIALS:
            raise SolverFailed("the search for the smallest level did not end.")
        found = self.last = self.attempt(_short(epsilon))
        value, bound = found[1].value, found[1].bound
        if value + abs(value) * tolerances.LOSS_ERROR <= self.most:
            self.high = found
        elif bound is not None and bound > self.most:
            self.low = found
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
        above, below = self.low[1].bound or 0.0, self.high[1].value
        guess = (low + high) / 2
        if above > below > 0 and self.most > 0:
            share = math.log(above / float(self.most)) / math.log(above / below)
            guess = low + share * (high - low)
        shift = self.width * high / 4
        guess += shift if high - guess > guess - low else -shift
        return float(np.clip(guess, low + shift, high - shift))

    def _at_any_level(self) -> BadInput:
        level, solution = self.high  # type: ignore[misc]
        given = f"with δ = {float(level.delta):g} " if level.delta else ""
        found, asked = told_apart(solution.value, self.most, 6)
        return BadInput(
            f"{given}a loss of {found} is already reached at ε = {float(level):.3g}, "
            f"and smaller levels are not sought; ask for a loss below that"
            f"{' or for a smaller δ' if level.delta else ''}, not {asked}."
        )

    def _out_of_reach(self) -> Infeasible:
        level, solution = self.last  # type: ignore[misc]
        found, asked = told_apart(solution.value, self.most, 6)
        return Infeasible(
            f"a loss of {asked} is out of reach: the smallest that was reached is {found}, at "
            f"ε = {float(level):.6g}, and beyond it the solver's numbers end."
        )


def _short(epsilon: float) -> Fraction:
    """ε to twelve digits, so that documents stay readable."""
    return Fraction(f"{epsilon:.12g}")
