"""Constructions: ways to make a mechanism, the catalog of them, `design` and `compare`."""

from tightrope.constructions.approximate import min_loss_with_delta
from tightrope.constructions.base_measures import ExponentialBound, exponential_bounds
from tightrope.constructions.budget import response_error, split_level
from tightrope.constructions.calibration import (
    Calibration,
    Tuned,
    calibrate,
    radius_candidates,
    tune,
    tune_radii,
)
from tightrope.constructions.catalog import CATALOG, Entry
from tightrope.constructions.compatibility import (
    SmallestLevelFor,
    failures,
    sample_size,
    smallest_level_for,
)
from tightrope.constructions.covers import (
    ball_cover,
    ball_packing,
    balls,
    best_measure,
    cover,
    cover_measure,
    cube_cover,
    cube_packing,
    least_ball,
    packing,
)
from tightrope.constructions.designing import (
    Comparison,
    Row,
    compare,
    design,
    nothing_applies,
)
from tightrope.constructions.ergodicity import least_overlap
from tightrope.constructions.exponential import exponential
from tightrope.constructions.extreme_points import (
    BestVertex,
    Orbit,
    Vertex,
    best_extreme_point,
    extreme_points,
)
from tightrope.constructions.frequency_protocols import (
    Protocol,
    ProtocolError,
    compare_protocols,
    reporting,
    subset_selection,
    unary_encoding,
)
from tightrope.constructions.geometric import (
    remapped_geometric,
    truncated_geometric,
    two_sided_geometric,
)
from tightrope.constructions.improving import Change, Improvement, improve
from tightrope.constructions.inverse_sensitivity import (
    ModeLaw,
    median_law,
    mode_law,
    mode_rungs,
    quantile_law,
    rank_of,
)
from tightrope.constructions.ladder import (
    from_score,
    k_norm,
    ladder,
    largest_norm,
    polygon_norm,
    sum_norm,
)
from tightrope.constructions.least_level import LeastLevel, min_level_given_loss
from tightrope.constructions.linear_queries import LineSequence, line_sequence, linear_noise
from tightrope.constructions.objective import Goal, Objective
from tightrope.constructions.optimal import (
    ORDINARY,
    Effort,
    min_loss_given_level,
    min_worst_loss_given_level,
)
from tightrope.constructions.packings import PackingBound, packing_bound
from tightrope.constructions.planar import PlanarNoise, planar_geometric, planar_laplace
from tightrope.constructions.randomized_response import item_response, randomized_response
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
from tightrope.constructions.thresholds import Thresholds, thresholds
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
    "ExponentialBound",
    "Goal",
    "Improvement",
    "LeastLevel",
    "LevelComparison",
    "LineSequence",
    "ModeLaw",
    "Objective",
    "Orbit",
    "PackingBound",
    "PlanarNoise",
    "Protocol",
    "ProtocolError",
    "Row",
    "SetSequences",
    "SmallestLevelFor",
    "Solution",
    "Thresholds",
    "Tuned",
    "Vertex",
    "ball_cover",
    "ball_packing",
    "balls",
    "best_extreme_point",
    "best_measure",
    "best_share",
    "calibrate",
    "compare",
    "compare_protocols",
    "cover",
    "cover_measure",
    "cube_cover",
    "cube_packing",
    "design",
    "exponential",
    "exponential_bounds",
    "extreme_points",
    "failures",
    "from_score",
    "improve",
    "integer_mean_error",
    "integer_staircase",
    "item_response",
    "k_norm",
    "ladder",
    "largest_norm",
    "least_ball",
    "least_mean_error",
    "least_overlap",
    "line_sequence",
    "linear_noise",
    "median_law",
    "min_level_given_loss",
    "min_loss_given_level",
    "min_loss_with_delta",
    "min_worst_loss_given_level",
    "mode_law",
    "mode_rungs",
    "nothing_applies",
    "packing",
    "packing_bound",
    "planar_geometric",
    "planar_laplace",
    "polygon_norm",
    "preferring",
    "privacy_first",
    "quantile_law",
    "radius_candidates",
    "randomized_response",
    "rank_of",
    "remapped_geometric",
    "reporting",
    "response_error",
    "sample_size",
    "smallest_level_for",
    "split_level",
    "staircase",
    "subset_selection",
    "sum_norm",
    "thresholds",
    "tight_constraints",
    "tight_weights",
    "tradeoff",
    "truncated_geometric",
    "tune",
    "tune_radii",
    "two_sided_geometric",
    "unary_encoding",
    "utility_first",
    "utility_then_privacy",
]
