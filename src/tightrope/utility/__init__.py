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
        estimate,
        estimate_items,
        estimate_reports,
        estimate_variances,
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
    from tightrope.utility.leakage import leakage, min_entropy
    from tightrope.utility.likelihood import most_likely
    from tightrope.utility.losses import (
        LOSS_NAMES,
        LOSSES,
        Loss,
        LossLike,
        LossMatrix,
        absolute,
        binary,
        euclidean,
        fitting,
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
    from tightrope.utility.remap import apply_best_remap, best_remap, worst_case_remap
    from tightrope.utility.repairs import repair_for
    from tightrope.utility.solution import Proof, Solution
    from tightrope.utility.standing import saved, standing_of
    from tightrope.utility.tallies import Tally
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "BRIEFLY",
    "LOSSES",
    "LOSS_NAMES",
    "SCALE",
    "Beliefs",
    "Dual",
    "Estimate",
    "ExactForm",
    "ExactOptimum",
    "GenericSolution",
    "Goal",
    "Loss",
    "LossLike",
    "LossMatrix",
    "Multipliers",
    "Prior",
    "PriorLike",
    "Problem",
    "Proof",
    "Solution",
    "StickPrices",
    "Tally",
    "Triples",
    "absolute",
    "all_neighbors",
    "apply_best_remap",
    "beliefs",
    "best_dual",
    "best_remap",
    "binary",
    "cost_columns",
    "determinant",
    "dobrushin",
    "dobrushin_optimum",
    "estimate",
    "estimate_items",
    "estimate_reports",
    "estimate_variances",
    "euclidean",
    "exact_inverse",
    "exact_losses",
    "exact_value",
    "expected_loss",
    "fitting",
    "generic_bound",
    "generic_value",
    "is_proved",
    "largest",
    "largest_variance",
    "leakage",
    "loss_ceilings",
    "loss_of",
    "mean_above",
    "min_capacity",
    "min_entropy",
    "most_likely",
    "mutual_information",
    "noise_obstacle",
    "prior_of",
    "prove_bound",
    "question",
    "rank",
    "relative_gap",
    "repair_for",
    "saved",
    "second_moments",
    "squared",
    "standing_of",
    "undetermined",
    "uniform",
    "worst_case_remap",
    "worst_loss",
]
