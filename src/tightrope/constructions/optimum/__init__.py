"""The optimal mechanism: cone programs, (ε, δ) programs, closed-form bounds on paths."""

from tightrope.constructions.optimum.effort import ORDINARY, Effort
from tightrope.constructions.optimum.minimum import min_loss_given_level

__all__ = ["ORDINARY", "Effort", "min_loss_given_level"]
