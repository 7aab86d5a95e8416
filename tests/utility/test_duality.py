"""Bounds from multipliers: which pairs δ allows, and which way every number is rounded."""

import tracemalloc
from fractions import Fraction
from math import ceil, floor

import numpy as np
import pytest

from tests.exact.oracle import decimal_of, wide
from tightrope.errors import BadInput, Refused
from tightrope.exact import Level, Surd, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.spaces import categories, grid, matrix, path, points
from tightrope.utility import (
    LossMatrix,
    Multipliers,
    Prior,
    Problem,
    absolute,
    binary,
    duality,
    euclidean,
    loss_ceilings,
    mean_above,
    prove_bound,
    relative_gap,
    squared,
    uniform,
)
from tightrope.utility.duality import _SHARE_BITS, SCALE, _share

UNIT = Fraction(1, 2**96)


def on(first: int, second: int, amount: int) -> Multipliers:
    return Multipliers(np.array([first]), np.array([second]), (amount,))


def none() -> Multipliers:
    return Multipliers(np.array([], dtype=int), np.array([], dtype=int), ())


def bound_of(space, level, multipliers, loss=absolute, prior=uniform):
    return prove_bound(Problem(space, level, prior, loss), multipliers)


@pytest.mark.parametrize(("first", "second"), [(0, 2), (2, 0), (3, 1), (0, 3)])
def test_with_delta_a_multiplier_on_inputs_that_are_no_neighbors_is_refused(first, second):
    line = path(0, 3)
    given = [on(first, second, 1), none(), none(), none()]
    assert bound_of(line, Level.ratio(2), given).toll == 0
    with pytest.raises(Refused, match="neighbors only"):
        bound_of(line, Level.ratio(2).with_delta(Fraction(1, 10)), given)
    beside = [on(1, 2, 2), on(3, 2, 2), none(), none()]
    assert bound_of(line, Level.ratio(2).with_delta(Fraction(1, 10)), beside).toll == 1


def test_with_delta_a_space_without_neighbors_has_no_multipliers():
    bare = matrix(["a", "b"], [["0", "1"], ["1", "0"]])
    with pytest.raises(Refused, match="neighbors only"):
        bound_of(bare, Level.ratio(2).with_delta(Fraction(1, 10)), [on(0, 1, 1), none()], binary)


def test_every_output_needs_its_multipliers():
    with pytest.raises(BadInput, match="for 3 outputs, found 2"):
        bound_of(path(0, 2), Level.ratio(2), [none()] * 2)


@pytest.mark.parametrize(("first", "second", "amounts"), [
    ([0, 1], [1, 0], (-(2**96), -(2**96))),  # would prove 1.26 where a constant answer loses 1/2
    ([0], [1], (-1,)), ([0], [1], (0.5,)), ([0], [1], (True,)), ([0], [1], ("1",)),
    ([0], [1], (1, 1)), ([0], [1], ()), ([0, 1], [1], (1, 1)), ([[0]], [[1]], (1,)),
    ([0.0], [1.0], (1,)),
])
def test_multipliers_are_whole_numbers_that_are_not_negative_one_for_each_pair(
    first, second, amounts
):
    with pytest.raises(BadInput):
        Multipliers(np.array(first), np.array(second), amounts)


@pytest.mark.parametrize(("first", "second"), [(-1, 0), (0, -1), (2, 0), (0, 2)])
def test_multipliers_are_on_inputs_of_the_space(first, second):
    given = [on(first, second, 1), none()]
    with pytest.raises(BadInput, match="pairs of the 2 inputs"):
        bound_of(categories(2), Level.ratio(2), given, binary)


@pytest.mark.parametrize("delta", ["0", "1/7", "2/3"])
def test_a_bound_is_rounded_down_and_its_toll_up(delta):
    """Everything once more in fractions: what is rounded, and in which direction."""
    space, level = categories(3), Level.ratio(3).with_delta(Fraction(delta))
    prior = Prior((Fraction(1, 7), Fraction(2, 7), Fraction(4, 7)))
    loss = LossMatrix(np.array([[0.1, 1.0, 2.0**-97], [1 / 3, 0.0, -0.1], [1.0, -(2.0**-97), 0.7]]))
    given = [on(0, 1, 2**93 + 1), on(1, 2, 2**93 + 2), on(0, 1, 2**92 + 5)]
    third = floor(Fraction(1, 3) / UNIT)
    exact = [[Fraction(x) for x in row] for row in loss.values.tolist()]
    columns = [[floor(prior.weights[y] * floor(exact[y][z] / UNIT)) for y in range(3)]
               for z in range(3)]
    backs = []
    for column, one in zip(columns, given, strict=True):
        (a,), (b,), (amount,) = one.first, one.second, one.amounts
        backs.append(amount * third // 2**96)
        column[a] -= amount
        column[b] += backs[-1]
    found = bound_of(space, level, given, loss, prior)
    assert found.prices == tuple(min(column[y] for column in columns) for y in range(3))
    assert found.toll == ceil(Fraction(delta) * (max(backs[0], backs[2]) + backs[1]))
    assert found.bound == (sum(found.prices) - found.toll) * UNIT


def test_a_pair_that_comes_twice_counts_twice():
    """2^90 and 2^91 units on (0, 1), halved on their way: three times 2^90 are taken, half come."""
    space, level = categories(2), Level.ratio(2).with_delta(Fraction(1, 3))
    twice = Multipliers(np.array([0, 0]), np.array([1, 1]), (2**90, 2**91))
    found = bound_of(space, level, [twice, none()], binary)
    half = 2**95  # a chance of 1/2 times a loss of 1
    assert found.prices == (min(-3 * 2**90, half), min(half + 3 * 2**89, 0))
    assert found.toll == 2**89
    mine = Prior((Fraction(1, 4), Fraction(3, 4)))
    other = prove_bound(Problem(space, level, loss=binary), [none(), twice], mine)
    assert other.prices == (min(0, 2**94 - 3 * 2**90), min(3 * 2**94, 3 * 2**89))
    assert other.prior == mine


PLACES = points(["a", "b", "c"], [("0", "0"), ("1/3", "2"), ("-1", "5/7")])


def test_squares_and_roots_lie_between_their_multiples():
    exact = [[(a - c) ** 2 + (b - d) ** 2 for c, d in ((0, 0), (Fraction(1, 3), 2),
                                                       (-1, Fraction(5, 7)))]
             for a, b in ((0, 0), (Fraction(1, 3), 2), (-1, Fraction(5, 7)))]
    for loss, power in ((squared, 1), (euclidean, 2)):
        found = loss.bracket(PLACES, PLACES.points)
        for y in range(3):
            for z in range(3):
                low, high = (ends[found.index[y, z]] for ends in (found.low, found.high))
                scaled = exact[y][z] * 2 ** (96 * power)
                assert low**power <= scaled < (low + 1) ** power
                assert high == low + (low**power != scaled)


def test_a_root_of_a_square_is_exact_and_any_other_is_not():
    line = points(["a", "b", "c"], [("0", "0"), ("3", "4"), ("1", "1")])
    found = euclidean.bracket(line, line.points)
    ends = {(int(found.low[k]), int(found.high[k])) for k in found.index.ravel()}
    assert (5 * 2**96, 5 * 2**96) in ends
    assert all(low == high for low, high in ends if low % 2**96 == 0)
    assert sum(high == low + 1 for low, high in ends) == 2


def test_ceilings_are_the_next_multiple_at_or_above_the_exact_loss():
    line = path(0, 2)
    weights = Weights.from_integers([[4, 2, 1], [1, 1, 1], [3, 3, 1]], [[-7, 0, 3]] * 3)
    rows = [[Fraction(m) * Fraction(2) ** e for m, e in zip(row, (-7, 0, 3), strict=True)]
            for row in ([4, 2, 1], [1, 1, 1], [3, 3, 1])]
    mechanism = MatrixMechanism(line, line.points, weights)
    found = loss_ceilings(mechanism, absolute.bracket(line, line.points))
    exact = [sum(w * abs(y - z) for z, w in enumerate(row)) / sum(row)
             for y, row in enumerate(rows)]
    assert list(found) == [ceil(loss / UNIT) for loss in exact]
    assert any(loss / UNIT != ceiling for loss, ceiling in zip(exact, found, strict=True))
    prior = Prior((Fraction(1, 7), Fraction(2, 7), Fraction(4, 7)))
    above = sum(ceil(p * c) for p, c in zip(prior.weights, found, strict=True))
    assert mean_above(found, prior, line) == above
    assert above * UNIT >= sum(p * x for p, x in zip(prior.weights, exact, strict=True))


@pytest.mark.parametrize("output", [(0, "a"), ("a", 0), (0,), (0, 0, 0), "a", 0])
def test_an_output_without_a_number_for_every_axis_has_no_place(output):
    square = grid((2, 2), metric="manhattan")
    with pytest.raises(BadInput, match="has no coordinates"):
        absolute.bracket(square, [(0, 0), output])
    beyond = absolute.bracket(square, [(5, -7)])
    assert [beyond.low[k] >> 96 for k in beyond.index[:, 0]] == [12, 13, 11, 12]


@pytest.mark.parametrize("epsilon", ["0.1", "1", "7/3", "20", "60", "66", "67", "500", "100000"])
@pytest.mark.parametrize("steps", [1, 3])
def test_a_share_is_the_power_rounded_down(epsilon, steps):
    exact = Fraction(wide(200).exp(decimal_of(-Fraction(epsilon) * steps, 200)))
    level = Level.epsilon(epsilon)
    assert _share(level, level.ball(_SHARE_BITS), Surd.of(steps)) == floor(exact * 2**SCALE)


@pytest.mark.parametrize("digits", [20, 40, 70])
@pytest.mark.parametrize("side", [-1, 1])
def test_a_share_is_rounded_down_however_near_the_next_multiple_is(digits, side):
    # e^-ε = (k ± 10^-digits) / 2^96, about
    whole = 2**95 + 12345
    near = (whole + side * Fraction(1, 10**digits)) / 2**SCALE
    level = Level.epsilon(-Fraction(wide(digits + 60).ln(decimal_of(near, digits + 60))))
    found = _share(level, level.ball(_SHARE_BITS), Surd.of(1))
    assert found == (whole if side > 0 else whole - 1)


def test_a_gap_is_a_part_of_the_value():
    assert relative_gap(4.0, 3.0) == relative_gap(-4.0, -5.0) == 0.25
    assert relative_gap(3.0, 3.0) == relative_gap(3.0, 3.5) == relative_gap(0.0, 0.0) == 0
    assert relative_gap(0.0, -1.0) == float("inf")


@pytest.mark.parametrize("kind", ["few losses and chances", "all of them different"])
def test_costs_are_prior_times_loss_rounded_down(kind):
    """By hand, however many different products there are; points in the plane have n² / 2."""
    rng, n = np.random.default_rng(3), 6
    prior = [Fraction(1, n)] * n
    losses = rng.integers(0, 3, (n, 4)).astype(float)
    if kind.startswith("all"):
        parts = rng.integers(1, 10**6, n).tolist()
        prior = [Fraction(part, sum(parts)) for part in parts]
        losses = rng.uniform(0, 1, (n, 4))
    problem = Problem(path(0, n - 1), 1, Prior(prior), LossMatrix(losses), outputs=[0, 1, 2, 3])
    found = prove_bound(problem, [none()] * 4)
    rows = zip(prior, losses.tolist(), strict=True)
    by_hand = [min(p * Fraction(x) * 2**96 // 1 for x in row) for p, row in rows]
    assert list(found.prices) == by_hand


def test_a_bound_on_points_in_the_plane_takes_no_memory_for_every_chance_times_every_loss():
    """Of 100 points 4,951 losses differ, and 100 chances: half a million products, 20 megabytes."""
    rng, n = np.random.default_rng(5), 100
    places = [[f"{x:.6f}" for x in place] for place in rng.uniform(0, 10, (n, 2)).tolist()]
    prior = Prior.of(rng.dirichlet(np.ones(n)).tolist())
    problem = Problem(points([f"p{k}" for k in range(n)], places), 1, prior, euclidean)
    assert len(problem.bracket.low) > 4_900
    tracemalloc.start()
    try:
        prove_bound(problem, [none()] * n)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 5e6


@pytest.mark.parametrize("together", [1, 3, 10**6])
def test_prices_are_the_same_however_many_distances_are_looked_up_at_a_time(monkeypatch, together):
    """By hand; and every share is worked out once, that of an infinite distance too."""
    asked = []

    def counted(level, epsilon, distance):
        asked.append(float(distance))
        return _share(level, epsilon, distance)

    monkeypatch.setattr(duality, "_TOGETHER", together)
    monkeypatch.setattr(duality, "_share", counted)
    far = float("inf")
    lengths = [[0, 1, 2, far], [1, 0, 1, far], [2, 1, 0, far], [far, far, far, 0]]
    given = [Multipliers(np.array([a, a]), np.array([b, c]), (2**90 + a, 3**50))
             for a, b, c in ((0, 1, 2), (1, 2, 3), (2, 1, 0), (3, 3, 1))]
    nothing = LossMatrix(np.zeros((4, 4)))
    found = prove_bound(Problem(matrix([0, 1, 2, 3], lengths), 1, loss=nothing), given)
    columns = np.zeros((4, 4), dtype=object)
    for column, one in zip(columns, given, strict=True):
        for a, b, amount in zip(one.first, one.second, one.amounts, strict=True):
            column[a] -= amount
            if lengths[a][b] < far:
                share = Fraction(wide(60).exp(decimal_of(-Fraction(lengths[a][b]), 60)))
                column[b] += amount * floor(share * 2**SCALE) >> SCALE
    assert list(found.prices) == columns.min(axis=0).tolist()
    assert sorted(asked) == [0, 1, 2, far]
