"""Randomized response and the exponential mechanism from their formulas."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exact.oracle import power_of
from tests.privacy.brute import has_level, lengths_of
from tightrope.constructions import compare, design, exponential, randomized_response
from tightrope.errors import BadMatrix
from tightrope.exact import Level
from tightrope.privacy import certified, smallest_level
from tightrope.spaces import categories, complete, cycle, grid, matrix, path, star
from tightrope.utility import Prior, binary

ratios = st.fractions(min_value=Fraction(11, 10), max_value=9, max_denominator=12)
FAR = matrix("abc", [["0", "2", "2"], ["2", "0", "2"], ["2", "2", "0"]])


@settings(derandomize=True, deadline=None, max_examples=15)
@given(st.integers(2, 70), ratios)
def test_the_truth_has_e_to_the_epsilon_times_the_chance_of_a_lie(k, ratio):
    space = categories(k)
    mechanism = randomized_response(space, Level.ratio(ratio)).mechanism
    lie, truth = 1 / (ratio + k - 1), ratio / (ratio + k - 1)
    law = mechanism.row_at(k // 2)
    assert law == tuple(truth if z == k // 2 else lie for z in range(k))
    assert smallest_level(mechanism, space).exact == Level.ratio(ratio)


@pytest.mark.parametrize("space", [categories(4), complete(5), FAR, path(0, 1), cycle(3)],
                         ids=lambda space: space.text)
@pytest.mark.parametrize("level", [Level.epsilon("0.5"), Level.epsilon(5), Level.ratio(2),
                                   Level.parse("ln(3)/2")], ids=lambda level: level.text)
def test_response_is_private_on_every_equidistant_space(space, level):
    mechanism = randomized_response(space, level).mechanism
    rows = [mechanism.row_at(i) for i in range(space.size)]
    assert has_level(rows, lengths_of(space), level)
    found = certified(mechanism, level).certificate.smallest
    assert found.lower > float(level) * (1 - 1e-9)


@pytest.mark.parametrize("space", [path(0, 4), cycle(5), star(3), grid((2, 3)), categories(3)],
                         ids=lambda space: space.text)
@pytest.mark.parametrize("level", [Level.epsilon("0.5"), Level.ratio(4), Level.epsilon(9)],
                         ids=lambda level: level.text)
def test_the_exponential_mechanism_halves_the_level_in_its_kernel(space, level):
    n = space.size
    mechanism = exponential(space, level).mechanism
    lengths = lengths_of(space)
    half = (level.rational / 2, level.coefficient / 2, level.base)
    for y in range(n):
        line = [1 / Fraction(power_of(half, lengths[y][z], 40)) for z in range(n)]
        for p, q in zip(mechanism.row_at(y), line, strict=True):
            assert abs(p * sum(line) / q - 1) < Fraction(1, 10**9)
    rows = [mechanism.row_at(i) for i in range(n)]
    assert has_level(rows, lengths, level)
    certificate = certified(mechanism, level).certificate
    assert certificate.smallest.upper <= float(level)


@settings(derandomize=True, deadline=None, max_examples=20)
@given(st.lists(st.fractions(min_value=0, max_value=5, max_denominator=5), min_size=4,
                max_size=4).filter(any))
def test_a_base_measure_scales_the_columns(base):
    space, level = path(0, 3), Level.ratio(4)
    mechanism = exponential(space, level, base=base).mechanism
    rows = [mechanism.row_at(i) for i in range(4)]
    for y in range(4):
        line = [w * Fraction(1, 2) ** abs(y - z) for z, w in enumerate(base)]
        for p, q in zip(rows[y], line, strict=True):
            assert (p == 0) == (q == 0)
            assert q == 0 or abs(p * sum(line) / q - 1) < Fraction(1, 10**9)
    assert has_level(rows, lengths_of(space), level)


@pytest.mark.parametrize("base", [[1, 1], [1, -1, 1], [0, 0, 0], [1, 1, 1, 1]])
def test_what_is_no_base_measure_is_refused(base):
    with pytest.raises(BadMatrix):
        exponential(path(0, 2), Level.ratio(2), base=[Fraction(w) for w in base])


@pytest.mark.parametrize("k", [3, 6])
def test_where_normalizers_are_equal_the_exponential_mechanism_has_half_the_level(k):
    level = Level.ratio(9)
    found = smallest_level(exponential(cycle(k), level).mechanism, cycle(k))
    assert float(Level.ratio(3)) * (1 - 1e-9) < found.upper <= float(Level.ratio(3)) * (1 + 1e-9)


@pytest.mark.parametrize("ratio", [Fraction(3, 2), Fraction(2), Fraction(5)])
def test_randomized_response_is_optimal_exactly_where_the_theorem_says_so(ratio):
    space, level = categories(4), Level.ratio(ratio)
    border = 1 / (ratio + 3)
    for least, holds in ((border, True), (border * Fraction(9, 10), False), (Fraction(0), False)):
        rest = (1 - least) / 3
        prior = Prior.of([least, rest, rest, rest])
        found = compare(space, level, prior=prior, loss=binary)
        response = next(r.solution for r in found.rows if r.construction == "randomized-response")
        assert (response.theorem is not None) == holds
        assert (response.value <= found.bound * (1 + 1e-6)) == holds


def test_with_delta_only_what_holds_with_delta_is_claimed():
    level = Level.ratio(2, "0.01")
    uneven = Prior.of([Fraction(2, 10), Fraction(2, 10), Fraction(6, 10)])  # 1/4 is the border
    found = compare(path(0, 4), level, loss=binary)
    assert all(row.solution is None or row.solution.theorem is None for row in found.rows)
    found = compare(categories(3), level, loss=binary, prior=uneven)
    response = next(r.solution for r in found.rows if r.construction == "randomized-response")
    assert response.theorem is None
    assert response.value > found.bound * (1 + 1e-3)
    even = compare(categories(3), level, loss=binary)
    response = next(r.solution for r in even.rows if r.construction == "randomized-response")
    assert "4.8" in response.theorem
    assert response.value <= even.bound * (1 + 1e-6)


@pytest.mark.parametrize("seed", range(12))
def test_response_with_delta_is_optimal_for_every_prior_without_unlikely_values(seed):
    source = random.Random(seed)
    k, ratio = source.randint(2, 4), Fraction(source.randint(3, 9), 2)
    delta = Fraction(source.randint(0, 5), 10)
    least = 1 / (ratio + k - 1)
    raw = [source.randint(0, 5) + (i == 0) for i in range(k)]
    prior = [least + (1 - k * least) * Fraction(x, sum(raw)) for x in raw]
    level = Level.ratio(ratio, delta)
    found = design(
        categories(k), level, prior=Prior(tuple(prior)), construction="randomized-response"
    )
    assert found.theorem is not None
    assert found.gap < 1e-12
    # Its loss exactly: values are doubles, and may end a last digit to either side.
    rows = [found.mechanism.row(i) for i in range(k)]
    lost = sum(share * (1 - row[i]) for i, (share, row) in enumerate(zip(prior, rows, strict=True)))
    assert found.value == pytest.approx(float(lost), rel=1e-14)
    solver = design(categories(k), level, prior=Prior(tuple(prior)), construction="optimal")
    assert Fraction(solver.bound) <= lost
    assert found.value <= solver.value + 1e-9
