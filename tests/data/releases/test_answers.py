"""The answers that drawn numbers stand for, with intervals worked out by hand."""

from fractions import Fraction
from types import SimpleNamespace

from tightrope.data.releases.answers import answers
from tightrope.data.releases.planning import PlannedPart
from tightrope.data.releases.questions import Ask
from tightrope.declarations import NumberColumn

HALF = Fraction(1, 2)


def part(unit, width):
    return SimpleNamespace(part=SimpleNamespace(unit=unit), width=lambda confidence: width)


def planned(ask, *parts, cells=((),), size=None, column=None):
    return SimpleNamespace(
        question=SimpleNamespace(ask=ask, columns=("x",)), parts=parts, cells=cells,
        confidence=Fraction(19, 20),
        declaration=SimpleNamespace(column=lambda name: column, unit=SimpleNamespace(size=size)))


def ends(found):
    return [(answer.value, answer.low, answer.high) for answer in found]


def test_an_interval_is_the_answer_less_and_more_its_width():
    plan = planned(Ask.SUM, part(HALF, Fraction(3)), cells=(("a",), ("b",)))
    assert ends(answers(plan, [[10, -4]])) == [(5, 2, 8), (-2, -5, 1)]


def test_counts_are_not_below_0():
    plan = planned(Ask.COUNT, part(Fraction(1), Fraction(3)), cells=(("a",), ("b",)))
    assert ends(answers(plan, [[1, -9]])) == [(1, 0, 4), (0, 0, 0)]


def test_a_mean_of_public_size_is_the_middle_and_a_share_of_the_sum():
    """Numbers from 0 to 10 of 4 people: 5 plus 3/2 · 1/4, and 1 · 1/4 to either side."""
    column = NumberColumn(0, 10)
    plan = planned(Ask.MEAN, part(HALF, Fraction(1)), size=4, column=column)
    assert ends(answers(plan, [[3]])) == [
        (Fraction(43, 8), Fraction(41, 8), Fraction(45, 8))]
    assert ends(answers(plan, [[99]])) == [(10, 10, 10)]


def test_a_mean_is_between_the_quotients_of_the_ends():
    """Sums 12 ± 3 around the middle 5, counts 8 ± 2: the ends are 9/10 and 15/6."""
    column = NumberColumn(0, 10)
    plan = planned(Ask.MEAN, part(HALF, Fraction(3)), part(Fraction(1), Fraction(2)), column=column)
    assert ends(answers(plan, [[24], [8]])) == [
        (5 + Fraction(12, 8), 5 + Fraction(9, 10), 5 + Fraction(15, 6))]
    assert ends(answers(plan, [[-24], [8]])) == [
        (5 - Fraction(12, 8), 5 - Fraction(15, 6), 5 - Fraction(9, 10))]
    assert ends(answers(plan, [[2], [8]])) == [
        (5 + Fraction(1, 8), 5 - Fraction(2, 6), 5 + Fraction(4, 6))]
    assert ends(answers(plan, [[24], [2]])) == [(None, None, None)]


def test_a_width_is_the_reach_of_the_noise_in_units_of_the_answer():
    noise = SimpleNamespace(reach=lambda confidence: 7, mean_error=Fraction(2))
    held = SimpleNamespace(noise=noise, part=SimpleNamespace(unit=HALF))
    assert PlannedPart.width(held, Fraction(19, 20)) == Fraction(7, 2)
    assert PlannedPart.error.fget(held) == 1
