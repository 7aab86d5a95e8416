"""What is shown of an estimate: the unbiased one first, with its interval, and what it is of."""

import json
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

import tightrope as tr
from tightrope.choices import Estimator
from tightrope.errors import Infeasible
from tightrope.mechanisms import KernelMechanism, SubsetMechanism
from tightrope.spaces import categories
from tightrope.tables import estimate_column, sanitize
from tightrope.utility import estimate, estimate_reports, undetermined

SEED = 14
RUNS = 4000
SPREAD = 5
"""Standard errors that a mean may be off by: less than once in a million."""
SKEWED = np.array([0.44, *[0.56 / 19] * 19])


@pytest.mark.parametrize("estimator", list(Estimator))
def test_the_first_number_is_unbiased_and_its_interval_holds_whatever_stands_beside_it(estimator):
    """Twenty values, the top one 0.44, 300 rows at ε = 1: clipped ones are off by a third."""
    mechanism = tr.constructions.randomized_response(categories(20), 1).mechanism
    runs = 400 if estimator is Estimator.LIKELIHOOD else RUNS
    law = SKEWED @ np.array([[float(p) for p in mechanism.row_at(i)] for i in range(20)])
    counts = np.random.default_rng(SEED).multinomial(300, law, size=runs)
    found = [estimate(c, mechanism, sampling=True, estimator=estimator).rows[0] for c in counts]
    values = np.array([(row.estimate, row.adjusted, row.low, row.high) for row in found])
    assert np.allclose(values[:, 0].mean(), 0.44, atol=SPREAD * values[:, 0].std() / runs**0.5)
    covered = int(((values[:, 2] <= 0.44) & (values[:, 3] >= 0.44)).sum())
    assert binom.cdf(covered, runs, 0.95) > 1e-6
    if estimator is Estimator.CLIPPED:
        assert values[:, 1].mean() < 0.35  # why no interval is for it
    assert values[:, 1].min() >= 0


def test_what_is_adjusted_is_not_negative_and_adds_up_to_one_even_where_no_report_holds_a_value():
    reports = SubsetMechanism(categories(4), 2, Fraction(3))
    for estimator in (Estimator.SIMPLEX, Estimator.CLIPPED):
        found = estimate_reports([0, 0, 0, 0], 9, reports, estimator=estimator)
        assert max(row.estimate for row in found.rows) < 0
        assert sum(row.adjusted for row in found.rows) == pytest.approx(1)


COLUMN = ["x"] * 5 + ["y"] * 5 + [None] * 8 + ["other"] * 2


@pytest.mark.parametrize(("declared", "rule", "counts_as", "share"), [
    ("x/y", "first", "x", 0.75),
    ("x/y", "value", "(missing)", 0.5),
    ("x/y/(missing)", "first", "(missing)", 0.5),
    (["y", "x"], "first", "y", 0.75),
])
def test_the_estimate_says_as_what_missing_cells_count(declared, rule, counts_as, share):
    """A quarter is x, half is missing: at ε = 60 the shares are what was drawn from."""
    done = sanitize({"answer": COLUMN}, {"answer": declared}, 60, missing=rule)
    found = estimate_column(done.table, "answer", done.columns[0])
    (row,) = [row for row in found.rows if row.value == counts_as]
    assert row.estimate == pytest.approx(share)
    assert found.missing == counts_as
    said = f"missing or held no declared value were randomized as “{counts_as}”"
    assert any(said in sentence for sentence in found.remarks)
    assert said in found._repr_html_()
    assert f"count as {counts_as}" in repr(found)
    assert json.loads(json.dumps(found.facts().json))["missing"] == counts_as


@pytest.mark.parametrize(("declared", "cells", "counts_as"), [
    ("bins:0,10,20", [1.0, 15.0, None], "[0, 10)"),
    ("sets:a/b", ["a", "a|b", None], "{}"),
])
def test_cells_of_numbers_and_sets_say_it_too(declared, cells, counts_as):
    done = sanitize({"answer": cells}, {"answer": declared}, 60)
    found = estimate_column(done.table, "answer", done.columns[0])
    assert found.missing == counts_as
    assert found.rows[0].estimate == pytest.approx(2 / 3)


def test_counts_alone_say_nothing_of_missing_cells():
    found = tr.utility.estimate([6, 4], tr.constructions.randomized_response("categories:2", 1))
    assert found.missing is None
    assert not any("missing" in sentence for sentence in found.remarks)
    assert "missing" not in repr(found)


def test_the_unbiased_estimate_stands_first_in_a_notebook():
    response = tr.constructions.randomized_response("categories:4", 1)
    page = tr.utility.estimate([97, 1, 1, 1], response, estimator="clipped")._repr_html_()
    heads = [page.index(f">{name}<") for name in ("unbiased", "from", "to", "clipped")]
    assert heads == sorted(heads)
    assert "biased, and no interval is for them" in page
    assert "An estimate may leave [0, 1]" in page


@pytest.mark.parametrize("zeros", [(0,), (2,), (0, 3)])
def test_an_output_of_weight_zero_leaves_every_proportion_undetermined(zeros):
    """Exact elimination says the same; the least weight above zero determines them all."""
    weights = tuple(Fraction(int(i not in zeros)) for i in range(4))
    mechanism = KernelMechanism(categories(4), Fraction(3), Fraction(1), weights)
    assert undetermined([mechanism.row_at(i) for i in range(4)]) == [0, 1, 2, 3]
    counts = [0 if w == 0 else 5 for w in weights]
    with pytest.raises(Infeasible, match="nothing can be learned about the proportions") as told:
        estimate(counts, mechanism)
    assert told.value.proof == tuple(mechanism.space.points)
    tiny = tuple(w or Fraction(1, 2**40) for w in weights)
    near = KernelMechanism(categories(4), Fraction(3), Fraction(1), tiny)
    assert undetermined([near.row_at(i) for i in range(4)]) == []
    assert len(estimate(counts, near).rows) == 4
