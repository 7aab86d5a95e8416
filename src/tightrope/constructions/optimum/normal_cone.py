"""When a given mechanism is optimal, exactly: for which losses, and for which priors.

Prior times loss is a cost for every input and output. The mechanism is optimal for exactly those
costs that lie in its normal cone: any amount for each input, the same at all outputs, plus a
non-negative combination of its tight constraints. For a fixed loss the priors of that cone form a
polytope. It is found from outside: at a corner where the mechanism is not optimal a better one
gives an inequality that cuts the corner off, until the mechanism is optimal at every corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic
from typing import Any

from tightrope.choices import Goal
from tightrope.constructions.optimum.effort import ORDINARY, Effort
from tightrope.constructions.optimum.exact import (
    exact_arcs,
    problem_losses,
    solve_exactly,
)
from tightrope.errors import BadInput, TooLarge
from tightrope.exact import Level, Number, from_flint
from tightrope.facts import Facts, card_of, data, lines_of, listing
from tightrope.lp import vertices
from tightrope.mechanisms import (
    FiniteMechanism,
    Held,
    Matrix,
    Mechanism,
    is_matrix,
    matrix_form,
    mechanism_of,
    own_space,
)
from tightrope.privacy import certified, level_of
from tightrope.spaces import Space
from tightrope.utility import LossLike, Prior, Problem

MOST_INPUTS = 8
"""Inputs up to which the polytope of priors is listed."""

Costs = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, eq=False)
class WhenOptimal:
    """The priors for which a mechanism is optimal under a loss, and the costs that it is best for.

    `priors` are the corners of the polytope of priors (none: no prior), `inequalities` vectors u
    with ⟨u, prior⟩ >= 0 that describe it. `generators` are cost matrices (prior times loss): the
    mechanism is optimal for a cost if and only if it is a non-negative combination of them, plus
    any amount for each input at all outputs.
    """

    problem: Problem
    priors: tuple[tuple[Fraction, ...], ...]
    inequalities: tuple[tuple[Fraction, ...], ...]
    generators: tuple[Costs, ...]

    __repr__ = lines_of
    _repr_html_ = card_of

    def facts(self) -> Facts:
        """The corners of the polytope of priors and its inequalities."""
        names = [str(point) for point in self.problem.space.points]
        every = len(self.priors) == len(names) and all(max(p) == 1 for p in self.priors)
        text = "every prior" if every else "no prior" if not self.priors else (
            "the mixtures of these priors")
        rows = [[str(p) for p in prior] for prior in self.priors]
        return Facts("WhenOptimal", f"it is optimal for {text}", (
            listing("", tuple(names), [tuple(row) for row in rows], words=len(names)),
            *data(optimal_priors=rows, inequalities=[[str(u) for u in line]
                                                     for line in self.inequalities],
                  generators=[_entries(matrix) for matrix in self.generators])), (
            f"It is optimal for exactly the costs (prior times loss) that are sums of "
            f"{len(self.generators):,} generators with amounts of 0 or more, plus any amount for "
            "each input; --json lists them as [input, output, cost], counted from 0.",))


def _entries(matrix: Costs) -> list[list[int | str]]:
    """The entries that are not 0: input, output, amount."""
    return [[y, z, str(x)] for y, row in enumerate(matrix) for z, x in enumerate(row) if x]


def when_optimal(
    mechanism: Mechanism | Held | Matrix,
    epsilon: Level | Number | None = None,
    *,
    space: Space | str | None = None,
    ratio: Number | None = None,
    loss: LossLike | None = None,
    effort: Effort = ORDINARY,
) -> WhenOptimal:
    """For which priors, and which costs, a mechanism with listed outputs is optimal, exactly.

    A bare matrix needs the `space` of its inputs.

    Raises: `NotPrivate` if it does not have the level; `TooLarge` beyond 8 inputs; else as
    `design` with `exact`.

    >>> coin = [["2/3", "1/3"], ["1/3", "2/3"]]
    >>> best = when_optimal(coin, ratio=2, space="categories:2")
    >>> [[str(p) for p in prior] for prior in best.priors]
    [['1/3', '2/3'], ['2/3', '1/3']]
    """
    given: Any = mechanism
    if is_matrix(given):
        given = matrix_form(given, own_space(given, space, "when_optimal"))
    elif space is not None:
        raise BadInput("a mechanism has its own space; leave out space.")
    base = mechanism_of(given).base
    if not isinstance(base, FiniteMechanism):
        raise BadInput("only a mechanism with listed outputs is judged here.")
    if base.space.size > MOST_INPUTS:
        raise TooLarge("the number of inputs", base.space.size, MOST_INPUTS,
                       "priors are listed for small spaces only")
    level = level_of(epsilon, delta=None, ratio=ratio)
    certified(base, level)
    problem = Problem(base.space, level, loss=loss, goal=Goal.AVERAGE, outputs=base.outputs)
    rows = [base.row_at(y) for y in range(base.space.size)]
    corners, cuts = _priors(problem, rows, effort)
    return WhenOptimal(problem, corners, cuts, _generators(problem, rows))


def _priors(
    problem: Problem, rows: Sequence[Sequence[Fraction]], effort: Effort
) -> tuple[tuple[tuple[Fraction, ...], ...], tuple[tuple[Fraction, ...], ...]]:
    """The corners and inequalities of the polytope of priors, from outside."""
    losses, size, end = problem_losses(problem), problem.space.size, monotonic() + effort.seconds
    own = [_mean(row, line) for row, line in zip(rows, losses, strict=True)]
    cuts = [tuple(Fraction(int(i == y)) for i in range(size)) for y in range(size)]
    known: set[tuple[Fraction, ...]] = set()
    while True:
        corners = vertices([(0, *cut) for cut in cuts], [(-1, *(1,) * size)])
        fresh = []
        for prior in corners:
            if prior in known:
                continue
            asked = Problem(problem.space, problem.level, Prior(prior), problem.loss,
                            outputs=problem.outputs)
            best = solve_exactly(asked, max(0.0, end - monotonic()))
            if from_flint(best.value) == _mean(prior, own):
                known.add(prior)
                continue
            columns = [[from_flint(entry) for entry in column] for column in best.primal.columns]
            fresh.append(tuple(
                _mean([column[y] for column in columns], losses[y]) - own[y] for y in range(size)))
        if not fresh:
            return corners, tuple(cuts)
        cuts += fresh


def _mean(chances: Sequence[Fraction], amounts: Sequence[Fraction]) -> Fraction:
    return sum((p * x for p, x in zip(chances, amounts, strict=True)), Fraction(0))


def _generators(problem: Problem, rows: Sequence[Sequence[Fraction]]) -> tuple[Costs, ...]:
    """A cost matrix for each tight constraint: 1 at (a, z) and -e^(-ε d) at (b, z)."""
    size, width = problem.space.size, len(problem.answers)
    made = []
    for z in range(width):
        for a, b, power in exact_arcs(problem):
            if rows[a][z] * power == rows[b][z]:
                made.append(_cost(size, width, z, {a: Fraction(1), b: -1 / power}))
        made += [_cost(size, width, z, {a: Fraction(1)}) for a in range(size) if not rows[a][z]]
    return tuple(made)


def _cost(size: int, width: int, z: int, entries: dict[int, Fraction]) -> Costs:
    return tuple(tuple(entries.get(y, Fraction(0)) if k == z else Fraction(0)
                       for k in range(width)) for y in range(size))
