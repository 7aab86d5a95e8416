"""Cascade, mix, remap and tensor are matrix products of fractions, and nothing else."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope.errors import BadMatrix
from tightrope.exact import Weights
from tightrope.mechanisms import (
    KernelMechanism,
    MatrixMechanism,
    cascade,
    mix,
    remap,
    tensor,
    written_out,
)
from tightrope.spaces import categories, cycle, path

entries = st.one_of(st.just(0), st.integers(0, 9), st.integers(0, 2**80))


@st.composite
def rows_of_integers(draw, rows, columns):
    table = [[draw(entries) for _ in range(columns)] for _ in range(rows)]
    for line in table:
        line[draw(st.integers(0, columns - 1))] += 1
    return table


@st.composite
def matrices(draw, space, columns=None):
    width = columns or draw(st.integers(1, 4))
    table = draw(rows_of_integers(space.size, width))
    powers = [[draw(st.sampled_from([0, 0, -3, -1200]))] * width for _ in range(space.size)]
    weights = Weights.from_integers(table, powers)
    return MatrixMechanism(space, tuple(range(width)), weights)


@st.composite
def kernels(draw, space):
    weights = [draw(st.fractions(min_value=0, max_value=3, max_denominator=9))
               for _ in range(space.size)]
    weights[draw(st.integers(0, space.size - 1))] += 1
    ratio = 1 + draw(st.fractions(min_value=Fraction(1, 9), max_value=5, max_denominator=9))
    return KernelMechanism(space, ratio, Fraction(1), tuple(weights))


mechanisms = st.one_of(matrices(path(0, 2)), kernels(path(0, 2)), kernels(cycle(4)))


def law_matrix(mechanism):
    return [mechanism.row_at(i) for i in range(mechanism.space.size)]


def product(left, right):
    return [
        tuple(sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0))
              for column in zip(*right, strict=True))
        for row in left
    ]


@settings(derandomize=True, deadline=None, max_examples=60)
@given(mechanisms, st.data())
def test_cascade_is_the_matrix_product(mechanism, data):
    width = data.draw(st.integers(1, 4))
    integers = data.draw(rows_of_integers(len(mechanism.outputs), width))
    channel = [[Fraction(value, sum(line)) for value in line] for line in integers]
    found = cascade(mechanism, channel, tuple("abcd"[:width]))
    assert law_matrix(found) == product(law_matrix(mechanism), channel)
    assert found.space == mechanism.space
    assert found.outputs == tuple("abcd"[:width])


@settings(derandomize=True, deadline=None, max_examples=60)
@given(mechanisms, st.data())
def test_remap_is_the_product_with_a_zero_one_matrix(mechanism, data):
    width = data.draw(st.integers(1, 4))
    targets = [data.draw(st.integers(0, width - 1)) for _ in mechanism.outputs]
    channel = [[Fraction(int(t == z)) for z in range(width)] for t in targets]
    found = remap(mechanism, targets, tuple(range(width)))
    assert law_matrix(found) == product(law_matrix(mechanism), channel)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(matrices(path(0, 2), 3), kernels(path(0, 2)),
       st.fractions(min_value=0, max_value=1, max_denominator=50))
def test_mix_is_the_weighted_mean(first, second, share):
    found = mix(first, second, share)
    for i in range(3):
        expected = [share * p + (1 - share) * q
                    for p, q in zip(first.row_at(i), second.row_at(i), strict=True)]
        assert list(found.row_at(i)) == expected


@settings(derandomize=True, deadline=None, max_examples=40)
@given(mechanisms, matrices(categories(2)))
def test_tensor_is_the_kronecker_product_in_the_order_of_the_points(first, second):
    found = tensor(first, second)
    for i, a in enumerate(first.space.points):
        for j, b in enumerate(second.space.points):
            law = found.row((a, b))
            expected = {
                (y, z): p * q
                for y, p in zip(first.outputs, first.row_at(i), strict=True)
                for z, q in zip(second.outputs, second.row_at(j), strict=True)
            }
            assert dict(zip(found.outputs, law, strict=True)) == expected


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.one_of(kernels(path(0, 3)), kernels(cycle(5)), kernels(categories(4))))
def test_a_kernel_written_out_is_the_same_mechanism(kernel):
    matrix = written_out(kernel)
    assert isinstance(matrix, MatrixMechanism)
    assert law_matrix(matrix) == law_matrix(kernel)
    assert tuple(matrix.outputs) == tuple(kernel.outputs)


MECHANISM = MatrixMechanism(path(0, 1), ("a", "b"), Weights.from_integers([[1, 2], [2, 1]]))
HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    "channel",
    [
        [[1, 0]],
        [[1, 0], [0, 1], [1, 0]],
        [[1], [1]],
        [[HALF, HALF], [HALF, Fraction(1, 3)]],
        [[Fraction(3, 2), -HALF], [0, 1]],
        [[1, 0], [0, 0]],
    ],
)
def test_what_is_no_channel_is_refused(channel):
    with pytest.raises(BadMatrix):
        cascade(MECHANISM, channel, ("x", "y"))


@pytest.mark.parametrize("targets", [[0], [0, 1, 0], [0, 2], [-1, 0]])
def test_targets_that_do_not_exist_are_refused(targets):
    with pytest.raises(BadMatrix):
        remap(MECHANISM, targets, ("x", "y"))


def test_a_mix_needs_the_same_inputs_outputs_and_a_share():
    other = MatrixMechanism(path(0, 1), ("b", "a"), Weights.from_integers([[1, 2], [2, 1]]))
    elsewhere = MatrixMechanism(path(1, 2), ("a", "b"), Weights.from_integers([[1, 2], [2, 1]]))
    for second in (other, elsewhere):
        with pytest.raises(BadMatrix):
            mix(MECHANISM, second, HALF)
    for share in (Fraction(-1, 10), Fraction(11, 10)):
        with pytest.raises(BadMatrix):
            mix(MECHANISM, MECHANISM, share)
