"""How randomization is undone: a matrix B with P B = I, for a mechanism with the rows P.

Frequencies q = Pᵀπ of the outputs follow from proportions π of the inputs. For a square P, B
is the inverse. With more outputs than inputs it is the least-squares solution
B = D⁻¹Pᵀ(P D⁻¹Pᵀ)⁻¹, where D holds the frequencies of the outputs at expected shares of the
inputs, equal ones if none are stated. At those shares no unbiased estimate varies less; at all
others it is unbiased too. Where all points are equally far apart neither is written out.
Estimates use doubles; plans for a small matrix use exact fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Final, Protocol, TypeAlias, TypeVar

import flint
import numpy as np

from tightrope.errors import CannotCheck, Infeasible
from tightrope.exact import FloatArray, from_flint, to_flint, tolerances
from tightrope.mechanisms import FiniteMechanism, KernelMechanism, MatrixMechanism, written_out
from tightrope.spaces import Label
from tightrope.utility.count_intervals import Chances

Rows: TypeAlias = tuple[tuple[Fraction, ...], ...]
Shares: TypeAlias = tuple[Fraction, ...]
FlintMatrix = TypeVar("FlintMatrix", flint.fmpq_mat, flint.arb_mat)

LARGEST_EXACT: Final = 40_000
"""Most entries of a matrix inverted exactly where doubles fail: exact arithmetic is slow."""


class Inverse(Protocol):
    """A matrix B with P B = I, through the products and moments that estimates need.

    S[x,v] = Σ_z P[x,z] B[z,v]² is the second moment of the estimate for v from one row that
    holds x; `own` is its diagonal.
    """

    @property
    def method(self) -> str: ...

    def means(self, shares: FloatArray) -> FloatArray:
        """Σ_z shares_z B[z,v] for every v."""

    def own(self) -> FloatArray:
        """S[v,v] for every v."""

    def others(self, law: FloatArray) -> FloatArray:
        """Σ_{x≠v} law_x S[x,v] for every v."""

    def largest_other(self) -> FloatArray:
        """The largest S[x,v] with x ≠ v, for every v."""

    def steps(self) -> FloatArray:
        """The largest difference of two B[z,v], for every v: the most that one row changes."""

    def chances(self) -> Chances | None:
        """The chances of one count for every value, if each estimate follows such a count."""


@dataclass(frozen=True)
class _MatrixInverse:
    """B written out, beside P."""

    P: FloatArray
    B: FloatArray
    method: str

    @cached_property
    def moments(self) -> FloatArray:
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(self.P @ self.B**2)

    def means(self, shares: FloatArray) -> FloatArray:
        return shares @ self.B

    def own(self) -> FloatArray:
        return self.moments.diagonal()

    def others(self, law: FloatArray) -> FloatArray:
        return law @ self._beside

    def largest_other(self) -> FloatArray:
        return np.asarray(self._beside.max(axis=0))

    def steps(self) -> FloatArray:
        given = self.B[self.P.any(axis=0)]
        return np.asarray(given.max(axis=0) - given.min(axis=0))

    def chances(self) -> Chances | None:
        """B[z,v] must have two values in z, and other inputs one chance of the larger value."""
        if len(self.P) < 2:
            return None
        given = self.P.any(axis=0)
        P, B = self.P[:, given], self.B[given]
        least, most = B.min(axis=0), B.max(axis=0)
        larger = np.greater(B, (least + most) / 2)
        off = np.abs(B - np.where(larger, most, least)) / (most - least)
        if not (off <= tolerances.ROW_TOTAL_ERROR).all():
            return None
        counted = P @ larger
        others = np.where(np.eye(len(P), dtype=bool), np.nan, counted)
        other = np.nanmax(others, axis=0)
        same = np.nanmax(other - others) <= tolerances.ROW_TOTAL_ERROR
        return Chances(counted.diagonal(), other) if same else None

    @cached_property
    def _beside(self) -> FloatArray:
        """S with zeros on its diagonal."""
        return np.where(np.eye(len(self.moments), dtype=bool), 0.0, self.moments)


@dataclass(frozen=True)
class _EquidistantInverse:
    """B for P[y,z] = w_z (f + (1-f) 1{y=z}) / N_y, by the Sherman–Morrison formula.

    B[z,v] = N_v (1{z=v} - c) / ((1-f) w_z) with c = f/(1 - f + k f), and for x ≠ v
    S[x,v] = (N_v/(1-f))² (f (1-2c)/w_v + f c² Σ_z 1/w_z + (1-f) c²/w_x) / N_x.
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
            centered = scaled - self.shared * scaled.sum()
            return np.asarray(self.normalizers / self.near * centered)

    def own(self) -> FloatArray:
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            inverse = 1 / self.weights
            inner = (1 - self.shared) ** 2 * inverse
            inner += self.far * self.shared**2 * (inverse.sum() - inverse)
            return np.asarray(self.normalizers / self.near**2 * inner)

    def others(self, law: FloatArray) -> FloatArray:
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            pulled = law / self.normalizers
            spread = pulled / self.weights
            return self._second(pulled.sum() - pulled, spread.sum() - spread)

    def largest_other(self) -> FloatArray:
        # it falls with w_x, so that x is the value of the least weight, or the next one
        first, second = np.argpartition(self.weights, 1)[:2]
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            x = np.full(len(self.weights), first)
            x[first] = second
            pulled = 1 / self.normalizers[x]
            return self._second(pulled, pulled / self.weights[x])

    def steps(self) -> FloatArray:
        first, second = np.argpartition(self.weights, 1)[:2]
        lightest = np.full(len(self.weights), self.weights[first])
        lightest[first] = self.weights[second]
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            both = (1 - self.shared) / self.weights + self.shared / lightest
            return np.asarray(self.normalizers / self.near * both)

    def chances(self) -> Chances | None:
        if len(self.weights) > 2 and np.ptp(self.weights):
            return None
        own = self.weights / self.normalizers
        beside = self.normalizers[::-1] if len(self.weights) == 2 else self.normalizers
        return Chances(own, self.far * self.weights / beside)

    def _second(self, pulled: FloatArray, spread: FloatArray) -> FloatArray:
        """Sums of S[x,v], given those of 1/N_x and 1/(N_x w_x)."""
        inverse = 1 / self.weights
        shown = self.far * ((1 - 2 * self.shared) * inverse + self.shared**2 * inverse.sum())
        inner = shown * pulled + self.near * self.shared**2 * spread
        return np.asarray((self.normalizers / self.near) ** 2 * inner)


@dataclass(frozen=True)
class ReportInverse:
    """B for reports of sets, which hold the truth with probability p and others with q.

    B[S,v] = (1{v in S} - q)/(p - q); `means` takes the share of reports that hold each value.
    """

    held: float
    added: float
    size: int
    method: str = "shares of reports that hold a value"

    def means(self, shares: FloatArray) -> FloatArray:
        return np.asarray((shares - self.added) / (self.held - self.added))

    def own(self) -> FloatArray:
        p, q = self.held, self.added
        return np.full(self.size, (p * (1 - q) ** 2 + (1 - p) * q**2) / (p - q) ** 2)

    def others(self, law: FloatArray) -> FloatArray:
        return (1 - law) * self.largest_other()

    def largest_other(self) -> FloatArray:
        p, q = self.held, self.added
        return np.full(self.size, q * (1 - q) / (p - q) ** 2)

    def steps(self) -> FloatArray:
        return np.full(self.size, 1 / (self.held - self.added))

    def chances(self) -> Chances | None:
        return Chances(np.full(self.size, self.held), np.full(self.size, self.added))


def inverse_of(mechanism: FiniteMechanism, prior: Shares | None = None) -> Inverse:
    """B for a mechanism; raises `Infeasible` with the values it does not exist for."""
    if isinstance(mechanism, KernelMechanism) and mechanism.equidistant:
        return _closed_form(mechanism)
    return _numeric_inverse(written_out(mechanism), prior)


def _closed_form(mechanism: KernelMechanism) -> Inverse:
    if min(mechanism.weights) == 0:
        raise _undetermined_error(mechanism.space.points)
    size = mechanism.space.size
    (step,) = mechanism.steps([mechanism.space.diameter])
    far = mechanism.ratio**-step
    return _EquidistantInverse(
        np.array([float(w) for w in mechanism.weights]),
        np.array([float(total) for total in mechanism.normalizers]),
        float(far),
        float(1 - far),
        float(far / (1 - far + size * far)),
    )


def _numeric_inverse(mechanism: MatrixMechanism, prior: Shares | None) -> Inverse:
    """B by doubles where P B = I comes out well, else exactly."""
    P, B = matrix_inverse(mechanism, prior)
    weighted = "equally common values" if prior is None else "the expected shares"
    method = "inverse" if len(P) == len(B) else f"least squares, weighted for {weighted}"
    return _MatrixInverse(P, B, method)


def matrix_inverse(
    mechanism: FiniteMechanism, prior: Shares | None = None
) -> tuple[FloatArray, FloatArray]:
    """P and B, both written out; raises `Infeasible` with the values B does not exist for."""
    written = written_out(mechanism)
    P = written.weights.floats
    size, outputs = P.shape
    B = _float_inverse(P, _common(prior, size)) if size <= outputs else None
    if B is None:
        if P.size > LARGEST_EXACT:
            raise CannotCheck(
                f"whether a mechanism with {size} inputs and {outputs} outputs determines the "
                f"proportions is too close to call in doubles, and decided exactly only up to "
                f"{LARGEST_EXACT:,} entries."
            )
        B = _exact_floats(written, _common(prior, size))
    return P, B


def _float_inverse(P: FloatArray, common: Shares) -> FloatArray | None:
    size, outputs = P.shape
    try:
        if size == outputs:
            B = np.linalg.solve(P, np.eye(size))
        else:
            frequencies = np.array([float(share) for share in common]) @ P
            lifted = np.divide(P, frequencies, out=np.zeros_like(P), where=frequencies > 0)
            B = np.linalg.solve(P @ lifted.T, lifted).T
    except np.linalg.LinAlgError:
        return None
    if not np.isfinite(B).all():
        return None
    residual = float(np.abs(P @ B - np.eye(size)).max())
    return B.astype(np.float64) if residual <= tolerances.ROW_TOTAL_ERROR else None


def _exact_floats(mechanism: MatrixMechanism, common: Shares) -> FloatArray:
    """B by exact arithmetic, or `Infeasible` with the values it does not exist for."""
    rows = [mechanism.row_at(i) for i in range(mechanism.space.size)]
    lost = undetermined(rows)
    if lost:
        raise _undetermined_error([mechanism.space.points[i] for i in lost])
    P = _matrix(rows)
    lifted = _normalize_columns(P, common)
    bits = 128
    while True:  # B exists, so enough bits find it
        with flint.ctx.workprec(bits):
            try:
                B = _right_inverse(flint.arb_mat(P), flint.arb_mat(lifted))
            except ZeroDivisionError:
                B = None
            if B is not None and _is_precise(B):
                return np.array([[float(entry.mid()) for entry in row] for row in B.table()])
        bits *= 2


@lru_cache(maxsize=256)
def second_moments(rows: Rows, prior: Shares | None = None) -> Rows:
    """S[x][v] = Σ_z P[x][z] B[z][v]², exactly, for a small matrix with independent rows.

    >>> quarter = Fraction(1, 4)
    >>> second_moments(((1 - quarter, quarter), (quarter, 1 - quarter)))[0]
    (Fraction(7, 4), Fraction(3, 4))
    """
    squared = [[to_flint(b * b) for b in row] for row in exact_inverse(rows, prior)]
    S = (_matrix(rows) * flint.fmpq_mat(squared)).table()
    return tuple(tuple(from_flint(s) for s in row) for row in S)


@lru_cache(maxsize=256)
def exact_inverse(rows: Rows, prior: Shares | None = None) -> Rows:
    """B with P B = I, exactly, for a small matrix with independent rows: a row for each output.

    `prior` has the expected shares at which its estimates vary least, equal ones if not given.

    >>> quarter = Fraction(1, 4)
    >>> exact_inverse(((1 - quarter, quarter), (quarter, 1 - quarter)))[0]
    (Fraction(3, 2), Fraction(-1, 2))
    """
    P = _matrix(rows)
    B = _right_inverse(P, _normalize_columns(P, _common(prior, len(rows)))).table()
    return tuple(tuple(from_flint(b) for b in row) for row in B)


def _right_inverse(P: FlintMatrix, lifted: FlintMatrix) -> FlintMatrix:
    """B with P B = I, in whichever arithmetic; `lifted` is P D⁻¹."""
    if P.nrows() == P.ncols():
        return P.inv()
    return (P * lifted.transpose()).solve(lifted).transpose()


def _common(prior: Shares | None, size: int) -> Shares:
    """How common each input is expected to be, up to a factor."""
    return (Fraction(1),) * size if prior is None else prior


def _normalize_columns(P: flint.fmpq_mat, common: Shares) -> flint.fmpq_mat:
    """P with each column divided by its frequency; nothing where an output never comes."""
    shares = [to_flint(share) for share in common]
    totals = [sum((s * p for s, p in zip(shares, column, strict=True)), flint.fmpq(0))
              for column in P.transpose().table()]
    return flint.fmpq_mat(
        [[p / t if t != 0 else 0 for p, t in zip(row, totals, strict=True)] for row in P.table()]
    )


def _is_precise(B: flint.arb_mat) -> bool:
    """Whether every ball is small beside the largest entry, by more than a double can tell."""
    entries = [entry for row in B.table() for entry in row]
    largest = max(abs(entry.mid()) for entry in entries)
    return all(bool(entry.rad() * 2**60 <= largest) for entry in entries)


def undetermined(rows: Sequence[Sequence[Fraction]]) -> list[int]:
    """The inputs whose proportions the outputs do not tell; none if the rows are independent.

    No column b has P b = e_v for such a v: some u with uᵀP = 0 has u_v ≠ 0.

    >>> half = Fraction(1, 2)
    >>> undetermined([[half, half], [half, half]])
    [0, 1]
    """
    reduced, rank = _matrix(rows).transpose().rref()
    size = len(rows)
    if rank == size:
        return []
    pivots = [next(j for j in range(size) if reduced[i, j] != 0) for i in range(rank)]
    free = [j for j in range(size) if j not in set(pivots)]
    moved = [pivot for i, pivot in enumerate(pivots) if any(reduced[i, j] != 0 for j in free)]
    return sorted(free + moved)


def _undetermined_error(values: Sequence[Label]) -> Infeasible:
    listed = ", ".join(str(value) for value in values[:5])
    more = f" and {len(values) - 5} more" if len(values) > 5 else ""
    return Infeasible(
        f"nothing can be learned about the proportions of {listed}{more}: other proportions "
        "give the outputs the same probabilities.",
        proof=tuple(values),
    )


def _matrix(rows: Sequence[Sequence[Fraction]]) -> flint.fmpq_mat:
    return flint.fmpq_mat([[to_flint(p) for p in row] for row in rows])
