"""What a level makes impossible and what attains it: covers, packings, ε*, least overlap."""

from tightrope.constructions.limits.base_measures import ExponentialBound, exponential_bounds
from tightrope.constructions.limits.compatibility import (
    SmallestLevelFor,
    failures,
    sample_size,
    smallest_level_for,
)
from tightrope.constructions.limits.covers import (
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
from tightrope.constructions.limits.ergodicity import least_overlap
from tightrope.constructions.limits.packings import PackingBound, packing_bound

__all__ = [
    "ExponentialBound",
    "PackingBound",
    "SmallestLevelFor",
    "ball_cover",
    "ball_packing",
    "balls",
    "best_measure",
    "cover",
    "cover_measure",
    "cube_cover",
    "cube_packing",
    "exponential_bounds",
    "failures",
    "least_ball",
    "least_overlap",
    "packing",
    "packing_bound",
    "sample_size",
    "smallest_level_for",
]
