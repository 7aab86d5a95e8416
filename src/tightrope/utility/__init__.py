"""Utility: losses, priors, expected and worst-case loss, bounds, estimation."""

from tightrope.utility.duality import (
    Dual,
    Multipliers,
    prove_bound,
    relative_gap,
)
from tightrope.utility.error_bounds import largest_error, least_error, least_error_apart
from tightrope.utility.estimation import Estimate, EstimateRow, estimate
from tightrope.utility.expectation import (
    expected_loss,
    losses_by_input,
    probabilities,
    worst_loss,
)
from tightrope.utility.kernel_equations import (
    KernelWeights,
    NoWeights,
    kernel_line,
    kernel_weights,
    solve_reduced,
)
from tightrope.utility.losses import (
    Kind,
    Loss,
    LossMatrix,
    absolute,
    binary,
    euclidean,
    squared,
)
from tightrope.utility.measures import dobrushin, min_capacity, rank
from tightrope.utility.priors import Prior, uniform
from tightrope.utility.regular import (
    Irregular,
    Regular,
    corner_priors,
    regular_bounds,
    regularity,
)
from tightrope.utility.remap import best_remap, remapped

__all__ = [
    "Dual",
    "Estimate",
    "EstimateRow",
    "Irregular",
    "KernelWeights",
    "Kind",
    "Loss",
    "LossMatrix",
    "Multipliers",
    "NoWeights",
    "Prior",
    "Regular",
    "absolute",
    "best_remap",
    "binary",
    "corner_priors",
    "dobrushin",
    "estimate",
    "euclidean",
    "expected_loss",
    "kernel_line",
    "kernel_weights",
    "largest_error",
    "least_error",
    "least_error_apart",
    "losses_by_input",
    "min_capacity",
    "probabilities",
    "prove_bound",
    "rank",
    "regular_bounds",
    "regularity",
    "relative_gap",
    "remapped",
    "solve_reduced",
    "squared",
    "uniform",
    "worst_loss",
]
