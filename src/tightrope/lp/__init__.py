"""Linear programs and their duals. Knows nothing of privacy."""

from tightrope.lp.cones import ConeProgram, ConeSolution, bound_from, class_prices, minimize
from tightrope.lp.feasibility import Feasible, Separated, nonnegative_solution
from tightrope.lp.shipping import Shipments, ship

__all__ = [
    "ConeProgram",
    "ConeSolution",
    "Feasible",
    "Separated",
    "Shipments",
    "bound_from",
    "class_prices",
    "minimize",
    "nonnegative_solution",
    "ship",
]
