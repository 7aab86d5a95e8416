"""The optimal mechanism: cone programs, (ε, δ) programs, closed-form bounds on paths."""

from tightrope.constructions.optimum.effort import ORDINARY, Effort
from tightrope.constructions.optimum.minimum import min_loss_given_level
from tightrope.constructions.optimum.path_bound import path_bound

__all__ = ["ORDINARY", "Effort", "min_loss_given_level", "path_bound"]
