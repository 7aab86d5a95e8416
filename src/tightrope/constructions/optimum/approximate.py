"""The optimal mechanism at (ε, δ), for neighbor graphs of moderate size.

With δ > 0 neighbors may exceed their ratio by a total of δ: one linear program in the
probabilities and their excesses (`neighbor_program`), solved to as many digits as its optimum
needs (`lp.refine`). Its matrix, in doubles, is repaired until δ is proved (`privacy.repair`);
where that costs too much, it is kept in long numbers (`privacy.dilute`). Its prices, made
non-negative, prove a bound exactly (`utility.prove_bound`), whatever the solver did.
"""

from __future__ import annotations

from dataclasses import replace
from math import exp, log
from time import monotonic

import numpy as np

from tightrope.choices import Goal
from tightrope.constructions.optimum.effort import Effort
from tightrope.constructions.optimum.neighbor_answers import (
    largest_excess,
    least_favorable,
    multipliers,
    rounded,
    weights,
)
from tightrope.constructions.optimum.neighbor_orbits import NeighborOrbits
from tightrope.constructions.optimum.neighbor_program import NeighborProgram
from tightrope.errors import TooLarge
from tightrope.exact import Weights, sizes, tolerances
from tightrope.lp import Basis, FineSolution, Whole, refine
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Certificate, Certified, certify, dilute, verify
from tightrope.utility import Prior, Problem, Solution, best_dual

_COSTLY = 2_000
"""Triples, with a row or not, from which on a proved gap that is small enough ends a search."""

_SMALL = 1_000
"""Triples up to which the first program is the whole one."""

_FINE = tolerances.PROGRAM_GAP
"""A δ below which doubles do not tell which rows are broken: all are posed."""

_MORE_STEPS = 2
"""Steps between neighbors beyond those after which chances come to δ."""

_MOST_KEPT = 0.6
"""Share of cells from which on a first program has them all."""

_MOST_TURNS = 8
"""Programs that are widened by what they lack; the next one is the whole one."""

_LITTLE = 2.0**-30
"""Share of a constant answer that costs nothing worth a better repair."""

_PART = 1 / 4
"""Share of the gap asked for that a constant answer may cost instead of a better repair."""

_MISSED = 4
"""Rows of a pair that a solver may miss by its tolerance, in all, as a rule."""

_SPARED = 1 / 16
"""Share of κ δ that may be kept back for what the solver misses."""

_MANY = 3
"""Neighbors of an input, on average, from which on most rows say nothing."""

_FAR = 2
"""Steps between neighbors beyond which most rows say nothing: those toward best answers.

That is for the worst input, and where far answers lose more. Where all wrong answers lose the
same, inputs of little chance are answered anyhow on average, and break such rows one by one.
"""


def solve_with_delta(problem: Problem, effort: Effort) -> Solution:
    """The best mechanism at (ε, δ) on a connected space that declares neighbors."""
    started = monotonic()
    search = _Search(_program(problem, effort), effort)
    program, found, solution = search.run()
    if solution.gap is None or solution.gap > tolerances.DEFAULT_GAP:
        exact = MatrixMechanism(problem.space, problem.answers, weights(program, found))
        costs = _priced(program, found).on(problem.space)[:, None] * problem.losses
        finer = dilute(exact, problem.level, int(np.argmin(costs.sum(axis=0))))
        other = Solution(problem, finer, "optimal", solution.bound, proof=solution.proof)
        solution = min(solution, other, key=lambda held: held.value)
    statistics = {
        "seconds": monotonic() - started,
        "pairs": len(program.orbits.first),
        "orbits": len(program.orbits.triples),
        "rounds": found.rounds,
    }
    return solution.noting(statistics=statistics)


class _Search:
    """The program so far, and the last solution that was proved; lives only inside a search."""

    def __init__(self, program: NeighborProgram, effort: Effort) -> None:
        self.program, self.effort = program, effort
        self.end = monotonic() + effort.seconds
        self.proved: tuple[Whole, Solution] | None = None

    def run(self) -> tuple[NeighborProgram, FineSolution, Solution]:
        """A program with all the cells and rows that are needed, its solution, and the proof.

        Each program begins where the last one ended.
        """
        found, turn = self._refined(None), 1
        while True:
            lacking, exceeding = self.program.lacking(found), self.program.exceeding(found)
            if lacking.any() or exceeding.any():
                if turn >= _MOST_TURNS:
                    lacking, exceeding = ~self.program.kept, ~self.program.posed
                wide = self.program.widened(lacking, exceeding)
            elif not self.program.spare or self._is_close(found):
                break
            else:
                wide = replace(self.program, spare=0.0)
            basis = None if found.basis is None else wide.basis(self.program, found.basis)
            self.program, turn = wide, turn + 1
            found = self._refined(basis)
        return self.program, found, self._proof(found)

    def _refined(self, basis: Basis | None) -> FineSolution:
        """A solution of the program, of as many digits as are worth it."""
        program = self.program
        return refine(
            program.rows(),
            gap=tolerances.PROGRAM_GAP,
            miss=tolerances.PROGRAM_GAP * program.least_excess,
            start=program.start() if program.faint else None,
            basis=basis,
            seconds=self.end - monotonic(),
            enough=self._enough,
        )

    def _enough(self, tried: FineSolution) -> bool:
        """Whether the program is to be widened anyway, or is large and its proved gap small."""
        if self.program.lacking(tried).any() or self.program.exceeding(tried).any():
            return True
        if len(self.program.posed) < _COSTLY:
            return False
        if tried.rounds == 1 and _diluted(self.program, tried, self.effort.gap) is None:
            return False
        return self._is_close(tried)

    def _is_close(self, found: FineSolution) -> bool:
        """Whether the proved gap is the one asked for."""
        gap = self._proof(found).gap
        return gap is not None and gap <= self.effort.gap

    def _proof(self, found: FineSolution) -> Solution:
        """What is proved of a solution, worked out once for the last one."""
        if self.proved is None or self.proved[0] is not found.values:
            certified = _diluted(self.program, found, self.effort.gap)
            self.proved = found.values, _proved(self.program, found, certified)
        return self.proved[1]


def _proved(
    program: NeighborProgram, found: FineSolution, certified: Certified | None
) -> Solution:
    """The solution with short weights, mended if that was not done, and what its prices prove."""
    problem, prior = program.problem, _priced(program, found)
    costs = prior.on(problem.space)[:, None] * problem.losses
    if certified is None:
        matrix, answers = weights(program, found).floats, problem.answers
        certified = certify(matrix, problem.space, problem.level, outputs=answers, costs=costs)
    dual = best_dual(problem, multipliers(program, found), prior)
    return Solution(problem, certified, "optimal").proved(dual)


def _diluted(program: NeighborProgram, found: FineSolution, gap: float) -> Certified | None:
    """The solution mixed with a constant answer, where hardly any of that is proof enough.

    That is where it exceeds δ by little more than the rounding of words, or so that mending it
    costs less than a part of the gap.
    """
    if program.faint:
        return None
    problem, short = program.problem, rounded(program, found)
    level, unit = problem.level, 2.0 ** int(short.exponents.max())
    rounding = unit * (len(problem.answers) + 4) * (1 + exp(float(level))) / float(level.delta)
    excess = largest_excess(program, short)
    share = max(0.0, 1 - float(level.delta) / excess if excess else 0.0) + rounding
    costs = _priced(program, found).on(problem.space)[:, None] * problem.losses
    most = _PART * gap * float((costs * short.floats).sum() / problem.losses.max())
    if share > max(_LITTLE, most):
        return None
    table = short.mantissas - (short.mantissas * np.longdouble(share)).astype(np.int64)
    taken = short.mantissas.sum(axis=1) - table.sum(axis=1)
    table[:, np.argmin(costs.sum(axis=0))] += taken
    mixed = MatrixMechanism(problem.space, problem.answers, Weights(table, short.exponents))
    proved = verify(mixed, mixed.space, level)
    return Certified(mixed, proved) if isinstance(proved, Certificate) else None


def _priced(program: NeighborProgram, found: FineSolution) -> Prior:
    """The prior, for the worst input the least favorable one."""
    worst = program.problem.goal is Goal.WORST
    return least_favorable(program, found) if worst else program.problem.prior


def _program(problem: Problem, effort: Effort) -> NeighborProgram:
    """The program of a problem, unless it is too large."""
    assert problem.space.neighbors is not None
    pairs = problem.space.neighbors.pairs
    first, second = np.append(pairs.first, pairs.second), np.append(pairs.second, pairs.first)
    _refuse_large(len(first) * len(problem.answers), sizes.LARGEST_NEIGHBOR_PROOF)
    orbits = NeighborOrbits(effort.symmetry_of(problem), first, second)
    _refuse_large(len(orbits.triples), sizes.LARGEST_PROGRAM)
    return _begun(problem, orbits)


def _begun(problem: Problem, orbits: NeighborOrbits) -> NeighborProgram:
    """The first program: cells of answers that are best somewhere near, and rows away from there.

    In most optima with δ the chance of an answer falls by e^-ε from neighbor to neighbor, and
    is cut off where it comes to δ. That pays where far answers lose more.
    """
    kept = np.ones(len(orbits.cells), dtype=np.bool_)
    posed = np.ones(len(orbits.triples), dtype=np.bool_)
    losses, space, level = problem.losses, problem.space, problem.level
    program = NeighborProgram(problem, orbits, kept, posed)
    if len(posed) < _SMALL or level.delta < _FINE:
        return program
    least = losses.min(axis=1, keepdims=True)
    second = np.where(losses > least, losses, np.inf).min(axis=1, keepdims=True)
    best = losses - least == (losses - least).min(axis=0)
    everyone = np.arange(space.size)
    lengths = space.lengths(everyone[:, None], everyone[None, :])
    away = np.stack([lengths[:, members].min(axis=1) for members in best.T], axis=1)
    step = float(space.lengths(orbits.first, orbits.second).max())
    reach = step * (_MORE_STEPS - log(level.delta) / float(level))
    costly = losses > 2 * second
    chosen = ~costly | (away <= reach)
    chosen[:, np.argmin(problem.chances @ losses)] = True  # so that there is a mechanism
    near = np.zeros_like(kept)
    near[orbits.cells.labels[chosen.ravel()]] = True
    further = (away[orbits.first] < away[orbits.second]).ravel()
    if near.mean() < _MOST_KEPT:
        kept = near
    far = away.max() > _FAR * step and (problem.goal is Goal.WORST or costly.any())
    if far or len(orbits.first) > _MANY * space.size:
        posed = further[orbits.triples.heads]
    missed = _MISSED * tolerances.PROGRAM_ERROR
    fits = len(posed) >= _COSTLY and missed < _SPARED * program.least_excess
    return replace(program, kept=kept, posed=posed, spare=missed if fits else 0.0)


def _refuse_large(triples: int, most: int) -> None:
    if triples > most:
        raise TooLarge(
            "the number of neighbor pairs times outputs",
            triples,
            most,
            "with δ the optimum is found for smaller spaces only",
        )
