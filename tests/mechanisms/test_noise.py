"""Noise in steps: its closed forms against its law, integer by integer."""

from fractions import Fraction

import pytest

from tightrope.errors import BadMatrix, BadSpace
from tightrope.mechanisms import NoiseMechanism
from tightrope.spaces import categories, path, sums

CASES = [(Fraction(2), 1, 1), (Fraction(3, 2), 1, 1), (Fraction(4), 3, 2), (Fraction(5, 2), 4, 4),
         (Fraction(3), 5, 1)]


def noise(ratio, step, first):
    return NoiseMechanism(path(0, 9), ratio, step, first)


def rung(z, step, first):
    """0 below the first step, then one more with every step: by the definition."""
    return 0 if abs(z) < first else (abs(z) - first) // step + 1


@pytest.mark.parametrize(("ratio", "step", "first"), CASES)
def test_closed_forms_are_the_sums_over_all_integers(ratio, step, first):
    """Up to ±1500 the sums are below the closed forms by less than 10^-50."""
    found, tiny = noise(ratio, step, first), Fraction(1, 10**50)
    weights = {z: ratio ** -rung(z, step, first) for z in range(-1500, 1501)}
    total = sum(weights.values())
    assert 0 < found.normalizer - total < tiny
    assert found.probability(3, 5) == weights[2] / found.normalizer
    for closed, power in ((found.mean_error, 1), (found.mean_square, 2)):
        part = sum(abs(z) ** power * weight for z, weight in weights.items())
        assert 0 < closed * found.normalizer - part < tiny


@pytest.mark.parametrize(("ratio", "step", "first"), CASES)
def test_what_lies_beyond_a_width_is_what_is_not_within(ratio, step, first):
    found = noise(ratio, step, first)
    for width in range(-1, 15):
        inside = sum(ratio ** -rung(z, step, first) for z in range(-width, width + 1))
        assert found.beyond(width) == 1 - inside / found.normalizer
    for confidence in (Fraction(1, 100), Fraction(1, 2), Fraction(9, 10), Fraction(999, 1000),
                       1 - found.beyond(3)):
        width = found.reach(confidence)
        assert found.beyond(width) <= 1 - confidence < found.beyond(width - 1)


@pytest.mark.parametrize(("given", "said"), [
    ((path(0, 9), 1), "ratio above 1"), ((path(0, 9), Fraction(1, 2)), "ratio above 1"),
    ((sums(people=9, maximum=3), 2, 2), "changes the value by up to 3"),
    ((path(0, 9), 2, 3, 4), "first step from 1 to 3, found 4"),
    ((path(0, 9), 2, 3, 0), "first step from 1 to 3, found 0"),
])
def test_noise_that_protects_nobody_or_is_none_is_refused(given, said):
    with pytest.raises(BadMatrix, match=said):
        NoiseMechanism(*given)


def test_noise_is_for_whole_numbers_and_steps_as_wide_as_one_person():
    assert NoiseMechanism(sums(people=9, maximum=3), 2, 3, 3).step == 3
    with pytest.raises(BadSpace, match="integer noise needs"):
        NoiseMechanism(categories(3), 2)
