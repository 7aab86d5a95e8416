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
from numpy.typing import NDArray

from tightrope.errors import SolverFailed
from tightrope.exact import tolerances

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


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


def loaded(program: LinearProgram) -> Any:
    """HiGHS with the program, silent, and as precise as it goes.

    >>> one, none = np.ones(1), np.zeros(1)
    >>> p = LinearProgram(one, np.array([0]), np.array([0]), one, 2 * one, 9 * one, none, 9 * one)
    >>> outcome(loaded(p), 1.0).objective
    2.0
    """
    order = np.lexsort((program.rows, program.columns))
    counts = np.bincount(program.columns, minlength=len(program.costs))
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(program.costs), len(program.row_lower)
    model.col_cost_ = program.costs
    model.col_lower_, model.col_upper_ = _bounds(program.lower), _bounds(program.upper)
    model.row_lower_, model.row_upper_ = _bounds(program.row_lower), _bounds(program.row_upper)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.append(0, np.cumsum(counts))
    model.a_matrix_.index_ = program.rows[order]
    model.a_matrix_.value_ = program.entries[order]
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    for name in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        solver.setOptionValue(name, tolerances.PROGRAM_ERROR)
    solver.setOptionValue("small_matrix_value", tolerances.LEAST_ENTRY)
    solver.passModel(model)
    return solver


def outcome(solver: Any, seconds: float, *, rough: bool = False) -> LinearSolution:
    """What HiGHS finds within some seconds from where it stands; raises where that is nothing.

    With `rough`, solutions that miss their tolerances will do.
    """
    if np.isfinite(seconds):
        solver.setOptionValue("time_limit", max(0.0, float(seconds)))
    solver.run()
    status = solver.getModelStatus()
    good = [highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kUnknown][: 1 + rough]
    if status not in good:
        reason = solver.modelStatusToString(status).lower()
        raise SolverFailed(f"HiGHS did not solve a linear program: {reason}.")
    found = solver.getSolution()
    return LinearSolution(
        np.array(found.col_value),
        np.array(found.row_dual),
        float(solver.getInfo().objective_function_value),
    )


def _bounds(values: FloatArray) -> FloatArray:
    return np.clip(values, -highspy.kHighsInf, highspy.kHighsInf)
