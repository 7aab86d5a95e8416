"""From sets of answers to a mechanism at a level: nominal, or calibrated to the exact level.

A theorem promises 2ε' for weights e^(-ε' i), so ε' = ε/2 has the level ε: that is *nominal*.
Calibrated mechanisms use the largest ε' found whose exact level still is ε. Where a construction
has parameters, candidates are tried in doubles and the best one is calibrated and proved.
Results are proved by `verify` on the datasets themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import exp

import numpy as np

from tightrope.choices import Goal
from tightrope.constructions.sequences.calibration import calibrate
from tightrope.constructions.sequences.set_sequences import NEVER, SetSequences
from tightrope.errors import BadInput, Infeasible, NotPrivate
from tightrope.exact import FloatArray, IntArray, Surd, Weights, tolerances
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Certified, certified
from tightrope.spaces import MetricQuery, Space, pair_classes
from tightrope.utility import Problem, Solution

_GROWTH, _MOST_STEPS, _BISECTIONS = 9 / 8, 48, 40
"""Search for the largest rate: factor between rates tried, rates on either side, bisections."""
_BACK, _MOST_BACK = 56, 14
"""After rounding broke the level root - 1 falls by 2^-56 of itself, then by eight times as much,
and so on: how often."""
_SHORT, _LONGEST = 24, 4096
"""Bits of a root, and of its powers, that are written exactly: a rational root keeps its level."""
_FASTEST = 700.0
"""Exponents up to which powers of e are doubles."""


@dataclass(frozen=True)
class Candidate:
    """Sets with the text of the construction that makes them, parameters included."""

    text: str
    sets: SetSequences


@dataclass(frozen=True)
class QueryTask:
    """A problem about a query, with the arrays that constructions of sets share."""

    problem: Problem
    query: MetricQuery

    @classmethod
    def of(cls, problem: Problem) -> QueryTask:
        """The query of a problem, with no weight on values that may not be answered."""
        query = problem.query
        if query is None:
            raise BadInput("this construction needs a query on datasets.")
        kept = {query.codomain.index(answer) for answer in problem.answers}
        measure = tuple(m if r in kept else Fraction(0) for r, m in enumerate(query.measure))
        return cls(problem, replace(query, measure=measure))

    @cached_property
    def columns(self) -> list[int]:
        """Where the answers stand among the points of the codomain."""
        return [self.query.codomain.index(answer) for answer in self.problem.answers]

    @cached_property
    def distortion(self) -> FloatArray:
        """The loss of every dataset and value; infinite where a value may not be answered."""
        losses = np.full((self.query.datasets.size, self.query.codomain.size), np.inf)
        losses[:, self.columns] = self.problem.losses
        return losses

    @cached_property
    def edges(self) -> tuple[IntArray, IntArray, FloatArray]:
        """The irreducible pairs of datasets in both orders, and how long they are."""
        pairs = self.problem.space.edges()
        lengths = np.tile(self.problem.space.lengths(pairs.first, pairs.second), 2)
        first = np.concatenate([pairs.first, pairs.second])
        return first, np.concatenate([pairs.second, pairs.first]), lengths

    def value(self, sets: SetSequences, root: float) -> float:
        """The loss at e^(ε/fineness) = root, in doubles."""
        losses = (sets.law(root)[:, self.columns] * self.problem.losses).sum(axis=1)
        worst = self.problem.goal is Goal.WORST
        return float(losses.max() if worst else self.problem.chances @ losses)


def has_unit_steps(space: Space) -> bool:
    """Whether neighbors at distance 1 are all there is between datasets."""
    return all(length == Surd.of(1) for length in pair_classes(space, space.edges())[0])


def solve_sets(
    task: QueryTask, name: str, candidates: Sequence[Candidate], nominal: bool
) -> Solution:
    """The best of the candidates, at half of the level or at the largest nominal ε that has it."""
    root_of = _nominal if nominal else _largest
    roots = [root_of(task, candidate.sets) for candidate in candidates]
    values = [task.value(each.sets, root) for each, root in zip(candidates, roots, strict=True)]
    best = int(np.argmin(values))
    chosen = candidates[best]
    root = largest_root(task, chosen.sets) if not nominal else chosen.sets.root(
        task.problem.level.pure.scaled(Fraction(1, 2)))
    made = prove(task, chosen.sets, root, name)
    text = f"{name}-nominal{chosen.text[len(name):]}" if nominal else chosen.text
    return Solution(task.problem, made, text, statistics={"candidates": len(candidates)})


def largest_root(task: QueryTask, sets: SetSequences) -> Fraction:
    """The largest root with the level of the task; a large one where the level stays below it."""
    if (sets.cases_on(task.problem.space).growth > 0).any():
        return calibrate(sets, task.problem.level, space=task.problem.space).root
    return Fraction(_largest(task, sets))


def calibrated_value(task: QueryTask, sets: SetSequences) -> float:
    """The loss of sets once they are calibrated, in doubles."""
    return task.value(sets, _largest(task, sets))


def prove(task: QueryTask, sets: SetSequences, root: Fraction, name: str) -> Certified:
    """The mechanism, with short mantissas, at this root or the nearest one below that is proved."""
    space, level = task.problem.space, task.problem.level
    outputs = tuple(task.problem.answers)
    for k in range(_MOST_BACK):
        bits = root.numerator.bit_length()
        whole = bits * (int(sets.indices.max()) + 1)
        if whole <= tolerances.MANTISSA_BITS or (bits <= _SHORT and whole <= _LONGEST):
            weights = sets.mechanism(root).weights
        else:
            weights = sets.written(root)
        kept = Weights(
            weights.mantissas[:, task.columns], weights.exponents[:, task.columns]
        )
        try:
            return certified(MatrixMechanism(space, outputs, kept), level)
        except NotPrivate:
            root = 1 + (root - 1) * (1 - Fraction(8**k, 2**_BACK))
    raise Infeasible(f"no weights of {name} were found that have the level.")


def _nominal(task: QueryTask, sets: SetSequences) -> float:
    return _exp(float(task.problem.level) / 2 / sets.fineness)


def _exp(rate: float) -> float:
    """e^rate; beyond doubles the largest power that is one: every other set is empty there."""
    return exp(min(rate, _FASTEST))


def _largest(task: QueryTask, sets: SetSequences) -> float:
    """A large root whose level is that asked for, in doubles: from above, since it may go up
    and down.
    """
    steepness = _Steepness(task, sets)
    level = float(task.problem.level)
    start = level / 2 * min(1.0, float(task.edges[2].min())) / sets.fineness
    grid = start * _GROWTH ** np.arange(-_MOST_STEPS, _MOST_STEPS)
    good = [k for k, rate in enumerate(grid) if steepness(rate) <= level]
    if not good:
        return _exp(float(grid[0]))
    low = float(grid[good[-1]])
    high = low * _GROWTH
    for _ in range(_BISECTIONS if good[-1] + 1 < len(grid) else 0):
        middle = (low + high) / 2
        low, high = (middle, high) if steepness(middle) <= level else (low, middle)
    return _exp(low * (1 - tolerances.LEVEL_WIDTH))


class _Steepness:
    """The level of the mechanism between the ends of irreducible pairs, as a function of ln root:
    the largest (drop · ln root + ln α(b) - ln α(a))/d.
    """

    def __init__(self, task: QueryTask, sets: SetSequences) -> None:
        self._first, self._second, self._lengths = task.edges
        used = np.asarray(sets.indices)[:, [mass > 0 for mass in sets.query.measure]]
        drops = np.empty(len(self._first), dtype=np.int64)
        for start in range(0, len(drops), 4096):
            part = slice(start, start + 4096)
            here, there = used[self._first[part]], used[self._second[part]]
            drops[part] = np.where(here == NEVER, np.iinfo(np.int64).min, there - here).max(axis=1)
        self._drops = drops
        table, self._which = sets.measures
        with np.errstate(divide="ignore"):  # a set without any measure weighs e^-inf
            self._logs = np.log(table)

    def __call__(self, rate: float) -> float:
        logs = self._logs - rate * np.arange(self._logs.shape[1])
        top = logs.max(axis=1, keepdims=True)
        sums = (top[:, 0] + np.log(np.exp(logs - top).sum(axis=1)))[self._which]
        differences = rate * self._drops + sums[self._second] - sums[self._first]
        return float((differences / self._lengths).max())
