"""Research: limits on accuracy, extreme points, priors, generality, noise for one number.

No product room uses this one; `papers` and `tightrope theory` do.
"""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.theory.limits.accuracies import Accuracy, accuracy
    from tightrope.theory.limits.aims import Lipschitz, balls, lipschitz
    from tightrope.theory.limits.base_measures import exponential_bounds
    from tightrope.theory.limits.bodies import Body, BodyAccuracy, body_accuracy
    from tightrope.theory.limits.compatibility import failures, sample_size, smallest_level_for
    from tightrope.theory.limits.covers import (
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
    from tightrope.theory.limits.error_bounds import largest_error, least_error, least_error_apart
    from tightrope.theory.limits.families import FamilyVerdict, family_verdict
    from tightrope.theory.limits.packings import packing_bound
    from tightrope.theory.plots.families import family_figure
    from tightrope.theory.plots.gains import GainPanel, gain_figure
    from tightrope.theory.plots.level_ladders import level_ladder_figure
    from tightrope.theory.plots.levels import thresholds_figure
    from tightrope.theory.plots.polytopes import orbit_figure
    from tightrope.theory.plots.priors import prior_figure
    from tightrope.theory.plots.rates import (
        density_figure,
        density_steps,
        noise_figure,
        rate_figure,
    )
    from tightrope.theory.plots.regions import regular_priors_figure
    from tightrope.theory.polytope.ergodicity import least_overlap
    from tightrope.theory.polytope.optimal_measures import MostTelling, max_measure_given_level
    from tightrope.theory.polytope.polytope import Extremality, extremality, half_spaces
    from tightrope.theory.polytope.polytopes import POLYTOPE_FILES, polytope_text
    from tightrope.theory.polytope.rays import extreme_rays
    from tightrope.theory.polytope.vertices import ExtremePoints, best_extreme_point, extreme_points
    from tightrope.theory.priors.judgments import PriorJudgment, judge_prior
    from tightrope.theory.priors.leakage import (
        most_leakage,
        most_leakage_of_any_prior,
        most_leakage_of_databases,
    )
    from tightrope.theory.priors.thresholds import Endpoint, Thresholds, thresholds
    from tightrope.theory.processing.batches import Batch, batch
    from tightrope.theory.processing.excesses import Excesses, PairExcess, PartExcess, excesses
    from tightrope.theory.processing.generality import Generalized, generalize
    from tightrope.theory.processing.postprocessing import (
        GeneralityOrder,
        PostProcessing,
        advantage,
        generality,
        post_processing,
    )
    from tightrope.theory.processing.subsampling import strictest, subsample, subsampling_definition
    from tightrope.theory.processing.sufficient_sets import sufficient_sets
    from tightrope.theory.queries.inverse_sensitivity import median, mode, quantile, rank_of
    from tightrope.theory.queries.laplace import (
        LaplaceNoise,
        laplace_curve,
        laplace_noise,
        least_laplace_scale,
    )
    from tightrope.theory.queries.line_noise import Noise, noise, power_of_ten
    from tightrope.theory.queries.linear_queries import LineSequence, line_sequence, linear_noise
    from tightrope.theory.queries.queries import (
        UniformSensitivity,
        induced_query,
        uniform_sensitivity,
    )
    from tightrope.theory.queries.questions import (
        SanitizedOrPerturbed,
        noise_variance,
        sanitized_or_perturbed,
    )
    from tightrope.theory.queries.responses import (
        ErrorJudged,
        ResponseForms,
        response_curve,
        response_forms,
    )
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "POLYTOPE_FILES",
    "Accuracy",
    "Batch",
    "Body",
    "BodyAccuracy",
    "Endpoint",
    "ErrorJudged",
    "Excesses",
    "Extremality",
    "ExtremePoints",
    "FamilyVerdict",
    "GainPanel",
    "GeneralityOrder",
    "Generalized",
    "LaplaceNoise",
    "LineSequence",
    "Lipschitz",
    "MostTelling",
    "Noise",
    "PairExcess",
    "PartExcess",
    "PostProcessing",
    "PriorJudgment",
    "ResponseForms",
    "SanitizedOrPerturbed",
    "Thresholds",
    "UniformSensitivity",
    "accuracy",
    "advantage",
    "ball_cover",
    "ball_packing",
    "balls",
    "batch",
    "best_extreme_point",
    "best_measure",
    "body_accuracy",
    "cover",
    "cover_measure",
    "cube_cover",
    "cube_packing",
    "density_figure",
    "density_steps",
    "excesses",
    "exponential_bounds",
    "extremality",
    "extreme_points",
    "extreme_rays",
    "failures",
    "family_figure",
    "family_verdict",
    "gain_figure",
    "generality",
    "generalize",
    "half_spaces",
    "induced_query",
    "judge_prior",
    "laplace_curve",
    "laplace_noise",
    "largest_error",
    "least_ball",
    "least_error",
    "least_error_apart",
    "least_laplace_scale",
    "least_overlap",
    "level_ladder_figure",
    "line_sequence",
    "linear_noise",
    "lipschitz",
    "max_measure_given_level",
    "median",
    "mode",
    "most_leakage",
    "most_leakage_of_any_prior",
    "most_leakage_of_databases",
    "noise",
    "noise_figure",
    "noise_variance",
    "orbit_figure",
    "packing",
    "packing_bound",
    "polytope_text",
    "post_processing",
    "power_of_ten",
    "prior_figure",
    "quantile",
    "rank_of",
    "rate_figure",
    "regular_priors_figure",
    "response_curve",
    "response_forms",
    "sample_size",
    "sanitized_or_perturbed",
    "smallest_level_for",
    "strictest",
    "subsample",
    "subsampling_definition",
    "sufficient_sets",
    "thresholds",
    "thresholds_figure",
    "uniform_sensitivity",
]
