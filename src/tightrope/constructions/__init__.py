"""Constructions: ways to make a mechanism, the catalog of them, `design` and `compare`."""

from tightrope.constructions.approximate import min_loss_with_delta
from tightrope.constructions.catalog import CATALOG, Entry
from tightrope.constructions.designing import (
    Comparison,
    Row,
    compare,
    design,
    nothing_applies,
)
from tightrope.constructions.exponential import exponential
from tightrope.constructions.geometric import (
    remapped_geometric,
    truncated_geometric,
    two_sided_geometric,
)
from tightrope.constructions.improving import Change, Improvement, improve
from tightrope.constructions.least_level import LeastLevel, min_level_given_loss
from tightrope.constructions.objective import Goal, Objective
from tightrope.constructions.optimal import ORDINARY, Effort, min_loss_given_level
from tightrope.constructions.randomized_response import randomized_response
from tightrope.constructions.solution import Solution
from tightrope.constructions.tradeoffs import LevelComparison, tradeoff

__all__ = [
    "CATALOG",
    "ORDINARY",
    "Change",
    "Comparison",
    "Effort",
    "Entry",
    "Goal",
    "Improvement",
    "LeastLevel",
    "LevelComparison",
    "Objective",
    "Row",
    "Solution",
    "compare",
    "design",
    "exponential",
    "improve",
    "min_level_given_loss",
    "min_loss_given_level",
    "min_loss_with_delta",
    "nothing_applies",
    "randomized_response",
    "remapped_geometric",
    "tradeoff",
    "truncated_geometric",
    "two_sided_geometric",
]
