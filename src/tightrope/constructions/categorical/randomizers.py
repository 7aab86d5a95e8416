"""The randomizer of one value that estimates a workload with the least variance.

Columns of a private randomizer are sums of extreme rays, r on a set of values and 1 elsewhere,
r = e^ε. With shares θ_j of the rays v_j and J = Σ_j θ_j v_j v_jᵀ/(v_j·p), the best unbiased
estimate of W π has the variance tr(W J⁻¹ Wᵀ) - ‖W p‖² at the prior p: a convex function of θ,
minimized subject to Σ_j θ_j v_j = 1. A barrier method solves it on some of the rays; rays that
its multipliers find too cheap join them, until none is left. The multipliers then prove a bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import flint
import numpy as np

from tightrope.characters import counted
from tightrope.constructions.categorical.randomizer_bounds import (
    Multipliers,
    known_part,
    prove_variance_bound,
)
from tightrope.constructions.categorical.randomizer_program import (
    ProgramSolution,
    prune,
    solve_program,
)
from tightrope.constructions.categorical.workloads import (
    Merged,
    Row,
    Workload,
    merge_values,
    workload_of,
)
from tightrope.constructions.obstacles import equidistance_obstacle, refuse
from tightrope.errors import BadInput
from tightrope.exact import Level, Number, Weights, ball_of, tolerances, upper_bound
from tightrope.facts import Fact, Facts, card_of, lines_of
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Certified, certified, level_of
from tightrope.spaces import Space, space_of
from tightrope.utility import PriorLike, Problem, prior_of

MOST_VALUES = 16
"""Values of a randomizer: all 2^k rays are tried, in whole numbers too."""
_ROOM = Fraction(1, 2**36)
"""Part of every row that is left for rounding: what is left over stays inside the cone."""
_BITS = 56
_BALL = 256


@dataclass(frozen=True, repr=False)
class Randomizer:
    """A randomizer with its proof, its variance at the prior, and a bound on all others.

    Variances are those of one respondent, added up over the queries, with sampling; n
    respondents have an n-th of them. `value` is at least the variance, by less than 2^-100 of it.
    """

    certified: Certified
    outputs: int
    workload: Workload
    prior: Row
    value: Fraction
    bound: Fraction
    multipliers: Multipliers

    @property
    def gap(self) -> float:
        """The relative excess of the variance over the bound, at most."""
        return float((self.value - self.bound) / self.value)

    def facts(self) -> Facts:
        """The variance, the bound, and the level."""
        made = self.certified
        return Facts(
            "Randomizer",
            f"{counted(len(self.prior), 'value')} to {counted(self.outputs, 'output')}, for "
            f"{self.workload.name}",
            (
                Fact("value", "variance", float(self.value),
                     meaning="of one respondent, all queries together"),
                Fact("bound", "at least", float(self.bound),
                     meaning="for every private unbiased randomizer"),
                Fact("gap", "gap", self.gap),
                Fact(None, "level", made.certificate.level),
            ),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def best_randomizer(
    space: Space | str,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    workload: Workload | str | Sequence[Number] | Sequence[Sequence[Number]] = "shares",
    prior: PriorLike = None,
    outputs: int | None = None,
) -> Randomizer:
    """The private randomizer of values whose unbiased estimates of a workload scatter least.

    Parameters: `workload` is `shares`, `cumulative`, `mean` (of the places 0, 1, …), the weights
    of one query, or a matrix. `prior` says at which shares the variance counts. `outputs` limits
    their number; the best found is returned, with its gap to the best of all.

    Returns: a `Randomizer` with its certificate; outputs are named by their sets of values.

    Raises: `Infeasible` where points are not all equally far apart; `BadInput` for more than 16
    values; `SolverFailed` if too few outputs are allowed.

    >>> made = best_randomizer("categories:no/yes", ratio=3, workload=[0, 1])
    >>> [round(float(p), 6) for p in made.certified.mechanism.row("yes")]
    [0.25, 0.75]
    >>> round(float(made.value), 9), made.gap < 10**-8  # Warner's design: 1/4 + 3/16/(1/2)²
    (1.0, True)
    """
    values = space_of(space)
    level = Level.positive(level_of(epsilon, ratio=ratio))
    problem = Problem(values, level)
    refuse("best-randomizer", equidistance_obstacle(values))
    if not 2 <= values.size <= MOST_VALUES:
        raise BadInput(f"expected from 2 to {MOST_VALUES} values, found {values.size}.")
    queries, shares = workload_of(workload, values.size), prior_of(prior, values).exact(values)
    below = problem.level.pure.ratio_below(values.diameter)
    above = problem.level.pure.ratio_above(values.diameter)
    merged = merge_values(queries, shares)
    solution = solve_program(merged.W, merged.prior, float(below), tolerances.RANDOMIZER_GAP)
    multipliers = _multipliers(merged, shares, solution)
    bound = prove_variance_bound(queries, shares, above, multipliers)
    if outputs is not None:
        solution = prune(merged.W, merged.prior, float(below), solution, outputs)
    mechanism = _mechanism(values, below, merged, solution)
    value = _variance(mechanism, queries, shares, merged)
    return Randomizer(certified(mechanism, problem.level), len(mechanism.outputs), queries, shares,
                      value, bound, multipliers)


def _mechanism(
    space: Space, ratio: Fraction, merged: Merged, solution: ProgramSolution
) -> MatrixMechanism:
    """The randomizer in exact numbers: shares are cut off, and what is left joins a column.

    The rest of a row is _ROOM but for rounding, so the rest is in the cone, and so is its sum with
    the most frequent column.
    """
    sets = solution.sets[:, list(merged.classes)].astype(int).tolist()
    shares = [Fraction(int(share * (1 - _ROOM) * 2**_BITS), 2**_BITS)
              for share in map(Fraction, solution.shares.tolist())]
    columns = [[share * (ratio if inside else 1) for inside in chosen]
               for share, chosen in zip(shares, sets, strict=True)]
    rest = [1 - sum(row, Fraction(0)) for row in zip(*columns, strict=True)]
    most = max(range(len(shares)), key=shares.__getitem__)
    columns[most] = [entry + left for entry, left in zip(columns[most], rest, strict=True)]
    names = [", ".join(str(label) for label, inside in zip(space.points, chosen, strict=True)
                       if inside) for chosen in sets]
    rows = [tuple(row) for row in zip(*columns, strict=True)]
    return MatrixMechanism(space, names, Weights.from_fractions(rows))


def _variance(
    mechanism: MatrixMechanism, workload: Workload, prior: Row, merged: Merged
) -> Fraction:
    """An upper end of tr(W J⁻¹ Wᵀ) - ‖W p‖², by balls; merged values have one row."""
    firsts = [merged.classes.index(place) for place in range(len(merged.prior))]
    size, columns = len(firsts), zip(*map(mechanism.row_at, firsts), strict=True)
    shares = [sum((share for share, own in zip(prior, merged.classes, strict=True)
                   if own == place), Fraction(0)) for place in range(size)]
    with flint.ctx.workprec(_BALL):
        J = flint.arb_mat(size, size)
        for column in columns:
            mean = sum((a * b for a, b in zip(column, shares, strict=True)), Fraction(0))
            vector = flint.arb_mat(size, 1, [ball_of(entry, _BALL) for entry in column])
            J += vector * vector.transpose() * (1 / ball_of(mean, _BALL))
        W = flint.arb_mat([[ball_of(row[first], _BALL) for first in firsts]
                           for row in workload.rows])
        moment = (W * J.solve(W.transpose())).trace()
        return upper_bound(moment - ball_of(known_part(workload, prior), _BALL))


def _multipliers(merged: Merged, prior: Row, solution: ProgramSolution) -> Multipliers:
    """Multipliers in short fractions, scaled so that they hold and prove the most.

    With T = tr(W Z), Y = Σ y and excess t, s Z and s²(1 + t) y prove the most for s = T/((1 + t)Y).
    Values that were merged share the multipliers of their class in proportion to the prior.
    """
    excess = max(solution.excess, 0.0) + tolerances.RANDOMIZER_SLACK
    trace, total = float(np.trace(merged.W @ solution.Z)), float(solution.y.sum())
    scale = trace / ((1 + excess) * total)
    Z = [[_short(z) for z in row] for row in (scale * solution.Z).tolist()]
    y = [_short(part) for part in (scale**2 * (1 + excess) * solution.y).tolist()]
    parts = [merged.part(value, prior) for value in range(len(prior))]
    return Multipliers(
        tuple(tuple(part * z for z in Z[place]) for place, part in zip(
            merged.classes, parts, strict=True)),
        tuple(part * y[place] for place, part in zip(merged.classes, parts, strict=True)))


def _short(value: float) -> Fraction:
    return Fraction(value).limit_denominator(2**_BITS) if value else Fraction(0)
