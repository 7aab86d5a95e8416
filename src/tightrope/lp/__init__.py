"""Linear programs and their duals. Knows nothing of privacy."""

from tightrope.lp.cones import ConeProgram, ConeSolution, bound_from, class_prices, minimize
from tightrope.lp.programs import LinearProgram, LinearSolution, solve
from tightrope.lp.shipping import Shipments, ship

__all__ = [
    "ConeProgram",
    "ConeSolution",
    "LinearProgram",
    "LinearSolution",
    "Shipments",
    "bound_from",
    "class_prices",
    "minimize",
    "ship",
    "solve",
]
