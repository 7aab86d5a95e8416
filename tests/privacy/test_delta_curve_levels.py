"""ε as a function of δ: the exact inverse of the δ curve, against a search written apart."""

from fractions import Fraction
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tightrope as tr
from tightrope.errors import BadInput, Infeasible, Refused
from tightrope.exact import Surd
from tightrope.privacy import delta_curves


def delta_at(rows, pairs, ratio):
    """The largest hockey-stick sum over pairs of rows, both ways, by definition."""
    return max(sum(max(Fraction(0), a - ratio * b) for a, b in zip(p, q, strict=True))
               for i, j in pairs for p, q in ((rows[i], rows[j]), (rows[j], rows[i])))


@st.composite
def matrices(draw):
    size, width = draw(st.integers(2, 3)), draw(st.integers(2, 4))
    rows = []
    for _ in range(size):
        weights = draw(st.lists(st.integers(0, 9), min_size=width, max_size=width)
                       .filter(lambda row: sum(row) > 0))
        rows.append([Fraction(weight, sum(weights)) for weight in weights])
    return rows


@given(matrices(), st.fractions(0, "19/20", max_denominator=20))
def test_the_level_at_a_delta_is_the_least_ratio_with_it(rows, delta):
    pairs = [(i, j) for i in range(len(rows)) for j in range(i)]
    curve = tr.delta_curve(rows, f"categories:{len(rows)}")
    without = max(sum(a for a, b in zip(p, q, strict=True) if not b)
                  for i, j in pairs for p, q in ((rows[i], rows[j]), (rows[j], rows[i])))
    if without > delta:
        with pytest.raises(Infeasible, match="no finite ε"):
            curve.level(delta)
        return
    ratio = curve.level(delta).power(Surd.of(1))
    assert delta_at(rows, pairs, ratio) <= delta
    if ratio > 1:  # a little less is not enough
        assert delta_at(rows, pairs, ratio) == delta
        assert delta_at(rows, pairs, max(Fraction(1), ratio - Fraction(1, 10**6))) > delta


def test_the_level_of_delta_0_is_the_smallest_pure_one():
    rows = [["3/5", "2/5"], ["1/5", "4/5"]]
    assert tr.delta_curve(rows, "categories:2").level(0).text == "ln(3)"


def test_epsilon_is_the_double_above_the_level():
    rows = [["3/5", "2/5"], ["1/5", "4/5"]]
    curve = tr.delta_curve(rows, "categories:2")
    assert curve.epsilon(0) == pytest.approx(1.0986122886681098, abs=1e-15)
    for delta in ("1/10", "3/10", "9/10"):
        ratio = curve.level(delta).power(Surd.of(1))
        assert log(ratio) <= curve.epsilon(delta) + 1e-16
        assert curve.epsilon(delta) == pytest.approx(log(ratio), abs=1e-15)


def test_a_curve_describes_itself_in_a_few_lines():
    text = repr(tr.delta_curve([["3/5", "2/5"], ["1/5", "4/5"]], "categories:2"))
    assert "0.4" in text  # total variation
    assert "ln(3)" in text
    assert "none" in repr(tr.delta_curve([[1, 0], ["1/2", "1/2"]], "categories:2"))


def test_numbers_are_levels_of_the_curve_and_no_others():
    curve = tr.delta_curve([["3/4", "1/4"], ["1/4", "3/4"]], "categories:2")
    low, high = curve.at(0.3)
    assert low <= high < low + Fraction(1, 10**20)
    assert float(low) == pytest.approx(0.75 - 2.718281828459045**0.3 * 0.25)
    with pytest.raises(BadInput, match="at least 0 and below 1"):
        curve.level(-0.1)


def test_the_worst_of_all_neighbors_and_orders_counts():
    rows = [["1/2", "1/2", "0"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]
    exact = [[Fraction(entry) for entry in row] for row in rows]
    curve = tr.delta_curve(rows, "path:0..2")
    for ratio in (1, Fraction(3, 2), 2, 3):
        assert curve.at_ratio(ratio) == delta_at(exact, [(0, 1), (1, 2)], ratio)
        assert curve.at(tr.Level.ratio(ratio)) == (curve.at_ratio(ratio),) * 2
    assert curve.breakpoints == (1, 2)
    with pytest.raises(Infeasible, match="more than δ = 1/5"):
        curve.level("1/5")  # the third output, under the second input alone, has 1/4
    assert curve.level("1/4").text == "0"


@pytest.mark.parametrize("delta", [1, 2])
def test_a_delta_of_1_has_no_level(delta):
    with pytest.raises(BadInput, match="below 1"):
        tr.delta_curve([["1/2", "1/2"]] * 2, "categories:2").level(delta)


def test_neighbors_at_another_distance_are_refused():
    space = tr.spaces.graph("ab", [(0, 1, 2)])
    with pytest.raises(Refused, match="distance 1, found 2"):
        tr.delta_curve([["3/4", "1/4"], ["1/4", "3/4"]], space)


@pytest.mark.parametrize(("rows", "delta", "ratio"), [
    ([["1/2", "1/2", 0], ["1/8", "1/4", "5/8"]], "3/10", "28/15"),  # both ratios are above it
    ([["1/2", "1/2", 0], ["1/4", "1/8", "5/8"]], "3/10", "28/15"),  # whatever their order
    ([["1/2", "1/2", 0], ["1/4", "1/8", "5/8"]], "1/5", "12/5"),  # (1/2 - 1/5) · 8
    ([["1/2", "1/4", "1/4"], ["1/4", 0, "3/4"]], "3/10", "9/5"),  # 1/4, and 1/2 - 9/20
])
def test_the_least_ratio_where_outputs_enter_one_by_one(rows, delta, ratio):
    side = tuple(tuple(map(Fraction, row)) for row in rows)
    assert delta_curves._least_ratio(*side, Fraction(delta)) == Fraction(ratio)
    sums = sum(max(Fraction(0), a - Fraction(ratio) * b) for a, b in zip(*side, strict=True))
    assert sums == Fraction(delta)
