"""Mechanisms that see the dataset: sequences of sets of answers, one set after the other."""

from tightrope.constructions.sequences.calibration import (
    calibrate,
    radius_candidates,
    tune,
    tune_radii,
)
from tightrope.constructions.sequences.ladder import (
    from_score,
    k_norm,
    ladder,
    largest_norm,
    polygon_norm,
    sum_norm,
)
from tightrope.constructions.sequences.set_policies import (
    preferring,
    privacy_first,
    utility_first,
    utility_then_privacy,
)
from tightrope.constructions.sequences.set_sequences import SetSequences

__all__ = [
    "SetSequences",
    "calibrate",
    "from_score",
    "k_norm",
    "ladder",
    "largest_norm",
    "polygon_norm",
    "preferring",
    "privacy_first",
    "radius_candidates",
    "sum_norm",
    "tune",
    "tune_radii",
    "utility_first",
    "utility_then_privacy",
]
