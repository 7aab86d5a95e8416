"""Constructions: ways to make a mechanism, the catalog of them, `design` and `compare`."""

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
from tightrope.constructions.geometric import (
    remapped_geometric,
    truncated_geometric,
    two_sided_geometric,
)
from tightrope.constructions.ladder import (
    from_score,
    k_norm,
    ladder,
    largest_norm,
    polygon_norm,
    sum_norm,
)
from tightrope.constructions.linear_queries import LineSequence, line_sequence, linear_noise
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
from tightrope.constructions.staircase import (
    best_share,
    integer_mean_error,
    integer_staircase,
    least_mean_error,
    staircase,
)

__all__ = [
    "CATALOG",
    "ORDINARY",
    "Calibration",
    "Comparison",
    "Effort",
    "Entry",
    "Goal",
    "LineSequence",
    "Objective",
    "Row",
    "SetSequences",
    "Solution",
    "Tuned",
    "best_share",
    "calibrate",
    "compare",
    "design",
    "exponential",
    "from_score",
    "integer_mean_error",
    "integer_staircase",
    "k_norm",
    "ladder",
    "largest_norm",
    "least_mean_error",
    "line_sequence",
    "linear_noise",
    "min_loss_given_level",
    "nothing_applies",
    "polygon_norm",
    "preferring",
    "privacy_first",
    "radius_candidates",
    "randomized_response",
    "remapped_geometric",
    "staircase",
    "sum_norm",
    "truncated_geometric",
    "tune",
    "tune_radii",
    "two_sided_geometric",
    "utility_first",
    "utility_then_privacy",
]
