"""True proportions, estimated from randomized rows.

If a share π_x of n rows holds x, the outputs occur with frequencies q = Pᵀπ on average. A
matrix B with P B = I turns observed frequencies into an estimate Bᵀq̂ that is right on
average, whatever π is. For a square P it is the inverse. With more outputs than inputs it is
the least-squares solution B = D⁻¹Pᵀ(P D⁻¹Pᵀ)⁻¹, where D holds the frequencies of the outputs
when all inputs are equally common: fixed weights, so the estimate stays right on average.
If no such B exists, some proportions leave no trace in the output, and they are named.

Intervals are normal. By default they are for the proportions in the table at hand, where
only the randomization is random; with `sampling` they are for the population that the rows
were drawn from. An estimate may leave [0, 1]; the ends of its interval are moved inside,
which never loses a true proportion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import Final, Protocol, TypeAlias

import flint
import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput, BadTable, CannotCheck, Infeasible
from tightrope.exact import tolerances
from tightrope.mechanisms import FiniteMechanism, KernelMechanism, MatrixMechanism, written_out
from tightrope.spaces import Label

FloatArray: TypeAlias = NDArray[np.float64]

LARGEST_EXACT: Final = 40_000
"""Entries of a matrix whose rank is decided exactly where doubles cannot tell."""


@dataclass(frozen=True)
class EstimateRow:
    """The estimated proportion of one value, and its interval cut to [0, 1]."""

    value: Label
    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class Estimate:
    """Estimated proportions of all values, from n randomized rows.

    `method` says how the mechanism was inverted, `sampling` what the intervals are for: the
    population that the rows were drawn from, or (False) the rows themselves.
    """

    rows: tuple[EstimateRow, ...]
    n: int
    confidence: float
    method: str
    sampling: bool


def estimate(
    counts: Sequence[int] | NDArray[np.integer],
    mechanism: FiniteMechanism,
    *,
    confidence: float = 0.95,
    sampling: bool = False,
) -> Estimate:
    """The proportions of the inputs, given how often each output was seen.

    Intervals take their variance from `estimate_variances` at the point π of the probability
    simplex that is nearest to the estimate, so that it is never negative.

    Parameters
    ----------
    counts
        One for each output of the mechanism, in its order.

    Raises
    ------
    BadTable
        If the counts do not fit the mechanism.
    Infeasible
        If the outputs do not determine the proportions; its `proof` lists the values.

    >>> from tightrope.spaces import parse
    >>> space, weights = parse("categories:no/yes"), (Fraction(1), Fraction(1))
    >>> response = KernelMechanism(space, Fraction(3), Fraction(1), weights)
    >>> for row in estimate([60, 40], response).rows:
    ...     print(row.value, f"{row.estimate:.2f} from {row.low:.2f} to {row.high:.2f}")
    no 0.70 from 0.53 to 0.87
    yes 0.30 from 0.13 to 0.47
    """
    if not 0 < confidence < 1:
        raise BadInput(f"expected a confidence between 0 and 1, found {confidence}.")
    seen = _frequencies(counts, mechanism)
    inverse = _inverse(mechanism)
    found = inverse.means(seen.shares)
    if np.isfinite(found).all():
        spread = np.sqrt(_variances(inverse, _nearest_law(found), seen.n, sampling))
    else:
        spread = found
    if not np.isfinite(spread).all():
        raise Infeasible(
            "nothing can be learned: some outputs are too rare for their counts to mean anything."
        )
    factor = NormalDist().inv_cdf((1 + confidence) / 2)
    low, high = (np.clip(found + side * factor * spread, 0, 1) for side in (-1, 1))
    rows = zip(mechanism.space.points, found.tolist(), low.tolist(), high.tolist(), strict=True)
    return Estimate(
        tuple(EstimateRow(*row) for row in rows), seen.n, confidence, inverse.method, sampling
    )


def estimate_variances(
    mechanism: FiniteMechanism,
    proportions: Sequence[float] | FloatArray,
    n: int,
    *,
    sampling: bool = False,
) -> FloatArray:
    """The variance of the estimate for every value, if the proportions were these.

    (1/n)(Σ_z q_z B[z,v]² - π_v), or with `sampling` (1/n)(Σ_z q_z B[z,v]² - π_v²).

    >>> from tightrope.spaces import parse
    >>> space, weights = parse("categories:no/yes"), (Fraction(1), Fraction(1))
    >>> response = KernelMechanism(space, Fraction(3), Fraction(1), weights)
    >>> estimate_variances(response, [0.5, 0.5], 100)
    array([0.0075, 0.0075])
    """
    law = np.asarray(proportions, dtype=np.float64)
    if law.shape != (mechanism.space.size,) or n < 1:
        raise BadInput(
            f"expected {mechanism.space.size} proportions and at least one row, "
            f"found {law.size} and {n}."
        )
    return _variances(_inverse(mechanism), law, n, sampling)


def _variances(inverse: _Inverse, law: FloatArray, n: int, sampling: bool) -> FloatArray:
    """As `estimate_variances`; what rounding leaves below zero is zero."""
    found = inverse.squares(law) - (law**2 if sampling else law)
    return np.asarray(np.maximum(found, 0) / n)


def _nearest_law(values: FloatArray) -> FloatArray:
    """The point of the probability simplex nearest to a vector.

    It is max(values - t, 0) for the one t that makes it add up to 1.

    >>> _nearest_law(np.array([0.75, 0.5, -0.25])).tolist()
    [0.625, 0.375, 0.0]
    """
    ordered = np.sort(values)[::-1]
    levels = (np.cumsum(ordered) - 1) / np.arange(1, len(values) + 1)
    kept = int(np.flatnonzero(ordered > levels)[-1])
    law = np.maximum(values - levels[kept], 0)
    return np.asarray(law / law.sum())


class _Inverse(Protocol):
    """A matrix B with P B = I, known through what is asked of it."""

    @property
    def method(self) -> str: ...

    def means(self, shares: FloatArray) -> FloatArray:
        """Σ_z shares_z B[z,v] for every v."""

    def squares(self, law: FloatArray) -> FloatArray:
        """Σ_x law_x Σ_z P[x,z] B[z,v]² for every v."""


@dataclass(frozen=True)
class _Written:
    """B written out, beside P."""

    P: FloatArray
    B: FloatArray
    method: str

    def means(self, shares: FloatArray) -> FloatArray:
        return shares @ self.B

    def squares(self, law: FloatArray) -> FloatArray:
        with np.errstate(over="ignore", invalid="ignore"):
            found: FloatArray = (law @ self.P) @ self.B**2
        return found


@dataclass(frozen=True)
class _Equidistant:
    """B for P[y,z] = w_z (f + (1-f) 1{y=z}) / N_y, by the Sherman–Morrison formula.

    B[z,v] = N_v (1{z=v} - c) / ((1-f) w_z) with c = f/(1 - f + k f).
    """

    weights: FloatArray
    normalizers: FloatArray
    far: float
    near: float
    shared: float
    method: str = "closed form of the inverse"

    def means(self, shares: FloatArray) -> FloatArray:
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            scaled = shares / self.weights
            found: FloatArray = self.normalizers / self.near * (scaled - self.shared * scaled.sum())
        return found

    def squares(self, law: FloatArray) -> FloatArray:
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            pulled = law / self.normalizers
            shares = self.weights * (self.far * pulled.sum() + self.near * pulled)
            scaled = shares / self.weights**2
            inner = (1 - 2 * self.shared) * scaled + self.shared**2 * scaled.sum()
            found: FloatArray = (self.normalizers / self.near) ** 2 * inner
        return found


@dataclass(frozen=True)
class _Seen:
    shares: FloatArray
    n: int


def _frequencies(counts: Sequence[int] | NDArray[np.integer], mechanism: FiniteMechanism) -> _Seen:
    """Checked counts as shares of their total."""
    held = np.asarray(counts)
    expected = len(mechanism.outputs)
    if held.shape != (expected,):
        raise BadTable(
            f"expected a count for each of the {expected} outputs, found {held.size} counts."
        )
    if not np.issubdtype(held.dtype, np.integer) or (held < 0).any():
        raise BadTable("expected counts that are whole numbers and not negative.")
    n = int(held.sum())
    if n == 0:
        raise BadTable("there is nothing to estimate from: all counts are zero.")
    impossible = _never(mechanism) & (held > 0)
    if impossible.any():
        label = mechanism.outputs[int(np.argmax(impossible))]
        raise BadTable(f"the mechanism never gives {label!r}; these counts are of another one.")
    return _Seen(held / n, n)


def _never(mechanism: FiniteMechanism) -> NDArray[np.bool_]:
    """Which outputs have probability zero for every input."""
    if isinstance(mechanism, KernelMechanism):
        return np.array([w == 0 for w in mechanism.weights])
    never: NDArray[np.bool_] = (mechanism.weights.mantissas == 0).all(axis=0)
    return never


def _inverse(mechanism: FiniteMechanism) -> _Inverse:
    if isinstance(mechanism, KernelMechanism) and mechanism.equidistant:
        return _closed_form(mechanism)
    return _solved(written_out(mechanism))


def _closed_form(mechanism: KernelMechanism) -> _Inverse:
    if min(mechanism.weights) == 0:
        raise _nothing_about(mechanism.space.points)
    size = mechanism.space.size
    (step,) = mechanism.steps([mechanism.space.diameter])
    far = mechanism.ratio**-step
    return _Equidistant(
        np.array([float(w) for w in mechanism.weights]),
        np.array([float(total) for total in mechanism.normalizers]),
        float(far),
        float(1 - far),
        float(far / (1 - far + size * far)),
    )


def _solved(mechanism: MatrixMechanism) -> _Inverse:
    """B by doubles where P B = I comes out well, else exactly."""
    P = mechanism.weights.floats
    size, outputs = P.shape
    square = size == outputs
    method = "inverse" if square else "least squares, weighted for equally common values"
    B = _in_doubles(P) if size <= outputs else None
    if B is None:
        if P.size > LARGEST_EXACT:
            raise CannotCheck(
                f"whether a mechanism with {size} inputs and {outputs} outputs determines the "
                f"proportions is too close to call in doubles, and decided exactly only up to "
                f"{LARGEST_EXACT:,} entries."
            )
        B = _exactly(mechanism)
    return _Written(P, B, method)


def _in_doubles(P: FloatArray) -> FloatArray | None:
    size, outputs = P.shape
    try:
        if size == outputs:
            B = np.linalg.solve(P, np.eye(size))
        else:
            frequencies = P.sum(axis=0)
            lifted = np.divide(P, frequencies, out=np.zeros_like(P), where=frequencies > 0)
            B = np.linalg.solve(P @ lifted.T, lifted).T
    except np.linalg.LinAlgError:
        return None
    if not np.isfinite(B).all():
        return None
    residual = float(np.abs(P @ B - np.eye(size)).max())
    return B.astype(np.float64) if residual <= tolerances.ROW_TOTAL_ERROR else None


def _exactly(mechanism: MatrixMechanism) -> FloatArray:
    """B by exact arithmetic, or `Infeasible` with the values it does not exist for."""
    rows = [mechanism.row(i) for i in range(mechanism.space.size)]
    P = flint.fmpq_mat([[_rational(p) for p in row] for row in rows])
    lost = _undetermined(P)
    if lost:
        raise _nothing_about([mechanism.space.points[i] for i in lost])
    bits = 128
    while True:  # B exists, so enough bits find it
        with flint.ctx.workprec(bits):
            try:
                B = _in_balls(P)
            except ZeroDivisionError:
                B = None
            if B is not None and _settled(B):
                return np.array([[float(entry.mid()) for entry in row] for row in B.table()])
        bits *= 2


def _in_balls(P: flint.fmpq_mat) -> flint.arb_mat:
    """Balls around the entries of B, at the working precision."""
    matrix = flint.arb_mat(P)
    if P.nrows() == P.ncols():
        return matrix.inv()
    totals = [sum(column, flint.fmpq(0)) for column in P.transpose().table()]
    rows = [[p / t if t != 0 else 0 for p, t in zip(row, totals, strict=True)] for row in P.table()]
    lifted = flint.arb_mat(flint.fmpq_mat(rows))
    return (matrix * lifted.transpose()).solve(lifted).transpose()


def _settled(B: flint.arb_mat) -> bool:
    """Whether every ball is small beside the largest entry, by more than a double can tell."""
    entries = [entry for row in B.table() for entry in row]
    largest = max(abs(entry.mid()) for entry in entries)
    return all(bool(entry.rad() * 2**60 <= largest) for entry in entries)


def _undetermined(P: flint.fmpq_mat) -> list[int]:
    """The inputs v for which no column b has P b = e_v: some u with uᵀP = 0 has u_v ≠ 0."""
    reduced, rank = P.transpose().rref()
    size = P.nrows()
    if rank == size:
        return []
    pivots = [next(j for j in range(size) if reduced[i, j] != 0) for i in range(rank)]
    free = [j for j in range(size) if j not in set(pivots)]
    moved = [pivot for i, pivot in enumerate(pivots) if any(reduced[i, j] != 0 for j in free)]
    return sorted(free + moved)


def _nothing_about(values: Sequence[Label]) -> Infeasible:
    listed = ", ".join(str(value) for value in values[:5])
    more = f" and {len(values) - 5} more" if len(values) > 5 else ""
    return Infeasible(
        f"nothing can be learned about the proportions of {listed}{more}: other proportions "
        "give the outputs the same probabilities.",
        proof=tuple(values),
    )


def _rational(value: Fraction) -> flint.fmpq:
    return flint.fmpq(value.numerator, value.denominator)
