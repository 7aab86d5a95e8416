"""The randomizer of one value that estimates a workload with the least variance.

Columns of a private randomizer are sums of extreme rays, r on a set of values and 1 elsewhere,
r = e^ε. With shares θ_j of the rays v_j and J = Σ_j θ_j v_j v_jᵀ/(v_j·p), the best unbiased
estimate of W π has the variance tr(W J⁻¹ Wᵀ) - ‖W p‖² at the prior p: a convex function of θ,
minimized subject to Σ_j θ_j v_j = 1. A barrier method solves it on some of the rays; rays that
its multipliers find too cheap join them, until none is left. The multipliers then prove a bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt

import numpy as np
from threadpoolctl import threadpool_limits

from tightrope.characters import counted
from tightrope.constructions.categorical.few_outputs import solve_few
from tightrope.constructions.categorical.randomizer_program import (
    ProgramSolution,
    solve_program,
)
from tightrope.constructions.obstacles import equidistance_obstacle, refuse
from tightrope.errors import BadInput, SolverFailed
from tightrope.exact import FloatArray, Level, Number, Weights, fraction_of, tolerances
from tightrope.facts import Fact, Facts, card_of, lines_of
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Certified, certified, level_of
from tightrope.spaces import Space, space_of
from tightrope.spellings import LEVEL, spelled
from tightrope.utility import (
    LARGEST_RANDOMIZER,
    RANDOMIZER_UNITS,
    Fractions,
    Merged,
    PriorLike,
    Problem,
    RandomizerMultipliers,
    Workload,
    merge_values,
    prior_of,
    prove_variance,
    prove_variance_bound,
    ratio_ceiling,
    workload_of,
)

_STRONGEST = Fraction(2**28)
"""Largest e^ε of a randomizer: beyond it true answers vary less by 10^-7 or so, and programs in
doubles fail."""
_ROOM = Fraction(1, 2**36)
"""Part of every row that is left for rounding: what is left over stays inside the cone."""
_BITS = 56


@dataclass(frozen=True, repr=False)
class Randomizer:
    """A randomizer with its proof, its variance at the prior, and a bound on all others.

    Variances are those of one respondent, added up over the queries, with sampling; n
    respondents have an n-th of them. `value` is at least the variance, by less than 2^-100 of it.
    """

    certified: Certified
    outputs: int
    workload: Workload
    prior: Fractions
    value: Fraction
    bound: Fraction
    multipliers: RandomizerMultipliers

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


@spelled(**LEVEL, aim='workload="mean"', queries="workload=[[1, 0, -1]]")
def best_randomizer(
    space: Space | str,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    workload: Workload | str | Sequence[Number] | Sequence[Sequence[Number]] = "shares",
    prior: PriorLike = None,
    outputs: int | None = None,
    beside: Number = 0,
) -> Randomizer:
    """The private randomizer of values whose unbiased estimates of a workload scatter least.

    Parameters: `workload` is `shares`, `cumulative`, `mean` (of the places 0, 1, …), the weights
    of one query, or a matrix. `prior` says at which shares the variance counts. `outputs` limits
    their number; the best found is returned, with its gap to the best of all. `beside` is the
    weight of all shares beside the workload: above 0, each share can be estimated too, and the
    gap says what that costs.

    Returns: a `Randomizer` with its certificate; outputs are named by their sets of values.

    Raises: `Infeasible` where points are not all equally far apart; `BadInput` for more than 16
    values or a δ above 0; `SolverFailed` if too few outputs are allowed.

    >>> made = best_randomizer("categories:no/yes", ratio=3, workload=[0, 1])
    >>> [round(float(p), 6) for p in made.certified.mechanism.row("yes")]
    [0.25, 0.75]
    >>> round(float(made.value), 9), made.gap < 10**-8  # Warner's design: 1/4 + 3/16/(1/2)²
    (1.0, True)
    """
    values = space_of(space)
    level = Level.positive(level_of(epsilon, ratio=ratio))
    if level.delta:
        raise BadInput("the best randomizer is sought for δ = 0: leave δ out.")
    problem = Problem(values, level)
    refuse("best-randomizer", equidistance_obstacle(values))
    if outputs is not None and type(outputs) is not int:
        raise BadInput(f"expected a whole number of outputs, found {outputs!r:.40}.")
    if not 2 <= values.size <= LARGEST_RANDOMIZER:
        raise BadInput(f"expected from 2 to {LARGEST_RANDOMIZER} values, found {values.size}.")
    queries, shares = workload_of(workload, values.size), prior_of(prior, values).exact(values)
    below = min(problem.level.pure.ratio_below(values.diameter), _STRONGEST)
    above = ratio_ceiling(problem.level.pure, values.diameter)
    merged = merge_values(queries, shares)
    with threadpool_limits(1, "blas"):  # on matrices as small as these threads only wait
        solution = solve_program(merged.W, merged.prior, float(below), tolerances.RANDOMIZER_GAP)
    proof = _asked_directly(merged, solution) if below == _STRONGEST else solution
    multipliers = _multipliers(merged, shares, proof)
    try:
        bound = prove_variance_bound(queries, shares, above, multipliers)
    except BadInput:  # whole units of 2^-96 are too coarse
        raise BadInput("the weights are too small to prove anything of: state larger ones, such "
                       "as 1, 0, -1.") from None
    start = solution.sets[:, list(merged.classes)]
    if weight := fraction_of(beside, "a weight from 0"):
        merged = merge_values(_with_shares(queries, weight), shares)
    with threadpool_limits(1, "blas"):
        if weight:
            solution = solve_program(merged.W, merged.prior, float(below),
                                     tolerances.RANDOMIZER_GAP, start=_of_classes(start, merged))
        if outputs is not None:
            solution = solve_few(merged.W, merged.prior, float(below), solution, outputs)
    mechanism = _mechanism(values, below, merged, solution)
    value = prove_variance(mechanism.weights, queries, shares)
    if value is None:
        raise SolverFailed("the randomizer that was found does not tell all queries.")
    return Randomizer(certified(mechanism, problem.level), len(mechanism.outputs), queries, shares,
                      value, bound, multipliers)


def _of_classes(sets: FloatArray, merged: Merged) -> FloatArray:
    """Sets of values as sets of classes, by the first value of each."""
    first = np.unique(merged.classes, return_index=True)[1]
    return np.asarray(sets[:, first])


def _asked_directly(merged: Merged, solution: ProgramSolution) -> ProgramSolution:
    """Multipliers that prove the variance of true answers, which no randomizer falls below.

    With Z = diag(p) Wᵀ and y = p |W|² they hold at every ray, by Cauchy and Schwarz.
    """
    squares = (merged.W**2).sum(axis=0)
    return replace(solution, Z=merged.prior[:, None] * merged.W.T, y=merged.prior * squares,
                   excess=0.0)


def _with_shares(queries: Workload, weight: Fraction) -> Workload:
    """The queries, and all shares with a weight relative to the mean square of the queries."""
    if weight < 0:
        raise BadInput(f"expected a weight from 0, found {float(weight):g}.")
    size = len(queries.rows[0])
    square = sum((x * x for row in queries.rows for x in row), Fraction(0)) / size
    scale = fraction_of(sqrt(weight * square), "a weight")
    rows = [tuple(scale * (x == v) for x in range(size)) for v in range(size)]
    return Workload(queries.name, (*queries.rows, *rows))


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


def _multipliers(
    merged: Merged, prior: Fractions, solution: ProgramSolution
) -> RandomizerMultipliers:
    """Multipliers in whole units, scaled so that they hold and prove the most.

    With T = tr(W Z), Y = Σ y and excess t, s Z and s²(1 + t) y prove the most for s = T/((1 + t)Y).
    Values that were merged share the multipliers of their class in proportion to the prior.
    """
    excess = max(solution.excess, 0.0) + tolerances.RANDOMIZER_SLACK
    trace, total = float(np.trace(merged.W @ solution.Z)), float(solution.y.sum())
    scale = trace / ((1 + excess) * total)
    Z = [[Fraction(z) for z in row] for row in (scale * solution.Z).tolist()]
    y = [Fraction(part) for part in (scale**2 * (1 + excess) * solution.y).tolist()]
    parts = [merged.part(value, prior) for value in range(len(prior))]
    return RandomizerMultipliers(
        tuple(tuple(_whole(part * z) for z in Z[place]) for place, part in zip(
            merged.classes, parts, strict=True)),
        tuple(_whole(part * y[place]) for place, part in zip(
            merged.classes, parts, strict=True)))


def _whole(value: Fraction) -> Fraction:
    """The next lower whole unit."""
    return Fraction((value.numerator << RANDOMIZER_UNITS) // value.denominator, 2**RANDOMIZER_UNITS)
