"""Privacy: what a level means, how it is proved, and how levels add up.

`verify` returns a certificate or a refutation with its witness; `certify` repairs a matrix
and proves the result; `Certified` is the only thing the rest of the library draws from.
"""

from tightrope.privacy.categorical import (
    Range,
    exponent_of_error,
    least_laplace_scale,
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
)
from tightrope.privacy.hockeystick import DeltaCurve, delta_curve
from tightrope.privacy.polytope import Extremality, HalfSpaces, extremality, half_spaces
from tightrope.privacy.repair import Repair, certify, repair
from tightrope.privacy.sufficient_sets import (
    SufficientSet,
    SufficientSets,
    sufficient_sets,
)
from tightrope.privacy.tightness import Tightness, tightness
from tightrope.privacy.verification import certified, smallest_level, verify

__all__ = [
    "Certificate",
    "Certified",
    "DeltaCurve",
    "Evidence",
    "Extremality",
    "HalfSpaces",
    "Range",
    "Refutation",
    "Repair",
    "Smallest",
    "SufficientSet",
    "SufficientSets",
    "Tightness",
    "Witness",
    "certified",
    "certify",
    "delta_curve",
    "exponent_of_error",
    "extremality",
    "group",
    "half_spaces",
    "least_laplace_scale",
    "parallel",
    "private_errors",
    "private_exponents",
    "repair",
    "sequential",
    "smallest_delta",
    "smallest_level",
    "smallest_ratio",
    "sufficient_sets",
    "tightness",
    "verify",
]
