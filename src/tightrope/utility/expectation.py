"""Expected and worst-case loss of a mechanism."""

from __future__ import annotations

from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput
from tightrope.exact import check_entries
from tightrope.mechanisms import (
    FiniteMechanism,
    KernelMechanism,
    MatrixMechanism,
    Mechanism,
    NoiseMechanism,
    TableMechanism,
    written_out,
)
from tightrope.utility.losses import Kind, Loss, LossMatrix
from tightrope.utility.priors import Prior

AnyLoss = Loss | LossMatrix


def losses_by_input(mechanism: Mechanism, *, loss: AnyLoss) -> NDArray[np.float64]:
    """The expected loss for every input."""
    match mechanism:
        case NoiseMechanism():
            return np.full(mechanism.space.size, _noise_loss(mechanism, loss))
        case TableMechanism():
            return losses_by_input(mechanism.base, loss=loss)
        case KernelMechanism() if isinstance(loss, Loss) and loss.kind is Kind.BINARY:
            if mechanism.rounded:
                return 1 - np.array(mechanism.weights, np.float64) / mechanism.sums.floats()
            pairs = zip(mechanism.weights, mechanism.normalizers, strict=True)
            return np.array([float((total - w) / total) for w, total in pairs])
        case KernelMechanism() | MatrixMechanism():
            table = loss.matrix(mechanism.space, mechanism.outputs)
            return np.asarray(np.einsum("yz,yz->y", probabilities(mechanism), table))
        case _:
            assert_never(mechanism)


def expected_loss(mechanism: Mechanism, *, prior: Prior, loss: AnyLoss) -> float:
    """Σ prior[y] Σ_z P(z | y) loss[y, z], in double arithmetic on the exact weights."""
    if isinstance(mechanism, NoiseMechanism) and prior.weights is None:
        return _noise_loss(mechanism, loss)
    return float(prior.on(mechanism.space) @ losses_by_input(mechanism, loss=loss))


def worst_loss(mechanism: Mechanism, *, loss: AnyLoss) -> float:
    """The largest expected loss over the inputs."""
    if isinstance(mechanism, NoiseMechanism):
        return _noise_loss(mechanism, loss)
    return float(losses_by_input(mechanism, loss=loss).max())


def probabilities(mechanism: FiniteMechanism) -> NDArray[np.float64]:
    """All probabilities as doubles: rows are inputs, columns outputs."""
    check_entries(mechanism.space.size, len(mechanism.outputs))
    return written_out(mechanism).weights.floats


def _noise_loss(mechanism: NoiseMechanism, loss: AnyLoss) -> float:
    """Moments of two-sided geometric noise; losses that need a finite output are refused."""
    q = mechanism.ratio
    if isinstance(loss, LossMatrix):
        raise BadInput("a loss matrix needs finitely many outputs; integer noise has all of them.")
    match loss.kind:
        case Kind.BINARY:
            return float(2 / (q + 1))
        case Kind.ABSOLUTE | Kind.EUCLIDEAN:
            return float(2 * q / (q * q - 1))
        case Kind.SQUARED:
            return float(2 * q / (q - 1) ** 2)
        case _:
            assert_never(loss.kind)
