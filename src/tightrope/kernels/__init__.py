"""The equation Φ w = b with Φ = exp(-ε d) and w >= 0: who solves it, where, and what follows.

`solve` finds w or the proof that there is none; `thresholds` says at which levels it exists;
for a prior b it decides regularity, which bounds every mechanism's binary gain and leakage.
"""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.kernels.corners import corner_proof
    from tightrope.kernels.equations import KernelWeights, NoWeights, kernel_floats, kernel_line
    from tightrope.kernels.grids import (
        GridWeights,
        Torus,
        grid_floats,
        proved_weights,
        whole_weights,
    )
    from tightrope.kernels.reduction import ReducedKernel, reduced_kernel
    from tightrope.kernels.regular import (
        Irregular,
        Regular,
        binary_bound,
        corner_priors,
        regular_bounds,
        regularity,
        tensor_priors,
    )
    from tightrope.kernels.structure import always_positive, inner_axes, path_weights, solve
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "GridWeights",
    "Irregular",
    "KernelWeights",
    "NoWeights",
    "ReducedKernel",
    "Regular",
    "Torus",
    "always_positive",
    "binary_bound",
    "corner_priors",
    "corner_proof",
    "grid_floats",
    "inner_axes",
    "kernel_floats",
    "kernel_line",
    "path_weights",
    "proved_weights",
    "reduced_kernel",
    "regular_bounds",
    "regularity",
    "solve",
    "tensor_priors",
    "whole_weights",
]
