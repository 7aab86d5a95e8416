"""Approximate levels: hockey-stick sums against all subsets, at the boundary and beside it."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise, permutations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exact.oracle import ends_within, power_of
from tests.privacy.brute import (
    check_witness,
    delta_by_subsets,
    laws,
    mechanism_of,
    plain_lengths,
    tables_of_weights,
)
from tightrope.errors import Refused
from tightrope.exact import Level, Surd, Weights, lower_bound, upper_bound
from tightrope.mechanisms import KernelMechanism, MatrixMechanism
from tightrope.privacy import Certificate, Refutation, delta_curve, smallest_level, verify
from tightrope.privacy.hockeystick import _Power, worst_pair
from tightrope.spaces import (
    categories,
    counts,
    cycle,
    graph,
    grid,
    hamming,
    histogram,
    matrix,
    path,
    points,
    product_sum,
    star,
    sums,
)
from tightrope.spaces.products import product

STEP = plain_lengths([[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]])
UNIT = [(Fraction(1), Fraction(1))]
ratios = st.fractions(min_value=Fraction(11, 10), max_value=4, max_denominator=10)
HAIR = Fraction(1, 10**60)


def irrational_delta(p, q, level, digits=80):
    """Σ max(0, p - e^ε q) with decimals; returned as a fraction good to 10^-60."""
    factor = Fraction(power_of((level.rational, level.coefficient, level.base), UNIT, digits))
    return sum((max(Fraction(0), a - factor * b) for a, b in zip(p, q, strict=True)), Fraction(0))


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.integers(1, 9), ratios, st.data())
def test_delta_equals_the_largest_excess_over_all_sets(columns, ratio, data):
    integers = data.draw(tables_of_weights(2, columns, zeros=True))
    p, q = laws(integers)
    mechanism = mechanism_of(path(0, 1), integers)
    expected = max(delta_by_subsets(p, q, ratio), delta_by_subsets(q, p, ratio))
    assert delta_curve(mechanism, mechanism.space).at_ratio(ratio) == expected


@pytest.mark.parametrize("seed", range(3))
def test_delta_equals_the_largest_excess_over_all_sets_of_twelve_outputs(seed):
    integers = [[(7 * seed + 5 * z + 3 * y * z * z) % 11 for z in range(12)] for y in range(2)]
    p, q = laws(integers)
    mechanism = mechanism_of(path(0, 1), integers)
    for ratio in (Fraction(1), Fraction(3, 2), Fraction(2)):
        expected = max(delta_by_subsets(p, q, ratio), delta_by_subsets(q, p, ratio))
        assert delta_curve(mechanism, mechanism.space).at_ratio(ratio) == expected


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.integers(2, 4), st.integers(1, 4), ratios, st.data())
def test_both_verdicts_at_the_boundary_exactly(size, columns, ratio, data):
    integers = data.draw(tables_of_weights(size, columns, zeros=True))
    rows = laws(integers)
    space = path(0, size - 1)
    mechanism = mechanism_of(space, integers)
    exact = max(
        sum((max(Fraction(0), a - ratio * b) for a, b in zip(rows[i], rows[j], strict=True)),
            Fraction(0))
        for i, j in permutations(range(size), 2) if abs(i - j) == 1
    )
    if not 0 < exact < 1:
        return
    at = verify(mechanism, space, Level.ratio(ratio, delta=exact))
    assert isinstance(at, Certificate)
    assert at.delta == (exact, exact)
    assert at.evidence == "enumerated"
    if exact <= HAIR:
        return
    below = verify(mechanism, space, Level.ratio(ratio, delta=exact - HAIR))
    assert isinstance(below, Refutation)
    lengths = plain_lengths([[Fraction(abs(i - j)) for j in range(size)] for i in range(size)])
    check_witness(below, mechanism, lengths)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.integers(2, 4), st.sampled_from(["0.1", "0.5", "1", "ln(2)/2", "ln(3)*2/3"]), st.data())
def test_both_verdicts_beside_an_irrational_boundary(columns, text, data):
    integers = data.draw(tables_of_weights(2, columns, zeros=True))
    p, q = laws(integers)
    level = Level.parse(text)
    exact = max(irrational_delta(p, q, level), irrational_delta(q, p, level))
    if not Fraction(1, 10**20) < exact < 1 - Fraction(1, 10**20):
        return
    mechanism = mechanism_of(path(0, 1), integers)
    for digits in (9, 16, 40):
        gap = Fraction(1, 10**digits)
        with ends_within(20):
            above = verify(mechanism, mechanism.space, level.with_delta(exact + gap))
            below = verify(mechanism, mechanism.space, level.with_delta(exact - gap))
        assert above.holds
        assert above.delta[0] <= exact + HAIR
        assert above.delta[1] >= exact - HAIR
        assert not below.holds
        check_witness(below, mechanism, STEP)
    low, high = delta_curve(mechanism, mechanism.space).at(level)
    assert low - HAIR <= exact <= high + HAIR
    assert high - low < Fraction(1, 10**30)


@pytest.mark.parametrize(
    ("space", "level"),
    [
        (categories(2), Level.parse("ln(4)/2").with_delta("1/4")),
        (categories(2), Level.parse("ln(8)/3").with_delta("1/4")),
        (grid((2,), "1/2", "manhattan"), Level.ratio(4, delta="1/4")),
        (grid((2,), "1/3", "chebyshev"), Level.ratio(8, delta="1/4")),
        (graph(["a", "b"], [(0, 1, "1/2")]), Level.ratio(4, delta="1/4")),
    ],
)
def test_perfect_roots_tie_exactly(space, level):
    # e^(ε d) = 2 for every one of them; 3/4 - 2 · 1/4 = 1/4
    mechanism = mechanism_of(space, [[3, 1], [1, 3]])
    with ends_within(20):
        assert verify(mechanism, space, level).holds
        assert not verify(mechanism, space, level.with_delta(Fraction(1, 4) - HAIR)).holds


def test_singletons_are_not_enough():
    # ten outputs, each only a little too likely: no single one exceeds δ, all together do
    integers = [[3] * 10 + [1] * 10, [1] * 10 + [3] * 10]
    mechanism = mechanism_of(path(0, 1), integers)
    # each: 3/40 - 2/40 = 1/40; together 1/4
    refuted = verify(mechanism, mechanism.space, Level.ratio(2, delta="0.2"))
    assert not refuted.holds
    assert len(refuted.witness.outputs) == 10
    assert verify(mechanism, mechanism.space, Level.ratio(2, delta="0.25")).holds


def test_a_zero_beside_a_non_zero_is_fine_within_delta():
    mechanism = mechanism_of(path(0, 1), [[1, 9, 0], [0, 9, 1]])
    assert verify(mechanism, mechanism.space, Level.epsilon("0.5", delta="0.1")).holds
    found = verify(mechanism, mechanism.space, Level.epsilon("0.5", delta="0.0999"))
    assert not found.holds
    check_witness(found, mechanism, STEP)
    assert isinstance(smallest_level(mechanism, mechanism.space), Refutation)


def test_only_declared_neighbors_count():
    # inputs 0 and 2 share no output, but they are no neighbors
    mechanism = mechanism_of(path(0, 2), [[1, 1, 0], [1, 2, 1], [0, 1, 1]])
    assert verify(mechanism, mechanism.space, Level.ratio(2, delta="1/4")).holds


NEIGHBORS = [
    path(0, 3), sums(people=2, maximum=2), counts(people=1, queries=2),
    histogram(people=2, cells=2), histogram(people=1, cells=2, neighbors="add-remove"),
    grid((2, 2), 1, "manhattan"), grid((2, 2), "1/2", "chebyshev"), hamming(values=2, people=2),
    categories(3), cycle(4), star(3), graph("abc", [(0, 1, "1"), (1, 2, "1/2"), (0, 2, "3")]),
    product_sum(path(0, 1), categories(2)),
]


@pytest.mark.parametrize("space", NEIGHBORS, ids=lambda space: space.text)
def test_declared_neighbors_of_every_family_decide(space):
    n = space.size
    integers = [[1 + (3 * y + 5 * z) % 7 for z in range(3)] for y in range(n)]
    rows = laws(integers)
    mechanism = mechanism_of(space, integers)
    ratio = Fraction(4)
    worst = Fraction(0)
    for i, j in space.neighbors.pairs:
        d = space.distance(i, j).rational
        factor = {Fraction(1): ratio, Fraction(1, 2): Fraction(2)}[d]
        for a, b in ((i, j), (j, i)):
            worst = max(worst, delta_by_subsets(rows[a], rows[b], factor))
    level = Level.ratio(ratio)
    with ends_within(20):
        if worst > 0:
            assert verify(mechanism, space, level.with_delta(worst)).holds
            assert not verify(mechanism, space, level.with_delta(worst - HAIR)).holds
        else:
            assert verify(mechanism, space, level.with_delta(HAIR)).holds


@pytest.mark.parametrize(
    "space",
    [
        grid((2, 1)), matrix([0, 1], [["0", "1"], ["1", "0"]]),
        points(["a", "b"], [("0",), ("1",)]), product_sum(path(0, 1), grid((1, 2))),
    ],
    ids=lambda space: space.text,
)
def test_spaces_without_neighbors_refuse_delta(space):
    n = space.size
    mechanism = mechanism_of(space, [[1] * 2] * n)
    with pytest.raises(Refused):
        verify(mechanism, space, Level.ratio(2, delta="0.1"))
    with pytest.raises(Refused):
        delta_curve(mechanism, space)
    assert verify(mechanism, space, Level.ratio(2)).holds


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.integers(2, 4), st.integers(1, 3), st.data())
def test_the_curve_is_convex_falls_and_ends_at_the_pure_level(size, columns, data):
    integers = data.draw(tables_of_weights(size, columns))
    mechanism = mechanism_of(path(0, size - 1), integers)
    rows = laws(integers)
    curve = delta_curve(mechanism, mechanism.space)
    total_variation = max(
        sum((abs(a - b) for a, b in zip(rows[i], rows[i + 1], strict=True)), Fraction(0)) / 2
        for i in range(size - 1)
    )
    assert curve.at_ratio(Fraction(1)) == total_variation
    grid_of_ratios = [1 + Fraction(k, 4) for k in range(30)]
    values = [curve.at_ratio(r) for r in grid_of_ratios]
    assert all(a >= b for a, b in pairwise(values))
    assert all(
        values[k] * 2 <= values[k - 1] + values[k + 1] for k in range(1, len(values) - 1)
    )
    last = max(a / b for i, j in permutations(range(size), 2) if abs(i - j) == 1
               for a, b in zip(rows[i], rows[j], strict=True))
    assert curve.at_ratio(last) == 0
    if last > 1:
        assert curve.at_ratio(1 + (last - 1) * (1 - HAIR)) > 0
    found = curve.breakpoints
    assert found[0] == 1
    assert list(found) == sorted(set(found))
    assert found[-1] == last


def test_the_curve_of_randomized_response_is_known():
    # Σ max(0, p - r q) = (q - r)/(q + k - 1) for k-ary randomized response with ratio q
    for k, q in ((2, 3), (5, 4)):
        kernel = KernelMechanism(categories(k), Fraction(q), Fraction(1), (Fraction(1),) * k)
        curve = delta_curve(kernel, kernel.space)
        for r in (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(q)):
            assert curve.at_ratio(r) == (q - r) / (q + k - 1)


def test_a_claim_with_delta_holds_whatever_the_pure_level_is():
    # the pure level is beyond a million, and beside the point
    space = graph("ab", [(0, 1, "1/10")])
    mechanism = mechanism_of(space, [[2, 1, 1], [2, 1, 1]], [[0, 0, 0], [0, 0, -200_000]])
    with ends_within(60):
        assert verify(mechanism, mechanism.space, Level.ratio(2, delta="1/2")).holds


def test_the_witness_is_the_pair_that_breaks_the_claim_and_not_one_beside_it():
    # Inputs 0 and 1 have δ within 2^-140 below the claim, which only more than 128 bits can
    # tell; inputs 2 and 3 break the claim, by 2^-140.
    e = Fraction(power_of((Fraction(1), Fraction(0), Fraction(1)), UNIT, 120))
    p, q = Fraction(9, 10), Fraction(1, 10)
    step = Fraction(1, 2**140)
    claimed = ((p - e * q) // step + 1) * step
    broken = claimed + step
    some = Fraction(1, 100)
    rows = [(p, 9 * some, some), (q, 81 * some, 9 * some),
            (1 - broken - some, some, broken), (1 - some, some, Fraction(0))]
    space = graph("abcd", [(0, 1, "1"), (1, 2, "40"), (2, 3, "1")])
    scale = 100 * 2**140
    integers = [[int(value * scale) for value in law] for law in rows]
    mechanism = mechanism_of(space, integers)
    assert laws(integers) == [tuple(law) for law in rows]
    level = Level.epsilon(1, delta=claimed)
    table = [[Fraction(d) for d in line]
             for line in ([0, 1, 41, 42], [1, 0, 40, 41], [41, 40, 0, 1], [42, 41, 1, 0])]
    found = verify(mechanism, space, level)
    assert not found.holds
    check_witness(found, mechanism, plain_lengths(table))


@pytest.mark.parametrize("space", [matrix("ab", [["0", "1"], ["1", "0"]]),
                                   points("ab", [("0",), ("1",)])], ids=lambda s: s.text)
def test_kernels_on_spaces_without_neighbors_refuse_delta_too(space):
    kernel = KernelMechanism(space, Fraction(2), Fraction(1), (Fraction(1),) * 2)
    for ratio in ("3/2", "2", "3"):
        with pytest.raises(Refused):
            verify(kernel, space, Level.ratio(ratio, delta="0.1"))


@pytest.mark.parametrize("far", [0, -30_000])
@pytest.mark.parametrize("epsilon", ["1/2", "1/3", "1/5", "1/7", "2/7", "3/11", "1"])
def test_delta_at_an_irrational_ratio_lies_strictly_inside_its_bracket(epsilon, far):
    # 3/4 against 1/4, but for an output of weight 2^far: with it the integers are long
    weights = [[3, 1, 1], [1, 3, 1]], [[0, 0, far]] * 2
    mechanism = mechanism_of(path(0, 1), *weights)
    total = 4 + Fraction(2) ** far
    power = power_of((Fraction(epsilon), Fraction(0), Fraction(1)), UNIT, 100)
    exact = (3 - Fraction(power)) / total
    found = verify(mechanism, mechanism.space, Level.epsilon(epsilon, delta="9/10"))
    assert found.delta[0] < exact < found.delta[1]
    assert found.delta[1] - found.delta[0] < Fraction(1, 2**100)


def test_every_ordered_pair_of_neighbors_and_every_output_is_counted():
    mechanism = mechanism_of(path(0, 3), [[1, 2, 3]] * 4)
    found = verify(mechanism, mechanism.space, Level.ratio(2, delta="1/10"))
    assert found.checked == 2 * 3 * 3  # three pairs, both ways, three outputs


def test_a_curve_needs_neighbors_at_distance_one():
    space = product(graph("ab", [(0, 1, 7)]), path(0, 2))
    mechanism = mechanism_of(space, [[1, 2]] * 6)
    with pytest.raises(Refused, match="distance 1"):
        delta_curve(mechanism, space)


@pytest.mark.parametrize("bits", [30, 64, 128])
def test_a_power_lies_inside_its_bounds_and_its_ball(bits):
    for epsilon in (Fraction(k, 7) for k in range(1, 30)):
        power = Fraction(power_of((epsilon, Fraction(0), Fraction(1)), UNIT, 100))
        held = _Power.of(Level.epsilon(epsilon), Surd.of(1), bits)
        assert held.least < power < held.most
        assert lower_bound(held.ball) < power < upper_bound(held.ball)
        assert Fraction(held.below) < power < Fraction(held.above)


@pytest.mark.parametrize("seed", range(40))
def test_outputs_next_to_the_ratio_are_chosen_as_fractions_choose_them(seed):
    """Two outputs are 2 q likely to the last of 50 bits, whatever the totals and their powers."""
    luck = Random(seed)
    below = [luck.randrange(1 << bits, 2 << bits) for bits in (45, 45, 48)]
    total = sum(below)
    here = total if seed % 4 == 0 else luck.randrange(1 << 48, 1 << 50)
    near = [2 * b * here // total + luck.randrange(-1, 2) for b in below[:2]]
    rows = [[*near, here - sum(near)], below][:: luck.choice((1, -1))]
    powers = [[luck.choice((-60, -9, 0, 9))] * 3 for _ in rows]
    mechanism = MatrixMechanism(path(0, 1), (0, 1, 2), Weights(np.array(rows), np.array(powers)))
    p, q = ([Fraction(w, sum(row)) for w in row] for row in rows)
    exact = max(sum(max(Fraction(0), a - 2 * b) for a, b in zip(*pair, strict=True))
                for pair in ((p, q), (q, p)))
    worst = worst_pair(mechanism, path(0, 1), Level.ratio(2), bits=64)
    assert worst.delta == (exact, exact)


def test_ratios_beyond_what_doubles_reach_are_compared_all_the_same():
    """1/2 against 1/2 · 10/9 · 2^-1001, where e^ε is 3/4 · 2^1001: 1/12 is more than 1/100."""
    rows = [[9 << 1001, 9 << 1001], [10, (18 << 1001) - 10]]
    mechanism = MatrixMechanism(path(0, 1), (0, 1), Weights.from_integers(rows))
    for delta, holds in (("1/12", True), ("1/13", False)):
        level = Level.ratio(Fraction(3 << 1001, 4), delta)
        assert verify(mechanism, path(0, 1), level).holds is holds


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("bits", [40, 90])
@pytest.mark.parametrize("other", [4, 5, 7])
def test_a_delta_next_to_an_irrational_excess_is_decided(other, bits, swapped):
    """The first output has (√e/4 rounded up to a unit) against 1/4, at ε = 1/2."""
    total = 20 << bits
    with localcontext() as context:
        context.prec = 120
        above = Decimal("0.5").exp() / 4
        first = int(above * total) + 1
        excess = Fraction(Decimal(first) / total - above)
    rows = [[first, total - first], [other << bits, 3 * other << bits]]
    weights = Weights.from_integers(rows[::-1] if swapped else rows)
    mechanism = MatrixMechanism(path(0, 1), (0, 1), weights)
    for nudge in (-1, 1):
        level = Level.epsilon("1/2", excess + Fraction(nudge, 10**80))
        assert verify(mechanism, path(0, 1), level).holds is (nudge > 0)
