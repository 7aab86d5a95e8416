"""Mechanisms in closed form: geometric, planar, staircase and line noise, randomized response."""

from tightrope.constructions.closed_forms.exponential import exponential
from tightrope.constructions.closed_forms.geometric import (
    remapped_geometric,
    truncated_geometric,
    two_sided_geometric,
)
from tightrope.constructions.closed_forms.linear_queries import (
    LineSequence,
    line_sequence,
    linear_noise,
)
from tightrope.constructions.closed_forms.planar import (
    PlanarNoise,
    planar_geometric,
    planar_laplace,
)
from tightrope.constructions.closed_forms.randomized_response import (
    item_response,
    randomized_response,
)
from tightrope.constructions.closed_forms.staircase import (
    best_share,
    integer_staircase,
    least_mean_error,
    staircase,
)

__all__ = [
    "LineSequence",
    "PlanarNoise",
    "best_share",
    "exponential",
    "integer_staircase",
    "item_response",
    "least_mean_error",
    "line_sequence",
    "linear_noise",
    "planar_geometric",
    "planar_laplace",
    "randomized_response",
    "remapped_geometric",
    "staircase",
    "truncated_geometric",
    "two_sided_geometric",
]
