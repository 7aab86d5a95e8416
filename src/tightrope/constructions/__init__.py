"""Constructions: ways to make a mechanism, the catalog of them, `design` and `compare`."""

from tightrope.constructions.catalog import CATALOG, Entry
from tightrope.constructions.designing import Comparison, Goal, Row, compare, design
from tightrope.constructions.exponential import exponential
from tightrope.constructions.geometric import truncated_geometric, two_sided_geometric
from tightrope.constructions.randomized_response import randomized_response
from tightrope.constructions.solution import Solution

__all__ = [
    "CATALOG",
    "Comparison",
    "Entry",
    "Goal",
    "Row",
    "Solution",
    "compare",
    "design",
    "exponential",
    "randomized_response",
    "truncated_geometric",
    "two_sided_geometric",
]
