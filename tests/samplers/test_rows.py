"""Rows are made as integers in the proportions of the mechanism's fractions."""

from fractions import Fraction

import numpy as np
import pytest

from tightrope.exact import Weights
from tightrope.mechanisms import KernelMechanism, MatrixMechanism
from tightrope.samplers import SeededSource
from tightrope.samplers.rows import RowSampler, row_integers
from tightrope.spaces import categories, cycle, hamming, path, star


@pytest.mark.parametrize(
    "space",
    [path(0, 6), categories(5), cycle(7), hamming(values=3, people=2), star(4)],
    ids=lambda space: space.text,
)
def test_kernel_rows_are_those_of_the_mechanism(space):
    weights = tuple(Fraction(1 + z % 3, 2 + z % 2) for z in range(space.size))
    kernel = KernelMechanism(space, Fraction(7, 3), Fraction(1, 2), weights)
    integers = row_integers(kernel)
    for i in range(space.size):
        row = integers(i)
        assert tuple(Fraction(value, sum(row)) for value in row) == kernel.row_at(i)


def test_matrix_rows_are_those_of_the_mechanism():
    weights = Weights.from_integers([[4, 0, 1], [1, 2, 1]], [[-900, 0, 3], [0, 0, 0]])
    matrix = MatrixMechanism(path(0, 1), (0, 1, 2), weights)
    for i in range(2):
        row = row_integers(matrix)(i)
        assert tuple(Fraction(value, sum(row)) for value in row) == matrix.row_at(i)


def test_rows_that_do_not_occur_are_not_made():
    size = 300
    weights = Weights.from_integers([[1] * size] * size)
    sampler = RowSampler(MatrixMechanism(path(0, size - 1), range(size), weights))
    sampler.draw(np.full(5000, 7), SeededSource(1))
    assert list(sampler.tables._laws) == [7]
