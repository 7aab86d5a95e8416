"""Constructions: ways to make a mechanism, the catalog of them, `design` and `compare`."""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.constructions.catalog import CATALOG
    from tightrope.constructions.categorical.column_designs import design_report
    from tightrope.constructions.categorical.frequency_protocols import (
        FrequencyProtocol,
        compare_protocols,
        reporting,
        subset_selection,
        unary_encoding,
    )
    from tightrope.constructions.categorical.protocol_variances import protocol_variances
    from tightrope.constructions.categorical.randomizers import Randomizer, best_randomizer
    from tightrope.constructions.categorical.worst_priors import worst_case_randomizer
    from tightrope.constructions.closed_forms.box_noise import best_box, box_error, box_noise
    from tightrope.constructions.closed_forms.exponential import exponential
    from tightrope.constructions.closed_forms.gaussian_noise import (
        gaussian_error,
        gaussian_noise,
        gaussian_variances,
    )
    from tightrope.constructions.closed_forms.geometric import truncated_geometric
    from tightrope.constructions.closed_forms.integer_staircase import integer_staircase
    from tightrope.constructions.closed_forms.item_response import item_response
    from tightrope.constructions.closed_forms.key_choice import key_noise, key_selection
    from tightrope.constructions.closed_forms.planar import (
        PlanarNoise,
        planar_geometric,
        planar_laplace,
    )
    from tightrope.constructions.closed_forms.position_noise import position_laplace, position_noise
    from tightrope.constructions.closed_forms.position_steps import (
        least_mean_distance,
        position_steps,
    )
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
    from tightrope.constructions.comparison import Comparison, Row
    from tightrope.constructions.designing import compare, design, nothing_applies
    from tightrope.constructions.improving import Improvement, improve
    from tightrope.constructions.least_level import min_level_given_loss
    from tightrope.constructions.optimum.all_optima import all_optima
    from tightrope.constructions.optimum.effort import ORDINARY, Effort
    from tightrope.constructions.optimum.families import FamilyPieces, family_pieces, is_family
    from tightrope.constructions.optimum.minimum import min_loss_given_level
    from tightrope.constructions.optimum.normal_cone import when_optimal
    from tightrope.constructions.optimum.path_bound import path_bound
    from tightrope.constructions.optimum.pieces import ValuePieces, value_pieces
    from tightrope.constructions.query_catalog import QUERIES, entry
    from tightrope.constructions.sequences.calibration import calibrate
    from tightrope.constructions.sequences.ladder import (
        from_score,
        k_norm,
        ladder,
        polygon_norm,
        sum_norm,
    )
    from tightrope.constructions.sequences.profiles import profile
    from tightrope.constructions.sequences.scores import choose_by_score, outputs_space
    from tightrope.constructions.sequences.set_policies import (
        preferring,
        privacy_first,
        utility_first,
        utility_then_privacy,
    )
    from tightrope.constructions.sequences.set_sequences import SetSequences
    from tightrope.constructions.tight.constraints import tight_constraints, tight_weights
    from tightrope.constructions.tradeoffs import Tradeoff, tradeoff
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "CATALOG",
    "ORDINARY",
    "QUERIES",
    "Comparison",
    "Effort",
    "FamilyPieces",
    "FrequencyProtocol",
    "Improvement",
    "PlanarNoise",
    "Randomizer",
    "Row",
    "SetSequences",
    "Tradeoff",
    "ValuePieces",
    "all_optima",
    "best_box",
    "best_randomizer",
    "best_share",
    "box_error",
    "box_noise",
    "calibrate",
    "choose_by_score",
    "compare",
    "compare_protocols",
    "design",
    "design_report",
    "entry",
    "exponential",
    "family_pieces",
    "frequent_choice",
    "from_score",
    "gaussian_error",
    "gaussian_noise",
    "gaussian_variances",
    "improve",
    "integer_staircase",
    "is_family",
    "item_response",
    "k_norm",
    "key_noise",
    "key_selection",
    "ladder",
    "least_mean_distance",
    "least_mean_error",
    "min_level_given_loss",
    "min_loss_given_level",
    "nothing_applies",
    "outputs_space",
    "path_bound",
    "planar_geometric",
    "planar_laplace",
    "polygon_norm",
    "position_laplace",
    "position_noise",
    "position_steps",
    "preferring",
    "privacy_first",
    "profile",
    "protocol_variances",
    "randomized_response",
    "rank_choice",
    "remapped_geometric",
    "reporting",
    "staircase",
    "subset_selection",
    "sum_norm",
    "tally_noise",
    "tight_constraints",
    "tight_weights",
    "trace_noise",
    "tradeoff",
    "truncated_geometric",
    "two_sided_geometric",
    "unary_encoding",
    "utility_first",
    "utility_then_privacy",
    "value_pieces",
    "when_optimal",
    "worst_case_randomizer",
]
