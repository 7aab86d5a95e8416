"""Privacy: what a level means, how it is proved, and how levels add up.

`verify` returns a certificate or a refutation with its witness; `certify` repairs a matrix
and proves the result; `Certified` is the only thing the rest of the library draws from.
"""

from tightrope.privacy.accounting import account
from tightrope.privacy.axioms import AxiomVerdict, Band, Choice, Processing, TablePredicate, judge
from tightrope.privacy.batches import Batch, batch
from tightrope.privacy.bounds import Bound, FormulaBound, Jump, LevelBound, Strict, allows
from tightrope.privacy.cards import level_shown, meaning
from tightrope.privacy.categorical import (
    exponent_of_error,
    private_errors,
    private_exponents,
    smallest_delta,
    smallest_ratio,
)
from tightrope.privacy.composition import group, parallel, sequential
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
from tightrope.privacy.excesses import Excesses, PairExcess, PartExcess, excesses
from tightrope.privacy.generality import Generalized, generalize
from tightrope.privacy.generic import (
    BrokenBound,
    GenericDefinition,
    GenericVerdict,
    PairBound,
    level_bound,
    total_variation,
    tradeoff_curve,
    verify_generic,
)
from tightrope.privacy.hockeystick import delta_curve
from tightrope.privacy.laplace import (
    LaplaceNoise,
    laplace_curve,
    laplace_noise,
    least_laplace_scale,
)
from tightrope.privacy.lemmas import lemma_holds
from tightrope.privacy.polytope import Extremality, extremality, half_spaces
from tightrope.privacy.postprocessing import (
    GeneralityOrder,
    PostProcessing,
    advantage,
    generality,
    post_processing,
)
from tightrope.privacy.repair import Repair, certify, dilute, repair
from tightrope.privacy.responses import (
    ErrorJudged,
    ResponseForms,
    response_curve,
    response_forms,
)
from tightrope.privacy.semantics import odds_change, promise
from tightrope.privacy.sufficient_sets import sufficient_sets
from tightrope.privacy.tightness import (
    RowGraph,
    Tightness,
    exact_margin,
    row_graphs,
    tightness,
)
from tightrope.privacy.verification import certified, smallest_level, verify
from tightrope.privacy.whole import (
    Transformed,
    WholeVerdict,
    judge_whole,
    keeps,
    takes_matrix,
    verify_events,
)

__all__ = [
    "AxiomVerdict",
    "Band",
    "Batch",
    "Bound",
    "BrokenBound",
    "Certificate",
    "Certified",
    "Choice",
    "ErrorJudged",
    "Evidence",
    "Excesses",
    "Extremality",
    "FormulaBound",
    "GeneralityOrder",
    "Generalized",
    "GenericDefinition",
    "GenericVerdict",
    "Jump",
    "LaplaceNoise",
    "LevelBound",
    "PairBound",
    "PairExcess",
    "PartExcess",
    "PostProcessing",
    "Processing",
    "Refutation",
    "Repair",
    "ResponseForms",
    "RowGraph",
    "Smallest",
    "Strict",
    "TablePredicate",
    "Tightness",
    "Transformed",
    "WholeVerdict",
    "Witness",
    "account",
    "advantage",
    "allows",
    "batch",
    "certified",
    "certify",
    "delta_curve",
    "dilute",
    "exact_margin",
    "excesses",
    "exponent_of_error",
    "extremality",
    "generality",
    "generalize",
    "group",
    "half_spaces",
    "judge",
    "judge_whole",
    "keeps",
    "laplace_curve",
    "laplace_noise",
    "least_laplace_scale",
    "lemma_holds",
    "level_bound",
    "level_shown",
    "meaning",
    "odds_change",
    "parallel",
    "post_processing",
    "private_errors",
    "private_exponents",
    "promise",
    "proved",
    "relation",
    "repair",
    "response_curve",
    "response_forms",
    "row_graphs",
    "sequential",
    "smallest_delta",
    "smallest_level",
    "smallest_ratio",
    "sufficient_sets",
    "takes_matrix",
    "tightness",
    "total_variation",
    "tradeoff_curve",
    "verify",
    "verify_events",
    "verify_generic",
]
