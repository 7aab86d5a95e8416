"""Utility: losses, priors, expected and worst-case loss, bounds, estimation."""

from tightrope.utility.duality import (
    Dual,
    Multipliers,
    prove_bound,
    relative_gap,
)
from tightrope.utility.estimation import Estimate, EstimateRow, estimate
from tightrope.utility.expectation import (
    expected_loss,
    losses_by_input,
    probabilities,
    worst_loss,
)
from tightrope.utility.losses import (
    Loss,
    LossMatrix,
    absolute,
    binary,
    euclidean,
    squared,
)
from tightrope.utility.measures import (
    determinant,
    dobrushin,
    dobrushin_optimum,
    min_capacity,
    mutual_information,
    rank,
)
from tightrope.utility.priors import Prior, uniform
from tightrope.utility.remap import best_remap, remapped

__all__ = [
    "Dual",
    "Estimate",
    "EstimateRow",
    "Loss",
    "LossMatrix",
    "Multipliers",
    "Prior",
    "absolute",
    "best_remap",
    "binary",
    "determinant",
    "dobrushin",
    "dobrushin_optimum",
    "estimate",
    "euclidean",
    "expected_loss",
    "losses_by_input",
    "min_capacity",
    "mutual_information",
    "probabilities",
    "prove_bound",
    "rank",
    "relative_gap",
    "remapped",
    "squared",
    "uniform",
    "worst_loss",
]
