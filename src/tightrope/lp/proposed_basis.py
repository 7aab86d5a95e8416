"""A basis for an exact program, proposed by HiGHS in double arithmetic.

Unknowns are measured in units of an approximate solution, so that all of them are near 1
however small the entries of a column become.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import highspy
import numpy as np

from tightrope.exact import FloatArray, tolerances
from tightrope.lp.cone_basis import ExactProgram, Tight
from tightrope.lp.programs import LinearProgram, limit_steps, load_program

_STEPS = 20
"""Steps of HiGHS for each row and column; beyond, the exact simplex goes on from where it is."""


def propose_basis(
    program: ExactProgram, units: FloatArray, seconds: float
) -> list[Tight] | None:
    """The tight constraints of the basis in which HiGHS ends; None if it ends in none.

    `units[z, y]` are the positive entries of an approximate solution.
    """
    return tight_constraints(program, run_highs(in_doubles(program, units), seconds).getBasis())


def run_highs(doubles: LinearProgram, seconds: float) -> Any:
    """HiGHS after its steps on a program in doubles."""
    solver = load_program(doubles, tolerances.SHIPPING_ERROR)
    solver.setOptionValue("time_limit", float(seconds))
    limit_steps(solver, _STEPS)
    solver.run()
    return solver


def in_doubles(program: ExactProgram, units: FloatArray) -> LinearProgram:
    """The program with rows for arcs, then row sums, then worst-case rows; P >= 0 are bounds."""
    size, width = program.size, program.width
    arcs = [(a, b, float(s)) for a, b, s in program.arcs if b >= 0]
    first, second = (np.array([arc[k] for arc in arcs], dtype=np.int64) for k in (0, 1))
    shares = np.array([arc[2] for arc in arcs])
    count = len(arcs)
    rows, columns, entries = [], [], []
    for z in range(width):
        here = z * count + np.arange(count)
        rows += [here, here, width * count + np.arange(size)]
        columns += [z * size + first, z * size + second, z * size + np.arange(size)]
        entries += [np.ones(count), -shares * units[z, second] / units[z, first], units[z]]
    unknowns, constraints = width * size, width * count + size
    costs = (floats(program.costs) * units).ravel()
    upper = np.concatenate([np.full(width * count, np.inf), np.ones(size)])
    lower = np.concatenate([np.zeros(width * count), np.ones(size)])
    least = np.zeros(unknowns)
    if program.losses is not None:
        losses = floats(program.losses) * units
        for z in range(width):
            rows.append(constraints + np.arange(size))
            columns.append(z * size + np.arange(size))
            entries.append(-losses[z])
        rows.append(constraints + np.arange(size))
        columns.append(np.full(size, unknowns))
        entries.append(np.ones(size))
        costs, least = np.append(0 * costs, 1.0), np.append(least, -np.inf)
        lower = np.concatenate([lower, np.zeros(size)])
        upper = np.concatenate([upper, np.full(size, np.inf)])
    return LinearProgram(
        costs * (1 / max(np.abs(costs).max(), np.finfo(float).tiny)),
        np.concatenate(rows), np.concatenate(columns), np.concatenate(entries),
        lower, upper, least, np.full(len(costs), np.inf))


def floats(table: Sequence[Sequence[object]]) -> FloatArray:
    """A table of numbers as doubles."""
    return np.array([[float(entry) for entry in row] for row in table])  # type: ignore[arg-type]


def tight_constraints(program: ExactProgram, basis: Any) -> list[Tight] | None:
    """The constraints outside a basis of HiGHS, if the row sums are among them."""
    columns, rows = basis.col_status, basis.row_status
    size, width = program.size, program.width
    count = sum(b >= 0 for _, b, _ in program.arcs)
    if len(rows) < width * count + size:
        return None
    loose = highspy.HighsBasisStatus.kBasic
    signs = {a: e for e, (a, b, _) in enumerate(program.arcs) if b < 0}
    listed = [e for e, (_, b, _) in enumerate(program.arcs) if b >= 0]
    tight: list[Tight] = [(z, signs[y]) for z in range(width) for y in range(size)
                          if columns[z * size + y] != loose]
    tight += [(z, listed[e]) for z in range(width) for e in range(count)
              if rows[z * count + e] != loose]
    if program.losses is not None:
        tight += [(-1, y) for y in range(size) if rows[width * count + size + y] != loose]
    return tight
