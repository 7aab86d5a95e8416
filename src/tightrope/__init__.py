"""Tightrope: the most useful mechanism a privacy budget allows, found, proved and run.

    import tightrope as tr
    s = tr.design("path:0..49", 0.5, loss="absolute")   # the best mechanism, proved
    s.value, s.bound, s.certified.certificate.smallest
    tr.draw(s, 7)                                        # runs exactly what was proved

State what may be told apart (a space), how hard it must be to tell (a level) and what errors
cost (a loss). These are the names to build on; docs/reference/python lists them by room.
"""

from __future__ import annotations

from sys import modules
from typing import Any

__version__ = "0.2.0"

STABLE = {
    "questions": {
        "files": "space query definition",
        "spaces": "Space path grid sums counts histogram hamming categories sets cycle star "
        "complete graph matrix points product_sum product_max Network",
        "exact": "Level",
        "utility": "Prior uniform Loss LossMatrix absolute squared euclidean largest binary "
        "Problem Goal",
    },
    "answers": {
        "constructions": "design compare improve tradeoff min_loss_given_level "
        "min_level_given_loss Comparison Tradeoff Effort",
        "utility": "Solution",
        "samplers": "draw draw_many SeededSource",
        "files": "save load",
    },
    "proofs": {
        "privacy": "verify certify certified repair Certified Certificate Refutation Witness "
        "smallest_level smallest_delta delta_curve tightness row_graphs",
        "documents": "review inspect",
    },
    "mechanisms": {
        "mechanisms": "MatrixMechanism KernelMechanism NoiseMechanism SubsetMechanism "
        "UnaryMechanism TableMechanism cascade mix remap tensor",
    },
    "constructions": {
        "constructions": "truncated_geometric two_sided_geometric remapped_geometric "
        "randomized_response exponential tight_constraints tight_weights planar_geometric "
        "planar_laplace staircase integer_staircase subset_selection "
        "unary_encoding compare_protocols split_level",
        "kernels": "regularity",
    },
    "what a level means": {
        "privacy": "promise odds_change sequential parallel group account judge "
        "verify_generic tradeoff_curve",
    },
    "tables, surveys and graphs": {
        "releases": "open Question",
        "ledger": "Ledger Budget",
        "tables": "sanitize protect estimate_column Sanitized ProtectedColumn",
        "declarations": "Declaration",
        "files": "example",
        "surveys": "plan_survey create_survey",
        "networks": "release_count release_degrees",
        "curves": "curve plan_curve",
        "locations": "locate",
    },
    "usefulness": {
        "utility": "expected_loss worst_loss best_remap worst_case_remap prove_bound leakage "
        "beliefs min_capacity mutual_information dobrushin dobrushin_optimum estimate",
    },
    "theory": {
        "theory": "max_measure_given_level accuracy least_overlap "
        "extreme_points best_extreme_point median quantile mode thresholds judge_prior "
        "most_leakage sufficient_sets generalize post_processing generality extremality batch "
        "linear_noise noise induced_query",
        "constructions": "calibrate ladder k_norm privacy_first utility_first",
    },
    "errors": {
        "errors": "TightropeError BadInput Infeasible NotPrivate NotCertified CannotCheck "
        "SolverFailed",
    },
}
"""The names to build on, by subject and by the room where each lives."""

_NAMED_OTHERWISE = {
    **{name: f"read_{name}" for name in ("space", "query", "definition")},
    "open": "open_books",
}
_ROOMS = {
    name: room
    for subject in STABLE.values()
    for room, names in subject.items()
    for name in names.split()
}

__all__ = sorted(_ROOMS)


def __getattr__(name: str) -> Any:
    """Names are imported when first used, so that `tightrope --help` stays quick."""
    from importlib import import_module

    if name in _ROOMS:
        room = import_module(f"tightrope.{_ROOMS[name]}")
        return getattr(room, _NAMED_OTHERWISE.get(name, name))
    if name in set(_ROOMS.values()):
        return import_module(f"tightrope.{name}")
    unknown = f"module 'tightrope' has no attribute {name!r}"
    raise AttributeError(unknown, name=name, obj=modules[__name__])  # Python names the nearest


def __dir__() -> list[str]:
    """What help and completion list, before anything is imported."""
    return [*__all__, "__version__"]
