"""Irrational distances: verdicts against square roots and exponentials of our own."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exact.oracle import decimal_of, length_of, power_of, wide
from tests.privacy.brute import check_witness, has_level, laws, mechanism_of, tables_of_weights
from tightrope.constructions import exponential
from tightrope.exact import Level
from tightrope.privacy import Refutation, Smallest, smallest_level, verify
from tightrope.spaces import grid, points, product_max, product_sum

UNIT = Fraction(1)


def squared(a, b):
    return sum(((x - y) ** 2 for x, y in zip(a, b, strict=True)), Fraction(0))


def grid_lengths(shape, step):
    cells = [(i, j) for i in range(shape[0]) for j in range(shape[1])]
    return [[[(Fraction(step), Fraction(squared(a, b)))] for b in cells] for a in cells]


def greatest(rows, lengths):
    """The largest ln(ratio)/length of all pairs, to about 50 digits."""
    context = wide(60)
    best = None
    for a in range(len(rows)):
        for b in range(len(rows)):
            if a == b:
                continue
            for p, q in zip(rows[a], rows[b], strict=True):
                if p > q:
                    slope = context.divide(context.ln(decimal_of(p / q, 60)),
                                           length_of(lengths[a][b], 60))
                    best = slope if best is None else max(best, slope)
    return best


@pytest.mark.parametrize(("shape", "step"), [((2, 2), "1"), ((2, 3), "1/2"), ((3, 3), "1")])
@settings(derandomize=True, deadline=None, max_examples=12)
@given(data=st.data())
def test_grids_are_judged_as_all_pairs_with_their_square_roots(shape, step, data):
    space = grid(shape, step)
    integers = data.draw(tables_of_weights(space.size, 2, zeros=data.draw(st.booleans())))
    mechanism = mechanism_of(space, integers)
    lengths = grid_lengths(shape, step)
    level = data.draw(st.sampled_from([Level.epsilon("1.5"), Level.ratio(3), Level.ratio(8),
                                       Level.parse("ln(5)*2")]))
    found = verify(mechanism, space, level)
    assert found.holds == has_level(laws(integers), lengths, level)
    if isinstance(found, Refutation):
        check_witness(found, mechanism, lengths)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.data())
def test_the_smallest_level_brackets_the_true_one_closely(data):
    space = grid((2, 3))
    integers = data.draw(tables_of_weights(6, 2))
    mechanism = mechanism_of(space, integers)
    slope = greatest(laws(integers), grid_lengths((2, 3), 1))
    found = smallest_level(mechanism, space)
    assert isinstance(found, Smallest)
    if slope is None:
        assert (found.lower, found.upper) == (0, 0)
        return
    assert Fraction(found.lower) <= Fraction(slope) * (1 + Fraction(1, 10**50))
    assert Fraction(found.upper) >= Fraction(slope) * (1 - Fraction(1, 10**50))
    assert found.upper - found.lower <= 1e-12
    if found.lower:
        below = Level.epsilon(Fraction(slope) * (1 - Fraction(1, 10**30)))
        above = Level.epsilon(Fraction(slope) * (1 + Fraction(1, 10**30)))
        assert not verify(mechanism, space, below).holds
        assert verify(mechanism, space, above).holds


def test_the_diagonal_is_decided_beyond_the_precision_of_doubles():
    # two cells of a diagonal: e^(√2) to 40 digits on both sides
    space = points(["a", "b"], [("0", "0"), ("1", "1")])
    power = power_of((UNIT, Fraction(0), UNIT), [(UNIT, Fraction(2))], 60)
    scale = 10**40
    near = int(Fraction(power) * scale)
    for top, verdict in ((near, True), (near + 1, False)):
        # rows (a, b) and (b, a): both ratios are a/b
        mechanism = mechanism_of(space, [[top, scale], [scale, top]])
        assert verify(mechanism, space, Level.epsilon(1)).holds is verdict


@settings(derandomize=True, deadline=None, max_examples=15)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=3, max_size=5,
                unique=True), st.data())
def test_scattered_points_are_judged_as_all_pairs(places, data):
    space = points(list(range(len(places))), [[f"{2 * x + 1}/2", f"{y}"] for x, y in places])
    lengths = [[[(UNIT, Fraction(squared(a, b)))] for b in places] for a in places]
    integers = data.draw(tables_of_weights(len(places), 2))
    mechanism = mechanism_of(space, integers)
    level = Level.epsilon(data.draw(st.sampled_from(["0.3", "0.7", "1.1"])))
    assert verify(mechanism, space, level).holds == has_level(laws(integers), lengths, level)


@pytest.mark.parametrize("combine", [product_sum, product_max])
@settings(derandomize=True, deadline=None, max_examples=10)
@given(data=st.data())
def test_products_with_irrational_parts_are_judged_as_all_pairs(combine, data):
    first = points(["p", "q"], [("0", "0"), ("1", "1")])
    second = points(["r", "s", "t"], [("0",), ("1.5",), ("4",)])
    space = combine(first, second)
    places = [("p", 0, 0), ("p", 0, 1), ("p", 0, 2), ("q", 1, 0), ("q", 1, 1), ("q", 1, 2)]
    line = [Fraction(0), Fraction(3, 2), Fraction(4)]

    def length(a, b):
        diagonal = [(UNIT, Fraction(2))] if a[1] != b[1] else []
        along = abs(line[a[2]] - line[b[2]])
        straight = [(along, UNIT)] if along else []
        if combine is product_sum:
            return diagonal + straight
        return diagonal if diagonal and along * along < 2 else straight or diagonal

    lengths = [[length(a, b) for b in places] for a in places]
    integers = data.draw(tables_of_weights(6, 2))
    mechanism = mechanism_of(space, integers)
    level = Level.epsilon(data.draw(st.sampled_from(["0.4", "0.8", "1.4"])))
    found = verify(mechanism, space, level)
    assert found.holds == has_level(laws(integers), lengths, level)


@pytest.mark.parametrize("level", [Level.epsilon("0.5"), Level.ratio(2), Level.epsilon(3)])
def test_the_exponential_mechanism_on_a_grid_has_its_level_by_brute_force(level):
    space = grid((3, 2), "1/2")
    mechanism = exponential(space, level).mechanism
    assert verify(mechanism, space, level).holds
    rows = [mechanism.row_at(i) for i in range(6)]
    assert has_level(rows, grid_lengths((3, 2), "1/2"), level)
