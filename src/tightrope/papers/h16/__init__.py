"""H16: Holohan, Mathematical foundations of differential privacy (thesis, Dublin, 2016)."""

from tightrope.papers.h16 import (
    binary_designs,
    categorical,
    curves,
    delta_curves,
    density_bands,
    extreme_points,
    framework,
    hamming_kernels,
    loose_entries,
    polytope,
    sufficient_sets,
    survey_level_sets,
    survey_maxima,
    survey_optimum,
    survey_theory,
    survey_variances,
    survey_violation,
)

ITEMS = (
    density_bands.ITEM,
    *framework.ITEMS,
    *categorical.ITEMS,
    curves.ITEM,
    *hamming_kernels.ITEMS,
    delta_curves.ITEM,
    *sufficient_sets.ITEMS,
    loose_entries.ITEM,
    *polytope.ITEMS,
    *extreme_points.ITEMS,
    binary_designs.ITEM,
    survey_optimum.ITEM,
    survey_level_sets.ITEM,
    survey_violation.VIOLATION,
    survey_violation.EFFICIENCY,
    survey_variances.RANDOMIZATION,
    survey_variances.SUPER_BINARY,
    survey_variances.MAXIMA,
    *survey_maxima.ITEMS,
    *survey_theory.ITEMS,
)

__all__ = ["ITEMS"]
