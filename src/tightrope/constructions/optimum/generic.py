"""The optimum under a generic definition, in exact fractions (KL10's closing question).

A definition by corners is a list of hockey-stick sums (`privacy.linear_bounds`), and each is
linear in the probabilities h and its excesses s:

    h[j, z] - r h[i, z] <= s[z],   Σ_z s[z] <= allowed,   Σ_z h[y, z] = 1,   h, s >= 0.

Where nothing is allowed there is no s. The program starts from a constant answer, which every
definition allows, and its prices prove the bound (`utility.generic_solution`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tightrope.choices import Goal
from tightrope.errors import BadInput, TooLarge
from tightrope.exact import Level, Weights
from tightrope.lp import RationalProgram, minimize_exactly
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import (
    Bound,
    GenericDefinition,
    HockeyStick,
    HullBound,
    LevelBound,
    definition_on,
    hockey_sticks,
    linear_definition,
)
from tightrope.spaces import Label, Space, space_of
from tightrope.utility import (
    GenericSolution,
    LossLike,
    PriorLike,
    Problem,
    StickPrices,
    exact_losses,
    uniform,
)

_ZERO, _ONE = Fraction(0), Fraction(1)
MOST_ROWS = 600
"""Equations of the program: what exact steps solve in seconds."""


def design_under(
    space: Space | str,
    definition: GenericDefinition | Bound,
    *,
    prior: PriorLike = uniform,
    loss: LossLike | None = None,
    goal: Goal | str = Goal.AVERAGE,
    outputs: Sequence[Label] | None = None,
) -> GenericSolution:
    """The mechanism with the least loss under a definition with piecewise linear bounds.

    A bound alone protects the neighbors of the space, both ways.

    Raises: `BadInput` for a bound without corners or an irrational loss, `TooLarge` beyond 600
    equations.
    """
    asked = definition_on(definition, space_of(space))
    problem = Problem(space, Level.ratio(2), prior, loss, goal, outputs)  # the level is not used
    losses = exact_losses(problem.loss, problem.space, problem.answers)
    if losses is None:
        raise BadInput(f"a design under a definition needs losses that are fractions; the "
                       f"{problem.loss.name} loss on {problem.space.text} has irrational ones.")
    asked.relation(problem.space.points)  # pairs that are no inputs are refused
    exact = linear_definition(asked)
    program = _Program(hockey_sticks(exact), losses, problem.prior.exact(problem.space),
                       problem.goal is Goal.WORST)
    rows, law, prices = program.solve()
    mechanism = MatrixMechanism(problem.space, problem.answers, Weights.from_fractions(rows))
    return GenericSolution(mechanism, exact, problem.goal, problem.loss.name,
                           tuple(map(tuple, losses)), law, prices, _notes(asked))


def _notes(definition: GenericDefinition) -> tuple[str, ...]:
    """Where the definition that is designed under is not the one that was asked for."""
    kinds = {type(bound) for bound in definition.bounds.values()}
    notes = []
    if HullBound in kinds:
        notes.append("M is not concave: this is the optimum under its concave hull, which keeps "
                     "both axioms, and the mechanism may break M itself.")
    if LevelBound in kinds:
        notes.append("e^ε is irrational: it was rounded down by a relative 2^-39 at most, and "
                     "every number here is about that stricter definition.")
    return tuple(notes)


@dataclass(frozen=True)
class _Program:
    """Sums, losses and prior; columns are h, then for each sum its excesses and slacks."""

    sticks: tuple[HockeyStick, ...]
    losses: list[list[Fraction]]
    prior: Sequence[Fraction]
    worst: bool

    def solve(
        self,
    ) -> tuple[list[list[Fraction]], tuple[Fraction, ...], tuple[StickPrices, ...]]:
        """The optimal rows, the prior of the bound, and the prices of the sums."""
        size, width = len(self.losses), len(self.losses[0])
        solution = minimize_exactly(self._program())
        rows = [list(solution.x[y * width : (y + 1) * width]) for y in range(size)]
        prices, place = [], size
        for stick in self.sticks:
            amounts = tuple(-price for price in solution.prices[place : place + width])
            place += width + (stick.allowed > 0)
            if any(amounts):
                prices.append(StickPrices(stick.over, stick.under, stick.ratio, amounts))
        law = tuple(self.prior)
        if self.worst:
            law = tuple(-price for price in solution.prices[place : place + size])
        return rows, law, tuple(prices)

    def _program(self) -> RationalProgram:
        size, width = len(self.losses), len(self.losses[0])
        count = size + sum(width + (s.allowed > 0) for s in self.sticks) + self.worst * size
        if count > MOST_ROWS:
            raise TooLarge("the number of equations of a design under a definition", count,
                           MOST_ROWS, "use fewer inputs, outputs or corners")
        columns: list[list[tuple[int, Fraction]]] = [
            [(y, _ONE)] for y in range(size) for _ in range(width)]
        costs = [_ZERO if self.worst else p * loss
                 for p, row in zip(self.prior, self.losses, strict=True) for loss in row]
        start, totals, place = [y * width for y in range(size)], [_ONE] * size, size
        for stick in self.sticks:
            for z in range(width):
                columns[stick.over * width + z].append((place + z, _ONE))
                columns[stick.under * width + z].append((place + z, -stick.ratio))
                start.append(len(columns))
                columns.append([(place + z, _ONE)])  # the slack of output z
            totals += [_ZERO] * width
            if stick.allowed > 0:
                columns += [[(place + z, -_ONE), (place + width, _ONE)] for z in range(width)]
                start.append(len(columns))
                columns.append([(place + width, _ONE)])  # the slack of the sum
                totals.append(stick.allowed)
            place += width + (stick.allowed > 0)
        costs += [_ZERO] * (len(columns) - len(costs))
        if self.worst:
            self._add_worst(columns, costs, start, place)
            totals += [_ZERO] * size
        return RationalProgram(costs, columns, totals, start)

    def _add_worst(self, columns: list[list[tuple[int, Fraction]]], costs: list[Fraction],
                   start: list[int], place: int) -> None:
        """The largest loss, counted from the least one in the table so that it is not negative."""
        width, least = len(self.losses[0]), min(map(min, self.losses))
        for y, row in enumerate(self.losses):
            for z, loss in enumerate(row):
                if loss != least:
                    columns[y * width + z].append((place + y, loss - least))
        top = len(columns)
        columns.append([(place + y, -_ONE) for y in range(len(self.losses))])
        costs.append(_ONE)
        first = max(range(len(self.losses)), key=lambda y: self.losses[y][0])
        for y in range(len(self.losses)):
            if y != first:
                start.append(len(columns))
            columns.append([(place + y, _ONE)])
            costs.append(_ZERO)
        start.append(top)
