"""Sparse linear programs, solved by HiGHS.

    minimize ⟨c, x⟩  subject to  a <= A x <= b,  l <= x <= u.

The answer carries the price of every row. Both are floating-point numbers: whoever needs a
proof makes one from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import highspy
import numpy as np

from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, IntArray, tolerances

_GLANCE = 0.2
"""Seconds between looks at whether Ctrl-C was pressed: short for people, long for a processor."""


@dataclass(frozen=True, eq=False)
class LinearProgram:
    """The data of a program; entry k of the matrix is `entries[k]` at (`rows[k]`, `columns[k]`)."""

    costs: FloatArray
    rows: IntArray
    columns: IntArray
    entries: FloatArray
    row_lower: FloatArray
    row_upper: FloatArray
    lower: FloatArray
    upper: FloatArray


@dataclass(frozen=True, eq=False)
class LinearSolution:
    """A solution, its objective, and the price of every row."""

    values: FloatArray
    prices: FloatArray
    objective: float


def solve(
    program: LinearProgram,
    *,
    tolerance: float = tolerances.PROGRAM_ERROR,
    seconds: float = np.inf,
    inner: bool = False,
) -> LinearSolution:
    """The solution of a program that has one, feasible within the tolerance.

    With `inner` an interior-point method finds it, at no vertex: large programs take seconds.

    >>> one, none = np.ones(1), np.zeros(1)
    >>> p = LinearProgram(one, np.array([0]), np.array([0]), one, 2 * one, 9 * one, none, 9 * one)
    >>> solve(p).objective
    2.0
    """
    solver = load_program(program, tolerance)
    if inner:
        for name, option in (("solver", "ipm"), ("run_crossover", "off"), ("threads", 1)):
            solver.setOptionValue(name, option)
        solver.setOptionValue("ipm_optimality_tolerance", tolerance)
    return outcome(solver, seconds, rough=inner)


def basic_columns(program: LinearProgram, *, tolerance: float) -> list[int]:
    """The columns in the basis in which HiGHS ends, optimal or not; the rest of it are rows.

    >>> one, none = np.ones(1), np.zeros(1)
    >>> p = LinearProgram(one, np.array([0]), np.array([0]), one, 2 * one, 9 * one, none, 9 * one)
    >>> basic_columns(p, tolerance=tolerances.PROGRAM_ERROR)
    [0]
    """
    solver = load_program(program, tolerance)
    solver.run()
    status = solver.getBasis().col_status
    return [j for j, kind in enumerate(status) if kind == highspy.HighsBasisStatus.kBasic]


def load_program(
    program: LinearProgram,
    tolerance: float = tolerances.PROGRAM_ERROR,
    *,
    least: float = tolerances.SOLVER_ENTRY,
) -> Any:
    """HiGHS with the program, silent; entries that stand column by column keep their order.

    Entries below `least` are dropped.
    """
    rows, columns, entries = program.rows, program.columns, program.entries
    if np.any(columns[1:] < columns[:-1]):
        order = np.lexsort((rows, columns))
        rows, columns, entries = rows[order], columns[order], entries[order]
    counts = np.bincount(columns, minlength=len(program.costs))
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(program.costs), len(program.row_lower)
    model.col_cost_ = program.costs
    model.col_lower_, model.col_upper_ = _bounds(program.lower), _bounds(program.upper)
    model.row_lower_, model.row_upper_ = _bounds(program.row_lower), _bounds(program.row_upper)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.append(0, np.cumsum(counts))
    model.a_matrix_.index_ = rows
    model.a_matrix_.value_ = entries
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    for name in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        solver.setOptionValue(name, tolerance)
    solver.setOptionValue("small_matrix_value", least)
    solver.passModel(model)
    return solver


def outcome(solver: Any, seconds: float, *, rough: bool = False) -> LinearSolution:
    """The solution that HiGHS finds from where it stands within some seconds, or `SolverFailed`.

    With `rough`, solutions that miss their tolerances will do, and Ctrl-C ends the search.
    """
    if np.isfinite(seconds):
        solver.setOptionValue("time_limit", max(0.0, float(seconds)))
    if rough:
        _run_until_interrupted(solver)
    else:
        solver.run()
    status = solver.getModelStatus()
    good = [highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kUnknown][: 1 + rough]
    if status not in good:
        reason = solver.modelStatusToString(status).lower()
        raise SolverFailed(f"HiGHS did not solve a linear program: {reason}.")
    solution = solver.getSolution()
    return LinearSolution(
        np.array(solution.col_value),
        np.array(solution.row_dual),
        float(solver.getInfo().objective_function_value),
    )


def limit_steps(solver: Any, steps: int) -> None:
    """Let HiGHS fail after so many steps of the simplex method for each row and column."""
    most = steps * (solver.getNumRow() + solver.getNumCol())
    solver.setOptionValue("simplex_iteration_limit", most)


def _run_until_interrupted(solver: Any) -> None:
    """Run HiGHS in a thread of its own; Ctrl-C ends it within a moment, and is raised."""
    solver.HandleUserInterrupt = True
    solver.startSolve()
    try:
        while not solver.wait(_GLANCE)[0]:
            pass
    except KeyboardInterrupt:
        solver.cancelSolve()
        solver.wait()
        raise


def _bounds(values: FloatArray) -> FloatArray:
    return np.clip(values, -highspy.kHighsInf, highspy.kHighsInf)
