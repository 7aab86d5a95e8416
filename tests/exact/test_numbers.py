"""Numbers are taken for what they say, and what says none is refused."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from tightrope.errors import BadLevel, BadMatrix
from tightrope.exact.numbers import (
    exact_number,
    exact_rows,
    fraction_of,
    stated,
    stated_whole,
)
from tightrope.exact.rationals import perfect_root


@pytest.mark.parametrize("given", [True, False, np.True_, np.False_])
def test_a_truth_value_is_no_number(given):
    with pytest.raises(BadLevel):
        stated(given, "a number")
    with pytest.raises(ValueError, match="no finite number"):
        exact_number(given)


@pytest.mark.parametrize(("given", "shown", "held"), [
    (0.1, Fraction(1, 10), Fraction(0.1)),
    (np.float32(0.1), Fraction(1, 10), Fraction(float(np.float32(0.1)))),
    (np.float64(0.1), Fraction(1, 10), Fraction(0.1)),
    (7, 7, 7), (np.int32(7), 7, 7), (Decimal("0.1"), Fraction(1, 10), Fraction(1, 10)),
    (" -1/3 ", Fraction(-1, 3), Fraction(-1, 3)), ("+2.5e-3", Fraction(1, 400), Fraction(1, 400)),
    (".5", Fraction(1, 2), Fraction(1, 2)), ("5.", 5, 5),
])
def test_a_double_is_its_shortest_decimal_where_it_is_stated_and_its_dyadic_elsewhere(
    given, shown, held
):
    assert stated(given, "a number") == shown
    assert exact_number(given) == held


@pytest.mark.parametrize("given", ["", "1/0", "1/-2", "1e1000", "0x1", "1_0", "١", "1" * 1001,
                                   Decimal("1e1001"), Decimal("NaN"), float("inf"), None, [1]])
def test_what_is_no_short_number_is_refused(given):
    with pytest.raises(BadLevel):
        fraction_of(given, "a number")


def test_texts_of_a_thousand_characters_are_read_and_decimals_of_a_thousand_digits():
    assert fraction_of("1" * 1000, "a number") == Fraction(int("1" * 1000))
    assert fraction_of(Decimal("1e1000"), "a number") == 10**1000


def test_an_array_of_one_number_is_that_number():
    assert stated(np.array(0.1), "a number") == Fraction(1, 10)
    assert stated(np.array(3), "a number") == 3
    for several in (np.array([0.1]), np.array([1, 2])):
        with pytest.raises(BadLevel):
            stated(several, "a number")


def test_a_whole_number_is_not_rounded():
    with pytest.raises(BadLevel, match="a whole one"):
        stated_whole(2.5, "a whole one")


@pytest.mark.parametrize("rows", ["12", ["12"], [["1"], "2"], [[1], 2], 7, [["x"]], [[None]]])
def test_what_are_no_rows_of_numbers_is_refused(rows):
    """A text is no row of digits."""
    with pytest.raises(BadMatrix, match="expected costs as a list of rows"):
        exact_rows(rows, "costs")


@pytest.mark.parametrize(("value", "degree", "root"), [
    (0, 3, 0), (0, 1, 0), (1, 7, 1), (5, 1, 5), (32, 5, 2), (2, 2, None), ("1/2", 2, None),
    ("4/9", 2, "2/3"), ("4/3", 2, None),
])
def test_a_perfect_root_is_found_and_no_other(value, degree, root):
    assert perfect_root(Fraction(value), degree) == (None if root is None else Fraction(root))
