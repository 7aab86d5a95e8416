"""How answers, widths and bands follow from drawn numbers, and how they share a confidence."""

from dataclasses import replace
from fractions import Fraction
from math import ceil

import numpy as np
import pytest

from tightrope.declarations import Declaration
from tightrope.releases import Question, plan_release
from tightrope.releases.answers import answers, mark
from tightrope.releases.cuts import mean_interval
from tightrope.releases.statistics.sums import variance

STREETS = Declaration.of({"dataset": "d", "columns": {
    "x": {"type": "number", "low": 0, "high": 9, "resolution": 1, "bins": [0, 3, 6, 9]},
    "c": {"type": "category", "values": ["p", "q"]}}})


def test_margins_of_a_cross_table_are_sums_along_the_other_column():
    plan = plan_release(Question("cross", ("c", "x")), STREETS, 1)
    made = {answer.cell: answer.value for answer in answers(plan, [[1, 2, 3, 4, 5, 6]])}
    assert [made[cell, "(all)"] for cell in "pq"] == [6, 15]
    assert [made["(all)", cell] for cell in ("[0, 3)", "[3, 6)", "[6, 9]")] == [5, 7, 9]
    assert made["(all)", "(all)"] == 21


def test_a_band_of_single_counts_misses_half_as_often_at_its_last_point():
    """Lévy: of sums of three noises the largest is beyond at most twice as often as the last."""
    plan = plan_release(Question("distribution", "x"), STREETS, "ln(3)")
    one = np.array([3.0 ** -abs(k) / 2 for k in range(-60, 61)])
    law = np.convolve(np.convolve(one, one), one)
    inside = [law[180 - w : 181 + w].sum() for w in range(30)]
    assert plan.strategy.tree.levels == 1
    assert plan.band == next(w for w, chance in enumerate(inside) if chance >= 0.975)
    assert plan.band > next(w for w, chance in enumerate(inside) if chance >= 0.95)


def test_confidence_is_shared_by_all_values_that_are_picked():
    plan = plan_release(Question("frequent", "c", at=2), STREETS, 1)
    held = plan.subqueries[0].mechanism
    assert plan.width == held.shortfall(Fraction(39, 40)) > held.shortfall(Fraction(19, 20))


def test_ranks_from_counts_of_blocks_are_off_by_the_count_and_by_their_share_of_the_total():
    plan = plan_release(Question("quantiles", "x", at=[f"0.{k}" for k in range(1, 10)]),
                        STREETS, 1)
    assert plan.strategy.tree is not None
    assert plan.width == plan.band * Fraction(19, 10)


def test_a_surer_plan_misses_half_as_often():
    assert plan_release(Question("count"), STREETS, 1).surer.confidence == Fraction(39, 40)


@pytest.mark.parametrize(("rows", "given"), [(0, False), (1, True)])
def test_a_variance_is_withheld_below_one_row_at_the_lower_limit_of_the_size(rows, given):
    plan = plan_release(Question("variance", "x"), STREETS, 1)
    off = plan.widths_of_ratio[1]
    (answer,) = answers(plan, [[int(off) + rows * 9**2, 0, 0]])
    assert (answer.value is not None) is given


def test_points_of_a_distribution_are_quotients_of_the_ends_of_counts_and_total():
    plan = plan_release(Question("distribution", "x"), STREETS, "ln(3)")
    first, *_ = answers(plan, [[100, 100, 100]])
    assert first.low == (100 - plan.band) / (300 + plan.band)
    assert first.high == (100 + plan.band) / (300 - plan.band)


def test_three_cells_share_the_confidence_of_all_together():
    """3/2 3^-(w + 1) is at most 0.05 from w = 3, and at most 0.05/3 from w = 4 on."""
    plan = plan_release(Question("histogram", "x"), STREETS, "ln(3)")
    assert (plan.width, plan.together) == (3, 4)


def test_an_interval_over_cuts_leaves_half_to_the_noise_and_a_quarter_to_each_end():
    people = Declaration.of({"dataset": "d", "unit": {"person": "id", "rows": 2},
                             "columns": {"c": {"type": "category", "values": ["p", "q"]}}})
    plan = plan_release(Question("histogram", "c"), people, 1)
    wide = plan_release(Question("histogram", "c"), people, 1, "0.975").width
    first, _ = answers(plan, [[1000, 50]])
    assert first.over_cuts == mean_interval(1000 - wide, 1000 + wide, Fraction(1, 80))


def test_where_cells_are_cut_after_rows_a_person_adds_all_rows_to_one_of_them():
    people = Declaration.of({"dataset": "d", "unit": {"person": "id", "rows": 3, "cells": 1},
                             "columns": {"c": {"type": "category", "values": ["p", "q"]}}})
    plan = plan_release(Question("histogram", "c"), people, 1)
    wide = plan.surer.width
    first, _ = answers(plan, [[1000, 50]])
    assert first.over_cuts == mean_interval(1000 - wide, 1000 + wide, Fraction(1, 80), 3)


def test_a_band_of_blocks_on_levels_is_shared_by_all_values():
    long = Declaration.of({"dataset": "d", "columns": {
        "x": {"type": "number", "low": 0, "high": 999, "resolution": 1}}})
    plan = plan_release(Question("distribution", "x"), long, 1)
    tree = plan.strategy.tree
    assert (tree.levels > 1, tree.values) == (True, 1000)
    assert plan.band == plan.subqueries[0].width(1 - Fraction(5, 100) / 1000, tree.terms)


def test_a_variance_that_sums_within_their_widths_have_is_in_the_interval():
    """890 of 1,000 values are 0 and 110 are 1, where 900 and 100 were drawn."""
    _, low, high = variance([900, 0, 100], Fraction(10))
    assert low <= Fraction(90 * 910, 10**6) < Fraction(110 * 890, 10**6) <= high


def test_quantiles_of_a_group_are_given_in_order():
    plan = plan_release(Question("quantiles", "x", at=("0.2", "0.9")), STREETS, 1)
    assert plan.strategy.tree is None
    assert [answer.value for answer in answers(plan, [[7], [3]])] == [3, 7]


@pytest.mark.parametrize(("ask", "toward"), [("minimum", -1), ("maximum", 1)])
def test_an_extreme_value_aims_one_row_further_in_than_it_may_miss(ask, toward):
    plan = plan_release(Question(ask, "x"), STREETS, 1)
    held = plan.subqueries[0].mechanism
    assert held.shift == toward * (replace(held, shift=0).shortfall(plan.confidence) + 1)


@pytest.mark.parametrize(("high", "said"), [("4.5", None), ("4.51", "over-half-range")])
def test_an_interval_longer_than_half_of_the_range_is_marked(high, said):
    plan = plan_release(Question("mean", "x"), STREETS, 1)
    assert mark(plan, Fraction(0), Fraction(high)) == said


@pytest.mark.parametrize(("column", "cells"), [
    ({"high": 9, "bins": [0, 3, 6, 9]}, ["< 3", "< 6", "<= 9"]),
    ({"high": 3}, ["<= 0", "<= 1", "<= 2", "<= 3"]),
])
def test_points_of_a_distribution_are_edges_of_bins_or_values_that_count_themselves(column, cells):
    declaration = Declaration.of({"dataset": "d", "columns": {
        "x": {"type": "number", "low": 0, "resolution": 1, **column}}})
    plan = plan_release(Question("distribution", "x"), declaration, "ln(3)")
    assert plan.cells == tuple((cell,) for cell in cells)


def test_a_point_of_many_values_is_the_last_of_its_block():
    """2,048 values are two to a point."""
    declaration = Declaration.of({"dataset": "d", "columns": {
        "x": {"type": "number", "low": 0, "high": 2047, "resolution": 1}}})
    plan = plan_release(Question("distribution", "x"), declaration, "ln(3)")
    assert (plan.cells[0], plan.cells[-1], len(plan.cells)) == (("<= 1",), ("<= 2047",), 1024)


def test_the_band_of_a_distribution_of_a_public_number_is_in_shares():
    declaration = Declaration.of({
        "dataset": "d", "unit": {"neighbors": "replace", "size": 500},
        "columns": {"x": {"type": "number", "low": 0, "high": 9, "resolution": 1,
                          "bins": [0, 3, 6, 9], "missing": 0}}})
    plan = plan_release(Question("distribution", "x"), declaration, "ln(3)")
    assert plan.width == plan.band / 500
    first, *_ = answers(plan, [[200, 200, 100]])
    assert (first.value, first.high - first.value) == (Fraction(2, 5), plan.width)


def test_a_value_at_nine_tenths_is_noise_where_all_ranks_are_as_near():
    """Of n rows, ranks are from 0 to n: all within w of 9/10 n if 9/10 n is at most w."""
    plan = plan_release(Question("quantiles", "x", at=["0.9"]), STREETS, 1)
    rows = ceil(plan.width / Fraction(9, 10))
    assert plan.accuracy.endswith(f"noise in tables below {rows} rows")


@pytest.mark.parametrize("ask", ["minimum", "maximum"])
def test_an_extreme_value_is_off_by_the_rows_it_aims_at_and_those_it_may_miss_by(ask):
    plan = plan_release(Question(ask, "x"), STREETS, 1)
    mechanism = plan.subqueries[0].mechanism
    assert plan.width == mechanism.shortfall(Fraction(19, 20)) + abs(mechanism.shift)
