"""Privacy: what a level means, how it is proved, and how levels add up.

`verify` returns a certificate or a refutation with its witness; `certify` repairs a matrix
and proves the result; `Certified` is the only thing the rest of the library draws from.
"""

from tightrope.privacy.accounting import Account, account
from tightrope.privacy.axioms import (
    DEFAULT_GRID,
    AxiomVerdict,
    Band,
    Choice,
    Processing,
    Table,
    judge,
)
from tightrope.privacy.composition import group, parallel, sequential
from tightrope.privacy.evidence import (
    Certificate,
    Certified,
    Evidence,
    Refutation,
    Smallest,
    Witness,
)
from tightrope.privacy.generality import (
    Generalized,
    PostProcessing,
    advantage,
    generalize,
    post_processing,
)
from tightrope.privacy.generic import (
    BrokenBound,
    GenericDefinition,
    GenericVerdict,
    PairBound,
    tradeoff_curve,
    verify_generic,
)
from tightrope.privacy.hockeystick import DeltaCurve, delta_curve
from tightrope.privacy.repair import Repair, certify, repair
from tightrope.privacy.semantics import OddsChange, odds_change, promise
from tightrope.privacy.tightness import RowGraph, Tightness, row_graphs, tightness
from tightrope.privacy.verification import certified, smallest_level, verify

__all__ = [
    "DEFAULT_GRID",
    "Account",
    "AxiomVerdict",
    "Band",
    "BrokenBound",
    "Certificate",
    "Certified",
    "Choice",
    "DeltaCurve",
    "Evidence",
    "Generalized",
    "GenericDefinition",
    "GenericVerdict",
    "OddsChange",
    "PairBound",
    "PostProcessing",
    "Processing",
    "Refutation",
    "Repair",
    "RowGraph",
    "Smallest",
    "Table",
    "Tightness",
    "Witness",
    "account",
    "advantage",
    "certified",
    "certify",
    "delta_curve",
    "generalize",
    "group",
    "judge",
    "odds_change",
    "parallel",
    "post_processing",
    "promise",
    "repair",
    "row_graphs",
    "sequential",
    "smallest_level",
    "tightness",
    "tradeoff_curve",
    "verify",
    "verify_generic",
]
