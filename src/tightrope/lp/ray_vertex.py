"""Exact optima from rays, where the bases that doubles propose are far from right.

The master of rays (`ray_master`) is solved in doubles, then in balls (`ray_simplex`), with more
digits until fractions find both sides of the basis right. What remains is to name a vertex by its
tight constraints.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import log

import numpy as np
from flint import ctx, fmpq_mat

from tightrope.lp.cone_basis import ConeBasis, DualPrices, ExactProgram, Primal, Tight
from tightrope.lp.exact_cones import ExactVertex
from tightrope.lp.proposed_basis import floats, in_doubles, run_highs, tight_constraints
from tightrope.lp.ray_master import RayMaster
from tightrope.lp.ray_simplex import RaySimplex

_SMALLEST = 300.0
"""Logarithm of the largest ratio of units: doubles end soon after it."""

_SECONDS = 10.0
"""Time of HiGHS for a vertex of the optimal face; a tenth of a second is usual."""

_DIGITS, _PER_RANGE, _TRIES = 256, 4, 3
"""Bits of balls, more for each bit of the range of entries, and how often they are doubled."""


def vertex_by_rays(
    program: ExactProgram, check_time: Callable[[], None] = lambda: None
) -> ExactVertex | None:
    """An optimal vertex in fractions; None where rays or digits do not lead to one.

    Its basis may be other than its multipliers'. If no vertex was named, its basis is not regular.
    `check_time` is called before every step and may raise.
    """
    master = RayMaster.of(program)
    if master is None:
        return None
    keys = master.basis_in_doubles(check_time)
    if keys is None:
        return None
    before = ctx.prec
    spread = max(float(np.ptp(search.heights)) for search in master.searches) / log(2)
    try:
        for attempt in range(_TRIES):
            ctx.prec = int(_DIGITS + _PER_RANGE * spread) << attempt
            simplex = RaySimplex(master, keys)
            if not simplex.run(check_time):
                return None
            keys = simplex.keys
            sides = master.exact_sides(keys)
            if sides is not None:
                return _vertex(program, *sides)
    except ZeroDivisionError:
        return None
    finally:
        ctx.prec = before
    return None


def _vertex(
    program: ExactProgram, primal: Primal, dual: DualPrices
) -> ExactVertex | None:
    """A vertex where every constraint with a multiplier is tight, from an optimal solution.

    It is the solution itself if its tight constraints leave it no room. Otherwise HiGHS proposes
    one. Where that is not right, the solution stays, with a basis that is not regular. None where
    the solution is not optimal.
    """
    tight = {c for c in program.constraints() if not primal.slack(program, c)}
    paid = {constraint for constraint, amount in dual.multipliers.items() if amount}
    sums = [sum(line, program.zero) for line in zip(*primal.columns, strict=True)]
    feasible = all(primal.slack(program, c) >= 0 for c in program.constraints())
    if not (feasible and set(sums) == {program.one} and paid <= tight and dual.pays(program)):
        return None
    proved = sum(dual.prices, program.zero)
    own = _basis_at(program, primal, tight)
    for basis in [own] if own.regular else _basis_near(program, primal, paid):
        point = basis.primal(total=program.one)
        feasible = point is not None and all(
            point.slack(program, c) >= 0 for c in program.constraints())
        if point is not None and feasible and (
                point.value(program.objective, program.zero) == proved):
            return ExactVertex(basis, point, dual, proved, 0)
    return ExactVertex(own, primal, dual, proved, 0)


def _basis_at(program: ExactProgram, primal: Primal, tight: set[Tight]) -> ConeBasis:
    """The basis of a solution: a forest of tight arcs in each copy, and rows that they need."""
    forest = [c for c in tight if c[0] < 0]
    for z in range(program.width):
        parts = list(range(program.size))
        for e, (a, b, _) in enumerate(program.arcs):
            joined = parts[a] != parts[b] if b >= 0 else not any(primal.columns[z])
            if (z, e) not in tight or not joined or (b >= 0 and not primal.columns[z][a]):
                continue
            forest.append((z, e))
            if b >= 0:
                parts = [parts[a] if part == parts[b] else part for part in parts]
    basis = ConeBasis(program, forest)
    matrix = [list(line) for line in zip(*basis.small_matrix(), strict=True)]
    reduced, rank = fmpq_mat(matrix).rref()
    firsts = {next(k for k in range(reduced.ncols()) if reduced[row, k] != 0)
              for row in range(rank)}
    spare = {(-1, y) for k, y in enumerate(basis.rows) if program.size + k not in firsts}
    return ConeBasis(program, [c for c in forest if c not in spare])


def _basis_near(program: ExactProgram, primal: Primal, paid: set[Tight]) -> list[ConeBasis]:
    """The basis, if it is one, where HiGHS ends without costs, paid constraints kept tight.

    Unknowns are measured in units of the solution.
    """
    doubles = in_doubles(program, np.maximum(floats(primal.columns), np.exp(-_SMALLEST)))
    copies, inputs = range(program.width), range(program.size)
    arcs = [(z, e) for z in copies for e, (_, b, _) in enumerate(program.arcs) if b >= 0]
    signs = {a: e for e, (a, b, _) in enumerate(program.arcs) if b < 0}
    rows = [c in paid for c in arcs] + [True for _ in inputs]
    rows += [(-1, y) in paid for y in inputs if program.losses is not None]
    entries = np.zeros(len(doubles.costs), dtype=np.bool_)
    entries[: program.width * program.size] = [
        (z, signs[y]) in paid for z in copies for y in inputs]
    face = replace(doubles, costs=0 * doubles.costs,
                   row_upper=np.where(rows, doubles.row_lower, np.inf),
                   upper=np.where(entries, 0.0, np.inf))
    tight = tight_constraints(program, run_highs(face, _SECONDS).getBasis())
    bases = [] if tight is None else [ConeBasis(program, tight)]
    return [basis for basis in bases if basis.regular]
