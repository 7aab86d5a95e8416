"""Linear programs and their duals. Knows nothing of privacy."""

from tightrope.lp.cones import ConeProgram, ConeSolution, bound_from, class_prices, minimize
from tightrope.lp.shipping import Shipments, ship

__all__ = [
    "ConeProgram",
    "ConeSolution",
    "Shipments",
    "bound_from",
    "class_prices",
    "minimize",
    "ship",
]
