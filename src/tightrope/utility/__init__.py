"""Utility: losses, priors, expected and worst-case loss, bounds, estimation."""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.choices import Goal
    from tightrope.utility.beliefs import Beliefs, beliefs
    from tightrope.utility.brackets import SCALE, loss_ceilings, mean_above
    from tightrope.utility.cards import question
    from tightrope.utility.closeness import BRIEFLY
    from tightrope.utility.duality import (
        Dual,
        Multipliers,
        all_neighbors,
        best_dual,
        cost_columns,
        prove_bound,
        relative_gap,
    )
    from tightrope.utility.estimation import (
        Estimate,
        HowIntervals,
        estimate,
        estimate_reports,
        estimate_variances,
        share_ends,
    )
    from tightrope.utility.exact_form import ExactForm
    from tightrope.utility.exact_optimum import (
        ExactOptimum,
        Triples,
        exact_losses,
        exact_value,
        is_proved,
    )
    from tightrope.utility.expectation import expected_loss, noise_obstacle, worst_loss
    from tightrope.utility.generic_solution import (
        GenericSolution,
        StickPrices,
        generic_bound,
        generic_value,
    )
    from tightrope.utility.intervals import largest_variance
    from tightrope.utility.inversion import exact_inverse, second_moments, undetermined
    from tightrope.utility.item_estimation import estimate_items, estimate_sampled
    from tightrope.utility.joints import check_joint, estimate_joint
    from tightrope.utility.leakage import leakage, min_entropy
    from tightrope.utility.likelihood import most_likely
    from tightrope.utility.linear_queries import (
        Query,
        QueryEstimates,
        estimate_queries,
        worst_deviation,
    )
    from tightrope.utility.losses import (
        LOSS_NAMES,
        LOSSES,
        Loss,
        LossLike,
        LossMatrix,
        absolute,
        binary,
        euclidean,
        largest,
        loss_of,
        squared,
    )
    from tightrope.utility.measures import (
        determinant,
        dobrushin,
        dobrushin_optimum,
        min_capacity,
        mutual_information,
        rank,
    )
    from tightrope.utility.priors import Prior, PriorLike, prior_of, uniform
    from tightrope.utility.problem import Problem
    from tightrope.utility.randomizer_bounds import (
        LARGEST_RANDOMIZER,
        RANDOMIZER_UNITS,
        RandomizerMultipliers,
        known_part,
        prove_variance,
        prove_variance_bound,
        ratio_ceiling,
        solve_estimates,
    )
    from tightrope.utility.remap import apply_best_remap, best_remap, worst_case_remap
    from tightrope.utility.repairs import repair_for
    from tightrope.utility.solution import Proof, Solution
    from tightrope.utility.splitting import Aim, Division, divide
    from tightrope.utility.standing import saved, standing_of
    from tightrope.utility.tallies import Tally
    from tightrope.utility.workloads import Fractions, Merged, Workload, merge_values, workload_of
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "BRIEFLY",
    "LARGEST_RANDOMIZER",
    "LOSSES",
    "LOSS_NAMES",
    "RANDOMIZER_UNITS",
    "SCALE",
    "Aim",
    "Beliefs",
    "Division",
    "Dual",
    "Estimate",
    "ExactForm",
    "ExactOptimum",
    "Fractions",
    "GenericSolution",
    "Goal",
    "HowIntervals",
    "Loss",
    "LossLike",
    "LossMatrix",
    "Merged",
    "Multipliers",
    "Prior",
    "PriorLike",
    "Problem",
    "Proof",
    "Query",
    "QueryEstimates",
    "RandomizerMultipliers",
    "Solution",
    "StickPrices",
    "Tally",
    "Triples",
    "Workload",
    "absolute",
    "all_neighbors",
    "apply_best_remap",
    "beliefs",
    "best_dual",
    "best_remap",
    "binary",
    "check_joint",
    "cost_columns",
    "determinant",
    "divide",
    "dobrushin",
    "dobrushin_optimum",
    "estimate",
    "estimate_items",
    "estimate_joint",
    "estimate_queries",
    "estimate_reports",
    "estimate_sampled",
    "estimate_variances",
    "euclidean",
    "exact_inverse",
    "exact_losses",
    "exact_value",
    "expected_loss",
    "generic_bound",
    "generic_value",
    "is_proved",
    "known_part",
    "largest",
    "largest_variance",
    "leakage",
    "loss_ceilings",
    "loss_of",
    "mean_above",
    "merge_values",
    "min_capacity",
    "min_entropy",
    "most_likely",
    "mutual_information",
    "noise_obstacle",
    "prior_of",
    "prove_bound",
    "prove_variance",
    "prove_variance_bound",
    "question",
    "rank",
    "ratio_ceiling",
    "relative_gap",
    "repair_for",
    "saved",
    "second_moments",
    "share_ends",
    "solve_estimates",
    "squared",
    "standing_of",
    "undetermined",
    "uniform",
    "workload_of",
    "worst_case_remap",
    "worst_deviation",
    "worst_loss",
]
