"""The attacker's odds, computed from the mechanism itself, keep the promised bounds."""

import random
from fractions import Fraction

import pytest

from tests.privacy.test_generic import law
from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.privacy import PairBound, odds_change, promise, tradeoff_curve

F = Fraction


def true_chances(p, q, factor):
    """How likely the output moves the odds of q against p, when p is true."""
    rise = sum((x for x, y in zip(p, q, strict=True) if y >= factor * x), F(0))
    fall = sum((x for x, y in zip(p, q, strict=True) if y * factor <= x), F(0))
    return rise, fall


def test_the_odds_move_no_more_often_than_the_curve_says():
    source = random.Random(6)
    tight = 0
    for _ in range(800):
        p, q = law(source, 5), law(source, 5)
        factor = F(source.randrange(9, 40), 8)
        found = odds_change(tradeoff_curve(p, q), factor)
        rise, fall = true_chances(p, q, factor)
        assert rise <= found.rise
        assert fall <= found.fall
        tight += rise == found.rise > 0
    assert tight > 0


def test_the_suprema_agree_with_a_search():
    source = random.Random(7)
    for _ in range(60):
        bound = tradeoff_curve(law(source, 4), law(source, 4))
        factor = F(source.randrange(9, 40), 8)
        found = odds_change(bound, factor)
        grid = [F(k, 80) for k in range(1, 81)]
        rises = [a for a in grid if bound(a) >= factor * a]
        falls = [a for a in grid if bound.least(a) <= a / factor]
        for supremum, seen in ((found.rise, rises), (found.fall, falls)):
            assert supremum >= max(seen, default=F(0))
            assert supremum - max(seen, default=F(0)) <= F(1, 80)


def test_a_pure_level_never_moves_the_odds_beyond_its_ratio():
    bound = PairBound.of_level(Level.ratio(3))
    beyond = odds_change(bound, F(31, 10))
    assert (beyond.rise, beyond.fall) == (0, 0)
    at = odds_change(bound, F(3))
    assert (at.rise, at.fall) == (F(1, 4), F(3, 4))  # attained by randomized response


@pytest.mark.parametrize("delta", ["0.001", "0.01", "0.2"])
@pytest.mark.parametrize("ratio", ["1.1", "2", "10"])
def test_the_sentence_about_delta_is_true(ratio, delta):
    level = Level.ratio(ratio, delta)
    moved = odds_change(PairBound.of_level(level), 2 * F(ratio))
    assert moved.rise + moved.fall < 3 * F(delta)
    assert f"3δ = {3 * float(delta):.7g}" in promise(level)


def test_the_identity_may_move_the_odds_without_limit():
    everything = PairBound.of([(0, 1), (1, 1)])
    assert odds_change(everything, F(100)).fall == 1
    assert odds_change(everything, F(100)).rise == F(1, 100)


def test_a_factor_of_one_is_no_change():
    with pytest.raises(BadInput, match="above 1"):
        odds_change(PairBound.of_level(Level.ratio(2)), F(1))
