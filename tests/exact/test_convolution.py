"""Exact convolution on boxes against the double sum."""

import sys
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope.errors import TooLarge
from tightrope.exact import box_convolution


def by_definition(field, kernel):
    reach = [side // 2 for side in kernel.shape]
    found = []
    for y in product(*map(range, field.shape)):
        total = 0
        for z in product(*map(range, field.shape)):
            at = tuple(a - b + r for a, b, r in zip(y, z, reach, strict=True))
            if all(0 <= k < side for k, side in zip(at, kernel.shape, strict=True)):
                total += int(field[z]) * int(kernel[at])
        found.append(total)
    return found


@pytest.mark.parametrize(
    ("shape", "taps"),
    [((1,), (1,)), ((7,), (5,)), ((3, 5), (3, 3)), ((2, 6), (3, 11)), ((4, 1), (7, 1)),
     ((3, 2, 4), (5, 3, 3)), ((5, 5), (1, 9))],
)
@settings(derandomize=True, deadline=None, max_examples=10)
@given(seed=st.integers(0, 2**30))
def test_a_convolution_is_the_double_sum_of_its_definition(shape, taps, seed):
    source = np.random.default_rng(seed)
    field = source.integers(-(2**62), 2**62, shape)
    kernel = source.integers(0, 2**62, taps)
    assert box_convolution(field, kernel) == by_definition(field, kernel)


def test_a_kernel_or_field_of_zeros_gives_zeros():
    zeros, ones = np.zeros((3, 3), dtype=np.int64), np.ones((3, 3), dtype=np.int64)
    assert box_convolution(zeros, ones) == box_convolution(ones, zeros) == [0] * 9


def test_a_kernel_of_one_cell_keeps_zeros_at_the_end():
    assert box_convolution(np.array([2, 0, 0]), np.array([3])) == [6, 0, 0]


def test_what_would_fill_the_memory_is_refused(monkeypatch):
    monkeypatch.setattr(sys.modules["tightrope.exact.convolution"], "_LONGEST", 5)
    ones = np.ones(5, dtype=np.int64)
    assert box_convolution(ones, np.array([2])) == [2] * 5
    with pytest.raises(TooLarge, match="convolution"):
        box_convolution(np.ones(6, dtype=np.int64), np.array([2]))
