"""Linear programs and their duals. Knows nothing of privacy."""

from tightrope.lp.cones import ConeProgram, ConeSolution, bound_from, minimize

__all__ = ["ConeProgram", "ConeSolution", "bound_from", "minimize"]
