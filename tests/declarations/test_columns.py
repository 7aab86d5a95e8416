import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.declarations import CategoryColumn, NumberColumn
from tightrope.declarations.cells import as_double, as_text
from tightrope.declarations.forms import columns_of
from tightrope.errors import BadInput

AGE = NumberColumn(17, 42, "0.5")


@given(st.one_of(st.none(), st.floats(), st.integers(), st.text(), st.booleans(), st.binary(),
                 st.decimals(allow_nan=True), st.fractions(), st.lists(st.integers()),
                 st.dictionaries(st.text(), st.text()), st.datetimes()))
def test_every_cell_has_a_code_within_bounds_or_is_left_out(cell):
    total = CategoryColumn(("a", "b"), "b", "a")
    for column in (AGE, NumberColumn(-3, 3, "1/7", missing=1), total):
        code = column.code(cell)
        assert code is None or (type(code) is int and 0 <= code <= column.steps)
    assert total.code(cell) is not None


@given(st.floats(min_value=17, max_value=42))
def test_a_number_inside_is_rounded_to_a_nearest_step(number):
    assert abs(AGE.value(AGE.code(number)) - Fraction(number)) <= Fraction(1, 4)


@pytest.mark.parametrize(("cell", "value"), [
    (math.inf, 42), (-math.inf, 17), ("inf", 42), ("-Infinity", 17), ("1e999", 42),
    (10**400, 42), (-10**400, 17), ("  30.5\t", Fraction("30.5")), (True, 17),
])
def test_what_is_beyond_the_bounds_is_clamped(cell, value):
    assert AGE.value(AGE.code(cell)) == value


@pytest.mark.parametrize("cell", [None, math.nan, "nan", "", "30 years", "0x1f", "1_000", b"30",
                                  "\u0663", "30\n"])
def test_what_is_no_number_follows_the_rule(cell):
    assert AGE.code(cell) is None
    assert NumberColumn(17, 42, 1, missing=20).code(cell) == 3


def test_bins_hold_their_lower_edges_and_the_last_one_both():
    column = NumberColumn(0, 10, 1, bins=(0, 3, 10))
    assert column.cells == ("[0, 3)", "[3, 10]")
    assert [column.bin(number) for number in range(11)] == [0] * 3 + [1] * 8
    assert [column.bin(number) for number in (-9.0, 2.999, 99.0)] == [0, 0, 1]


def test_a_number_beyond_the_bounds_is_in_the_bin_of_the_bound():
    """Edges may lie beyond the bounds: their bins stay empty, whatever a cell holds."""
    column = NumberColumn(0, 10, 1, bins=(-9, -5, 5, 12, 30))
    numbers = (-math.inf, -7.0, -5.0, 0.0, 4.9, 5.0, 11.0, 12.0, 25.0, math.inf)
    assert [column.bin(number) for number in numbers] == [1] * 5 + [2] * 5


@pytest.mark.parametrize(("fields", "said"), [
    ({"low": 3, "high": 3}, "below"),
    ({"low": 0, "high": 1, "resolution": "0.3"}, "whole number of steps"),
    ({"low": 0, "high": 1, "resolution": 0}, "above 0"),
    ({"low": 0, "high": 1, "resolution": "1e-13"}, "at most"),
    ({"low": 0, "high": 1, "missing": 2}, "between"),
    ({"low": 0, "high": 9, "bins": (0, 3)}, "edges"),
    ({"low": 0, "high": 9, "bins": (0, 5, 5, 9)}, "edges"),
    ({"low": "zero", "high": 9}, "no number"),
])
def test_columns_of_numbers_that_make_no_sense_are_refused(fields, said):
    with pytest.raises(BadInput, match=said):
        NumberColumn(**fields)


def test_categories_are_texts_and_whole_numbers_have_no_point():
    column = CategoryColumn((1, 2.0, "x", True))
    assert column.values == ("1", "2", "x", "true")
    assert [column.code(cell) for cell in (1, 1.0, "1", 2, "2.0", "x", "X", True, None)] == [
        0, 0, 0, 1, 1, 2, None, 3, None]


@pytest.mark.parametrize("values", [(), "ab", ("a", "a"), ("1", 1), (None,), ("a\nb",)])
def test_categories_that_make_no_sense_are_refused(values):
    with pytest.raises(BadInput):
        CategoryColumn(values)


def test_rules_name_declared_categories():
    with pytest.raises(BadInput, match="other"):
        CategoryColumn(("a",), other="b")
    with pytest.raises(BadInput, match="missing"):
        CategoryColumn(("a",), missing="b")


def test_bounds_belong_to_what_may_stand_for_missing_and_to_bins():
    for end in (0, 10):
        assert NumberColumn(0, 10, missing=end).missing == end
    for bins in ((0, 10), (-5, 20), (0, 3, 10)):
        assert NumberColumn(0, 10, bins=bins).bins == bins
    for wrong in ({"missing": 11}, {"missing": -1}, {"bins": (0,)}, {"bins": (1, 10)},
                  {"bins": (0, 9)}, {"bins": (0, 5, 5, 10)}):
        with pytest.raises(BadInput):
            NumberColumn(0, 10, **wrong)


def test_categories_and_what_stands_for_others_are_texts():
    column = CategoryColumn((3, 4, 5), other=3)
    assert (column.steps, column.other, column.code("what"), column.code(4.0)) == (2, "3", 0, 1)


def test_cells_are_the_texts_that_they_mean():
    assert as_text(2**70 + 1) == str(2**70 + 1)
    assert [as_text(cell) for cell in (np.float64(2), np.bool_(True), True)] == ["2", *["true"] * 2]
    assert {as_text(cell) for cell in (np.float32("nan"), Decimal("nan"), float("nan"))} == {None}
    assert (as_double(10**400), as_double(-(10**400))) == (float("inf"), float("-inf"))


@pytest.mark.parametrize(("low", "high", "step"), [
    (0, 1, "1e-7"), (0, 100, "1e-5"), (0, 5_000_000_000, 1000), ("0.001", 1_000_000, "0.001"),
    (-10, "-0.25", "1e-6"), (0, "1/3", Fraction(1, 3 * 2**20)), (0, 2**20, 1),
    ("0.1234567890123", 1000, Fraction("999.8765432109877") / 2**20),
])
def test_the_default_step_is_a_power_of_ten_that_divides_both_bounds(low, high, step):
    column = NumberColumn(low, high)
    assert (column.resolution, column.step) == (None, Fraction(step))
    assert column.steps >= 2**20
    assert column.value(column.steps) == column.high
    assert "resolution" not in column.as_json()


def test_halves_go_to_even_steps():
    column = NumberColumn(0, 10, 1)
    assert [column.code(cell) for cell in (0.5, 1.5, 2.5, 3.5, 9.5)] == [0, 2, 2, 4, 10]


@pytest.mark.parametrize("marks", [
    {"thousands": "x"}, {"thousands": "."}, {"decimal": ";"}, {"thousands": ",", "decimal": ","},
])
def test_marks_that_make_no_sense_are_refused(marks):
    with pytest.raises(BadInput, match=r"mark|grouped"):
        NumberColumn(0, 1, **marks)


def test_marks_are_part_of_the_declaration():
    column = NumberColumn(0, 5000, thousands=".", decimal=",")
    form = column.as_json()
    assert (form["thousands"], form["decimal"]) == (".", ",")
    assert columns_of({"x": form})["x"] == column
