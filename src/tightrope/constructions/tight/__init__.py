"""The tight-constraints mechanism: where it exists, how good it is, grids of a million cells."""

from tightrope.constructions.tight.constraints import tight_constraints, tight_weights

__all__ = [
    "tight_constraints",
    "tight_weights",
]
