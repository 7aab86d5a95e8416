"""Tightrope: private numbers about people, with the least error that a budget allows, proved.

    import tightrope as tr
    tr.mean(df, "age", epsilon=0.5, low=17, high=42)     # one private answer
    s = tr.design("path:0..49", 0.5, loss="absolute")    # the best mechanism, proved
    tr.draw(s, 7)                                        # runs exactly what was proved

These names are the ones to begin with. Others are in namespaces, each of them a room of the
library: `tr.spaces.path(0, 49)`, `tr.privacy.promise`; docs/reference/python lists them by room.
"""

from __future__ import annotations

from sys import modules
from typing import Any

__version__ = "0.2.0"

TOP = {
    "private answers from a table": {
        "releases": "count sum mean variance median quantiles histogram proportion",
    },
    "books": {
        "releases": "open plan Question Release",
        "tables": "declare",
        "declarations": "Declaration",
        "ledger": "Ledger Budget account",
        "files": "example",
        "reports": "report",
    },
    "rows and places": {
        "tables": "sanitize estimate",
        "locations": "locate",
    },
    "mechanisms": {
        "files": "space save load",
        "constructions": "design compare tradeoff improve",
        "samplers": "draw draw_many",
    },
    "proof": {
        "privacy": "verify certify smallest_level delta_curve",
        "documents": "inspect",
    },
    "values": {
        "exact": "Level",
        "spaces": "Space",
        "utility": "Loss Prior Problem Solution",
        "constructions": "Comparison Tradeoff Effort",
        "privacy": "Certified Certificate Refutation Witness",
        "samplers": "SeededSource",
        "errors": "TightropeError",
    },
}
"""The names of the top level, by subject and by the room where each lives."""

ROOMS = {
    "constructions": "truncated_geometric two_sided_geometric remapped_geometric "
    "randomized_response exponential tight_constraints tight_weights planar_geometric "
    "planar_laplace staircase integer_staircase subset_selection unary_encoding "
    "compare_protocols best_randomizer worst_case_randomizer "
    "min_loss_given_level min_level_given_loss calibrate ladder choose_by_score k_norm "
    "privacy_first utility_first",
    "curves": "curve plan_curve",
    "documents": "review",
    "errors": "BadInput Infeasible NotPrivate NotCertified CannotCheck SolverFailed",
    "files": "read_query read_definition",
    "kernels": "regularity",
    "locations": "noise cells traces heat_map",
    "mechanisms": "MatrixMechanism KernelMechanism NoiseMechanism SubsetMechanism "
    "UnaryMechanism TableMechanism cascade mix remap tensor",
    "networks": "release_count release_degrees",
    "plots": "figure mechanism_figure comparison_figure tradeoff_figure picture",
    "privacy": "promise odds_change sequential parallel group account judge verify_generic "
    "total_variation renyi_curve verify_renyi privacy_loss tradeoff_curve tightness row_graphs "
    "smallest_delta repair certified",
    "releases": "difference",
    "reports": "verify_report",
    "spaces": "path grid sums counts histogram hamming categories sets cycle star complete graph "
    "matrix points product_sum product_max product_norm Network",
    "surveys": "plan_survey create_survey results compare_groups cross_table regress "
    "compare_waves best_design plan_aim",
    "tables": "protect estimate_columns cross_table ProtectedColumn Sanitized Estimates",
    "theory": "max_measure_given_level accuracy least_overlap extreme_points best_extreme_point "
    "median quantile mode thresholds judge_prior most_leakage sufficient_sets generalize "
    "post_processing generality extremality batch linear_noise noise induced_query",
    "utility": "uniform LossMatrix absolute squared euclidean largest binary Goal expected_loss "
    "worst_loss best_remap worst_case_remap prove_bound leakage beliefs min_capacity "
    "mutual_information dobrushin dobrushin_optimum estimate estimate_joint",
}
"""The names to build on that namespaces hold: `tr.spaces.path`."""

_NAMED_OTHERWISE = {
    "account": "account_for", "declare": "draft_declaration", "estimate": "estimate_column",
    "open": "open_books", "space": "read_space",
}
_HOMES = {
    name: room
    for subject in TOP.values()
    for room, names in subject.items()
    for name in names.split()
}
_INSTEAD = {
    "average": 'tr.mean(df, "age", epsilon=1, low=0, high=100)',
    "counts": "tr.spaces.counts, or tr.histogram for a column of a table",
    "definition": "tr.files.read_definition",
    "epsilon_curve": "tr.delta_curve(…).epsilon(δ)",
    "estimate_column": "tr.estimate",
    "gaussian": "tr.mean, tr.sum, tr.count of a table, which choose their noise",
    "laplace": "tr.mean, tr.sum, tr.count of a table, which choose their noise",
    "losses": 'tr.utility, or a word: tr.design(space, 1, loss="absolute")',
    "max": 'tr.open(…).ask("maximum of age", epsilon=1)',
    "min": 'tr.open(…).ask("minimum of age", epsilon=1)',
    "mode": 'tr.theory.mode, or tr.open(…).ask("mode of drug", epsilon=1) of a table',
    "noise": "tr.theory.noise, or tr.locations.noise for positions",
    "percentile": 'tr.quantiles(df, "age", [0.9], epsilon=1, low=0, high=100)',
    "quantile": 'tr.quantiles(df, "age", [0.9], epsilon=1, low=0, high=100), or tr.theory.quantile',
    "query": "tr.files.read_query",
    **dict.fromkeys(("papers", "reproduce"), "`from tightrope.papers import reproduce`"),
    **dict.fromkeys(("rdp", "renyi", "zcdp"), 'tr.privacy.renyi_curve(…), whose rho is zCDP, or '
                    'tr.privacy.verify_renyi(mechanism, "zcdp:rho=0.1", space)'),
    "read_release": "tr.releases.read_release",
    "release": 'tr.open(…).ask("mean of age", epsilon=1), or tr.mean and others, unbooked',
    "std": "tr.variance, whose root it is",
    "var": 'tr.variance(df, "age", epsilon=1, low=0, high=100)',
}
"""Names that moved, or that people try, and where to go."""

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Names are imported when first used, so that `tightrope --help` stays quick."""
    from importlib import import_module

    if name in _HOMES:
        room = import_module(f"tightrope.{_HOMES[name]}")
        return getattr(room, _NAMED_OTHERWISE.get(name, name))
    if name in {*ROOMS, *_HOMES.values()}:
        return import_module(f"tightrope.{name}")
    place = _INSTEAD.get(name) or _place_of(name)
    where = f"; take {place}" if place else ""
    unknown = f"module 'tightrope' has no attribute {name!r}{where}"
    raise AttributeError(unknown, name=name, obj=modules[__name__])  # Python names the nearest


def _place_of(name: str) -> str | None:
    """The room that has a public name."""
    from importlib import import_module

    return None if name.startswith("_") else next(
        (f"tr.{room}.{name}" for room in ROOMS
         if name in getattr(import_module(f"tightrope.{room}"), "__all__", ROOMS[room].split())),
        None)


def __dir__() -> list[str]:
    """The names that help and completion list, before anything is imported."""
    return [*__all__, *ROOMS, "__version__"]
