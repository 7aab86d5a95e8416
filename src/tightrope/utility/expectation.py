"""Expected and worst-case loss of a mechanism."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ldexp, prod
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput
from tightrope.exact import check_entries, sizes
from tightrope.mechanisms import (
    UNIT_BITS,
    FiniteMechanism,
    Held,
    KernelMechanism,
    MatrixMechanism,
    Mechanism,
    NoiseMechanism,
    PointMechanism,
    RemappedMechanism,
    SubsetMechanism,
    UnaryMechanism,
    mechanism_of,
    on_points,
    sides,
    written_out,
)
from tightrope.spaces import Label, distance_table
from tightrope.utility.losses import Gaps, Loss, LossLike, binary, loss_of
from tightrope.utility.priors import PriorLike, prior_of, uniform

Table = Callable[[Sequence[Label]], NDArray[np.float64]]


def losses_by_input(
    mechanism: Mechanism, *, loss: Loss, table: Table | None = None
) -> NDArray[np.float64]:
    """The expected loss of every input; `table` returns the losses of outputs, if cached."""
    base = on_points(mechanism).base
    match base:
        case NoiseMechanism():
            return np.full(base.space.size, noise_loss(base, loss))
        case KernelMechanism() if base.rounded and loss.displacement is not None:
            return _grid_losses(base, loss.displacement)
        case KernelMechanism() if loss == binary:
            pairs = zip(base.weights, base.normalizers, strict=True)
            return np.array([float((total - w) / total) for w, total in pairs])
        case SubsetMechanism() | UnaryMechanism():
            return losses_by_input(base.matrix(), loss=loss, table=table)
        case KernelMechanism() | MatrixMechanism() | RemappedMechanism():
            losses = table(base.outputs) if table else loss.matrix(base.space, base.outputs)
            return np.asarray(np.einsum("yz,yz->y", probabilities(base), losses))
        case _:
            assert_never(base)


def expected_loss(
    mechanism: Mechanism | Held, *, prior: PriorLike = uniform, loss: LossLike = None
) -> float:
    """The mean loss over the prior: Σ prior[y] Σ_z P(z | y) loss[y, z].

    In double arithmetic on the exact weights; without a loss, with the one that fits the space.

    Returns: a float, in the unit of the loss.

    Raises: `BadInput` for integer noise where the loss has no closed form; `BadMatrix` for
    a prior that does not add up to 1.

    >>> import tightrope as tr
    >>> coin = tr.mechanisms.MatrixMechanism.of([["3/4", "1/4"], ["1/2", "1/2"]], "categories:2")
    >>> expected_loss(coin), expected_loss(coin, prior=[0.25, 0.75], loss="binary")
    (0.375, 0.4375)
    """
    on_space = on_points(mechanism_of(mechanism))
    cost, law = _loss_on(on_space, loss), prior_of(prior, on_space.space)
    if isinstance(on_space, NoiseMechanism):
        return noise_loss(on_space, cost)
    return float(law.on(on_space.space) @ losses_by_input(on_space, loss=cost))


def worst_loss(mechanism: Mechanism | Held, *, loss: LossLike = None) -> float:
    """The largest mean loss of an input: max_y Σ_z P(z | y) loss[y, z].

    In double arithmetic on the exact weights; without a loss, with the one that fits the space.

    Returns: a float, in the unit of the loss.

    Raises: `BadInput` for integer noise where the loss has no closed form; `BadMatrix` for a
    loss matrix of another shape.

    >>> import tightrope as tr
    >>> coin = tr.mechanisms.MatrixMechanism.of([["3/4", "1/4"], ["1/2", "1/2"]], "categories:2")
    >>> worst_loss(coin, loss="binary")
    0.5
    """
    on_space = on_points(mechanism_of(mechanism))
    cost = _loss_on(on_space, loss)
    if isinstance(on_space, NoiseMechanism):
        return noise_loss(on_space, cost)
    return float(losses_by_input(on_space, loss=cost).max())


def _loss_on(mechanism: PointMechanism, loss: LossLike) -> Loss:
    """The loss for the inputs and outputs of a mechanism."""
    base = mechanism.base
    outputs = base.outputs if isinstance(base, FiniteMechanism) else None
    return loss_of(loss, mechanism.space, outputs)


def probabilities(mechanism: FiniteMechanism) -> NDArray[np.float64]:
    """All probabilities as doubles: rows are inputs, columns outputs."""
    check_entries(mechanism.space.size, len(mechanism.outputs))
    if isinstance(mechanism, RemappedMechanism):
        table = np.zeros((mechanism.space.size, len(mechanism.outputs)))
        np.add.at(table.T, np.array(mechanism.targets), probabilities(mechanism.kernel).T)
        return table
    if isinstance(mechanism, KernelMechanism) and mechanism.space.size > sizes.LARGEST_PATH_PROOF:
        return _kernel_floats(mechanism)
    return written_out(mechanism).weights.floats


def _kernel_floats(kernel: KernelMechanism) -> NDArray[np.float64]:
    """The rows of a large kernel without their exact numbers."""
    classes, table = distance_table(kernel.space)
    largest = max(kernel.weights)
    weights = np.array([float(Fraction(w, largest)) for w in kernel.weights])
    if kernel.rounded:
        values = [ldexp(*kernel.value(distance)) for distance in classes]
    else:
        values = [float(kernel.ratio**-step) for step in kernel.steps(classes)]
    rows: NDArray[np.float64] = np.array(values)[table] * weights
    rows /= rows.sum(axis=1, keepdims=True)
    return rows


_DIRECT = 300_000_000
"""Cells times displacements summed directly; beyond, a Fourier transform is quicker."""


def _grid_losses(
    mechanism: KernelMechanism, displacement: Callable[[Gaps], NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Σ_z w_z κ(z - y) loss(z - y) / N_y: the loss of a displacement does not depend on y.

    All terms are positive. Where κ falls quickly, few of them count and are summed directly, so
    that a loss of e^-40 is accurate too. Where it falls slowly, a Fourier transform is used.
    Displacements beyond the reach, less than 2^-60 of the nearest, are left out.
    """
    grid, taps = mechanism.grid, mechanism.taps
    reaches = [min(side, extent // 2 + 3) - 1
               for side, extent in zip(sides(grid), taps.shape, strict=True)]
    cells = [2 * reach + 1 for reach in reaches]
    direct = prod(cells) * mechanism.space.size <= _DIRECT
    if not direct:
        reaches = [extent // 2 for extent in taps.shape]
    offsets = np.ix_(*(np.arange(-reach, reach + 1) for reach in reaches))
    if direct:
        keys = np.broadcast_to(np.asarray(grid.norm.key(offsets)), cells)
        distinct, where = np.unique(keys, return_inverse=True)
        values = [ldexp(*mechanism.value(grid.norm.surd(int(key)))) for key in distinct]
        chances = np.array(values)[where].reshape(cells)
    else:
        chances = taps / 2.0**UNIT_BITS
    gaps = [axis.astype(np.float64) * float(grid.norm.step) for axis in offsets]
    weights = np.array(mechanism.weights, np.float64).reshape(sides(grid))
    terms = chances * displacement(gaps)
    means = _direct_sums(weights, terms) if direct else _fourier_sums(weights, terms)
    return np.asarray(means.ravel() / mechanism.sums.floats())


def _direct_sums(
    weights: NDArray[np.float64], terms: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Σ_s weights[y + s] terms[s] for every cell y; terms are symmetric."""
    reaches = [extent // 2 for extent in terms.shape]
    wide = np.pad(weights, [(reach, reach) for reach in reaches])
    sums = np.zeros_like(weights)
    for start in zip(*np.nonzero(terms), strict=True):
        part = tuple(slice(a, a + side) for a, side in zip(start, weights.shape, strict=True))
        sums += terms[start] * wide[part]
    return sums


def _fourier_sums(
    weights: NDArray[np.float64], terms: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The same by a Fourier transform: quick, within rounding of the largest sum."""
    from scipy.signal import fftconvolve  # slow to import

    return np.asarray(fftconvolve(weights, terms, mode="same"))


def noise_obstacle(loss: Loss) -> str | None:
    """Why the expected loss of integer noise is not known, in one sentence; None where it is."""
    if loss.moment is None:
        return f"noise answers with any integer, and the {loss.name} loss has no closed form there."
    return None


def noise_loss(mechanism: NoiseMechanism, loss: Loss) -> float:
    """Moments of integer noise, the same for every input; a loss without one is refused."""
    if loss.moment is None:
        raise BadInput(str(noise_obstacle(loss)))
    try:
        return float(loss.moment(mechanism))
    except OverflowError:
        raise BadInput("the noise is larger than any double; ask for a larger level.") from None
