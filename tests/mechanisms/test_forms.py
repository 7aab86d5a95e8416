"""The four forms of a mechanism: their laws from first principles, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exact.oracle import ends_within
from tightrope.errors import BadInput, BadMatrix, BadSpace, BadTable, NotAPoint, Refused
from tightrope.exact import Weights
from tightrope.mechanisms import (
    KernelMechanism,
    MatrixMechanism,
    NoiseMechanism,
    SubsetMechanism,
    TableMechanism,
    UnaryMechanism,
)
from tightrope.spaces import categories, counts, graph, grid, hamming, path, product_sum, star

ONES = (Fraction(1),) * 3
WEIGHTED = graph("abcd", [(0, 1, "1/2"), (1, 2, "3/2"), (2, 3, "1"), (0, 3, "5/2")])


@pytest.mark.parametrize(
    ("space", "unit"),
    [
        (path(0, 4), 1), (categories(4), 1), (star(4), 1), (hamming(values=2, people=3), 1),
        (counts(people=2, queries=2), 1), (grid((2, 3), "1/2", "manhattan"), "1/2"),
        (WEIGHTED, "1/2"), (product_sum(path(0, 2), categories(2)), 1), (path(0, 4), "1/3"),
        (categories(3), "1/2"), (path(-2, 2), "1/7"),
    ],
    ids=str,
)
@settings(derandomize=True, deadline=None, max_examples=15)
@given(data=st.data())
def test_the_rows_of_a_kernel_are_weights_times_powers_over_their_total(space, unit, data):
    n = space.size
    weights = [data.draw(st.fractions(min_value=0, max_value=4, max_denominator=6))
               for _ in range(n)]
    weights[data.draw(st.integers(0, n - 1))] += Fraction(1, 3)
    ratio = 1 + data.draw(st.fractions(min_value=Fraction(1, 8), max_value=4, max_denominator=8))
    kernel = KernelMechanism(space, ratio, Fraction(unit), tuple(weights))
    matrix = kernel.matrix()
    for y in range(n):
        steps = [space.distance(y, z).rational / Fraction(unit) for z in range(n)]
        line = [w * ratio ** -int(k) for w, k in zip(weights, steps, strict=True)]
        law = tuple(value / sum(line) for value in line)
        assert kernel.row_at(y) == law
        assert matrix.row_at(y) == law
        assert kernel.normalizers[y] == sum(line)


@pytest.mark.parametrize(
    ("space", "ratio", "unit", "weights"),
    [
        (path(0, 2), 2, 1, (1, 1)),
        (path(0, 2), 2, 1, (1, 1, 1, 1)),
        (path(0, 2), 1, 1, (1, 1, 1)),
        (path(0, 2), "1/2", 1, (1, 1, 1)),
        (path(0, 2), -2, 1, (1, 1, 1)),
        (path(0, 2), 2, 0, (1, 1, 1)),
        (path(0, 2), 2, -1, (1, 1, 1)),
        (path(0, 2), 2, 1, (1, -1, 1)),
        (path(0, 2), 2, 1, (0, 0, 0)),
    ],
)
def test_what_makes_no_kernel_is_refused(space, ratio, unit, weights):
    with pytest.raises(BadMatrix):
        KernelMechanism(space, Fraction(ratio), Fraction(unit), tuple(map(Fraction, weights)))


@pytest.mark.parametrize(
    ("space", "unit"), [(path(0, 2), 2), (path(0, 2), "2/3"), (grid((2, 2)), 1), (star(2), 2)]
)
def test_distances_that_are_no_multiples_of_the_unit_are_refused(space, unit):
    kernel = KernelMechanism(space, Fraction(2), Fraction(unit), (Fraction(1),) * space.size)
    with pytest.raises(BadMatrix):
        kernel.normalizers  # noqa: B018
    with pytest.raises(BadMatrix):
        kernel.row_at(0)
    with pytest.raises(BadMatrix):
        kernel.matrix()


def test_a_unit_far_below_the_distances_is_refused_and_not_written_out():
    with ends_within(20), pytest.raises((BadInput, Refused)):
        KernelMechanism(path(0, 2), Fraction(2), Fraction(1, 10**12), ONES).normalizers  # noqa: B018


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.fractions(min_value=Fraction(21, 20), max_value=9, max_denominator=20),
       st.integers(-5, 5), st.integers(0, 12))
def test_integer_noise_is_geometric_and_its_tails_add_up_to_one(ratio, output, reach):
    noise = NoiseMechanism(path(-2, 4), ratio)
    for i, y in enumerate(range(-2, 5)):
        steady = (ratio - 1) / (ratio + 1)
        assert noise.probability(i, output) == steady * (1 / ratio) ** abs(output - y)
        inner = sum(noise.probability(i, y + k) for k in range(-reach, reach + 1))
        # both tails together: 2 · steady · q^-(reach+1) / (1 - 1/q)
        assert 1 - inner == 2 * steady * ratio ** -(reach + 1) / (1 - 1 / ratio)


def test_integer_noise_needs_a_path_and_a_ratio_above_one():
    for space in (categories(3), star(3), grid((3,))):
        with pytest.raises(BadSpace):
            NoiseMechanism(space, Fraction(2))
    for ratio in (1, 0, "1/2", -3):
        with pytest.raises(BadMatrix):
            NoiseMechanism(path(0, 3), Fraction(ratio))


def test_a_matrix_needs_a_row_for_every_input_and_a_column_for_every_output():
    weights = Weights.from_integers([[1, 2], [2, 1]])
    with pytest.raises(BadMatrix):
        MatrixMechanism(path(0, 2), (0, 1), weights)
    with pytest.raises(BadMatrix):
        MatrixMechanism(path(0, 1), (0, 1, 2), weights)
    mechanism = MatrixMechanism(path(0, 1), (0, 1), weights)
    with pytest.raises(BadMatrix):
        mechanism.on(path(0, 2))
    assert mechanism.on(categories(2)).row_at(0) == mechanism.row_at(0)


def test_a_table_has_no_fewer_than_no_rows_and_the_space_of_its_base():
    base = KernelMechanism(categories(3), Fraction(2), Fraction(1), ONES)
    with pytest.raises(BadMatrix):
        TableMechanism(base, -1)
    assert TableMechanism(base, 6366).space == categories(3)


ROWS = Weights.from_integers([[4, 1, 1], [2, 2, 2], [1, 1, 4]])


@pytest.mark.parametrize(("mechanism", "labels"), [
    (MatrixMechanism(path(10, 12), (10, 11, 12), ROWS), [10, np.int64(11), 12]),
    (MatrixMechanism(categories(("a", "b", "c")), (0, 1, 2), ROWS), ["a", np.str_("b"), "c"]),
    (KernelMechanism(grid((2, 2), metric="manhattan"), Fraction(2), Fraction(1), (1, 1, 1, 1)),
     [(0, 0), (0, np.int64(1)), [1, 0], (1, 1)]),
    (KernelMechanism(path(-1, 1), Fraction(3), Fraction(1), (1, 2, 1)), [-1, 0, np.int8(1)]),
    (SubsetMechanism(categories(("a", "b", "c")), 1, Fraction(3)), ["a", "b", "c"]),
    (UnaryMechanism(categories(("a", "b")), Fraction(1, 2), Fraction(1, 3)), ["a", "b"]),
])
def test_a_row_is_asked_for_by_the_label_that_is_drawn_for(mechanism, labels):
    rows = mechanism if hasattr(mechanism, "row_at") else mechanism.matrix()
    for i, label in enumerate(labels):
        assert mechanism.row(label) == rows.row_at(i)
    for wrong in ("nowhere", 77, None, True, 0.5, (9, 9)):
        with pytest.raises(NotAPoint):
            mechanism.row(wrong)


def test_the_row_of_a_table_is_a_law_for_each_of_its_rows():
    base = MatrixMechanism(categories(("a", "b", "c")), (0, 1, 2), ROWS)
    assert TableMechanism(base, 2).row(("c", "a")) == (base.row("c"), base.row("a"))
    with pytest.raises(BadTable, match="2 rows"):
        TableMechanism(base, 2).row(("a",))
