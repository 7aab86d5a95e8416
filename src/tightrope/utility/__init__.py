"""Utility: losses, priors, expected and worst-case loss, bounds, estimation."""

from tightrope.utility.brackets import (
    SCALE,
    Bracket,
    check_places,
    loss_bracket,
    loss_ceilings,
    mean_above,
)
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
from tightrope.utility.measures import dobrushin, min_capacity, rank
from tightrope.utility.priors import Prior, uniform
from tightrope.utility.remap import best_remap, remapped

__all__ = [
    "SCALE",
    "Bracket",
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
    "check_places",
    "dobrushin",
    "estimate",
    "euclidean",
    "expected_loss",
    "loss_bracket",
    "loss_ceilings",
    "losses_by_input",
    "mean_above",
    "min_capacity",
    "probabilities",
    "prove_bound",
    "rank",
    "relative_gap",
    "remapped",
    "squared",
    "uniform",
    "worst_loss",
]
