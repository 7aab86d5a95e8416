"""The unbiased estimator of a design, exactly.

If π are the shares of the true answers, responses occur with frequencies q = Pᵀπ. A matrix B
with P B = I gives the unbiased estimate Bᵀq̂: the inverse of a square P, else the weighted
least-squares solution B = D⁻¹Pᵀ(P D⁻¹Pᵀ)⁻¹ with D the frequencies for equal shares. With one
respondent, the estimate of π_v has E[B²] = Σ_x π_x S[x][v], S[x][v] = Σ_z P[x][z] B[z][v]².
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import flint

Rows = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class Inversion:
    """B (responses × answers) and S (answers × answers) of a design, exactly."""

    estimator: Rows
    squares: Rows


def determines(rows: Sequence[Sequence[Fraction]]) -> bool:
    """Whether the responses determine the shares of the answers: the rows are independent."""
    return bool(_matrix(rows).rank() == len(rows))


@lru_cache(maxsize=256)
def inversion(rows: Rows) -> Inversion:
    """B and S of a matrix with independent rows.

    >>> quarter = Fraction(1, 4)
    >>> found = inversion(((1 - quarter, quarter), (quarter, 1 - quarter)))
    >>> found.estimator[1]
    (Fraction(-1, 2), Fraction(3, 2))
    """
    P = _matrix(rows)
    if P.nrows() == P.ncols():
        B = P.inv()
    else:
        totals = [sum(column) for column in zip(*rows, strict=True)]
        lifted = _matrix([[p / t if t else t for p, t in zip(row, totals, strict=True)]
                          for row in rows])
        B = (P * lifted.transpose()).solve(lifted).transpose()
    estimator = _rows(B)
    squared = [[b * b for b in row] for row in estimator]
    return Inversion(estimator, _rows(P * _matrix(squared)))


def _matrix(rows: Sequence[Sequence[Fraction]]) -> flint.fmpq_mat:
    return flint.fmpq_mat([[flint.fmpq(p.numerator, p.denominator) for p in row] for row in rows])


def _rows(matrix: flint.fmpq_mat) -> Rows:
    return tuple(tuple(Fraction(int(p.p), int(p.q)) for p in row) for row in matrix.table())
