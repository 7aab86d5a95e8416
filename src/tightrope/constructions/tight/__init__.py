"""The tight-constraints mechanism: where it exists, how good it is, grids of a million cells."""

from tightrope.constructions.tight.constraints import tight_constraints, tight_weights
from tightrope.kernels import thresholds

__all__ = [
    "thresholds",
    "tight_constraints",
    "tight_weights",
]
