"""How close answers are: the smallest radius by brute force over exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope.exact import Surd, Weights
from tightrope.mechanisms import (
    KernelMechanism,
    MatrixMechanism,
    NoiseMechanism,
    RemappedMechanism,
    SubsetMechanism,
)
from tightrope.spaces import (
    categories,
    counts,
    cycle,
    graph,
    grid,
    histogram,
    path,
    points,
    star,
    sums,
)
from tightrope.utility import Prior, uniform
from tightrope.utility.closeness import closeness

NEED = Fraction(19, 20)


def gaps(space, outputs, measure):
    return [[measure(x, z) for z in outputs] for x in space.points]


def radii(mechanism, measure, prior):
    """The smallest radius for every input, and on average: every candidate is tried."""
    table = gaps(mechanism.space, mechanism.outputs, measure)
    rows = [mechanism.row_at(i) for i in range(mechanism.space.size)]

    def within(r):
        return [sum((p for p, d in zip(row, line, strict=True) if d <= r), Fraction(0))
                for row, line in zip(rows, table, strict=True)]

    every = sorted({d for line in table for d in line})
    worst = next(r for r in every if min(within(r)) >= NEED)
    average = next(r for r in every
                   if sum(p * q for p, q in zip(prior, within(r), strict=True)) >= NEED)
    return worst, average


def distance(space):
    """Distances as doubles: those that differ here differ by far more than rounding."""
    return lambda x, z: round(float(space.distance(space.index(x), space.index(z))), 9)


def largest(x, z):
    return max(abs(a - b) for a, b in zip(x, z, strict=True))


NUMBERS = {
    "path": (path(-3, 5), lambda x, z: abs(x - z)),
    "sum": (sums(people=4, maximum=3), lambda x, z: abs(x - z)),
    "counts": (counts(people=2, queries=2), largest),
    "histogram": (histogram(people=3, cells=3), largest),
    "grid": (grid((3, 4)), None),
    "grid by streets": (grid((3, 3), "1/2", "manhattan"), None),
    "positions": (points("abcd", [(0, 0), (1, 2), (5, 5), ("1/2", 0)]), None),
}


@pytest.mark.parametrize("name", NUMBERS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_radius_is_the_smallest_that_every_input_keeps(name, data):
    space, measure = NUMBERS[name]
    measure = measure or distance(space)
    n = space.size
    peak = data.draw(st.sampled_from([1, 10, 200]))
    cells = st.lists(st.integers(0, 9), min_size=n, max_size=n)
    rows = [data.draw(cells) for _ in range(n)]
    for y, row in enumerate(rows):
        row[y] += peak
    mechanism = MatrixMechanism(space, space.points, Weights.from_integers(rows))
    weights = data.draw(st.lists(st.integers(1, 9), min_size=n, max_size=n))
    prior = [Fraction(w, sum(weights)) for w in weights]
    found = closeness(mechanism, prior=Prior(prior))
    worst, average = radii(mechanism, measure, prior)
    assert found.worst.share == found.average.share == NEED
    assert float(found.worst.radius) == pytest.approx(worst)
    assert float(found.average.radius) == pytest.approx(average)
    assert ("every cell" in str(found)) == (name in ("counts", "histogram"))


@pytest.mark.parametrize("weights", [(95, 5, 0), (950_001, 49_999, 0), (949_999, 50_001, 0),
                                     (95 * 10**30, 5 * 10**30, 0),
                                     (95 * 10**30 - 1, 5 * 10**30, 1)])
def test_a_tie_with_95_times_in_100_counts_and_a_hair_below_does_not(weights):
    a, b, c = weights
    rows = [[a, b, c], [b, a, c], [c, b, a]]
    mechanism = MatrixMechanism(path(0, 2), (0, 1, 2), Weights.from_integers(rows))
    expected = 0 if Fraction(a, a + b + c) >= NEED else 1
    found = closeness(mechanism)
    assert found.worst.radius == Surd.of(expected)
    assert found.average.radius == Surd.of(expected)


@pytest.mark.parametrize("kernel", [
    KernelMechanism(path(0, 30), Fraction(3, 2), Fraction(1), (3, *(1,) * 29, 3)),
    KernelMechanism(path(0, 30), Fraction(1001, 1000), Fraction(1), (1,) * 31),
    KernelMechanism(path(0, 1), Fraction(30), Fraction(1), (1, 1)),
    KernelMechanism(path(0, 5), Fraction(2), Fraction(1, 3), (10**400, 1, 1, 1, 1, 10**400)),
    KernelMechanism(grid((4, 5)), Fraction(2), Fraction(1), (1 << 61,) * 20, rounded=True),
    KernelMechanism(counts(people=3, queries=2), Fraction(2), Fraction(1), (1,) * 16),
])
def test_a_kernel_is_as_close_as_its_matrix(kernel):
    measure = (largest if "counts" in kernel.space.text
               else distance(kernel.space))
    uniformly = [Fraction(1, kernel.space.size)] * kernel.space.size
    worst, average = radii(kernel, measure, uniformly)
    found = closeness(kernel)
    assert found == closeness(kernel.matrix())
    assert float(found.worst.radius) == pytest.approx(worst)
    assert float(found.average.radius) == pytest.approx(average)


@pytest.mark.parametrize(("ratio", "step", "first"), [
    (Fraction(2), 1, 1), (Fraction(39), 1, 1), (Fraction(40), 1, 1), (Fraction(3, 2), 1, 1),
    (Fraction(3, 2), 3, 2), (Fraction(7), 5, 4), (Fraction(100), 9, 9), (Fraction(11, 10), 4, 1),
    (Fraction(1000), 40, 40),  # 75.1 of 79.1 are needed: 77 integers, not 76
])
def test_noise_has_the_radius_of_its_law(ratio, step, first):
    space = path(0, 9) if step == 1 else sums(people=9, maximum=step)
    noise = NoiseMechanism(space, ratio, step, first)
    law = noise.law(0)
    total, r = law.probability(0), 0
    while total < NEED:
        r += 1
        total += 2 * law.probability(r)
    found = closeness(noise)
    assert found.worst.radius == found.average.radius == Surd.of(r)


def test_noise_at_a_tiny_level_has_its_radius_at_once():
    noise = NoiseMechanism(path(0, 9), 1 + Fraction(1, 10**9))
    r = int(closeness(noise).worst.radius.rational)
    # P(|noise| > r) = 2 q^-r/(q + 1), and ln q lies between 1e-9 - 1e-18 and 1e-9
    assert r == pytest.approx(np.log(20) * 1e9, rel=1e-6)


@pytest.mark.parametrize("space", [
    categories(4), cycle(5), star(3), graph("abc", [(0, 1)]),
], ids=lambda space: space.text)
def test_where_points_are_no_numbers_it_says_how_often_the_answer_is_right(space):
    n = space.size
    rows = [[7 + y if y == z else 1 for z in range(n)] for y in range(n)]
    mechanism = MatrixMechanism(space, space.points, Weights.from_integers(rows))
    shares = [Fraction(7 + y, 7 + y + n - 1) for y in range(n)]
    found = closeness(mechanism)
    assert found.worst.radius is None
    assert (found.worst.share, found.average.share) == (min(shares), sum(shares) / n)


def test_how_often_is_rounded_down():
    near = MatrixMechanism(categories(2), (0, 1), Weights.from_integers([[87_999, 12_001]] * 2))
    assert str(closeness(near)).endswith("(worst input: 12 %)")
    response = KernelMechanism(categories(100_000), Fraction(2), Fraction(1), (1,) * 100_000)
    assert "less than 0.1 %" in str(closeness(response))
    assert closeness(response).worst.share == Fraction(2, 100_001)


def test_a_radius_is_rounded_up():
    rows = [[1 if y == z else 100 * (y + z == 3) for z in range(4)] for y in range(4)]
    far = MatrixMechanism(grid((2, 2)), grid((2, 2)).points, Weights.from_integers(rows))
    assert str(closeness(far)).startswith("95 % within 1.415 (")


@pytest.mark.parametrize("mechanism", [
    KernelMechanism(path(0, 99_999), Fraction(2), Fraction(1), (1,) * 100_000),
    SubsetMechanism(categories(5), 2, Fraction(2)),
    MatrixMechanism(path(0, 1), ("low", "high"), Weights.from_integers([[1, 1], [1, 1]])),
    MatrixMechanism(categories(2), ("x", "y"), Weights.from_integers([[1, 1], [1, 1]])),
    MatrixMechanism(counts(people=1, queries=2), ((0, 0, 0), (1, 1, 9)),
                    Weights.from_integers([[1, 1]] * 4)),
], ids=lambda mechanism: type(mechanism).__name__)
def test_what_cannot_be_told_quickly_or_makes_no_sense_is_not_told(mechanism):
    assert closeness(mechanism) is None


def test_many_probabilities_are_bounded_from_below():
    size = 1200
    kernel = KernelMechanism(cycle(size), Fraction(2), Fraction(1), tuple(range(1, size + 1)))
    found = closeness(kernel, prior=uniform)
    exact = min(kernel.probability(y, y) for y in (0, 1, 2, size - 1))
    assert 0 < found.worst.share <= exact
    assert float(found.worst.share) == pytest.approx(float(exact), rel=1e-9)
    around = np.arange(size)
    apart = np.minimum(around, size - around)  # the distances of 0, and in turn of all others
    held = np.array([np.roll(2.0**-apart, y) @ (around + 1.0) for y in range(size)])
    mean = float(np.mean((around + 1.0) / held))
    assert float(found.average.share) <= mean * (1 + 1e-12)
    assert float(found.average.share) == pytest.approx(mean, rel=1e-9)


def test_as_json_shares_are_rounded_down_and_radii_up():
    rows = [[1 if y == z else 100 * (y + z == 3) for z in range(4)] for y in range(4)]
    far = MatrixMechanism(grid((2, 2)), grid((2, 2)).points, Weights.from_integers(rows))
    found = closeness(far).as_json()
    assert Fraction(found["worst"]["radius"]) ** 2 >= 2
    assert Fraction(found["worst"]["share"]) <= NEED
    assert found["text"] == str(closeness(far))
    third = MatrixMechanism(categories(3), (0, 1, 2), Weights.from_integers([[1, 1, 1]] * 3))
    assert Fraction(closeness(third).as_json()["average"]["share"]) <= Fraction(1, 3)
    assert closeness(third).as_json()["worst"]["radius"] is None


def test_an_uneven_kernel_is_right_as_often_as_its_rows_say():
    weights = (Fraction(1), Fraction(1, 2), Fraction(1, 4))
    kernel = KernelMechanism(categories(3), Fraction(3), Fraction(1), weights)
    right = [kernel.probability(i, i) for i in range(3)]
    assert right == [Fraction(4, 5), Fraction(6, 11), Fraction(1, 3)]  # w / (w + (7/4 - w)/3)
    found = closeness(kernel)
    assert (found.worst.share, found.average.share) == (min(right), sum(right) / 3)


def test_a_remapped_kernel_is_as_close_as_its_rows():
    kernel = KernelMechanism(path(0, 4), Fraction(20), Fraction(1), (Fraction(1),) * 5)
    mechanism = RemappedMechanism(kernel, (0, 0, 1, 2, 2), (0, 2, 4))
    worst, average = radii(mechanism, lambda x, z: abs(x - z), [Fraction(1, 5)] * 5)
    found = closeness(mechanism)
    assert (found.worst.radius, found.average.radius) == (Surd.of(worst), Surd.of(average))


def test_noise_that_is_near_exactly_19_times_in_20_is_near_enough():
    noise = NoiseMechanism(path(0, 9), Fraction(61), 30, 30)
    assert noise.normalizer == 60  # 59 + 2 · 30/60, and 57 of 60 are at most 28 away
    assert closeness(noise).worst.radius == Surd.of(28)


def test_noise_a_hair_less_near_than_19_times_in_20_is_not_near_enough():
    for ratio, radius in ((39, 0), (39 - Fraction(1, 10**300), 1), (39 + Fraction(1, 10**300), 0)):
        noise = NoiseMechanism(path(0, 9), Fraction(ratio))  # P(noise ≠ 0) = 2/(ratio + 1)
        assert closeness(noise).worst.radius == Surd.of(radius)


def test_rows_beyond_all_doubles_are_not_told():
    far = KernelMechanism(path(0, 1), Fraction(2**1100), Fraction(1), (10**400, 1))
    assert closeness(far) is None


@pytest.mark.parametrize(("share", "said"), [
    ("1/100", "1 %"), ("4889/100000", "4.8 %"), ("21/10001", "0.2 %"),
    ("90199/100000", "90.1 %"), ("1/1001", "less than 0.1 %")])
def test_the_share_in_words_is_never_more_than_the_share(share, said):
    p = Fraction(share)
    found = closeness(MatrixMechanism(categories(2), (0, 1), Weights.from_fractions(
        [[p, 1 - p], [1 - p, p]])))
    assert str(found) == f"right {said} (worst input: {said})"
    assert found.brief == f"right {said}"
