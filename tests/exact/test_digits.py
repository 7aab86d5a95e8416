"""Numbers that are compared in a sentence differ in the sentence too."""

import random
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from flint import arb, ctx

from tightrope.exact import Level, Surd, told_apart


@pytest.mark.parametrize("seed", range(20))
def test_texts_are_ordered_as_the_numbers_are(seed):
    source = random.Random(seed)
    for _ in range(20):
        first = Fraction(source.randrange(1, 10**12), source.randrange(1, 10**12))
        gap = Fraction(source.randrange(-9, 10), 10 ** source.randrange(1, 25))
        second = first + gap * first
        texts = told_apart(first, second, source.choice((4, 6, 9)))
        shown = [Fraction(Decimal(text)) for text in texts]
        assert (shown[0] < shown[1], shown[0] == shown[1]) == (first < second, first == second)
        assert abs(shown[0] - first) <= first / 1000


def test_short_fractions_stay_as_they_are_where_they_are_far_apart():
    assert told_apart(Fraction(7, 4), Fraction(5, 3)) == ("7/4", "5/3")
    assert told_apart(Fraction(1, 3), Fraction(1, 3)) == ("1/3", "1/3")


def test_an_irrational_number_has_as_many_digits_as_it_needs():
    with localcontext() as exact:
        exact.prec = 60
        root = Decimal("0.5").exp()
        near = [root + Decimal(10) ** -k for k in (6, 12, 20, 30)]
    level = Level.epsilon("0.5")
    for number in near:
        texts = told_apart(Fraction(number), lambda bits: level.power_ball(Surd.of(1), bits))
        assert Decimal(texts[0]) > Decimal(texts[1])
        assert abs(Decimal(texts[1]) - root) < Decimal(10) ** -8


def test_one_digit_more_is_shown_where_one_more_tells():
    third = Fraction(1, 3)
    assert told_apart(third, third + Fraction(1, 10**10)) == ("0.3333333333", "0.3333333334")
    assert told_apart(third, third + Fraction(1, 10**36))[0] == "0." + 36 * "3"
    farther = told_apart(third, third + Fraction(1, 10**37))
    assert farther == ("0.333333333 - 1.0e-37", "0.333333333")


def test_zero_is_written_as_zero():
    assert told_apart(0.0, 0.5, 4) == ("0", "0.5")


def test_beyond_what_people_read_the_difference_is_told():
    first, second = told_apart(Fraction(1, 3) + Fraction(3, 10**200), Fraction(1, 3))
    assert (first, second) == ("0.333333333 + 3.0e-200", "0.333333333")


@pytest.mark.parametrize("power", [-200, -20, 0, 20, 200])
def test_an_exponent_of_ten_keeps_its_zeros(power):
    scale = Fraction(10) ** power
    for first, second in ((Fraction(3, 2), Fraction(5, 2)), (Fraction(1), Fraction(2))):
        texts = told_apart(first * scale, second * scale, 4)
        assert [Fraction(Decimal(text)) for text in texts] == [first * scale, second * scale]


def test_a_number_known_to_few_digits_at_first_is_asked_for_more():
    asked = []

    def third(bits):
        asked.append(bits)
        with ctx.workprec(max(4, bits // 8)):
            return arb(1) / 3

    first, second = told_apart(third, Fraction(1, 3) + Fraction(1, 10**12))
    assert (first, second) == ("0.333333333333", "0.333333333334")
    assert max(asked) > 8 * 36
    assert told_apart(third, Fraction(1, 3) + Fraction(1, 10**50)) == (
        "0.333333333 - 1.0e-50", "0.333333333")
