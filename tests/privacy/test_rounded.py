"""Rounded kernels are judged as their written-out rows are."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exact.oracle import decimal_of, wide
from tests.privacy.brute import delta_by_subsets, has_level, lengths_of
from tightrope.constructions.tight.large_grids import tight_on_grid
from tightrope.errors import CannotCheck
from tightrope.exact import Level, Surd
from tightrope.mechanisms import KernelMechanism, MatrixMechanism
from tightrope.privacy import Certificate, Refutation, smallest_level, verify
from tightrope.privacy.rounded import Span, distance_bound, span
from tightrope.spaces import grid, path
from tightrope.utility import Problem, binary

SPACES = [grid((2, 2)), grid((3, 3), "1/2"), grid((2, 2, 2)), grid((1, 5)), path(0, 3),
          grid((3, 2), metric="manhattan")]


def written(kernel):
    return MatrixMechanism(kernel.space, kernel.space.points, kernel.matrix().weights)


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.text)
@settings(derandomize=True, deadline=None, max_examples=12)
@given(data=st.data())
def test_a_rounded_kernel_is_judged_as_its_rows_are(space, data):
    step = space.least_distance.rational
    ratio = data.draw(st.fractions(min_value=Fraction(6, 5), max_value=5, max_denominator=9))
    weights = [data.draw(st.sampled_from([0, 1, 2, 5, 2**40, 2**61])) for _ in range(space.size)]
    weights[data.draw(st.integers(0, space.size - 1))] = 2**60
    kernel = KernelMechanism(space, ratio, step, tuple(weights), rounded=True)
    level = Level.ratio(ratio ** data.draw(st.integers(1, 3))).scaled(1 / step)
    found = verify(kernel, space, level)
    rows = [kernel.row_at(i) for i in range(space.size)]
    assert found.holds == has_level(rows, lengths_of(space), level)
    if isinstance(found, Refutation):
        first, second = found.witness.first, found.witness.second
        i, j, z = map(space.index, (first, second, found.witness.outputs[0]))
        assert found.witness.probabilities == (rows[i][z], rows[j][z])
        assert level.compare(rows[i][z] / rows[j][z], space.distance(i, j)) > 0
    smallest = smallest_level(kernel, space)
    exact = smallest_level(kernel.matrix(), space)
    assert smallest.lower <= exact.upper
    assert exact.lower <= smallest.upper


@pytest.mark.parametrize(
    ("shape", "epsilon", "step"),
    [((12, 12), "0.7", 1), ((5, 9), "2", "0.5"), ((3, 4, 3), "1.5", 1), ((10, 10), "ln(3)", 1)],
)
def test_the_tight_kernel_has_the_level_asked_for_and_not_a_billionth_less(shape, epsilon, step):
    space, level = grid(shape, step), Level.parse(epsilon)
    kernel = tight_on_grid(Problem(space, level, loss=binary)).certified.mechanism
    rows = written(kernel)
    for mechanism in (kernel, rows):
        assert isinstance(verify(mechanism, space, level), Certificate)
        assert not verify(mechanism, space, level.scaled(1 - Fraction(1, 10**9))).holds
    bracket, exact = smallest_level(kernel, space), smallest_level(rows, space)
    assert bracket.lower <= exact.upper
    assert exact.lower <= bracket.upper <= float(level)
    assert bracket.upper - bracket.lower < 1e-11


def test_a_large_kernel_is_refuted_with_exact_probabilities_or_left_open():
    space = grid((40, 40))
    kernel = tight_on_grid(Problem(space, 1, loss=binary)).certified.mechanism
    found = verify(kernel, space, Level.epsilon("0.999999"))
    assert isinstance(found, Refutation)
    high, low = found.witness.probabilities
    i, j = map(space.index, (found.witness.first, found.witness.second))
    assert (high, low) == (kernel.row_at(i)[i], kernel.row_at(j)[i])
    uneven = np.full(space.size, 2**60)
    uneven[space.size // 2] = 2**50
    other = KernelMechanism(space, kernel.ratio, Fraction(1), tuple(uneven.tolist()), rounded=True)
    with pytest.raises(CannotCheck):
        verify(other, space, Level.epsilon("1.5"))


def test_the_ends_of_a_span_enclose_its_logarithms():
    for step in (1, 3):
        for low, high in ((Fraction(3, 2), Fraction(2)), (Fraction(1, 2), Fraction(3)),
                          (Fraction(7, 5), Fraction(7, 5))):
            found = Span(0, 1, low, high).smallest(Surd.of(step))
            ends = [Fraction(wide(90).ln(decimal_of(max(ratio, Fraction(1)), 90))) / step
                    for ratio in (low, high)]
            assert Fraction(found.lower) <= ends[0] < Fraction(found.lower) + Fraction(1, 10**15)
            assert Fraction(found.upper) - Fraction(1, 10**15) < ends[1] <= Fraction(found.upper)
            assert found.exact is None
    assert Span(0, 1, Fraction(2), None).smallest(Surd.of(1)) is None


@pytest.mark.parametrize("space", [path(0, 3), grid((3, 2), metric="manhattan"), grid((1, 3))],
                         ids=lambda space: space.text)
@pytest.mark.parametrize("heavy", [0, 1, -2, -1])
def test_the_span_of_a_rounded_kernel_is_that_of_its_steepest_step(space, heavy):
    weights = [2**60 + 5 * i for i in range(space.size)]
    weights[heavy] = 2**61
    kernel = KernelMechanism(space, Fraction(3), Fraction(1), tuple(weights), rounded=True)
    rows, found = [kernel.row_at(i) for i in range(space.size)], span(kernel)
    ratios = {(a, b): rows[a][a] / rows[b][a] for a, b in permutations(range(space.size), 2)
              if space.distance(a, b) == space.least_distance}
    top = max(ratios.values())
    assert top * (1 - Fraction(1, 2**40)) <= ratios[found.first, found.second]
    assert top * (1 - Fraction(1, 2**40)) <= found.attained <= ratios[found.first, found.second]
    assert found.most >= max(a[z] / b[z] for a, b in permutations(rows, 2) for z in range(len(a))
                             if space.distance(rows.index(a), rows.index(b)) == Surd.of(1))


@pytest.mark.parametrize("space", [path(0, 3), grid((2, 2))], ids=lambda space: space.text)
def test_a_rounded_kernel_is_certified_for_the_neighbors_of_its_space_without_delta(space):
    kernel = KernelMechanism(space, Fraction(2), Fraction(1), (1,) * space.size, rounded=True)
    found = verify(kernel, space, Level.epsilon(5))
    assert found.holds
    assert found.delta == (0, 0)
    assert found.neighbors == (None if space.neighbors is None else space.neighbors.relation)


@pytest.mark.parametrize("ratio", [Fraction(3, 2), Fraction(2), Fraction(5, 2)])
def test_with_delta_a_rounded_kernel_is_judged_by_the_sets_of_its_rows(ratio):
    space = path(0, 3)
    kernel = KernelMechanism(space, Fraction(3), Fraction(1), (5, 1, 2, 7), rounded=True)
    rows = [written(kernel).row_at(i) for i in range(4)]
    least = max(delta_by_subsets(rows[a], rows[b], ratio)
                for a, b in permutations(range(4), 2) if abs(a - b) == 1)
    assert not verify(kernel, space, Level.ratio(ratio)).holds
    for delta, holds in ((least, True), (least * (1 - Fraction(1, 10**40)), False)):
        assert verify(kernel, space, Level.ratio(ratio, delta)).holds is holds


@pytest.mark.parametrize("heavy", [(1, 0, 0, 9, 0, 1), (0, 0, 0, 0, 0, 1), (5, 5, 5, 5, 5, 5)])
def test_distances_alone_bound_what_rows_differ_by_whatever_the_weights(heavy):
    kernel = KernelMechanism(grid((2, 3)), Fraction(3, 2), Fraction(1), heavy, rounded=True)
    rows = [kernel.row_at(i) for i in range(6)]
    most = distance_bound(kernel)
    assert Fraction(9, 4) < most < Fraction(9, 4) + Fraction(1, 10**15)
    for a, b in permutations(range(6), 2):
        far = float(kernel.space.distance(a, b))
        for one, other in zip(rows[a], rows[b], strict=True):
            assert one == other == 0 or float(one / other) <= float(most) ** far * (1 + 1e-12)


@pytest.mark.parametrize("ratio", [Fraction(3, 2), Fraction(3), Fraction(7, 4)])
def test_a_span_bounds_the_ratio_of_all_normalizers_within_their_bounds(ratio):
    """κ(1) is rounded down, so that 1/κ(1) > q: q alone is no bound."""
    kernel = KernelMechanism(path(0, 2), ratio, Fraction(1), (2**60, 5, 2**59), rounded=True)
    head, tail = kernel.value(Surd.of(1))
    step = Fraction(2) ** -tail / head
    assert ratio < step < ratio * (1 + Fraction(1, 2**61))
    normalizers = Fraction(max(kernel.sums.lows) + kernel.sums.width, min(kernel.sums.lows))
    assert step * normalizers <= span(kernel).most <= ratio * normalizers * (1 + Fraction(1, 2**60))
