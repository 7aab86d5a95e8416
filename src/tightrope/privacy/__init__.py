"""Privacy: what a level means, how it is proved, and how levels add up.

`verify` returns a certificate or a refutation with its witness; `certify` repairs a matrix
and proves the result; `Certified` is the only thing the rest of the library draws from.
"""

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
from tightrope.privacy.repair import Repair, certify, repair
from tightrope.privacy.theorems import (
    CertifiedLaw,
    Lemma,
    certified_integer_noise,
    certified_noise,
    certified_rungs,
)
from tightrope.privacy.tightness import Tightness, tightness
from tightrope.privacy.verification import certified, smallest_level, verify

__all__ = [
    "Certificate",
    "Certified",
    "CertifiedLaw",
    "DeltaCurve",
    "Evidence",
    "Lemma",
    "Refutation",
    "Repair",
    "Smallest",
    "Tightness",
    "Witness",
    "certified",
    "certified_integer_noise",
    "certified_noise",
    "certified_rungs",
    "certify",
    "delta_curve",
    "group",
    "parallel",
    "repair",
    "sequential",
    "smallest_level",
    "tightness",
    "verify",
]
