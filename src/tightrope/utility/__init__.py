"""Utility: losses, priors, expected and worst-case loss, estimation from randomized data."""

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

__all__ = [
    "Estimate",
    "EstimateRow",
    "Loss",
    "LossMatrix",
    "Prior",
    "absolute",
    "binary",
    "dobrushin",
    "estimate",
    "euclidean",
    "expected_loss",
    "losses_by_input",
    "min_capacity",
    "probabilities",
    "rank",
    "squared",
    "uniform",
    "worst_loss",
]
