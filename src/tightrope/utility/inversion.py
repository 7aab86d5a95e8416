"""A randomized column and its undoing: the channel P, and a matrix B with P B = I.

Frequencies q = Pᵀπ of the outputs follow from proportions π of the inputs. For a square P, B
is the inverse. With more outputs than inputs it is the least-squares solution
B = D⁻¹Pᵀ(P D⁻¹Pᵀ)⁻¹, where D holds the frequencies of the outputs when all inputs are equally
common. Where all points are equally far apart neither is written out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Protocol

import flint
import numpy as np

from tightrope.errors import CannotCheck, Infeasible
from tightrope.exact import FloatArray, tolerances
from tightrope.mechanisms import FiniteMechanism, KernelMechanism, MatrixMechanism, written_out
from tightrope.spaces import Label

LARGEST_EXACT: Final = 40_000
"""Entries of a matrix whose rank is decided exactly where doubles cannot tell."""


class Inverse(Protocol):
    """A matrix B with P B = I, known through what is asked of it."""

    @property
    def method(self) -> str: ...

    def means(self, shares: FloatArray) -> FloatArray:
        """Σ_z shares_z B[z,v] for every v."""

    def squares(self, law: FloatArray) -> FloatArray:
        """Σ_x law_x Σ_z P[x,z] B[z,v]² for every v."""

    def own_squares(self) -> FloatArray:
        """Σ_z P[v,z] B[z,v]² for every v: the part of `squares` that v itself has."""


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

    def own_squares(self) -> FloatArray:
        with np.errstate(over="ignore", invalid="ignore"):
            found: FloatArray = np.einsum("vz,zv->v", self.P, self.B**2)
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

    def own_squares(self) -> FloatArray:
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            inverse = 1 / self.weights
            inner = (1 - self.shared) ** 2 * inverse
            inner += self.far * self.shared**2 * (inverse.sum() - inverse)
            found: FloatArray = self.normalizers / self.near**2 * inner
        return found


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
        found: FloatArray = (shares - self.added) / (self.held - self.added)
        return found

    def squares(self, law: FloatArray) -> FloatArray:
        rest = self.added * (1 - self.added) / (self.held - self.added) ** 2
        found: FloatArray = law * self.own_squares() + (1 - law) * rest
        return found

    def own_squares(self) -> FloatArray:
        p, q = self.held, self.added
        return np.full(self.size, (p * (1 - q) ** 2 + (1 - p) * q**2) / (p - q) ** 2)


class Channel(Protocol):
    """A mechanism as a linear map between proportions and frequencies."""

    def forward(self, law: FloatArray) -> FloatArray:
        """Pᵀπ: how often each output occurs."""

    def back(self, values: FloatArray) -> FloatArray:
        """P u: the mean of values of the outputs, for each input."""


@dataclass(frozen=True)
class _MatrixChannel:
    P: FloatArray

    def forward(self, law: FloatArray) -> FloatArray:
        return law @ self.P

    def back(self, values: FloatArray) -> FloatArray:
        return self.P @ values


@dataclass(frozen=True)
class _EvenChannel:
    """P[y,z] = w_z (f + (1-f) 1{y=z}) / N_y."""

    weights: FloatArray
    normalizers: FloatArray
    far: float

    def forward(self, law: FloatArray) -> FloatArray:
        pulled = law / self.normalizers
        return np.asarray(self.weights * (self.far * pulled.sum() + (1 - self.far) * pulled))

    def back(self, values: FloatArray) -> FloatArray:
        weighed = self.weights * values
        mean = self.far * weighed.sum() + (1 - self.far) * weighed
        return np.asarray(mean / self.normalizers)


def channel_of(mechanism: FiniteMechanism) -> Channel:
    """The mechanism as a linear map, in doubles."""
    if isinstance(mechanism, KernelMechanism) and mechanism.equidistant:
        (step,) = mechanism.steps([mechanism.space.diameter])
        return _EvenChannel(
            np.array([float(w) for w in mechanism.weights]),
            np.array([float(total) for total in mechanism.normalizers]),
            float(mechanism.ratio**-step),
        )
    return _MatrixChannel(written_out(mechanism).weights.floats)


def inverse_of(mechanism: FiniteMechanism) -> Inverse:
    """B for a mechanism; raises `Infeasible` with the values it does not exist for."""
    if isinstance(mechanism, KernelMechanism) and mechanism.equidistant:
        return _closed_form(mechanism)
    return _solved(written_out(mechanism))


def _closed_form(mechanism: KernelMechanism) -> Inverse:
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


def _solved(mechanism: MatrixMechanism) -> Inverse:
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
    rows = [mechanism.row_at(i) for i in range(mechanism.space.size)]
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
