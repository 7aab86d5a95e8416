"""Mechanisms in closed form: geometric, planar, staircase and line noise, randomized response."""

from tightrope.constructions.closed_forms.box_noise import best_box, box_error, box_noise
from tightrope.constructions.closed_forms.exponential import exponential
from tightrope.constructions.closed_forms.geometric import truncated_geometric
from tightrope.constructions.closed_forms.integer_staircase import integer_staircase
from tightrope.constructions.closed_forms.item_response import item_response
from tightrope.constructions.closed_forms.planar import (
    PlanarNoise,
    planar_geometric,
    planar_laplace,
)
from tightrope.constructions.closed_forms.position_noise import position_laplace, position_noise
from tightrope.constructions.closed_forms.position_steps import least_mean_distance, position_steps
from tightrope.constructions.closed_forms.randomized_response import randomized_response
from tightrope.constructions.closed_forms.remapped_geometric import remapped_geometric
from tightrope.constructions.closed_forms.score_choice import frequent_choice, rank_choice
from tightrope.constructions.closed_forms.staircase import (
    best_share,
    least_mean_error,
    staircase,
)
from tightrope.constructions.closed_forms.tally_noise import tally_noise
from tightrope.constructions.closed_forms.trace_noise import trace_noise
from tightrope.constructions.closed_forms.two_sided_geometric import two_sided_geometric

__all__ = [
    "PlanarNoise",
    "best_box",
    "best_share",
    "box_error",
    "box_noise",
    "exponential",
    "frequent_choice",
    "integer_staircase",
    "item_response",
    "least_mean_distance",
    "least_mean_error",
    "planar_geometric",
    "planar_laplace",
    "position_laplace",
    "position_noise",
    "position_steps",
    "randomized_response",
    "rank_choice",
    "remapped_geometric",
    "staircase",
    "tally_noise",
    "trace_noise",
    "truncated_geometric",
    "two_sided_geometric",
]
