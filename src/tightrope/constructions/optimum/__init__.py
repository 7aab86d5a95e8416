"""The optimal mechanism: cone programs, (ε, δ) programs, closed-form bounds on paths."""

from tightrope.constructions.optimum.approximate import min_loss_with_delta
from tightrope.constructions.optimum.optimal import (
    ORDINARY,
    Effort,
    min_loss_given_level,
    min_worst_loss_given_level,
)

__all__ = [
    "ORDINARY",
    "Effort",
    "min_loss_given_level",
    "min_loss_with_delta",
    "min_worst_loss_given_level",
]
