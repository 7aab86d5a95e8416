"""Privacy: what a level means, how it is proved, and how levels add up.

`verify` returns a certificate or a refutation with its witness; `certify` repairs a matrix
and proves the result; `Certified` is the only thing the rest of the library draws from.
"""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.privacy.accounting import account
    from tightrope.privacy.axioms import AxiomVerdict, judge
    from tightrope.privacy.bounds import Bound, FormulaBound, Jump, LevelBound, Strict, allows
    from tightrope.privacy.cards import level_shown
    from tightrope.privacy.categorical import (
        PrivateRange,
        exponent_of_error,
        private_errors,
        private_exponents,
        smallest_delta,
        smallest_ratio,
    )
    from tightrope.privacy.composition import group, parallel, sequential
    from tightrope.privacy.delta_curves import DeltaCurve, delta_curve
    from tightrope.privacy.descriptions import (
        at_least,
        probability_table,
        promises,
        proof_facts,
        protection,
        smallest_text,
        space_facts,
    )
    from tightrope.privacy.evidence import (
        Certificate,
        Certified,
        Evidence,
        Refutation,
        Smallest,
        Witness,
        proved,
        relation,
    )
    from tightrope.privacy.gaussians import largest_rho
    from tightrope.privacy.generic import (
        GenericDefinition,
        GenericVerdict,
        PairBound,
        definition_on,
        level_bound,
        total_variation,
        verify_generic,
    )
    from tightrope.privacy.hockeystick import declared
    from tightrope.privacy.implied_values import implied_values
    from tightrope.privacy.levels import level_of
    from tightrope.privacy.linear_bounds import (
        HockeyStick,
        HullBound,
        hockey_sticks,
        linear_definition,
        most_excess,
    )
    from tightrope.privacy.named_definitions import NamedDefinition, named_definition
    from tightrope.privacy.predicates import Band, TablePredicate
    from tightrope.privacy.privacy_loss import LossCurve, privacy_loss
    from tightrope.privacy.renyi import RenyiCurve, RenyiVerdict, renyi_curve, verify_renyi
    from tightrope.privacy.renyi_accounting import COMPOSED, compose_renyi, total_rho
    from tightrope.privacy.repair import Repair, certify, dilute, repair
    from tightrope.privacy.semantics import odds_change, promise, tradeoff_curve
    from tightrope.privacy.tightness import RowGraph, Tightness, exact_margin, row_graphs, tightness
    from tightrope.privacy.verification import certified, smallest_level, verify
    from tightrope.privacy.whole import (
        WholeVerdict,
        judge_whole,
        keeps,
        takes_matrix,
        verify_events,
    )
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "COMPOSED",
    "AxiomVerdict",
    "Band",
    "Bound",
    "Certificate",
    "Certified",
    "DeltaCurve",
    "Evidence",
    "FormulaBound",
    "GenericDefinition",
    "GenericVerdict",
    "HockeyStick",
    "HullBound",
    "Jump",
    "LevelBound",
    "LossCurve",
    "NamedDefinition",
    "PairBound",
    "PrivateRange",
    "Refutation",
    "RenyiCurve",
    "RenyiVerdict",
    "Repair",
    "RowGraph",
    "Smallest",
    "Strict",
    "TablePredicate",
    "Tightness",
    "WholeVerdict",
    "Witness",
    "account",
    "allows",
    "at_least",
    "certified",
    "certify",
    "compose_renyi",
    "declared",
    "definition_on",
    "delta_curve",
    "dilute",
    "exact_margin",
    "exponent_of_error",
    "group",
    "hockey_sticks",
    "implied_values",
    "judge",
    "judge_whole",
    "keeps",
    "largest_rho",
    "level_bound",
    "level_of",
    "level_shown",
    "linear_definition",
    "most_excess",
    "named_definition",
    "odds_change",
    "parallel",
    "privacy_loss",
    "private_errors",
    "private_exponents",
    "probability_table",
    "promise",
    "promises",
    "proof_facts",
    "protection",
    "proved",
    "relation",
    "renyi_curve",
    "repair",
    "row_graphs",
    "sequential",
    "smallest_delta",
    "smallest_level",
    "smallest_ratio",
    "smallest_text",
    "space_facts",
    "takes_matrix",
    "tightness",
    "total_rho",
    "total_variation",
    "tradeoff_curve",
    "verify",
    "verify_events",
    "verify_generic",
    "verify_renyi",
]
