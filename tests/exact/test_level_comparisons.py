"""Comparisons of rationals with e^(ε d): exact, ties included, whatever the size."""

import sys
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.exact.oracle import decimal_of, ends_within, power_of, sign_against_power, wide
from tightrope.errors import BadLevel
from tightrope.exact import INFINITE, Level, Surd

ONE = Surd.of(1)
small = st.fractions(min_value=Fraction(1, 20), max_value=5, max_denominator=20)
bases = st.fractions(min_value=Fraction(21, 20), max_value=20, max_denominator=20)


def parts(level):
    return level.rational, level.coefficient, level.base


@st.composite
def levels(draw):
    kind = draw(st.sampled_from(["decimal", "ratio", "root", "both"]))
    if kind == "decimal":
        return Level.epsilon(draw(small))
    level = Level.ratio(draw(bases))
    if kind == "root":
        return level.scaled(Fraction(1, draw(st.integers(2, 6))))
    return level if kind == "ratio" else level + Level.epsilon(draw(small))


@st.composite
def lengths(draw):
    terms = draw(st.lists(st.tuples(small, st.sampled_from([1, 1, 2, 3, 5, 8])), min_size=1,
                          max_size=2))
    total = Surd.of(0)
    for factor, radicand in terms:
        total = total + Surd.root(radicand) * factor
    return [(factor, Fraction(radicand)) for factor, radicand in terms], total


@settings(derandomize=True, deadline=None, max_examples=120)
@given(levels(), lengths(), st.data())
def test_compare_agrees_with_independent_arithmetic(level, length, data):
    terms, distance = length
    near = power_of(parts(level), terms, 50)
    digits = data.draw(st.integers(1, 45))
    ratio = Fraction(wide(digits).plus(near))
    for value in (ratio, 1 / ratio, Fraction(1), data.draw(small)):
        assert level.compare(value, distance) == sign_against_power(value, parts(level), terms)


@settings(derandomize=True, deadline=None, max_examples=80)
@given(bases, st.integers(1, 6), st.integers(1, 6), st.integers(1, 4))
@example(Fraction(2), 1, 2, 1)
def test_powers_and_perfect_roots_tie_and_their_neighbors_do_not(root, up, down, extra):
    # base = root^(down · extra), distance = up/down: e^(ε d) = root^(up · extra)
    level = Level.ratio(root ** (down * extra))
    exact, distance = root ** (up * extra), Surd.of(Fraction(up, down))
    hair = exact / 10**60
    assert level.compare(exact, distance) == 0
    assert level.compare(exact + hair, distance) == 1
    assert level.compare(exact - hair, distance) == -1


@pytest.mark.parametrize(
    ("text", "distance", "power"),
    [
        ("ln(4)", "1/2", "2"), ("ln(8)", "1/3", "2"), ("ln(8)", "2/3", "4"),
        ("ln(9/4)", "3/2", "27/8"), ("ln(4)/2", "1", "2"), ("ln(27)/3", "2", "9"),
        ("ln(2)", "10", "1024"), ("ln(2)/7", "14", "4"), ("ln(4)*1/2", "1/2", None),
    ],
)
def test_ties_at_fractional_distances(text, distance, power):
    level, length = Level.parse(text), Surd.of(distance)
    if power is None:
        assert level.compare(Fraction(7, 5), length) == -1  # √2
        assert level.compare(Fraction(3, 2), length) == 1
    else:
        assert level.compare(Fraction(power), length) == 0
        assert level.compare(Fraction(power) + Fraction(1, 10**50), length) == 1
        assert level.compare(Fraction(power) - Fraction(1, 10**50), length) == -1


def test_a_square_root_as_distance_never_ties():
    # 2^√2 = 2.6651441426902251886502972498731398...
    near = Fraction("2.66514414269022518865029724987313984827")
    assert Level.ratio(2).compare(near, Surd.root(2)) == -1
    assert Level.ratio(2).compare(near + Fraction(1, 10**38), Surd.root(2)) == 1


def test_a_distance_of_zero_compares_with_one():
    for level in (Level.epsilon("0.5"), Level.ratio(2), Level.parse("ln(2)/3")):
        assert level.compare(Fraction(1), Surd.of(0)) == 0
        assert level.compare(Fraction(1) + Fraction(1, 10**100), Surd.of(0)) == 1
        assert level.compare(Fraction(0), Surd.of(0)) == -1


@pytest.mark.parametrize(
    ("level", "ratio", "distance", "sign"),
    [
        (Level.epsilon(10**6), Fraction(2**1442695), "1", -1),
        (Level.epsilon(10**6), Fraction(2**1442696), "1", 1),
        (Level.ratio(2), Fraction(2**100_000), "100000", 0),
        (Level.ratio(2), Fraction(2**100_000 + 1), "100000", 1),
        (Level.ratio("3/2"), Fraction(3, 2) ** 20_000, "20000", 0),
        (Level.epsilon(10**6), Fraction(10**300), "1000000000000", -1),
        (Level.ratio(2), Fraction(10**300), "1000000000000", -1),
        (Level.ratio(3), Fraction(10**300), "100000000000000000000", -1),
        (Level.epsilon("1e-900"), Fraction(1), "1", -1),
        (Level.epsilon("1e-900"), 1 + Fraction(1, 10**900), "1", -1),
        (Level.epsilon("1e-900"), 1 + Fraction(1, 10**900 - 1), "1", 1),
        (Level.parse("ln(2)/1000000007"), Fraction(1), "1", -1),
        (Level.parse("ln(2)/1000000007"), Fraction(2), "1000000007", 0),
    ],
)
def test_enormous_and_minute_exponents_are_decided(level, ratio, distance, sign):
    with ends_within(20):
        assert level.compare(ratio, Surd.of(distance)) == sign


@pytest.mark.parametrize("shift", [-7, 3, 5_000_000])
def test_a_tie_with_a_power_too_long_to_write_out_is_one_however_it_is_shifted(shift):
    level, far = Level.ratio(2), Surd.of(5_000_000)  # e^(ε d) = 2^5000000
    assert level.power(far) is None
    over = 1 << 5_000_000 - shift
    with ends_within(20):
        assert level.compare_quotient(over, 1, far, shift) == 0
        assert level.compare_quotient(3 * over, 3, far, shift) == 0
        assert level.compare_quotient(over, 1, Surd.of(4_999_999), shift) == 1


def test_a_root_of_very_high_degree_is_decided():
    level = Level.parse("ln(2)/1" + "0" * 40)
    with ends_within(10):
        assert level.compare(Fraction(1), ONE) == -1
        assert Level.ratio(2).compare(Fraction(1), Surd.of(Fraction(1, 10**40))) == -1


@settings(derandomize=True, deadline=None, max_examples=60)
@given(levels(), lengths(), st.integers(5, 60))
def test_inside_is_below_and_close(level, length, bits):
    terms, distance = length
    inner = level.inside(distance, bits)
    outer, found = (Fraction(power_of(parts(x), terms, 60)) for x in (level, inner))
    # e^(ε d) is divided by e^room, where room is about 2^-bits but never below 2^-56
    assert 0 < 1 - found / outer < Fraction(2, 2**bits) + Fraction(2, 2**56)
    assert 1 - found / outer > Fraction(1, 2**57)


@pytest.mark.parametrize("epsilon", ["1e-9", "1e-12", "1e-15", "700", "20000", "1e6"])
def test_inside_is_below_at_extreme_levels(epsilon):
    level = Level.epsilon(epsilon)
    inner = level.inside(ONE)
    assert inner.compare_level(level) == -1
    assert float(inner) == pytest.approx(float(level), rel=0.1 if "-" in epsilon else 1e-9)


@pytest.mark.parametrize("epsilon", ["1e-20", "1e-40", "1e-200"])
def test_a_level_without_room_for_rounding_is_refused(epsilon):
    with pytest.raises(BadLevel):
        Level.epsilon(epsilon).inside(ONE)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(levels(), lengths())
def test_ratio_below_is_a_rational_at_or_below_and_close(level, length):
    terms, distance = length
    found = level.ratio_below(distance)
    assert found > 1
    assert sign_against_power(found, parts(level), terms) <= 0
    room = 1 - decimal_of(found, 60) / power_of(parts(level), terms, 60)
    assert room < decimal_of(Fraction(1, 2**39), 60)


@pytest.mark.parametrize("epsilon", ["1e-3", "1e-9", "1e-12", "1e-20", "1e-40"])
def test_ratio_below_is_close_to_small_levels(epsilon):
    level = Level.epsilon(epsilon)
    with ends_within(10):
        found = level.ratio_below(ONE)
    assert sign_against_power(found, parts(level), [(Fraction(1), Fraction(1))]) <= 0
    # e^ε - 1 is at least ε; the part of it that is given away is at most 2^-40
    assert found - 1 >= level.rational * (1 - Fraction(1, 2**39))


def test_ratio_below_is_the_ratio_itself_where_it_is_rational():
    assert Level.ratio("3/2").ratio_below(Surd.of(2)) == Fraction(9, 4)
    assert Level.parse("ln(4)/2").ratio_below(Surd.of(2)) == 4


@settings(derandomize=True, deadline=None, max_examples=80)
@given(levels(), levels())
def test_levels_compare_as_their_epsilons(one, other):
    with ends_within(10):
        found = one.compare_level(other)
    unit = [(Fraction(1), Fraction(1))]
    a, b = (power_of(parts(level), unit, 80) for level in (one, other))
    gap = abs(a - b) / a
    if gap > decimal_of(Fraction(1, 10**70), 80):
        assert found == (1 if a > b else -1)
    else:
        assert found == 0


@pytest.mark.parametrize(
    ("one", "other", "sign"),
    [
        (Level.ln(4), Level.ln(2).scaled(2), 0),
        (Level.ln(8).scaled(Fraction(2, 3)), Level.ln(4), 0),
        (Level.ln(2), Level.epsilon("0.6931471805599453094172321214581766"), -1),
        (Level.ln(2), Level.epsilon("0.6931471805599453094172321214581765"), 1),
        (Level.parse("ln(2)/1000000"), Level.ln(3), -1),
        (Level.ln(3), Level.parse("ln(2)/1000000"), 1),
        (Level.epsilon(10**6), Level.ln(2), 1),
        (Level.epsilon(1) + Level.ln(2), Level.epsilon(1) + Level.ln(2), 0),
        ((Level.epsilon(1) + Level.ln(2)).scaled(2), Level.epsilon(2) + Level.ln(4), 0),
        (Level.epsilon(1) + Level.ln(2), Level.epsilon(2), -1),
        (Level.ln(1024).scaled(Fraction(1, 10)), Level.ln(2), 0),
        (Level.ln(2), Level.ln(1024).scaled(Fraction(1, 10)), 0),
    ],
)
def test_levels_of_different_kinds_compare_exactly(one, other, sign):
    with ends_within(10):
        assert one.compare_level(other) == sign


@settings(derandomize=True, deadline=None, max_examples=60)
@given(bases, st.integers(0, 30), st.integers(1, 5))
def test_power_is_the_exact_power_or_nothing(base, steps, denominator):
    level = Level.ratio(base).scaled(Fraction(1, denominator))
    found = level.power(Surd.of(steps))
    if found is not None:
        assert found**denominator == base**steps
    assert Level.ratio(base).power(Surd.of(steps)) == base**steps


@pytest.mark.parametrize(("number", "root"), [
    (Fraction(9**4000, 4**4000), Fraction(3**4000, 2**4000)),
    (Fraction(9**4000 + 1, 4**4000), None),
])
def test_roots_of_long_numbers_take_few_steps(number, root):
    """Bisection takes one step for each bit: minutes for the ratios that weights 2^-100000 have."""
    steps = 0

    def trace(frame, event, _):
        nonlocal steps
        steps += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        found = Level.ratio(number).power(Surd.of("1/2"))
    finally:
        sys.settrace(before)
    assert found == root
    assert steps < 1000


def test_ratio_above_is_the_power_where_it_is_rational_and_just_above_it_elsewhere():
    assert Level.ratio(3).ratio_above(Surd.of(2)) == 9
    for epsilon in ("1/3", "1e-9", "20"):
        level = Level.epsilon(epsilon)
        low, high = level.ratio_below(ONE), level.ratio_above(ONE)
        assert (level.compare(low, ONE), level.compare(high, ONE)) == (-1, 1)
        assert (high - low) * 2**8 < low - 1


@pytest.mark.parametrize("epsilon", ["1e-9", "1e-20", "1e-40"])
def test_ratio_above_is_close_to_small_levels(epsilon):
    level = Level.epsilon(epsilon)
    with ends_within(10):
        found = level.ratio_above(ONE)
    assert sign_against_power(found, parts(level), [(Fraction(1), Fraction(1))]) >= 0
    # e^ε - 1 is at most ε (1 + ε) up to ε = 1; of that, at most the 2^-40th part is added
    assert found - 1 <= level.rational * (1 + level.rational) * (1 + Fraction(1, 2**39))


@settings(derandomize=True, deadline=None, max_examples=150)
@given(levels(), st.integers(0, 2**70), st.integers(1, 2**70), st.integers(-70, 70),
       st.integers(0, 9))
def test_a_shifted_quotient_compares_as_the_number_that_it_is(level, over, under, shift, steps):
    value = Fraction(over, under) * Fraction(2) ** shift
    sign = sign_against_power(value, parts(level), [(Fraction(steps), Fraction(1))])
    assert level.compare_quotient(over, under, Surd.of(steps), shift) == sign


@settings(derandomize=True, deadline=None, max_examples=60)
@given(bases, st.integers(1, 9), st.integers(1, 2**40), st.integers(-70, 70))
def test_a_shifted_quotient_ties_with_the_power_that_it_is(base, steps, common, shift):
    level, exact = Level.ratio(base), base**steps
    over, under = common * exact.numerator, common * exact.denominator
    over, under = (over << 70, under << 70 + shift)  # times 2^shift that is the power again
    assert level.compare_quotient(over, under, Surd.of(steps), shift) == 0
    assert level.compare_quotient(over + 1, under, Surd.of(steps), shift) == 1
    assert level.compare_quotient(over - 1, under, Surd.of(steps), shift) == -1


def test_a_level_that_holds_the_room_for_rounding_twice_is_enough():
    room = Fraction(1, 2**50)
    for size, fits in (("3/2", False), ("15/8", False), ("17/8", True), ("5/2", True)):
        level = Level.epsilon(room * Fraction(size))
        if fits:
            assert level.inside(ONE, 60, float(room)).rational == level.rational - room
        else:
            with pytest.raises(BadLevel, match="per step"):
                level.inside(ONE, 60, float(room))


def test_no_ratio_reaches_the_power_of_an_infinite_distance():
    for level in (Level.epsilon("1e-900"), Level.ratio(2)):
        for ratio in (Fraction(1, 3), Fraction(1), Fraction(10**300)):
            assert level.compare(ratio, INFINITE) == -1


def test_nothing_is_below_every_power_however_it_is_shifted():
    for level in (Level.ratio(2), Level.epsilon("1/2")):
        assert [level.compare_quotient(0, 1, ONE, shift) for shift in (-70, 0, 70)] == [-1] * 3


@pytest.mark.parametrize("digits", [30, 45, 80, 400])
def test_levels_compare_however_close_they_are(digits):
    hair = Fraction(1, 10**digits)
    near = Fraction(wide(digits + 20).ln(2))  # within 10^-(digits + 19) of ln 2
    below, above = Level.epsilon(near - hair), Level.epsilon(near + hair)
    with ends_within(20):
        assert (Level.ln(2).compare_level(below), below.compare_level(Level.ln(2))) == (1, -1)
        assert (Level.ln(2).compare_level(above), above.compare_level(Level.ln(2))) == (-1, 1)


@pytest.mark.parametrize("digits", [30, 40, 60])
@pytest.mark.parametrize("side", [-1, 1])
def test_ratios_are_on_their_side_of_a_power_that_is_nearly_short(digits, side):
    # e^ε = 3/2 ± 10^-digits, about: 3/2 itself is short, and just on the wrong side of one of them
    target = decimal_of(Fraction(3, 2) + side * Fraction(1, 10**digits), digits + 40)
    level = Level.epsilon(Fraction(wide(digits + 40).ln(target)))
    low, high = level.ratio_below(ONE), level.ratio_above(ONE)
    assert sign_against_power(low, parts(level), [(Fraction(1), Fraction(1))]) == -1
    assert sign_against_power(high, parts(level), [(Fraction(1), Fraction(1))]) == 1


@pytest.mark.parametrize(("epsilon", "steps", "room"), [
    ("1", 1, Fraction(1, 2**10)), ("1/8", 1, Fraction(1, 2**13)), ("1/8", 4, Fraction(1, 2**11)),
    ("8", 2, Fraction(1, 2**10)),
])
def test_the_room_for_rounding_is_a_share_of_the_size_or_of_one(epsilon, steps, room):
    level = Level.epsilon(epsilon)
    inner = level.inside(Surd.of(steps), 10, float(Fraction(1, 2**60)))
    assert inner.rational == level.rational - room / steps


def test_a_level_with_a_logarithm_more_is_above():
    less, more = Level.epsilon(1), Level(Fraction(1), Fraction(1), Fraction(2))
    assert (more.compare_level(less), less.compare_level(more)) == (1, -1)


@pytest.mark.parametrize("power", range(30, 42))
def test_ratios_on_both_sides_of_a_power_next_to_one_are_told_from_one(power):
    """Where the power is 1 to as many bits as are worked with at first."""
    level = Level.epsilon(Fraction(1, 10**power))
    low, high = level.ratio_below(Surd.of(1)), level.ratio_above(Surd.of(1))
    assert 1 < low < high
    assert high - low <= Fraction(1, 10**power) / 2**38
    assert low <= 1 + level.rational + level.rational**2
    assert high >= 1 + level.rational
