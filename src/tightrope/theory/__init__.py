"""Research: limits on accuracy, extreme points, priors, generality, noise for one number.

No product room uses this one; `papers` and `tightrope theory` do.
"""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.theory.limits.accuracies import Accuracy, accuracy
    from tightrope.theory.limits.aims import balls
    from tightrope.theory.limits.base_measures import exponential_bounds
    from tightrope.theory.limits.bodies import Body, BodyAccuracy, body_accuracy
    from tightrope.theory.limits.compatibility import failures, sample_size, smallest_level_for
    from tightrope.theory.limits.covers import cover, cover_measure, least_ball, packing
    from tightrope.theory.limits.error_bounds import largest_error, least_error, least_error_apart
    from tightrope.theory.limits.families import family_verdict
    from tightrope.theory.limits.packings import packing_bound
    from tightrope.theory.plots.densities import density_steps, noise_figure, rung_steps
    from tightrope.theory.plots.levels import (
        family_figure,
        level_ladder_figure,
        thresholds_figure,
    )
    from tightrope.theory.plots.polytopes import orbit_figure
    from tightrope.theory.plots.priors import prior_figure
    from tightrope.theory.plots.regions import place_priors
    from tightrope.theory.polytope.best_vertices import best_extreme_point
    from tightrope.theory.polytope.cone_rays import ConeRays, cone_rays
    from tightrope.theory.polytope.ergodicity import least_overlap
    from tightrope.theory.polytope.half_spaces import half_spaces, ratio_of
    from tightrope.theory.polytope.mechanism_vertices import MechanismVertices, mechanism_vertices
    from tightrope.theory.polytope.optimal_measures import max_measure_given_level
    from tightrope.theory.polytope.polytope import extremality
    from tightrope.theory.polytope.polytopes import polytope_text
    from tightrope.theory.polytope.vertices import ExtremePoints, extreme_points
    from tightrope.theory.priors.ball_sizes import ball_sizes
    from tightrope.theory.priors.judgments import PriorJudgment, judge_prior
    from tightrope.theory.priors.leakage import (
        most_leakage,
        most_leakage_of_any_prior,
        most_leakage_of_databases,
    )
    from tightrope.theory.priors.regular_optima import regular_optimum
    from tightrope.theory.priors.thresholds import thresholds
    from tightrope.theory.processing.batches import batch
    from tightrope.theory.processing.excesses import excesses
    from tightrope.theory.processing.generality import generalize
    from tightrope.theory.processing.generic_generality import generalize_under
    from tightrope.theory.processing.measure_axiom import judge_measure
    from tightrope.theory.processing.postprocessing import (
        PostProcessing,
        generality,
        post_processing,
    )
    from tightrope.theory.processing.subsampling import strictest, subsample, subsampling_definition
    from tightrope.theory.processing.sufficient_sets import sufficient_sets
    from tightrope.theory.queries.inverse_sensitivity import median, mode, quantile
    from tightrope.theory.queries.laplace import laplace_curve, laplace_noise, least_laplace_scale
    from tightrope.theory.queries.line_noise import Noise, noise
    from tightrope.theory.queries.linear_queries import LineSequence, line_sequence, linear_noise
    from tightrope.theory.queries.oblivious import oblivious_privacy
    from tightrope.theory.queries.queries import induced_query, uniform_sensitivity
    from tightrope.theory.queries.questions import (
        SanitizedOrPerturbed,
        noise_variance,
        sanitized_or_perturbed,
    )
    from tightrope.theory.queries.responses import ResponseForms, response_curve, response_forms
    from tightrope.theory.sets.families import set_family
    from tightrope.theory.sets.rectangles import disjoint_rectangles
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "Accuracy",
    "Body",
    "BodyAccuracy",
    "ConeRays",
    "ExtremePoints",
    "LineSequence",
    "MechanismVertices",
    "Noise",
    "PostProcessing",
    "PriorJudgment",
    "ResponseForms",
    "SanitizedOrPerturbed",
    "accuracy",
    "ball_sizes",
    "balls",
    "batch",
    "best_extreme_point",
    "body_accuracy",
    "cone_rays",
    "cover",
    "cover_measure",
    "density_steps",
    "disjoint_rectangles",
    "excesses",
    "exponential_bounds",
    "extremality",
    "extreme_points",
    "failures",
    "family_figure",
    "family_verdict",
    "generality",
    "generalize",
    "generalize_under",
    "half_spaces",
    "induced_query",
    "judge_measure",
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
    "max_measure_given_level",
    "mechanism_vertices",
    "median",
    "mode",
    "most_leakage",
    "most_leakage_of_any_prior",
    "most_leakage_of_databases",
    "noise",
    "noise_figure",
    "noise_variance",
    "oblivious_privacy",
    "orbit_figure",
    "packing",
    "packing_bound",
    "place_priors",
    "polytope_text",
    "post_processing",
    "prior_figure",
    "quantile",
    "ratio_of",
    "regular_optimum",
    "response_curve",
    "response_forms",
    "rung_steps",
    "sample_size",
    "sanitized_or_perturbed",
    "set_family",
    "smallest_level_for",
    "strictest",
    "subsample",
    "subsampling_definition",
    "sufficient_sets",
    "thresholds",
    "thresholds_figure",
    "uniform_sensitivity",
]
