"""The best answer to give for each output: post-processing that costs no privacy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tightrope.mechanisms import FiniteMechanism, MatrixMechanism, remap
from tightrope.spaces import Label
from tightrope.utility.expectation import AnyLoss, probabilities
from tightrope.utility.priors import Prior


def best_remap(
    mechanism: FiniteMechanism, *, prior: Prior, loss: AnyLoss, outputs: Sequence[Label]
) -> tuple[int, ...]:
    """For every output of the mechanism, the answer with the least expected loss given it.

    Ties go to the output itself where it is among the answers at the same place, else to the
    first answer.
    """
    joint = prior.on(mechanism.space)[:, None] * probabilities(mechanism)
    expected = joint.T @ loss.matrix(mechanism.space, outputs)
    best = expected.min(axis=1)
    chosen = expected.argmin(axis=1)
    if tuple(outputs) == tuple(mechanism.outputs):
        stays = expected[np.arange(len(best)), np.arange(len(best))] <= best
        chosen = np.where(stays, np.arange(len(best)), chosen)
    return tuple(int(answer) for answer in chosen)


def remapped(
    mechanism: FiniteMechanism, *, prior: Prior, loss: AnyLoss, outputs: Sequence[Label]
) -> FiniteMechanism:
    """The mechanism followed by its best remap; the mechanism itself if nothing moves."""
    assignment = best_remap(mechanism, prior=prior, loss=loss, outputs=outputs)
    if tuple(outputs) == tuple(mechanism.outputs) and assignment == tuple(range(len(outputs))):
        return mechanism
    moved: MatrixMechanism = remap(mechanism, assignment, outputs)
    return moved
