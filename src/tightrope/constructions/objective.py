"""What a design is for: the prior, the loss, and whose loss counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tightrope.choices import member_of
from tightrope.constructions.measures import check_size
from tightrope.errors import BadInput
from tightrope.mechanisms import Mechanism
from tightrope.spaces import Label, Space, owned_labels
from tightrope.utility import Loss, LossMatrix, Prior, binary, expected_loss, uniform, worst_loss


class Goal(StrEnum):
    """Which loss counts: on average over the prior, or for the worst input."""

    AVERAGE = "average"
    WORST = "worst"


def _prior(given: Any) -> Prior:
    if isinstance(given, Prior):
        return given
    if isinstance(given, str) and given == "uniform":
        return uniform
    if given is None or isinstance(given, str):
        raise BadInput(
            f"expected uniform or a list of probabilities as a prior, found {str(given)[:40]!r}."
        )
    return Prior(given)


def _loss(given: Any) -> Loss | LossMatrix:
    if isinstance(given, Loss | LossMatrix):
        return given
    return Loss.named(given) if isinstance(given, str) else LossMatrix(given)


@dataclass(frozen=True)
class Objective:
    """The loss to make small, and the answers that may be given (the inputs if None)."""

    prior: Prior = uniform
    loss: Loss | LossMatrix = binary
    goal: Goal = Goal.AVERAGE
    outputs: Sequence[Label] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "goal", member_of(Goal, self.goal))
        object.__setattr__(self, "prior", _prior(self.prior))
        object.__setattr__(self, "loss", _loss(self.loss))
        if self.outputs is not None:
            object.__setattr__(self, "outputs", owned_labels(self.outputs))
        if isinstance(self.loss, LossMatrix):
            check_size(self.loss.values)

    def answers(self, space: Space) -> Sequence[Label]:
        """The outputs of a mechanism on the space."""
        return space.points if self.outputs is None else self.outputs

    def value(self, mechanism: Mechanism) -> float:
        """The loss of a mechanism under this objective."""
        if self.goal is Goal.WORST:
            return worst_loss(mechanism, loss=self.loss)
        return expected_loss(mechanism, prior=self.prior, loss=self.loss)
