"""What a level makes impossible and what attains it, beside the catalog.

Covers, packings and ε*; medians, quantiles and modes of records; the extreme points of the
privacy polytope. Sequences of sets around an answer are made in `constructions`.
"""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.theory.accuracies import Accuracy, accuracy
    from tightrope.theory.aims import Lipschitz, balls, lipschitz
    from tightrope.theory.base_measures import exponential_bounds
    from tightrope.theory.bodies import Body, BodyAccuracy, body_accuracy
    from tightrope.theory.compatibility import failures, sample_size, smallest_level_for
    from tightrope.theory.covers import (
        ball_cover,
        ball_packing,
        best_measure,
        cover,
        cover_measure,
        cube_cover,
        cube_packing,
        least_ball,
        packing,
    )
    from tightrope.theory.ergodicity import least_overlap
    from tightrope.theory.families import FamilyVerdict, family_verdict
    from tightrope.theory.inverse_sensitivity import (
        median,
        mode,
        quantile,
        rank_of,
    )
    from tightrope.theory.optimal_measures import MostTelling, max_measure_given_level
    from tightrope.theory.packings import packing_bound
    from tightrope.theory.rays import extreme_rays
    from tightrope.theory.subsampling import strictest, subsample, subsampling_definition
    from tightrope.theory.vertices import ExtremePoints, best_extreme_point, extreme_points
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "Accuracy",
    "Body",
    "BodyAccuracy",
    "ExtremePoints",
    "FamilyVerdict",
    "Lipschitz",
    "MostTelling",
    "accuracy",
    "ball_cover",
    "ball_packing",
    "balls",
    "best_extreme_point",
    "best_measure",
    "body_accuracy",
    "cover",
    "cover_measure",
    "cube_cover",
    "cube_packing",
    "exponential_bounds",
    "extreme_points",
    "extreme_rays",
    "failures",
    "family_verdict",
    "least_ball",
    "least_overlap",
    "lipschitz",
    "max_measure_given_level",
    "median",
    "mode",
    "packing",
    "packing_bound",
    "quantile",
    "rank_of",
    "sample_size",
    "smallest_level_for",
    "strictest",
    "subsample",
    "subsampling_definition",
]
