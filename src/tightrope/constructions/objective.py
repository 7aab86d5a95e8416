"""What a design is for: the prior, the loss, and whose loss counts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tightrope.mechanisms import Mechanism
from tightrope.utility import Loss, LossMatrix, Prior, binary, expected_loss, uniform, worst_loss


class Goal(StrEnum):
    """Which loss counts: on average over the prior, or for the worst input."""

    AVERAGE = "average"
    WORST = "worst"


@dataclass(frozen=True)
class Objective:
    """The loss to make small."""

    prior: Prior = uniform
    loss: Loss | LossMatrix = binary
    goal: Goal = Goal.AVERAGE

    def value(self, mechanism: Mechanism) -> float:
        """The loss of a mechanism under this objective."""
        if self.goal is Goal.WORST:
            return worst_loss(mechanism, loss=self.loss)
        return expected_loss(mechanism, prior=self.prior, loss=self.loss)
