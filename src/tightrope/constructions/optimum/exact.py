"""The optimum in exact fractions: a vertex, the multipliers of its tight pairs, and a gap of 0.

It needs e^(ε d) to be a fraction for every irreducible pair, as it is for a rational ratio and
whole distances, and losses and prior that are fractions. HiGHS proposes a basis, which exact
arithmetic judges and mends (`lp.exact_vertex`). Where much of it is wrong, rays of the cone lead
to another (`lp.vertex_by_rays`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from time import monotonic

import numpy as np

from tightrope.choices import Goal
from tightrope.constructions.optimum.effort import Effort
from tightrope.errors import BadInput, TooLarge
from tightrope.exact import FloatArray, Weights, from_flint, to_flint
from tightrope.lp import (
    ConeBasis,
    DualPrices,
    ExactProgram,
    ExactVertex,
    Tight,
    both_sides,
    exact_vertex,
    propose_basis,
    rational_program,
    vertex_by_rays,
)
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import certified
from tightrope.spaces import Directed, Space
from tightrope.utility import (
    SCALE,
    ExactOptimum,
    Multipliers,
    Prior,
    Problem,
    Solution,
    Triples,
    exact_losses,
    prove_bound,
)

MOST_ENTRIES, MOST_COMPARED = 1_600, 12_000
"""Inputs times outputs, and ordered pairs times outputs, up to which exact optima take seconds."""

_FEW = 12
"""Trouble of a proposed basis that exact steps mend faster than rays find another."""

_SMALLEST = 300.0
"""Logarithm of the largest ratio of units: doubles end soon after it."""


def exact_minimum(problem: Problem, effort: Effort) -> Solution:
    """The best mechanism for a problem, with an exact proof that its gap is 0.

    Raises: `BadInput` where a number of the problem is no fraction; `TooLarge` beyond its size or
    time.
    """
    started = monotonic()
    vertex = solve_exactly(problem, effort.seconds, basic=False)
    optimum = _optimum(problem, vertex)
    solution = Solution(problem, certified(mechanism_at(problem, vertex), problem.level), "optimal",
                        statistics={"steps": vertex.steps, "finished": True,
                                    "seconds": monotonic() - started})
    return solution.proved(prove_bound(problem, *dual_at(problem, vertex))).proved_exactly(optimum)


def mechanism_at(problem: Problem, vertex: ExactVertex) -> MatrixMechanism:
    """The mechanism of a vertex, in fractions."""
    columns = [[from_flint(entry) for entry in column] for column in vertex.primal.columns]
    weights = Weights.from_fractions([list(row) for row in zip(*columns, strict=True)])
    return MatrixMechanism(problem.space, problem.answers, weights)


def dual_at(problem: Problem, vertex: ExactVertex) -> tuple[list[Multipliers], Prior]:
    """The multipliers of a vertex, rounded down, and the prior of its bound."""
    optimum = _optimum(problem, vertex)
    return [_rounded(triples) for triples in optimum.multipliers], optimum.prior


def solve_exactly(problem: Problem, seconds: float, *, basic: bool = True) -> ExactVertex:
    """An optimal vertex of a problem in fractions, within some seconds.

    Its multipliers are those of its basis; for a problem with much symmetry they may be others
    unless `basic`.
    """
    end, program = monotonic() + seconds, program_of(problem)
    even = None if basic or problem.goal is not Goal.WORST else (
        _symmetric_vertex(problem, program, seconds))
    if even is not None:
        return even

    def check_time() -> None:
        if monotonic() > end:
            raise TooLarge("the time for exact steps, in seconds,", int(seconds) + 1, int(seconds),
                           "allow more time, or leave out exact")

    proposal = propose_basis(program, units_of(problem), seconds)
    sides = None if proposal is None else both_sides(program, proposal)
    if sides is None or sides.infeasibility > _FEW:
        vertex = vertex_by_rays(program, check_time)
        if vertex is not None and not basic:
            return vertex
        if vertex is not None and vertex.basis.regular:
            proposal = vertex.basis.tight
    return exact_vertex(program, proposal, check_time=check_time)


def _symmetric_vertex(
    problem: Problem, program: ExactProgram, seconds: float
) -> ExactVertex | None:
    """For the worst input, where all inputs are alike: the best vertex on average, if it does.

    It does where it loses as much for every input; the even prior is then the least favorable.
    Such vertices have many dual solutions, among which exact steps lose their way.
    """
    if len(np.unique(problem.symmetry.input_orbits)) > 1:
        return None
    average = Problem(problem.space, problem.level, None, problem.loss, outputs=problem.outputs)
    vertex = solve_exactly(average, seconds)
    basis = ConeBasis(program, [*vertex.basis.tight, (-1, 0)])
    primal = basis.primal(total=program.one)
    if primal is None or any(primal.slack(program, (-1, y)) for y in range(problem.space.size)):
        return None
    shares = {(-1, y): to_flint(Fraction(1, problem.space.size)) for y in range(problem.space.size)}
    dual = DualPrices(vertex.dual.prices, {**vertex.dual.multipliers, **shares})
    return ExactVertex(basis, primal, dual, vertex.value, vertex.steps)


def units_of(problem: Problem) -> FloatArray:
    """A guess at the shape of every column: e^(-ε d) around the input that its output suits best.

    Floating point sees small entries of a column in these units.
    """
    space, losses = problem.space, problem.losses
    centers = np.argmin(losses - losses.min(axis=1, keepdims=True), axis=0)
    inputs = np.arange(space.size)
    lengths = np.array([space.lengths(np.full(space.size, y), inputs) for y in centers.tolist()])
    finite = np.where(np.isfinite(lengths), lengths, 0.0)
    return np.exp(-np.minimum(float(problem.level) * finite, _SMALLEST))


def program_of(problem: Problem) -> ExactProgram:
    """The program of a problem in FLINT's rationals; refused where there is none."""
    arcs = [(a, b, to_flint(1 / power)) for a, b, power in exact_arcs(problem)]
    losses = problem_losses(problem)
    columns = [[to_flint(row[z]) for row in losses] for z in range(len(problem.answers))]
    zero = to_flint(Fraction(0))
    if problem.goal is Goal.WORST:
        none = [[zero] * problem.space.size for _ in columns]
        return rational_program(problem.space.size, arcs, none, columns)
    chances = [to_flint(p) for p in problem.prior.exact(problem.space)]
    costs = [[p * cost for p, cost in zip(chances, column, strict=True)] for column in columns]
    return rational_program(problem.space.size, arcs, costs)


def problem_losses(problem: Problem) -> list[list[Fraction]]:
    """The losses as fractions; refused where one is irrational, or with δ."""
    if problem.level.delta:
        raise BadInput("an exact optimum needs δ = 0; leave out exact with δ.")
    losses = exact_losses(problem.loss, problem.space, problem.answers)
    if losses is None:
        raise BadInput(f"an exact optimum needs losses that are fractions; the "
                         f"{problem.loss.name} loss on {problem.space.text} has irrational ones.")
    return losses


def has_rational_powers(problem: Problem) -> bool:
    """Whether e^(ε d) is a fraction for every irreducible pair."""
    space = problem.space
    refuse_long(space, len(problem.answers))
    return all(problem.level.power(space.distance(a, b)) is not None for a, b in space.edges())


def exact_arcs(problem: Problem) -> list[tuple[int, int, Fraction]]:
    """The ordered pairs (a, b) with P(z|b) <= e^(ε d) P(z|a), and e^(ε d) as a fraction."""
    space, level = problem.space, problem.level
    refuse_long(space, len(problem.answers))
    arcs = []
    for a, b in ordered_pairs(space):
        power = level.power(space.distance(a, b))
        if power is None:
            raise BadInput(
                f"exact steps need e^(ε d) to be a fraction for every pair, as with a ratio "
                f"and whole distances; at {level} and d = {space.distance(a, b).short} "
                "it is none.")
        arcs.append((a, b, power))
    return arcs


def refuse_long(space: Space, width: int) -> None:
    """Refuse sizes at which exact steps would take minutes."""
    advice = "use fewer inputs or outputs, or leave out exact: the bound is then proved to 1e-6"
    for what, count, most in (
        ("inputs times outputs of an exact optimum", space.size * width, MOST_ENTRIES),
        ("ordered pairs times outputs of an exact optimum",
         len(ordered_pairs(space)) * width if space.size * width <= MOST_ENTRIES else 0,
         MOST_COMPARED),
    ):
        if count > most:
            raise TooLarge(f"the number of {what}", count, most, advice)


def ordered_pairs(space: Space) -> list[tuple[int, int]]:
    """The irreducible pairs in the orders that are protected."""
    pairs = list(space.edges())
    return pairs if isinstance(space, Directed) else [*pairs, *((b, a) for a, b in pairs)]


def _optimum(problem: Problem, vertex: ExactVertex) -> ExactOptimum:
    """Basis and multipliers of a vertex, by output, and the prior of the bound."""
    program = vertex.basis.program
    amounts = vertex.dual.multipliers
    multipliers: list[list[tuple[int, int, Fraction]]] = [[] for _ in problem.answers]
    for (z, e), amount in sorted(amounts.items()):
        a, b, _ = program.arcs[e]
        if z >= 0 and b >= 0 and amount:
            multipliers[z].append((a, b, from_flint(amount)))
    prior = problem.prior
    if problem.goal is Goal.WORST:
        prior = Prior(tuple(from_flint(amounts[-1, y]) if (-1, y) in amounts else Fraction(0)
                            for y in range(problem.space.size)))
    basis = tight_pairs(program, vertex.basis.tight) if vertex.basis.regular else ()
    return ExactOptimum(from_flint(vertex.value), tuple(map(tuple, multipliers)), prior, basis)


def tight_pairs(
    program: ExactProgram, tight: Sequence[Tight]
) -> tuple[tuple[tuple[int, int | None], ...], ...]:
    """The tight pairs (a, b) of a basis, by output; b is None where the entry of a is 0."""
    pairs: list[list[tuple[int, int | None]]] = [[] for _ in range(program.width)]
    for z, e in tight:
        if z >= 0:
            a, b, _ = program.arcs[e]
            pairs[z].append((a, b if b >= 0 else None))
    return tuple(map(tuple, pairs))


def _rounded(triples: Triples) -> Multipliers:
    """Multipliers in whole units of 2^-96, rounded down."""
    first, second = (np.array([triple[k] for triple in triples], dtype=np.int64) for k in (0, 1))
    return Multipliers(first, second, tuple(int(amount * 2**SCALE) for _, _, amount in triples))
