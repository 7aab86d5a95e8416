"""The equation Φ w = b with Φ = exp(-ε d) and w >= 0: who solves it, where, and what follows.

`solve` finds w or the proof that there is none; `thresholds` says at which levels it exists;
for a prior b it decides regularity, which bounds every mechanism's binary gain and leakage.
"""

from tightrope.kernels.corners import CornerProof, corner_proof
from tightrope.kernels.equations import KernelWeights, NoWeights
from tightrope.kernels.grids import GridWeights, Torus, grid_floats, proved_weights, whole_weights
from tightrope.kernels.judgments import PriorJudgment, judge_prior
from tightrope.kernels.leakage import (
    most_leakage,
    most_leakage_of_any_prior,
    most_leakage_of_databases,
)
from tightrope.kernels.regular import (
    Irregular,
    Regular,
    binary_bound,
    corner_priors,
    regular_bounds,
    regularity,
)
from tightrope.kernels.structure import inner_axes, path_weights, solve
from tightrope.kernels.thresholds import Endpoint, Thresholds, thresholds

__all__ = [
    "CornerProof",
    "Endpoint",
    "GridWeights",
    "Irregular",
    "KernelWeights",
    "NoWeights",
    "PriorJudgment",
    "Regular",
    "Thresholds",
    "Torus",
    "binary_bound",
    "corner_priors",
    "corner_proof",
    "grid_floats",
    "inner_axes",
    "judge_prior",
    "most_leakage",
    "most_leakage_of_any_prior",
    "most_leakage_of_databases",
    "path_weights",
    "proved_weights",
    "regular_bounds",
    "regularity",
    "solve",
    "thresholds",
    "whole_weights",
]
