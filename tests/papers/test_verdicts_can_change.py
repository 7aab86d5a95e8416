"""With a library function broken under it, no item of a paper keeps its verdict.

Every item stands in a table: with functions all of whose answers become wrong, or with one that
is broken in a way that matters there. What is broken is never a function of the papers' own.
"""

import importlib
import pkgutil
from fractions import Fraction

import pytest

from tests.papers.wrong_answers import Altered, answering_wrongly, wrong
from tightrope import papers
from tightrope.errors import Infeasible
from tightrope.exact import Intervals, Level, Surd
from tightrope.papers import items

ITEMS = {item.key: item for item in items()}
ROOMS = [importlib.import_module(found.name)
         for found in pkgutil.walk_packages(papers.__path__, "tightrope.papers.")]


def altered(**changes):
    """A function whose answers say something else in some of their parts."""
    def breaking(true):
        def answer(*given, **named):
            said = true(*given, **named)
            return Altered(said, **{
                name: change(getattr(said, name)) for name, change in changes.items()})
        return answer
    return breaking


def negative(true):
    return lambda *given, **named: -true(*given, **named)


def one_more(true):
    return property(lambda held: tuple(wrong(part) for part in true.__get__(held, type(held))))


def never_there(true):
    def answer(*given):
        raise Infeasible("there is none.")
    return answer


def at_a_larger_ratio(true):
    return lambda space, level: true(space, Level.epsilon(Fraction(float(level)) + 2))


def of_an_interval(true):
    return lambda moves, *given: true(Intervals.of([(0, 1001)]), *given)


def all_one_apart(true):
    def answer(*given):
        asked = true(*given)
        flat = Altered(asked.codomain, distance=lambda i, j: Surd.of(int(i != j)))
        return Altered(asked, codomain=flat)
    return answer


def with_outputs_that_are_not_in_them(true):
    """Every set is its complement, and its only part too."""
    def answer(mechanism, pairs):
        said = true(mechanism, pairs)
        width = len(mechanism.outputs)
        others = [tuple(z for z in range(width) if z not in each.outputs) for each in said.sets]
        return Altered(said, sets=tuple(
            Altered(each, outputs=rest, parts=(rest,))
            for each, rest in zip(said.sets, others, strict=True)))
    return answer


def with_parts_that_are_too_large(true):
    """Every part has all outputs that are not in its set as well."""
    def answer(mechanism, pairs):
        said = true(mechanism, pairs)
        width = range(len(mechanism.outputs))
        return Altered(said, sets=tuple(
            Altered(each, parts=tuple(
                (*part, *(z for z in width if z not in each.outputs)) for part in each.parts))
            for each in said.sets))
    return answer


# every answer of either function becomes wrong
WRONG = {
    "ecp/corollary-2": ("ecp.gains.most_leakage_of_any_prior", "ecp.gains.min_capacity"),
    "ecp/corollary-3": ("ecp.tightness.min_loss_given_level", "ecp.tightness.tight_constraints"),
    "ecp/example-2": ("ecp.priors.corner_priors",),
    "ecp/figure-4": ("ecp.leakage_bounds.most_leakage_of_databases",),
    "ecp/lemma-1": ("ecp.gains.truncated_geometric",),
    "ecp/proposition-2": ("ecp.priors.corner_priors", "ecp.priors.regular_bounds"),
    "ecp/proposition-3": ("ecp.priors.regularity",),
    "ecp/proposition-4": ("ecp.gains.best_remap", "ecp.gains.leakage"),
    "ecp/proposition-5": ("ecp.gains.most_leakage", "ecp.gains.leakage"),
    "ecp/proposition-6": ("ecp.tightness.tight_constraints", "ecp.tightness.verify"),
    "ecp/proposition-7": ("ecp.tightness.truncated_geometric",),
    "ecp/proposition-9": ("ecp.tightness.tight_constraints",),
    "ecp/theorem-1": ("ecp.induced.truncated_geometric", "ecp.induced.smallest_level"),
    "ecp/theorem-3": ("ecp.gains.randomized_response", "ecp.gains.most_leakage_of_databases"),
    "ecp/theorem-4": ("ecp.tightness.min_loss_given_level", "ecp.tightness.tight_constraints"),
    "h16/corollary-3.1": ("h16.framework.delta_curve",),
    "h16/corollary-5.1": ("h16.polytope.extreme_points",),
    "h16/corollary-6.1": ("h16.survey_theory.binary", "h16.survey_theory.unit_variance"),
    "h16/corollary-6.2": ("h16.survey_theory.binary", "h16.survey_theory.worst_variance"),
    "h16/corollary-6.3": ("h16.survey_theory.binary",),
    "h16/corollary-6.4": ("h16.survey_theory.binary", "h16.survey_theory.privacy_violation"),
    "h16/corollary-6.5": ("h16.survey_theory.estimate_answers", "h16.survey_theory.super_binary"),
    "h16/corollary-6.6": ("h16.survey_theory.super_binary", "h16.survey_theory.worst_variance"),
    "h16/corollary-6.7": ("h16.survey_theory.super_binary", "h16.survey_theory.worst_variance"),
    "h16/corollary-5.2": ("h16.polytope.extremality", "h16.polytope.extreme_points"),
    "h16/equation-6.12": ("h16.survey_variances.mangat", "h16.survey_variances.super_binary"),
    "h16/example-3.6": ("h16.categorical.least_laplace_scale",),
    "h16/example-3.7": ("h16.categorical.smallest_delta",),
    "h16/example-3.8": ("h16.categorical.randomized_response", "h16.categorical.least_error_apart"),
    "h16/example-4.1": ("h16.categorical.query",),
    "h16/example-4.2": ("h16.sufficient_sets.sufficient_sets",),
    "h16/example-4.5": ("h16.categorical.exponent_of_error", "h16.categorical.smallest_ratio"),
    "h16/example-5.1": ("h16.polytope.half_spaces",),
    "h16/example-5.2": ("h16.loose_entries.tightness",),
    "h16/example-6.1": ("h16.survey_optimum.best_binary", "h16.survey_optimum.binary"),
    "h16/figure-4.1": ("h16.hamming_kernels.smallest_delta",),
    "h16/figure-6.1": (
        "h16.survey_level_sets.best_vertex",
        "h16.survey_level_sets.switching_prevalence",
    ),
    "h16/figure-2.3": ("h16.density_bands.delta_curve",),
    "h16/figure-6.2": ("h16.survey_maxima.mangat", "h16.survey_maxima.warner"),
    "h16/figure-6.3": ("h16.survey_maxima.mangat", "h16.survey_maxima.worst_variance"),
    "h16/lemma-5.2": ("h16.polytope.extreme_points",),
    "h16/lemma-6.4": ("h16.survey_theory.super_binary",),
    "h16/section-5.5": ("h16.extreme_points.extremality",),
    "h16/section-5.5-example": ("h16.extreme_points.extremality",),
    "h16/section-6.3.1": ("h16.binary_designs.randomized_response",),
    "h16/theorem-3.3": ("h16.framework.delta_curve",),
    "h16/theorem-3.5": ("h16.framework.delta_curve",),
    "h16/theorem-3.6": ("h16.framework.least_error",),
    "h16/theorem-3.7": ("h16.framework.min_loss_given_level", "h16.framework.least_error_apart"),
    "h16/theorem-4.1": ("h16.hamming_kernels.sufficient_sets",),
    "h16/theorem-4.3": (
        "h16.hamming_kernels.private_exponents",
        "h16.hamming_kernels.smallest_delta",
    ),
    "h16/theorem-4.4": ("h16.categorical.private_exponents", "h16.categorical.largest_error"),
    "h16/theorem-4.5": ("h16.hamming_kernels.exponent_of_error",),
    "h16/theorem-4.6": ("h16.hamming_kernels.private_errors", "h16.hamming_kernels.smallest_delta"),
    "h16/theorem-4.7": ("h16.hamming_kernels.private_errors", "h16.hamming_kernels.largest_error"),
    "h16/theorem-4.8": (
        "h16.hamming_kernels.min_loss_given_level",
        "h16.hamming_kernels.randomized_response",
    ),
    "h16/theorem-5.10": ("h16.extreme_points.extreme_points",),
    "h16/theorem-5.2": ("h16.polytope.extremality",),
    "h16/theorem-5.4": ("h16.polytope.extremality",),
    "h16/theorem-5.6": ("h16.polytope.extremality",),
    "h16/theorem-5.7": ("h16.polytope.extremality", "h16.polytope.extreme_points"),
    "h16/theorem-5.9": ("h16.polytope.extremality",),
    "h16/theorem-6.1": ("h16.survey_theory.binary", "h16.survey_theory.estimate_answers"),
    "h16/theorem-6.2": ("h16.survey_theory.best_vertex",),
    "h16/theorem-6.3": ("h16.survey_theory.best_vertex", "h16.survey_theory.thesis_corners"),
    "h16/theorem-6.4": ("h16.survey_violation.binary", "h16.survey_violation.privacy_violation"),
    "h16/theorem-6.5": (
        "h16.survey_violation.compare_at_violation",
        "h16.survey_violation.worst_variance",
    ),
    "h16/theorem-6.6": ("h16.survey_variances.mangat", "h16.survey_variances.unit_variance"),
    "h16/theorem-6.8": ("h16.survey_theory.super_binary", "h16.survey_theory.unit_variance"),
    "h16/theorem-6.9": ("h16.survey_variances.super_binary", "h16.survey_variances.unit_variance"),
    "kl10/appendix-b": ("kl10.generality.tight_constraints", "kl10.generality.tightness"),
    "kl10/axiom-2.1.1": ("kl10.axioms.smallest_level",),
    "kl10/axiom-2.1.2": ("kl10.axioms.smallest_level",),
    "kl10/definition-2.1.3": ("kl10.axioms.verify_generic",),
    "kl10/definition-3.1.2": ("kl10.axioms.post_processing",),
    "kl10/definition-3.3.1": ("kl10.axioms.truncated_geometric", "kl10.axioms.tightness"),
    "kl10/example-3.2.1": ("kl10.generality.cascade", "kl10.generality.post_processing"),
    "kl10/lemma-3.3.4": ("kl10.axioms.least_overlap",),
    "kl10/lemma-3.3.5": ("kl10.axioms.least_overlap", "kl10.axioms.dobrushin_optimum"),
    "kl10/lemma-3.3.8": ("kl10.generality.least_overlap", "kl10.generality.dobrushin"),
    "kl10/proposition-2.1.4": ("kl10.definitions.odds_change",),
    "kl10/proposition-2.2.2": ("kl10.definitions.post_processing",),
    "kl10/section-2": ("kl10.definitions.judge",),
    "kl10/section-2-one-way": ("kl10.definitions.design",),
    "kl10/section-2.1": ("kl10.subsampling.verify_generic",),
    "kl10/section-3.3": ("kl10.dobrushin.truncated_geometric", "kl10.dobrushin.dobrushin"),
    "kl10/theorem-2.3.1": ("kl10.axioms.judge",),
    "kl10/theorem-3.3.3": ("kl10.generality.post_processing", "kl10.generality.tightness"),
    "klpc/definition-3.1": ("klpc.families.family_verdict",),
    "klpc/example-3.3": ("klpc.measures.least_ball",),
    "klpc/remark-2.4": ("klpc.compatibility.sample_size",),
    "klpc/theorem-2.7": ("klpc.exponential.exponential",),
    "klpc/theorem-2.7-query": ("klpc.families.accuracy",),
    "klpc/theorem-3.4": (
        "klpc.compatibility.packing_bound",
        "klpc.compatibility.smallest_level_for",
    ),
    "klpc/theorem-3.4-cover": ("klpc.exponential.cover_measure",),
    "klpc/theorem-3.4-discrete": ("klpc.compatibility.smallest_level_for",),
    "klpc/theorem-3.4-interval": ("klpc.families.body_accuracy",),
    "klpc/theorem-3.4-utility": ("klpc.measures.failures",),
    "wxh/algorithm-1": ("wxh.examples.privacy_first",),
    "wxh/corollary-1": ("wxh.model.privacy_first",),
    "wxh/definition-11": ("wxh.model.privacy_first", "wxh.model.utility_first"),
    "wxh/definition-3": ("wxh.model.exponential",),
    "wxh/example-10": ("wxh.policies.ladder",),
    "wxh/example-11": ("wxh.examples.k_norm", "wxh.examples.privacy_first"),
    "wxh/example-7": ("wxh.examples.privacy_first",),
    "wxh/example-8": ("wxh.examples.from_score", "wxh.examples.utility_first"),
    "wxh/example-9": ("wxh.linear_queries.linear_noise", "wxh.linear_queries.staircase"),
    "wxh/figure-2": ("wxh.examples.linear_noise",),
    "wxh/figure-3": ("wxh.folding.privacy_first",),
    "wxh/figure-5": ("wxh.folding.privacy_first",),
    "wxh/figure-6": ("wxh.triangles.privacy_first",),
    "wxh/inequality-4": ("wxh.model.randomized_response", "wxh.model.smallest_level"),
    "wxh/proposition-1": ("wxh.model.randomized_response", "wxh.model.smallest_level"),
    "wxh/proposition-3": ("wxh.linear_queries.line_sequence",),
    "wxh/section-4.1": ("wxh.linear_queries.line_sequence",),
    "wxh/theorem-1": ("wxh.policies.utility_first",),
    "wxh/theorem-2": ("wxh.policies.privacy_first",),
    "wxh/theorem-2-levels": ("wxh.triangles.ladder", "wxh.triangles.privacy_first"),
    "wxh/theorem-3": ("wxh.policies.privacy_first",),
    "wxh/theorem-4": ("wxh.policies.utility_then_privacy",),
    "wxh/theorem-5": ("wxh.policies.preferring",),
    "wxh/theorem-6": ("wxh.policies.preferring",),
}

# broken in a way that matters to the item
BROKEN = {
    "ecp/proposition-1": ("ecp.priors.regularity", lambda true: lambda *given: None),
    "ecp/figure-1": ("ecp.induced.induced_query", all_one_apart),
    "ecp/figure-5": ("ecp.induced.induced_query", all_one_apart),
    "ecp/example-1": ("ecp.corners.regularity", lambda true: lambda *given: None),
    "ecp/figure-2": ("ecp.priors.corner_priors", answering_wrongly),
    "ecp/theorem-2": ("ecp.gains.min_loss_given_level", altered(value=lambda value: 0.0)),
    "ecp/proposition-8": ("ecp.tightness.tight_weights", lambda true: lambda *given: None),
    "ecp/figure-6a": ("ecp.curves.tight_weights", never_there),
    "ecp/figure-6b": ("ecp.curves.tight_weights", never_there),
    "ecp/figure-7": ("ecp.curves.tight_weights", never_there),
    "ecp/figure-7-below": ("ecp.locations.design", altered(bound=lambda bound: 0.0)),
    "ecp/example-3": ("ecp.leakage_bounds.most_leakage", lambda true: lambda *given: 1.2),
    "h16/theorem-3.4": ("h16.framework.randomized_response", at_a_larger_ratio),
    "h16/section-3.2": ("h16.framework.compare", altered(bound=lambda bound: bound / 2)),
    "h16/example-3.4": ("tightrope.mechanisms.BoxLaw.rung",
                        lambda true: lambda law, z: 2 * true(law, z)),
    "h16/theorem-4.2": ("h16.hamming_kernels.sufficient_sets", with_parts_that_are_too_large),
    "h16/corollary-4.1": ("h16.hamming_kernels.sufficient_sets", with_outputs_that_are_not_in_them),
    "h16/corollary-4.2": ("h16.hamming_kernels.sufficient_sets", with_outputs_that_are_not_in_them),
    "h16/example-4.4": ("h16.sufficient_sets.sufficient_sets", with_outputs_that_are_not_in_them),
    "h16/proposition-4.1": ("tightrope.mechanisms.KernelMechanism.normalizers", one_more),
    "h16/example-4.3": ("tightrope.mechanisms.KernelMechanism.normalizers", one_more),
    "h16/example-3.5": ("h16.categorical.private_errors",
                        lambda true: lambda values, *_: true(values, Fraction(1), Fraction(0))),
    "h16/lemma-3.1": ("h16.framework.tensor",
                      altered(row_at=lambda true: lambda y: wrong(true(y)))),
    "h16/lemma-5.1": ("h16.polytope.half_spaces", lambda true: lambda size, ratio, columns: true(
        size, Fraction(1), columns=columns)),
    "h16/theorem-5.3": ("tightrope.theory.polytope.vertices.Orbit.matrices",
                        lambda true: lambda orbit, ratio: list(true(orbit, ratio))[1:]),
    "h16/lemma-5.3": ("h16.polytope.extremality", altered(loose=lambda _: ((0, 0), (0, 1)))),
    "h16/theorem-5.5": ("h16.polytope.extremality", altered(loose=lambda _: ((0, 0), (0, 1)))),
    "h16/theorem-5.8": ("h16.polytope.extremality", altered(loose=lambda _: ((0, 0), (0, 1)))),
    "h16/lemma-6.1": ("h16.survey_theory.unit_variance", negative),
    "h16/lemma-6.2": ("h16.survey_theory.unit_variance", lambda true: lambda *given: abs(
        true(*given) - Fraction(11, 10))),
    "h16/lemma-6.3": ("h16.survey_theory.unit_variance", negative),
    "kl10/proposition-2.2.3": ("kl10.axioms.judge", altered(processing=lambda _: True)),
    "kl10/theorem-2.2.5": ("tightrope.privacy.PairBound.least",
                           lambda true: lambda bound, a: true(bound, a) / 2),
    "kl10/example-3.2.2": ("kl10.axioms.determinant", lambda true: lambda made: 1 / true(made)),
    "kl10/example-3.2.3": ("kl10.axioms.dobrushin", negative),
    "kl10/lemma-3.3.7": ("kl10.axioms.least_overlap", lambda true: lambda space, level: true(
        space, Level.of("1e-9")).__class__.of([["1/2", "1/2"]] * space.size, space, (0, 1))),
    "klpc/lemma-a.1": ("klpc.measures.exponential",
                       lambda true: lambda space, level: true(space, level.scaled(4))),
    "klpc/definition-2.3": ("klpc.measures.smallest_level_for",
                            altered(upper=lambda upper: -upper)),
    "klpc/theorem-a.2": ("klpc.measures.packing", lambda true: lambda *given: true(*given)[:1]),
    "wxh/definition-12": ("tightrope.spaces.MetricQuery.local_sensitivity",
                          lambda true: lambda query, x, t=0: Surd.of(9 - t)),
    "wxh/proposition-2": ("wxh.model.truncated_geometric", at_a_larger_ratio),
    "wxh/lemma-1": ("wxh.policies.privacy_first", altered(indices=lambda table: 2 * table)),
    "wxh/lemma-2": ("wxh.policies.privacy_first", altered(indices=lambda table: 2 * table)),
    "wxh/figure-6-lower": ("wxh.triangles.ladder", altered(
        distortion=lambda true: lambda ratio: 100 * true(ratio))),
    "wxh/figure-7": ("wxh.linear_queries.least_mean_error",
                     lambda true: lambda *given: true(*given) / 1000),
    "wxh/figure-7-delta-0": ("wxh.linear_queries.least_mean_error",
                             lambda true: lambda *given: true(*given) / 1000),
    "wxh/figure-8": ("wxh.linear_queries.line_sequence", of_an_interval),
    "wxh/best-for-triangles": ("wxh.best_possible.design",
                               altered(value=lambda value: value / 100)),
    "wxh/best-for-linear-queries": ("wxh.best_possible.design",
                                    altered(value=lambda value: 1 / value)),
}

CASES = [
    *((key, name, answering_wrongly) for key, names in WRONG.items() for name in names),
    *((key, name, breaking) for key, (name, breaking) in BROKEN.items()),
]


def target(name):
    """Where a function is found by an item: a room of the papers, or a class of the library."""
    if not name.startswith("tightrope."):
        room, function = f"tightrope.papers.{name}".rsplit(".", 1)
        return importlib.import_module(room), function
    room, kind, function = name.rsplit(".", 2)
    return getattr(importlib.import_module(room), kind), function


def forget():
    """What items keep between runs."""
    for room in ROOMS:
        for held in vars(room).values():
            if hasattr(held, "cache_clear") and held.__module__.startswith("tightrope.papers"):
                held.cache_clear()


def test_every_item_stands_in_the_table_once():
    assert set(WRONG) | set(BROKEN) == set(ITEMS)
    assert not set(WRONG) & set(BROKEN)


@pytest.mark.parametrize("name", sorted({name for _, name, _ in CASES}))
def test_what_is_broken_belongs_to_the_library(name):
    place, function = target(name)
    home = getattr(place, function)
    home = getattr(home, "func", home)  # of a cached property
    assert home.__module__.startswith("tightrope.")
    assert not home.__module__.startswith("tightrope.papers")


@pytest.mark.parametrize(("key", "name", "breaking"), CASES,
                         ids=[f"{key}-{name.rsplit('.', 1)[1]}" for key, name, _ in CASES])
def test_a_verdict_changes_with_the_function_under_it(monkeypatch, key, name, breaking):
    item = ITEMS[key]
    place, function = target(name)
    forget()
    monkeypatch.setattr(place, function, breaking(vars(place)[function]))
    try:
        assert item.run().verdict is not item.recorded
    finally:
        forget()
