"""Columns of cells read at once mean what each cell means by itself."""

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.declarations import NumberColumn, as_double
from tightrope.tables.cells import doubles_of, doubles_of_texts, filled

DIGITS = st.text("0123456789", min_size=1, max_size=420)
PLAIN = st.builds(lambda sign, whole, part: sign + whole + part, st.sampled_from(["", "-"]), DIGITS,
                  st.just("") | DIGITS.map(lambda digits: f".{digits}"))
MARKS = st.text("0123456789.-", max_size=6)
ODD = st.text("0123456789.-+eEinfINFa \t\n\u0663", max_size=8)
FLOATS = st.floats().map(repr)
TEXTS = st.none() | PLAIN | MARKS | ODD | FLOATS


def same(number, expected):
    if expected is None:
        return math.isnan(number)
    return number == expected and math.copysign(1, number) == math.copysign(1, expected)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
@given(cells=st.lists(st.none() | PLAIN | MARKS, max_size=5) | st.lists(TEXTS, max_size=5),
       cut=st.integers(0, 2))
def test_texts_are_the_numbers_that_each_is_by_itself(kind, cells, cut):
    numbers = doubles_of_texts(pa.array(cells, kind).slice(cut), as_double, None)
    assert len(numbers) == len(cells[cut:])
    assert all(map(same, numbers, map(as_double, cells[cut:])))


def test_missing_texts_are_what_stands_for_them():
    column = NumberColumn(0, 10, missing=3)
    texts = pa.array(["1", None, "-", "1e99999", "NaN", "7.5"])
    assert list(doubles_of_texts(texts, column.number, column.number(None))) == [1, 3, 3, 3, 3, 7.5]
    assert list(doubles_of_texts(texts.slice(0, 2), column.number, column.number(None))) == [1, 3]


@given(cells=st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), max_size=20),
       cut=st.integers(0, 9))
def test_memory_is_read_from_where_a_slice_begins(cells, cut):
    array = pa.array(cells, pa.int64()).slice(cut)
    assert list(filled(array, -1)) == [-1 if cell is None else cell for cell in cells[cut:]]
    expected = [math.nan if cell is None else float(cell) for cell in cells[cut:]]
    assert np.array_equal(doubles_of(array), expected, equal_nan=True)
