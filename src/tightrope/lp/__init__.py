"""Linear programs and their duals. Knows nothing of privacy."""

from tightrope.lp.cones import ConeProgram, ConeSolution, bound_from, class_prices, minimize
from tightrope.lp.programs import LinearProgram, LinearSolution, solve
from tightrope.lp.rational import (
    RationalProgram,
    RationalSolution,
    Separated,
    minimize_exactly,
    nonnegative_solution,
)
from tightrope.lp.shipping import Shipments, ship

__all__ = [
    "ConeProgram",
    "ConeSolution",
    "LinearProgram",
    "LinearSolution",
    "RationalProgram",
    "RationalSolution",
    "Separated",
    "Shipments",
    "bound_from",
    "class_prices",
    "minimize",
    "minimize_exactly",
    "nonnegative_solution",
    "ship",
    "solve",
]
