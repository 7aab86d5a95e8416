"""Constructions: ways to make a mechanism, the catalog of them, `design` and `compare`."""

from tightrope.constructions.catalog import CATALOG, Entry
from tightrope.constructions.designing import (
    Comparison,
    Row,
    compare,
    design,
    nothing_applies,
)
from tightrope.constructions.exponential import exponential
from tightrope.constructions.extreme_points import (
    BestVertex,
    Orbit,
    Vertex,
    best_extreme_point,
    extreme_points,
)
from tightrope.constructions.geometric import (
    remapped_geometric,
    truncated_geometric,
    two_sided_geometric,
)
from tightrope.constructions.objective import Goal, Objective
from tightrope.constructions.optimal import ORDINARY, Effort, min_loss_given_level
from tightrope.constructions.randomized_response import randomized_response
from tightrope.constructions.solution import Solution

__all__ = [
    "CATALOG",
    "ORDINARY",
    "BestVertex",
    "Comparison",
    "Effort",
    "Entry",
    "Goal",
    "Objective",
    "Orbit",
    "Row",
    "Solution",
    "Vertex",
    "best_extreme_point",
    "compare",
    "design",
    "exponential",
    "extreme_points",
    "min_loss_given_level",
    "nothing_applies",
    "randomized_response",
    "remapped_geometric",
    "truncated_geometric",
    "two_sided_geometric",
]
