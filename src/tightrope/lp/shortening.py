"""Linear programs without their slacks, which leave their rows as bounds.

Slacks are columns of one entry that cost nothing. The simplex method needs a third of the steps
without them. A basis says which columns and rows are basic, with slacks or without.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

from tightrope.exact import FloatArray, IntArray, tolerances
from tightrope.lp.programs import LinearProgram, load_program, outcome

_DUAL, _PRIMAL = 1, 4
"""HiGHS's names of the simplex methods; the primal one goes on from where x is feasible."""


@dataclass(frozen=True, eq=False)
class Basis:
    """Which columns and which rows are basic: as many in all as there are rows.

    `feasible` says whether their x is.
    """

    columns: NDArray[np.bool_]
    rows: NDArray[np.bool_]
    feasible: bool = True

    def for_highs(self) -> Any:
        """The basis as HiGHS has it, where nothing is at an upper bound."""
        return _highs_basis(self.columns, self.rows, np.zeros_like(self.rows))


class ShortProgram:
    """HiGHS with a program A x = b, of which slacks are left out; costs are those it starts with.

    There is one slack for each row, at most: a column of one positive entry, without cost.
    """

    def __init__(
        self, rows: IntArray, columns: IntArray, entries: FloatArray, costs: FloatArray,
        free: NDArray[np.bool_], height: int,
    ) -> None:
        alone = np.bincount(columns, minlength=len(costs)) == 1
        single = (alone & (costs == 0) & ~free)[columns] & (entries > 0)
        places = np.full(height, -1)
        places[rows[single]] = np.flatnonzero(single)
        places = places[places >= 0]
        self.at, self.tied, self.sizes = columns[places], rows[places], entries[places]
        self.others = np.ones(len(costs), dtype=np.bool_)
        self.others[self.at] = False
        kept = self.others[columns]
        self.rows, self.columns, self.entries = rows[kept], columns[kept], entries[kept]
        zero, none = np.zeros(height), np.zeros(int(self.others.sum()))
        self.solver = load_program(
            LinearProgram(
                costs[self.others], self.rows, (np.cumsum(self.others) - 1)[self.columns],
                self.entries, zero, zero, none, none + np.inf,
            ),
            least=tolerances.LEAST_ENTRY,
        )

    def solve(
        self, lower: FloatArray, totals: FloatArray, seconds: float
    ) -> tuple[FloatArray, FloatArray]:
        """Values of all columns and prices of rows, for other lower bounds and totals."""
        least, most = totals.copy(), totals.copy()
        least[self.tied] = -highspy.kHighsInf
        most[self.tied] -= self.sizes * lower[self.at]
        wide, high = int(self.others.sum()), len(totals)
        upper = np.full(wide, highspy.kHighsInf)
        columns, rows = np.arange(wide, dtype=np.int32), np.arange(high, dtype=np.int32)
        self.solver.changeColsBounds(wide, columns, lower[self.others], upper)
        self.solver.changeRowsBounds(high, rows, least, most)
        end = monotonic() + seconds
        solution = outcome(self.solver, seconds, rough=True)
        self.solver.setOptionValue("simplex_strategy", _DUAL)
        if self.solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            solution = outcome(self.solver, end - monotonic(), rough=True)
        values = np.empty(len(lower))
        values[self.others] = solution.values
        used = np.bincount(self.rows, self.entries * values[self.columns], minlength=high)
        left = (totals - used)[self.tied] / self.sizes
        values[self.at] = np.maximum(lower[self.at], left)
        return values, solution.prices

    def start_at(self, basis: Basis) -> None:
        """Begin at a basis of the program with slacks."""
        rows, upper = basis.rows.copy(), np.zeros_like(basis.rows)
        rows[self.tied] = basis.columns[self.at]
        upper[self.tied] = True
        if basis.feasible:
            self.solver.setOptionValue("simplex_strategy", _PRIMAL)
        self.solver.setBasis(_highs_basis(basis.columns[self.others], rows, upper))

    def basis(self) -> Basis:
        """The basis of the program with slacks where the solver stands."""
        basis = self.solver.getBasis()
        rows, columns = _basic(basis.row_status), np.zeros(len(self.others), dtype=np.bool_)
        columns[self.others] = _basic(basis.col_status)
        columns[self.at] = rows[self.tied]
        rows[self.tied] = False
        return Basis(columns, rows)


def _highs_basis(
    columns: NDArray[np.bool_], rows: NDArray[np.bool_], upper: NDArray[np.bool_]
) -> Any:
    kinds = highspy.HighsBasisStatus
    basis = highspy.HighsBasis()
    basis.col_status = [kinds.kBasic if basic else kinds.kLower for basic in columns.tolist()]
    others = [kinds.kUpper if above else kinds.kLower for above in upper.tolist()]
    basis.row_status = [
        kinds.kBasic if basic else other for basic, other in zip(rows.tolist(), others, strict=True)
    ]
    return basis


def _basic(kinds: Any) -> NDArray[np.bool_]:
    return np.array([kind == highspy.HighsBasisStatus.kBasic for kind in kinds], dtype=np.bool_)
