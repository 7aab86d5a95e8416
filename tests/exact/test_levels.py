"""Levels: what text and numbers mean, and what is refused."""

from decimal import Decimal
from fractions import Fraction

import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exact.oracle import ends_within
from tightrope.errors import BadLevel
from tightrope.exact import Level, Surd

ONE = Surd.of(1)
positive = st.fractions(min_value=Fraction(1, 1000), max_value=1000, max_denominator=1000)


@pytest.mark.parametrize(
    ("text", "epsilon"),
    [
        ("0.5", Fraction(1, 2)),
        ("0.1", Fraction(1, 10)),
        ("1/3", Fraction(1, 3)),
        ("1e-3", Fraction(1, 1000)),
        ("2", Fraction(2)),
        (" 0.25 ", Fraction(1, 4)),
        ("1000000", Fraction(10**6)),
        ("0." + "0" * 200 + "1", Fraction(1, 10**201)),
    ],
)
def test_a_decimal_is_taken_exactly(text, epsilon):
    level = Level.parse(text)
    assert (level.rational, level.coefficient, level.delta) == (epsilon, 0, 0)


@pytest.mark.parametrize(
    ("text", "coefficient", "base"),
    [
        ("ln(2)", Fraction(1), Fraction(2)),
        ("ln(3/2)", Fraction(1), Fraction(3, 2)),
        ("ln(1.5)", Fraction(1), Fraction(3, 2)),
        ("ln(2)/3", Fraction(1, 3), Fraction(2)),
        ("ln(2)*3", Fraction(3), Fraction(2)),
        ("ln(2)*3/2", Fraction(3, 2), Fraction(2)),
        (" ln( 2 ) / 3 ", Fraction(1, 3), Fraction(2)),
    ],
)
def test_a_logarithm_is_kept_as_one(text, coefficient, base):
    level = Level.parse(text)
    assert (level.rational, level.coefficient, level.base) == (0, coefficient, base)


def test_a_float_means_its_shortest_decimal():
    assert Level.epsilon(0.1).rational == Fraction(1, 10)
    assert Level.epsilon(Decimal("0.1")).rational == Fraction(1, 10)


def test_ln_and_ratio_say_the_same():
    assert Level.ln("3/2") == Level.ratio(Fraction(3, 2)) == Level.parse("ln(1.5)")


@pytest.mark.parametrize(
    "bad",
    [
        "-1", "-0.5", "-0/5.", "nan", "inf", "-inf", "infinity", "", " ", "one", "1/0", "1e",
        "--1",
        "1000000.0001", "1e7", "1e999999999", "1e-999999999", "1" * 2000, "0x10", "1/2/3", "½",
        "ln(0.99)", "ln(0.5)", "ln(0)", "ln(-2)", "ln()", "ln(2", "ln(2)/0", "ln(2)*0", "ln(2)/-1",
        "ln(ln(2))", "ln(2)ln(2)", "ln(2)/2/", "log(2)", "ln(nan)", "ln(inf)", "ln(2)*10000000",
    ],
)
def test_what_is_no_level_is_refused_in_one_sentence(bad):
    with ends_within(20), pytest.raises(BadLevel) as caught:
        Level.parse(bad)
    sentence = str(caught.value)
    assert len(sentence) < 400
    assert "\n" not in sentence


@pytest.mark.parametrize(
    "bad", [-1, -1e-300, float("nan"), float("inf"), -float("inf"), 10**6 + 1, 1e300,
            Decimal("NaN"), Decimal("Infinity"), None, [], 1j]
)
def test_numbers_that_are_no_level_are_refused(bad):
    with pytest.raises(BadLevel):
        Level.epsilon(bad)


@pytest.mark.parametrize("bad", [0, -2, "0.999", float("nan"), float("inf"), None])
def test_a_ratio_is_at_least_one(bad):
    with pytest.raises(BadLevel):
        Level.ratio(bad)


@pytest.mark.parametrize("text", ["1e9_9_9_9_9_9_9_9_9", "1e-9_9_9_9_9_9_9_9_9"])
def test_digits_with_underscores_do_not_smuggle_in_a_huge_exponent(text):
    with ends_within(10), pytest.raises(BadLevel):
        Level.epsilon(text)


@pytest.mark.parametrize("text", ["1e999999999", "1e-999999999"])
def test_a_decimal_with_a_huge_exponent_is_refused(text):
    with ends_within(10), pytest.raises(BadLevel):
        Level.epsilon(Decimal(text))


def test_the_largest_level_is_a_million_and_no_more():
    assert Level.epsilon(10**6).rational == 10**6
    with pytest.raises(BadLevel):
        Level.epsilon(Fraction(10**6 * 10**30 + 1, 10**30))
    with pytest.raises(BadLevel):
        Level.parse("ln(2)*1442696")  # 1000000.66
    assert Level.parse("ln(2)*1442695").coefficient == 1442695  # 999999.97
    with pytest.raises(BadLevel):
        Level.ratio(Fraction(2**1442696))


@pytest.mark.parametrize("delta", ["-0.1", "1", "1.5", "nan", "inf", "x", -1, 1])
def test_delta_lies_from_zero_up_to_but_not_including_one(delta):
    with pytest.raises(BadLevel):
        Level.epsilon(1, delta=delta)
    with pytest.raises(BadLevel):
        Level.ratio(2, delta=delta)
    with pytest.raises(BadLevel):
        Level.ratio(2).with_delta(delta)


def test_delta_is_exact_and_pure_removes_it():
    level = Level.epsilon("0.5", delta="1e-6")
    assert level.delta == Fraction(1, 10**6)
    assert level.pure == Level.epsilon("0.5")
    assert level.with_delta(0) == level.pure


@pytest.mark.parametrize("text", ["0.5", "ln(2)", "ln(4)/2", "ln(2)*3"])
def test_parsing_keeps_delta(text):
    assert Level.parse(text, delta="1/4").delta == Fraction(1, 4)


@pytest.mark.parametrize("text", ["ln(2)/1/2", "ln(2)/3/4"])
def test_two_divisions_in_a_row_are_read_from_the_left_or_refused(text):
    try:
        level = Level.parse(text)
    except BadLevel:
        return
    _, first, second = text.split("/")
    assert level.coefficient == Fraction(1, int(first) * int(second))


@settings(derandomize=True, deadline=None, max_examples=80)
@given(positive)
def test_the_text_of_a_decimal_level_is_read_back(epsilon):
    level = Level.epsilon(epsilon)
    assert Level.parse(level.text) == level


@settings(derandomize=True, deadline=None, max_examples=80)
@given(st.fractions(min_value=Fraction(101, 100), max_value=1000, max_denominator=500),
       st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=50))
def test_the_text_of_a_logarithm_is_read_back(base, coefficient):
    level = Level.ratio(base).scaled(coefficient)
    assert Level.parse(level.text) == level


@pytest.mark.parametrize(
    "make",
    [
        lambda: Level.ratio(Fraction(10**5000)), lambda: Level.epsilon(Fraction(1, 10**5000)),
        lambda: Level.epsilon("0.5").with_delta(Fraction(1, 7**9999)),
        lambda: Level.epsilon(Fraction(1, 3**9999)), lambda: Level.ratio(1 + Fraction(1, 3**9999)),
    ],
    ids=["huge ratio", "tiny epsilon", "tiny delta", "tiny fraction", "ratio near one"],
)
def test_levels_with_very_long_numbers_can_be_shown(make):
    level = make()
    assert 0 < len(level.text) < 30_000
    assert float(level) >= 0


@pytest.mark.parametrize("gap", [2**60, 2**70, 10**30, 10**300])
def test_a_ratio_just_above_one_is_a_level(gap):
    level = Level.ratio(1 + Fraction(1, gap))
    assert level.compare(1 + Fraction(1, gap), ONE) == 0
    assert level.compare(1 + Fraction(1, gap + 1), ONE) == -1
    assert float(level) == pytest.approx(1 / gap, rel=1e-9)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(positive, positive, st.fractions(min_value=0, max_value=Fraction(49, 100)),
       st.fractions(min_value=0, max_value=Fraction(49, 100)))
def test_decimal_levels_and_their_deltas_add_up(one, other, delta, more):
    total = Level.epsilon(one, delta=delta) + Level.epsilon(other, delta=more)
    assert (total.rational, total.coefficient, total.delta) == (one + other, 0, delta + more)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.fractions(min_value=Fraction(11, 10), max_value=9, max_denominator=30),
       st.fractions(min_value=Fraction(11, 10), max_value=9, max_denominator=30),
       st.integers(1, 4), st.integers(1, 4))
def test_logarithms_add_up_to_the_logarithm_of_the_product(one, other, k, m):
    total = Level.ratio(one).scaled(Fraction(1, k)) + Level.ratio(other).scaled(Fraction(1, m))
    # e^(ε k m) = one^m other^k, exactly
    assert total.compare(one**m * other**k, Surd.of(k * m)) == 0


def test_a_sum_with_opposite_kinds_keeps_both():
    total = Level.epsilon("0.5") + Level.ln(2)
    assert (total.rational, total.coefficient, total.base) == (Fraction(1, 2), 1, 2)
    assert abs(float(total) - 1.1931471805599453) < 1e-15


def test_a_sum_with_deltas_above_one_is_refused():
    with pytest.raises(BadLevel):
        Level.epsilon(1, delta="0.6") + Level.epsilon(1, delta="0.4")


def test_adding_logarithms_with_long_denominators_ends():
    with ends_within(10):
        try:
            total = Level.parse("ln(2)/1000000007") + Level.parse("ln(3)/1000000009")
        except BadLevel:
            return
    assert abs(float(total) - 1.791759465e-9) < 1e-15


@pytest.mark.parametrize("factor", [-1, Fraction(-1, 2)])
def test_a_level_is_not_scaled_below_zero(factor):
    with pytest.raises(BadLevel):
        Level.epsilon(1).scaled(factor)


@pytest.mark.parametrize(
    ("level", "value"),
    [
        (Level.epsilon("0.5"), 0.5), (Level.ratio(2), 0.6931471805599453),
        (Level.parse("ln(10)/4"), 0.5756462732485114), (Level.epsilon("1e-300"), 1e-300),
        (Level.epsilon(10**6), 1e6),
    ],
)
def test_a_level_as_a_double_is_epsilon(level, value):
    assert float(level) == pytest.approx(value, rel=1e-15, abs=0)


def test_levels_are_frozen_values():
    assert Level.ratio(2) == Level.ratio("2") != Level.ratio(2, delta="0.1")
    assert hash(Level.ratio(2)) == hash(Level.ratio(2))
    with pytest.raises(AttributeError):
        Level.ratio(2).delta = Fraction(1, 2)


@pytest.mark.parametrize("parts", [(1, -1, 2), (0, 1, 0), (0, 1, -2), (-1, 1, 2),
                                   (-5, 0, 1)])
def test_parts_that_give_a_negative_level_are_refused(parts):
    with pytest.raises(BadLevel):
        Level(*map(Fraction, parts))


def test_nearly_cancelling_parts_still_have_a_sign():
    # ln 2 = 0.69314718055994530941723212145817656807550013436...
    near = Fraction("0.6931471805599453094172321214581765")
    assert Level(-near, Fraction(1), Fraction(2)).compare(Fraction(1), ONE) == -1
    with pytest.raises(BadLevel):
        Level(-near - Fraction(1, 10**34), Fraction(1), Fraction(2))


def test_the_parts_of_a_level_are_fractions_however_given():
    level = Level(1, 0, 1, 0.25)
    held = (level.rational, level.coefficient, level.base, level.delta)
    assert held == (1, 0, 1, Fraction(1, 4))
    assert {type(part) for part in held} == {Fraction}
    assert Level("1/3", 0.1, "1/2").coefficient == Fraction(1, 10)


@pytest.mark.parametrize("text", ["0.5", "3", "0.000001", "1/3", "ln(2)", "ln(2)/3", "ln(3/2)*2/3"])
def test_a_level_is_written_as_people_write_it(text):
    assert Level.parse(text).text == text


@pytest.mark.parametrize("power", [3, 40, 59, 200])
def test_no_digit_of_a_level_is_rounded_away_in_its_text(power):
    # 2^-power has `power` decimals, from 5^power: more than a decimal of 28 digits can hold
    level = Level.epsilon(1 + Fraction(1, 2**power))
    assert Fraction(level.text) == 1 + Fraction(1, 2**power)


@pytest.mark.parametrize("parts", [(1, 0, 0), (1, 0, -2), (1, -1, 1)])
def test_a_logarithm_of_no_positive_number_is_refused_even_if_it_does_not_count(parts):
    with pytest.raises(BadLevel):
        Level(*map(Fraction, parts))


def test_a_logarithm_of_one_is_none():
    plain, others = Level.epsilon(1), [Level(1, 1, 1), Level(1, 2, 1), Level(1, 0, 7)]
    for level in others:
        assert level == plain
        assert level.text == "1"
        with ends_within(10):
            assert level.compare_level(plain) == plain.compare_level(level) == 0
        assert (level + Level.ln(2)).compare_level(plain + Level.ln(2)) == 0


def test_a_sum_of_two_kinds_is_written_with_both():
    assert (Level.epsilon("0.5") + Level.ln(2)).text == "0.5 + ln(2)"


def test_the_largest_level_is_told_from_all_above_it():
    assert Level(10**6, 0, 1).checked().rational == 10**6
    for digits in (3, 30, 90):
        with pytest.raises(BadLevel):
            Level(10**6 + Fraction(1, 10**digits), 0, 1).checked()


def test_what_is_parsed_is_a_text():
    with pytest.raises(BadLevel, match="a level as text"):
        Level.parse(0.5)


def test_the_card_of_a_level_says_its_factor_and_what_a_delta_leaves_out():
    assert ">2<" in Level.ratio(2)._repr_html_()
    assert ">2.718282<" in Level.epsilon(1)._repr_html_()
    assert "but for a probability of δ" in Level.ratio(2, "1/10")._repr_html_()
    assert "but for a probability of δ" not in Level.ratio(2)._repr_html_()


def test_sums_that_are_too_long_to_write_are_rounded_up_by_next_to_nothing():
    levels = [Level.ratio(Fraction(10**300 + 2 * k + 1, 10**299 - 2 * k - 3)) for k in range(30)]
    thirds = [Level.parse(f"ln({p})/{q}") for p, q in
              zip((2, 3, 5, 7, 11, 13, 17), (101, 103, 107, 109, 113, 127, 131), strict=True)]
    parts = [Level.epsilon(Fraction(1, 10**400 + 2 * k + 1), Fraction(1, 10**401 + 2 * k + 1))
             for k in range(40)]
    for added in (levels, thirds, parts, [Level.ratio(2)] * 20_000):
        total = added[0]
        for level in added[1:]:
            total = total + level
            for number in (total.rational, total.coefficient, total.base, total.delta):
                str(number)  # Python writes no more than 4,300 digits
        with ctx.workprec(600):
            exact = sum((level.ball(600) for level in added), arb(0))
            more = total.ball(600) - exact
            assert more > -exact * arb(2) ** -500
            assert more < exact * arb(2) ** -200
        assert total.delta >= sum(level.delta for level in added)


def test_sums_that_can_be_written_are_exact():
    total = Level.ratio(Fraction(3**2000, 2**2000)) + Level.ratio(Fraction(5**1500, 3**1500))
    assert total == Level.ratio(Fraction(3**500 * 5**1500, 2**2000))


@pytest.mark.parametrize("level", [
    Level.of(0), Level.epsilon("0/5"), Level.parse("0.0"), Level.ratio(1), Level.parse("ln(1)"),
    Level(Fraction(0), Fraction(5), Fraction(1)), Level.epsilon(3).scaled(0),
])
def test_zero_is_one_level_however_it_is_written(level):
    # H16, Definition 3.3: ε >= 0
    assert level == Level.of(0)
    assert level.is_zero
    assert (float(level), level.text, str(level)) == (0, "0", "ε = 0")
    assert level.as_json() == {"epsilon": 0.0, "epsilon_text": "0", "delta": 0.0}
    for distance in (Surd.of(1), Surd.of(Fraction(1, 3)), Surd.root(2)):
        assert level.power(distance) == 1
        assert [level.compare(ratio, distance) for ratio in
                (Fraction(999, 1000), Fraction(1), Fraction(1001, 1000))] == [-1, 0, 1]
    assert level.compare_level(Level.epsilon("1e-300")) == -1
    assert (level + Level.ratio(2)).compare_level(Level.ratio(2)) == 0


def test_zero_is_refused_where_a_level_above_it_is_needed():
    with pytest.raises(BadLevel, match="ε above 0"):
        Level.positive(0)
    with pytest.raises(BadLevel, match="ε above 0"):
        Level.positive(Level.epsilon(0, "0.1"))
    assert Level.positive("1e-9") == Level.of("1e-9")
