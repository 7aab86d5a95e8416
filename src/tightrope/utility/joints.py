"""Joint proportions of several columns whose rows were randomized independently.

If column a went through P and column b through Q, the pair went through their product, and is
undone by the product of both inverses: the estimate for (u, v) is the mean of f_u(a) g_v(b) over
rows, f and g being what each row adds to the two estimates. Second moments multiply as well, and
so it goes on for more columns. Nothing of the size of the product is ever inverted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import product
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tightrope.choices import Estimator, Interval, member_of
from tightrope.errors import BadInput, BadTable, TooLarge
from tightrope.exact import FloatArray
from tightrope.mechanisms import FiniteMechanism, ReportMechanism
from tightrope.spaces import Label
from tightrope.utility.count_intervals import Chances
from tightrope.utility.estimation import Estimate, FoundShares, HowIntervals
from tightrope.utility.inversion import ReportInverse, matrix_inverse
from tightrope.utility.priors import PriorLike, expected_shares
from tightrope.utility.tallies import Tally

MOST_JOINT: Final = 10_000
"""Combinations of values: the moments of a hundred beside a hundred stay within megabytes."""


@dataclass(frozen=True)
class _Factor:
    """One column: what a row adds to its estimates is linear in what was seen of the row.

    `rows` maps an output (or the bits of a report and a last 1) to its addends, `moments` are
    S[x,v] as in `Inverse`, `low` and `high` the ends of each addend.
    """

    points: Sequence[Label]
    rows: FloatArray
    moments: FloatArray
    low: FloatArray
    high: FloatArray

    @classmethod
    def of(cls, mechanism: FiniteMechanism | ReportMechanism, prior: PriorLike) -> _Factor:
        points, size = mechanism.space.points, mechanism.space.size
        if isinstance(mechanism, ReportMechanism):
            p, q = float(mechanism.held), float(mechanism.added)
            inverse = ReportInverse(p, q, size)
            others = np.broadcast_to(inverse.largest_other(), (size, size))
            moments = np.where(np.eye(size, dtype=bool), inverse.own(), others)
            bits = np.vstack([np.eye(size), np.full(size, -q)]) / (p - q)
            low, high = np.full(size, -q / (p - q)), np.full(size, (1 - q) / (p - q))
            return cls(points, bits, moments, low, high)
        P, B = matrix_inverse(mechanism, expected_shares(prior, mechanism.space))
        given = B[P.any(axis=0)]
        return cls(points, B, P @ B**2, given.min(axis=0), given.max(axis=0))


@dataclass(frozen=True)
class _ProductInverse:
    """The inverse of a product; values are tuples, those of the last column varying first."""

    factors: tuple[_Factor, ...]
    method: str = "product of the inverses of all columns"

    def means(self, shares: FloatArray) -> FloatArray:
        """Σ_z shares_z B[z,v], for shares of tuples of outputs with an axis for each column."""
        return self._along([factor.rows for factor in self.factors], shares)

    def own(self) -> FloatArray:
        return _outer([factor.moments.diagonal() for factor in self.factors])

    def others(self, law: FloatArray) -> FloatArray:
        joint = law.reshape([len(factor.points) for factor in self.factors])
        total = self._along([factor.moments for factor in self.factors], joint)
        return np.asarray(total - law * self.own())

    def largest_other(self) -> FloatArray:
        """The largest product of moments in which some factor is of another value."""
        choices = list(product(*map(_own_and_other, self.factors)))
        return np.asarray(np.max([_outer(chosen) for chosen in choices[1:]], axis=0))

    def steps(self) -> FloatArray:
        ends = [_outer(chosen) for chosen in product(
            *((factor.low, factor.high) for factor in self.factors))]
        return np.asarray(np.max(ends, axis=0) - np.min(ends, axis=0))

    def chances(self) -> Chances | None:
        return None

    @cached_property
    def points(self) -> tuple[Label, ...]:
        return tuple(product(*(factor.points for factor in self.factors)))

    def _along(self, matrices: Sequence[FloatArray], cells: FloatArray) -> FloatArray:
        """Cells with every axis taken through its matrix, as one row."""
        for matrix in matrices:  # the first axis is used up, the new one comes last
            cells = np.tensordot(cells, matrix, axes=(0, 0))
        return np.asarray(cells).ravel()


def _outer(vectors: Sequence[FloatArray]) -> FloatArray:
    return np.asarray(reduce(np.outer, vectors)).ravel()


def _own_and_other(factor: _Factor) -> tuple[FloatArray, FloatArray]:
    """S[v,v], and the largest S[x,v] with x ≠ v."""
    own = factor.moments.diagonal()
    beside = np.where(np.eye(len(own), dtype=bool), 0.0, factor.moments)
    return own, np.asarray(beside.max(axis=0))


def check_joint(sizes: Sequence[int]) -> None:
    """Refuse one column alone, or more combinations of values than are estimated."""
    if len(sizes) < 2:
        raise BadInput(f"a joint table needs at least two columns, found {len(sizes)}.")
    if prod(sizes) > MOST_JOINT:
        raise TooLarge("the number of combinations of values", prod(sizes), MOST_JOINT,
                       "use fewer columns or values")


def estimate_joint(
    counts: NDArray[np.integer],
    n: int,
    *mechanisms: FiniteMechanism | ReportMechanism,
    confidence: float = 0.95,
    sampling: bool = False,
    interval: Interval | str | None = None,
    estimator: Estimator | str = Estimator.SIMPLEX,
    priors: Sequence[PriorLike] | None = None,
) -> Estimate:
    """The proportion of each combination of values of columns randomized independently.

    Parameters
    ----------
    counts
        How many of the n rows have each combination of outputs, with an axis for each column. A
        report of a set counts for each value that it holds, and once more in a last place of its
        axis, for the report itself.
    mechanisms
        The mechanism of a row of each column, at least two.
    priors
        The expected proportions of each column, as of `estimate`.

    Returns
    -------
    Estimate
        Its `rows` have a tuple of values each; those of the last column vary first.

    Raises
    ------
    BadTable
        If the counts do not fit the mechanisms.
    BadInput
        If the confidence is not between 0 and 1, or the most likely proportions are asked for.
    TooLarge
        For more than 10,000 combinations.

    >>> from fractions import Fraction
    >>> from tightrope.mechanisms import MatrixMechanism
    >>> from tightrope.spaces import categories
    >>> coin = MatrixMechanism.of([["3/4", "1/4"], ["1/4", "3/4"]], categories(("no", "yes")))
    >>> counts = np.array([[36, 19], [19, 26]])
    >>> for row in estimate_joint(counts, 100, coin, coin).rows:
    ...     print(row.value, f"{row.estimate:.2f} from {row.low:.2f} to {row.high:.2f}")
    ('no', 'no') 0.59 from 0.37 to 0.87
    ('no', 'yes') 0.01 from 0.00 to 0.27
    ('yes', 'no') 0.01 from 0.00 to 0.27
    ('yes', 'yes') 0.39 from 0.19 to 0.65
    """
    chosen = member_of(Estimator, estimator)
    how = HowIntervals.of(confidence, interval, sampling)
    check_joint([mechanism.space.size for mechanism in mechanisms])
    if chosen is Estimator.LIKELIHOOD:
        raise BadInput("the most likely proportions are those of one column; use simplex for more.")
    expected_laws = [None] * len(mechanisms) if priors is None else list(priors)
    if len(expected_laws) != len(mechanisms):
        raise BadInput(f"expected a prior for each of {len(mechanisms)} columns, found "
                       f"{len(expected_laws)}.")
    inverse = _ProductInverse(tuple(map(_Factor.of, mechanisms, expected_laws)))
    expected = tuple(len(factor.rows) for factor in inverse.factors)
    array = np.asarray(counts)
    if array.shape != expected or not np.issubdtype(array.dtype, np.integer) or (array < 0).any():
        raise BadTable(f"expected {' by '.join(map(str, expected))} counts, found {array.shape}.")
    if n < 1:
        raise BadTable("there is nothing to estimate from: all counts are zero.")
    shares = inverse.means(array / n)
    return FoundShares(inverse.points, inverse, Tally((), n, float(n)), shares).report(how, chosen)
