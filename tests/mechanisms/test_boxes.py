"""Noise in boxes: its sums by brute force, its radius, what makes no sense."""

from fractions import Fraction
from itertools import product

import pytest

from tightrope.errors import BadInput
from tightrope.mechanisms import BoxLaw, BoxMechanism, NoiseMechanism
from tightrope.spaces import Totals, sums

CASES = [(1, 2, 3, Fraction(3), 60), (2, 1, 1, Fraction(2), 40), (2, 2, 3, Fraction(5, 2), 60),
         (3, 1, 2, Fraction(4), 26)]


@pytest.mark.parametrize(("k", "first", "step", "ratio", "far"), CASES)
def test_sums_are_those_over_all_points(k, first, step, ratio, far):
    law = BoxLaw((0,) * k, ratio, first, step)
    q = float(ratio)
    total = error = inside = 0.0
    for z in product(range(-far, far + 1), repeat=k):
        reach = max(map(abs, z))
        rung = 0 if reach < first else (reach - first) // step + 1  # counted step by step
        assert far > 30 or law.rung(z) == rung
        total += q**-rung
        error += q**-rung * abs(z[0])
        inside += q**-rung * (reach <= 4)
    assert float(law.normalizer) == pytest.approx(total, rel=1e-5)
    assert float(law.mean_error) == pytest.approx(error / total, rel=1e-4)
    assert 1 - float(law.outside(4)) == pytest.approx(inside / total, rel=1e-5)


def test_one_number_has_the_staircase():
    stairs = NoiseMechanism(sums(people=9, maximum=5), Fraction(7, 2), 5, 2)
    law = BoxLaw((4,), Fraction(7, 2), 2, 5)
    assert law.normalizer == stairs.normalizer
    assert law.mean_error == stairs.mean_error
    for z in range(-20, 30):
        assert law.probability((z,)) == stairs.law(4).probability(z)


@pytest.mark.parametrize("of", [1, 2])
def test_the_tail_of_some_coordinates_is_that_of_their_marginal_law(of):
    """All points of two coordinates up to 40: what is left out is below 10^-15."""
    law = BoxLaw((0, 0), Fraction(3), 2, 1)
    points = {z: float(law.probability(z)) for z in product(range(-40, 41), repeat=2)}
    for radius in (0, 1, 2, 3, 7):
        inside = sum(p for z, p in points.items() if max(map(abs, z[:of])) <= radius)
        assert float(law.outside(radius, of)) == pytest.approx(1 - inside, rel=1e-9)
        assert law.outside(radius, 1) < law.outside(radius)


def test_the_radius_is_the_least_that_holds_enough():
    law = BoxLaw((0,) * 3, Fraction(3, 2), 2, 4)
    for confidence in (Fraction(1, 10), Fraction(1, 2), Fraction(19, 20), Fraction(999, 1000)):
        radius = law.radius(confidence)
        assert float(law.outside(radius)) <= 1 - confidence
        assert radius == 0 or float(law.outside(radius - 1)) > 1 - confidence


@pytest.mark.parametrize(("numbers", "ratio", "first", "step"), [
    (20, Fraction(101, 100), 1, 1), (5, Fraction(10_001, 10_000), 2, 7),
    (7, Fraction(10**300), 3, 5),
])
def test_the_radius_by_balls_is_that_of_exact_sums(numbers, ratio, first, step):
    law = BoxLaw((0,) * numbers, ratio, first, step)
    for confidence in (Fraction(1, 2), Fraction(95, 100), Fraction(99_999, 100_000)):
        for of in (1, numbers):
            radius = law.radius(confidence, of)
            assert law.outside(radius, of) <= float(1 - confidence)
            assert radius == 0 or law.outside(radius - 1, of) > float(1 - confidence)


def test_neighbors_of_a_small_table_are_told_apart_by_the_ratio_and_no_more():
    """All tables of two people with two numbers from 0 to 2, and all that replace one person."""
    person = list(product(range(3), repeat=2))
    noisy = BoxMechanism(Totals(people=2, most=2, length=2), Fraction(3), 1)
    outputs = list(product(range(-4, 9), repeat=2))
    laws = {}
    for total in product(range(5), repeat=2):
        law = noisy.law(total)
        laws[total] = [law.probability(z) for z in outputs]
    worst = Fraction(0)
    for one, other, stays in product(person, person, person):
        a, b = (tuple(x + y for x, y in zip(who, stays, strict=True)) for who in (one, other))
        worst = max(worst, *(p / r for p, r in zip(laws[a], laws[b], strict=True)))
    assert worst == 3


@pytest.mark.parametrize("wrong", [
    lambda: BoxMechanism(Totals(3, 2, 2), Fraction(1), 1),
    lambda: BoxMechanism(Totals(3, 2, 2), Fraction(2), 3),
    lambda: BoxMechanism(Totals(3, 2, 2), Fraction(2), 0),
    lambda: BoxMechanism([3, 2, 2], Fraction(2), 1),
    lambda: BoxLaw((), Fraction(2), 1, 1),
    lambda: BoxLaw((0,), Fraction(1), 1, 1),
    lambda: Totals(0, 1, 1),
    lambda: Totals(2**40, 2**40, 1),
    lambda: Totals(1, 1, 251),
    lambda: Totals(3, 2, 2).accept([1]),
    lambda: Totals(3, 2, 2).accept([1, 2.5]),
    lambda: Totals(3, 2, 2).accept("12"),
    lambda: Totals(3, 2, 2).accept([True, 2]),
    lambda: Totals(3, 2, 2).accept(None),
])
def test_what_makes_no_sense_is_refused(wrong):
    with pytest.raises(BadInput):
        wrong()
