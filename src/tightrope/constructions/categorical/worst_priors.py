"""The randomizer for the worst shares: one with its estimates for all, and a least favorable prior.

For a randomizer with fixed unbiased estimates, a second moment s[x] for each value, the variance
at shares π is s·π - ‖W π‖², concave in π. By convexity in randomizer and estimates its largest
value, made least, is the least variance at π, made largest: a saddle point. Each solution at a π
gives an s, and the least favorable π are sought where the least s·π - ‖W π‖² of them is largest.
What is found is then proved: a bound at one prior from below, and from above, for any shares q,

    max_π s·π - ‖W π‖²  ≤  max_x (s[x] - 2 (WᵀW q)[x]) + ‖W q‖².
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from threadpoolctl import threadpool_limits

from tightrope.constructions.categorical.randomizer_program import solve_program
from tightrope.constructions.categorical.randomizers import Randomizer, best_randomizer
from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, Level, Number, ball_of, tolerances, upper_bound
from tightrope.facts import Fact, Facts, card_of, lines_of
from tightrope.privacy import Certified, level_of
from tightrope.spaces import Space, space_of
from tightrope.utility import (
    Fractions,
    Workload,
    known_part,
    merge_values,
    solve_estimates,
    workload_of,
)

_ROUNDS = 40
_PRIOR_BITS = 40
_BALL = 256


@dataclass(frozen=True, repr=False)
class WorstCaseRandomizer:
    """A randomizer with one set of estimates, its largest variance over all shares, and a bound.

    The estimates are the best ones at the shares `estimated_at`; at any shares their variance is
    at most `value`. `bound` is proved at `prior`: no private randomizer falls below it there, with
    any unbiased estimates.
    """

    certified: Certified
    workload: Workload
    estimated_at: Fractions
    prior: Fractions
    value: Fraction
    bound: Fraction

    @property
    def gap(self) -> float:
        """The relative excess of the value over the bound, at most."""
        return float((self.value - self.bound) / self.value)

    def facts(self) -> Facts:
        """The largest variance, the bound, and the least favorable prior."""
        shares = [float(share) for share in self.prior]
        return Facts(
            "WorstCaseRandomizer",
            f"{len(self.prior)} values, for {self.workload.name} at the worst shares",
            (
                Fact("value", "variance", float(self.value),
                     meaning="of one respondent, at most, whatever the shares"),
                Fact("bound", "at least", float(self.bound),
                     meaning="for every private randomizer, at the least favorable shares"),
                Fact("gap", "gap", self.gap),
                Fact("prior", "least favorable", ", ".join(f"{share:.4g}" for share in shares),
                     detail=True),
                Fact(None, "level", self.certified.certificate.level),
            ),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def worst_case_randomizer(
    space: Space | str,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    workload: Workload | str | Sequence[Number] | Sequence[Sequence[Number]] = "shares",
) -> WorstCaseRandomizer:
    """The private randomizer whose unbiased estimates scatter least at the worst shares.

    Returns: a `WorstCaseRandomizer`: `value` holds for one set of estimates at all shares,
    `bound` for every randomizer at a least favorable prior.

    Raises: as `best_randomizer`.

    >>> made = worst_case_randomizer("categories:3", 1, workload="mean")
    >>> [round(float(share), 3) for share in made.prior], made.gap < 1e-4
    ([0.5, 0.0, 0.5], True)
    """
    values, level = space_of(space), Level.positive(level_of(epsilon, ratio=ratio))
    first = best_randomizer(values, level, workload=workload)
    queries = workload_of(workload, values.size)
    with threadpool_limits(1, "blas"):
        lower, upper = _search(queries, first.prior, float(level.ratio_below(values.diameter)))
    at_upper = best_randomizer(values, level, workload=queries, prior=upper)
    at_lower = at_upper if lower == upper else best_randomizer(
        values, level, workload=queries, prior=lower)
    made, value = min(((made, _largest_variance(made)) for made in (first, at_upper, at_lower)),
                      key=lambda pair: pair[1])
    best = max((first, at_upper, at_lower), key=lambda made: made.bound)
    return WorstCaseRandomizer(made.certified, queries, made.prior, best.prior, value,
                               best.bound)


def _search(queries: Workload, uniform: Fractions, ratio: float) -> tuple[Fractions, Fractions]:
    """A prior with a large least variance, and one whose estimates have a small largest one."""
    merged = merge_values(queries, uniform)
    W, size = merged.W, len(merged.prior)
    prior, lines = np.full(size, 1 / size), np.empty((0, size))
    best, lower, least, upper = -np.inf, prior, np.inf, prior
    for number in range(_ROUNDS):
        line = _second_moments(W, prior, ratio)
        lines = np.vstack([lines, line])
        value = float(line @ prior - ((W @ prior) ** 2).sum())
        largest = _most(W, line[None])[1]
        best, lower = (value, prior) if value > best else (best, lower)
        least, upper = (largest, prior) if largest < least else (least, upper)
        if least - best <= tolerances.RANDOMIZER_WORST * least:
            break
        center = _most(W, lines)[0]
        prior = (lower + center) / 2 if number % 2 else center
        prior = np.maximum(prior, 0) / np.maximum(prior, 0).sum()
    return (_spread(merged.classes, lower), _spread(merged.classes, upper))


def _spread(classes: tuple[int, ...], prior: FloatArray) -> Fractions:
    """Short exact shares of the values, equal ones within a class."""
    parts = [Fraction(round(share * 2**_PRIOR_BITS), 2**_PRIOR_BITS) for share in prior.tolist()]
    shares = [parts[place] / classes.count(place) for place in classes]
    return tuple(share / sum(shares, Fraction(0)) for share in shares)


def _second_moments(W: FloatArray, prior: FloatArray, ratio: float) -> FloatArray:
    """The second moments s of the best estimates at a prior, in floating point."""
    solution = solve_program(W, prior, ratio, tolerances.RANDOMIZER_GAP)
    rays = 1 + (ratio - 1) * solution.sets
    estimates = rays @ solution.Z / (rays @ prior)[:, None]
    return np.asarray((solution.shares * (estimates**2).sum(axis=1)) @ rays, dtype=np.float64)


def _most(W: FloatArray, lines: FloatArray) -> tuple[FloatArray, float]:
    """The shares at which the least of some s·π, less ‖W π‖², is largest, and how large."""
    from scipy.optimize import minimize

    size, G = lines.shape[1], W.T @ W
    start = np.full(size, 1 / size)
    ended = minimize(
        lambda x: -x[-1] + ((W @ x[:-1]) ** 2).sum(), np.append(start, (lines @ start).min()),
        jac=lambda x: np.append(2 * G @ x[:-1], -1.0), bounds=[(0, 1)] * size + [(None, None)],
        constraints=[
            {"type": "eq", "fun": lambda x: x[:-1].sum() - 1,
             "jac": lambda x: np.append(np.ones(size), 0.0)},
            {"type": "ineq", "fun": lambda x: lines @ x[:-1] - x[-1],
             "jac": lambda x: np.column_stack([lines, -np.ones(len(lines))])},
        ], method="SLSQP", options={"maxiter": 300,
                                     "ftol": tolerances.RANDOMIZER_MASTER})
    return np.asarray(ended.x[:-1], dtype=np.float64), -float(ended.fun)


def _largest_variance(made: Randomizer) -> Fraction:
    """The largest variance over all shares of the estimates that are best at its prior, at most."""
    mechanism: Any = made.certified.mechanism
    estimates = solve_estimates(mechanism.weights, made.workload, made.prior)
    if estimates is None:
        raise SolverFailed("the randomizer that was found does not tell all queries.")
    rows = made.workload.rows
    with flint.ctx.workprec(_BALL):
        X = flint.arb_mat([[ball_of(x, _BALL) for x in line] for line in estimates.solution])
        w = flint.arb_mat([[flint.arb(x) for x in row] for row in estimates.rows])
        scaled = w.transpose() * X  # a row for each output
        squares = [sum((x * x for x in line), flint.arb(0)) * inverse * inverse
                   for line, inverse in zip(scaled.table(), estimates.inverses, strict=True)]
        moments = [upper_bound(sum((x * y for x, y in zip(line, squares, strict=True)),
                                   flint.arb(0)) / sum(row))
                   for line, row in zip(w.table(), estimates.rows, strict=True)]
    W = np.array([[float(x) for x in row] for row in rows])
    line = np.array([[float(moment) for moment in moments]])
    near = _most(W, line)[0]
    shares = _spread(tuple(range(len(moments))), np.maximum(near, 0) / np.maximum(near, 0).sum())
    answers = [sum((a * b for a, b in zip(row, shares, strict=True)), Fraction(0)) for row in rows]
    pulls = [2 * sum((row[x] * answer for row, answer in zip(rows, answers, strict=True)),
                     Fraction(0)) for x in range(len(moments))]
    return max(moment - pull for moment, pull in zip(moments, pulls, strict=True)) + known_part(
        made.workload, shares)
