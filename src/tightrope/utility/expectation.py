"""Expected and worst-case loss of a mechanism."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput
from tightrope.exact import check_entries
from tightrope.mechanisms import (
    UNIT_BITS,
    FiniteMechanism,
    KernelMechanism,
    MatrixMechanism,
    Mechanism,
    NoiseMechanism,
    RemappedMechanism,
    SubsetMechanism,
    UnaryMechanism,
    on_points,
    sides,
    written_out,
)
from tightrope.spaces import Label
from tightrope.utility.losses import Kind, Loss, LossMatrix
from tightrope.utility.priors import Prior

AnyLoss = Loss | LossMatrix
Table = Callable[[Sequence[Label]], NDArray[np.float64]]


def losses_by_input(
    mechanism: Mechanism, *, loss: AnyLoss, table: Table | None = None
) -> NDArray[np.float64]:
    """The expected loss for every input of a space; `table` has losses of outputs at hand."""
    base = on_points(mechanism).base
    match base:
        case NoiseMechanism():
            return np.full(base.space.size, noise_loss(base, loss))
        case KernelMechanism() if base.rounded and isinstance(loss, Loss):
            return _grid_losses(base, loss)
        case KernelMechanism() if isinstance(loss, Loss) and loss.kind is Kind.BINARY:
            pairs = zip(base.weights, base.normalizers, strict=True)
            return np.array([float((total - w) / total) for w, total in pairs])
        case SubsetMechanism() | UnaryMechanism():
            return losses_by_input(base.matrix(), loss=loss, table=table)
        case KernelMechanism() | MatrixMechanism() | RemappedMechanism():
            losses = table(base.outputs) if table else loss.matrix(base.space, base.outputs)
            return np.asarray(np.einsum("yz,yz->y", probabilities(base), losses))
        case _:
            assert_never(base)


def expected_loss(mechanism: Mechanism, *, prior: Prior, loss: AnyLoss) -> float:
    """Σ prior[y] Σ_z P(z | y) loss[y, z], in double arithmetic on the exact weights.

    >>> from tightrope.mechanisms import MatrixMechanism
    >>> from tightrope.spaces import categories
    >>> from tightrope.utility import binary
    >>> coin = MatrixMechanism.of([["3/4", "1/4"], ["1/2", "1/2"]], categories(2))
    >>> expected_loss(coin, prior=Prior(["1/2", "1/2"]), loss=binary)
    0.375
    """
    if isinstance(mechanism, NoiseMechanism):
        return noise_loss(mechanism, loss)
    return float(prior.on(on_points(mechanism).space) @ losses_by_input(mechanism, loss=loss))


def worst_loss(mechanism: Mechanism, *, loss: AnyLoss) -> float:
    """The largest expected loss over the inputs.

    >>> from tightrope.mechanisms import MatrixMechanism
    >>> from tightrope.spaces import categories
    >>> from tightrope.utility import binary
    >>> worst_loss(MatrixMechanism.of([["3/4", "1/4"], ["1/2", "1/2"]], categories(2)), loss=binary)
    0.5
    """
    if isinstance(mechanism, NoiseMechanism):
        return noise_loss(mechanism, loss)
    return float(losses_by_input(mechanism, loss=loss).max())


def probabilities(mechanism: FiniteMechanism) -> NDArray[np.float64]:
    """All probabilities as doubles: rows are inputs, columns outputs."""
    check_entries(mechanism.space.size, len(mechanism.outputs))
    if isinstance(mechanism, RemappedMechanism):
        found = np.zeros((mechanism.space.size, len(mechanism.outputs)))
        np.add.at(found.T, np.array(mechanism.targets), probabilities(mechanism.kernel).T)
        return found
    return written_out(mechanism).weights.floats


def _grid_losses(mechanism: KernelMechanism, loss: Loss) -> NDArray[np.float64]:
    """Σ_z w_z κ(z - y) loss(z - y) / N_y: the loss of a displacement does not depend on y.

    What lies beyond the reach of the taps, less than 2^-61 of the kernel, is left out.
    """
    from scipy.signal import fftconvolve  # slow to import

    grid, taps = mechanism.grid, mechanism.taps
    offsets = np.ix_(*(np.arange(side) - side // 2 for side in taps.shape))
    gaps = [axis.astype(np.float64) * float(grid.norm.step) for axis in offsets]
    match loss.kind:
        case Kind.BINARY:
            return 1 - np.array(mechanism.weights, np.float64) / mechanism.sums.floats()
        case Kind.ABSOLUTE:
            costs = sum(np.abs(gap) for gap in gaps)
        case Kind.SQUARED:
            costs = sum(gap**2 for gap in gaps)
        case Kind.EUCLIDEAN:
            costs = np.sqrt(sum(gap**2 for gap in gaps))
        case Kind.LARGEST:
            costs = reduce(np.maximum, (np.abs(gap) for gap in gaps))
        case _:
            assert_never(loss.kind)
    weights = np.array(mechanism.weights, np.float64).reshape(sides(grid))
    means = fftconvolve(weights, taps / 2.0**UNIT_BITS * costs, mode="same")
    return np.asarray(means.ravel() / mechanism.sums.floats())


def noise_loss(mechanism: NoiseMechanism, loss: AnyLoss) -> float:
    """Moments of integer noise, the same for every input; a loss matrix is refused."""
    if isinstance(loss, LossMatrix):
        raise BadInput("a loss matrix needs finitely many outputs; integer noise has all of them.")
    match loss.kind:
        case Kind.BINARY:
            return float(1 - 1 / mechanism.normalizer)
        case Kind.ABSOLUTE | Kind.EUCLIDEAN | Kind.LARGEST:
            return float(mechanism.mean_error)
        case Kind.SQUARED:
            return float(mechanism.mean_square)
        case _:
            assert_never(loss.kind)
