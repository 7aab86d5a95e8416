"""Discrete Gaussian draws: every coin has its chance exactly, and numbers follow their law."""

from fractions import Fraction
from math import exp, factorial

import pytest

from tests.laws.verdicts import LawTest
from tightrope.exact import Level
from tightrope.mechanisms import GaussianLaw, GaussianMechanism
from tightrope.privacy import certified
from tightrope.samplers import SeededSource, draw, gaussians
from tightrope.spaces import Totals


@pytest.mark.parametrize("x", [Fraction(0), Fraction(1, 3), Fraction(1)])
def test_a_coin_has_its_chance_by_all_its_tosses(x, monkeypatch):
    """Each toss is followed to both ends: after n of them x^n/n! is still undecided."""
    def chance(answers):
        """The chance of these tosses, and whether the coin came up if they were all."""
        left, part = list(answers), Fraction(1)

        def below(size, _):
            nonlocal part
            if not left:
                raise IndexError
            fits = Fraction(x.numerator, size)  # tosses below the numerator go on
            part *= fits if left[0] else 1 - fits
            return 0 if left.pop(0) else x.numerator
        monkeypatch.setattr(gaussians, "uniform_below", below)
        return gaussians._short_coin(x, None), part

    depth, true, false = 12, Fraction(0), Fraction(0)
    for n in range(depth):
        up, part = chance([True] * n + [False])
        true, false = (true + part, false) if up else (true, false + part)
    assert true + false == 1 - x**depth / factorial(depth)
    assert abs(true - sum((-x) ** n / factorial(n) for n in range(depth + 1))) <= (
        x**depth / factorial(depth))


def test_a_long_exponent_is_a_row_of_coins(monkeypatch):
    asked = []
    monkeypatch.setattr(gaussians, "_short_coin", lambda x, _: asked.append(x) or True)
    assert gaussians.exponential_coin(Fraction(13, 5), None)
    assert asked == [1, 1, Fraction(3, 5)]


@pytest.mark.parametrize("variance", [Fraction(1, 4), Fraction(3), Fraction(77, 5)])
def test_proposals_are_kept_in_proportion_to_their_weights(variance, monkeypatch):
    """P(y) e^-x, y a Laplace number of scale t and x what is asked for it, is e^(-y²/(2σ²))."""
    shares = {}
    for y in range(-9, 10):
        coins = []

        def laplace(scale, _):
            shares["scale"] = scale
            return y  # noqa: B023

        def coin(x, _):
            coins.append(x)  # noqa: B023
            return True

        monkeypatch.setattr(gaussians, "laplace_number", laplace)
        monkeypatch.setattr(gaussians, "exponential_coin", coin)
        assert gaussians.gaussian_number(variance, None) == y
        (x,) = coins
        shares[y] = Fraction(abs(y), shares["scale"]) + x
    assert all(shares[y] - shares[0] == Fraction(y * y) / (2 * variance) for y in range(-9, 10))


def cells(variance, reach):
    """The chances of |z| <= reach, of less and of more, as fractions that add up to 1."""
    law = GaussianLaw((0,), (variance,))
    inside = sum(Fraction(float(law.probability((z,)))) for z in range(-reach, reach + 1))
    return inside, (1 - inside) / 2, (1 - inside) / 2


@pytest.mark.slow
@pytest.mark.parametrize(("variance", "reach", "other"), [
    (Fraction(1, 7), 0, Fraction(1, 5)), (Fraction(9, 4), 2, Fraction(2)),
])
def test_numbers_follow_their_law_and_another_variance_is_noticed(variance, reach, other):
    test, source = LawTest(cells(variance, reach)), SeededSource(8)
    drawn = [gaussians.gaussian_number(variance, source) for _ in range(test.draws)]
    tally = [sum(abs(z) <= reach for z in drawn), sum(z < -reach for z in drawn),
             sum(z > reach for z in drawn)]
    assert test.confirms(tally)
    assert not LawTest(cells(other, reach)).accepts(tally)


def test_a_draw_is_around_the_coefficients_of_the_totals():
    noisy = GaussianMechanism(Totals(50, 1, 2), (Fraction(1, 40),) * 2, ((1, 1), (1, -1)))
    proved = certified(noisy, Level.of(600).with_delta("1/2"))
    answer = draw(proved, [30, 10], SeededSource(3))  # noise is 0 but once in e^20 draws
    assert answer == (40, 20)
    assert exp(-20) < 1e-8
