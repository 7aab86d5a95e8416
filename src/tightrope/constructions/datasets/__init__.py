"""Mechanisms on datasets: set sequences, ladders, inverse sensitivity, calibration."""

from tightrope.constructions.datasets.calibration import (
    Calibration,
    Tuned,
    calibrate,
    radius_candidates,
    tune,
    tune_radii,
)
from tightrope.constructions.datasets.inverse_sensitivity import (
    ModeLaw,
    median_law,
    mode_law,
    mode_rungs,
    quantile_law,
    rank_of,
)
from tightrope.constructions.datasets.ladder import (
    from_score,
    k_norm,
    ladder,
    largest_norm,
    polygon_norm,
    sum_norm,
)
from tightrope.constructions.datasets.set_policies import (
    preferring,
    privacy_first,
    utility_first,
    utility_then_privacy,
)
from tightrope.constructions.datasets.set_sequences import SetSequences

__all__ = [
    "Calibration",
    "ModeLaw",
    "SetSequences",
    "Tuned",
    "calibrate",
    "from_score",
    "k_norm",
    "ladder",
    "largest_norm",
    "median_law",
    "mode_law",
    "mode_rungs",
    "polygon_norm",
    "preferring",
    "privacy_first",
    "quantile_law",
    "radius_candidates",
    "rank_of",
    "sum_norm",
    "tune",
    "tune_radii",
    "utility_first",
    "utility_then_privacy",
]
