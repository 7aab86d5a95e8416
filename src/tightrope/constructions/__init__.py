"""Constructions: ways to make a mechanism, the catalog of them, `design` and `compare`."""

from tightrope.constructions.approximate import min_loss_with_delta
from tightrope.constructions.calibration import (
    Calibration,
    Tuned,
    calibrate,
    radius_candidates,
    tune,
    tune_radii,
)
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
from tightrope.constructions.improving import Change, Improvement, improve
from tightrope.constructions.ladder import (
    from_score,
    k_norm,
    ladder,
    largest_norm,
    polygon_norm,
    sum_norm,
)
from tightrope.constructions.least_level import LeastLevel, min_level_given_loss
from tightrope.constructions.objective import Goal, Objective
from tightrope.constructions.optimal import ORDINARY, Effort, min_loss_given_level
from tightrope.constructions.randomized_response import randomized_response
from tightrope.constructions.set_policies import (
    preferring,
    privacy_first,
    utility_first,
    utility_then_privacy,
)
from tightrope.constructions.set_sequences import SetSequences
from tightrope.constructions.solution import Solution
from tightrope.constructions.tight import tight_constraints, tight_weights
from tightrope.constructions.tradeoffs import LevelComparison, tradeoff

__all__ = [
    "CATALOG",
    "ORDINARY",
    "BestVertex",
    "Calibration",
    "Change",
    "Comparison",
    "Effort",
    "Entry",
    "Goal",
    "Improvement",
    "LeastLevel",
    "LevelComparison",
    "Objective",
    "Orbit",
    "Row",
    "SetSequences",
    "Solution",
    "Tuned",
    "Vertex",
    "best_extreme_point",
    "calibrate",
    "compare",
    "design",
    "exponential",
    "extreme_points",
    "from_score",
    "improve",
    "k_norm",
    "ladder",
    "largest_norm",
    "min_level_given_loss",
    "min_loss_given_level",
    "min_loss_with_delta",
    "nothing_applies",
    "polygon_norm",
    "preferring",
    "privacy_first",
    "radius_candidates",
    "randomized_response",
    "remapped_geometric",
    "sum_norm",
    "tight_constraints",
    "tight_weights",
    "tradeoff",
    "truncated_geometric",
    "tune",
    "tune_radii",
    "two_sided_geometric",
    "utility_first",
    "utility_then_privacy",
]
