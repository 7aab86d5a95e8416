"""Constructions: ways to make a mechanism, the catalog of them, `design` and `compare`."""

from tightrope.constructions.catalog import CATALOG
from tightrope.constructions.categorical import (
    FrequencyProtocol,
    compare_protocols,
    reporting,
    response_error,
    split_level,
    subset_selection,
    unary_encoding,
)
from tightrope.constructions.closed_forms import (
    LineSequence,
    PlanarNoise,
    best_share,
    exponential,
    integer_staircase,
    item_response,
    least_mean_error,
    line_sequence,
    linear_noise,
    planar_geometric,
    planar_laplace,
    randomized_response,
    remapped_geometric,
    staircase,
    truncated_geometric,
    two_sided_geometric,
)
from tightrope.constructions.comparison import Comparison, Row
from tightrope.constructions.designing import compare, design, nothing_applies
from tightrope.constructions.improving import Change, Improvement, improve
from tightrope.constructions.least_level import min_level_given_loss
from tightrope.constructions.optimum import ORDINARY, Effort, min_loss_given_level
from tightrope.constructions.tight import tight_constraints, tight_weights
from tightrope.constructions.tradeoffs import Tradeoff, tradeoff

__all__ = [
    "CATALOG",
    "ORDINARY",
    "Change",
    "Comparison",
    "Effort",
    "FrequencyProtocol",
    "Improvement",
    "LineSequence",
    "PlanarNoise",
    "Row",
    "Tradeoff",
    "best_share",
    "compare",
    "compare_protocols",
    "design",
    "exponential",
    "improve",
    "integer_staircase",
    "item_response",
    "least_mean_error",
    "line_sequence",
    "linear_noise",
    "min_level_given_loss",
    "min_loss_given_level",
    "nothing_applies",
    "planar_geometric",
    "planar_laplace",
    "randomized_response",
    "remapped_geometric",
    "reporting",
    "response_error",
    "split_level",
    "staircase",
    "subset_selection",
    "tight_constraints",
    "tight_weights",
    "tradeoff",
    "truncated_geometric",
    "two_sided_geometric",
    "unary_encoding",
]
