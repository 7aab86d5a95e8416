"""Linear programs and their duals. Knows nothing of privacy."""

from tightrope.lp.cones import ConeProgram, ConeSolution, bound_from, class_prices, minimize
from tightrope.lp.feasibility import Feasible, Separated, nonnegative_solution
from tightrope.lp.rational import RationalProgram, RationalSolution, minimize_exactly
from tightrope.lp.refinement import FineProgram, FineSolution, Whole, refine
from tightrope.lp.shipping import Shipments, ship

__all__ = [
    "ConeProgram",
    "ConeSolution",
    "Feasible",
    "FineProgram",
    "FineSolution",
    "RationalProgram",
    "RationalSolution",
    "Separated",
    "Shipments",
    "Whole",
    "bound_from",
    "class_prices",
    "minimize",
    "minimize_exactly",
    "nonnegative_solution",
    "refine",
    "ship",
]
