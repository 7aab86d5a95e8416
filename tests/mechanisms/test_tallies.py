"""Noise on several whole numbers: levels by brute force over all neighbors of a small box."""

from fractions import Fraction
from itertools import product

import pytest

from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.mechanisms import NoiseMechanism, TallyNoise
from tightrope.privacy import certified, verify
from tightrope.samplers import SeededSource, draw
from tightrope.spaces import Tallies, sums


def largest_ratio(mechanism):
    """The largest ratio of probabilities of an answer for neighbors of 0, in a box."""
    space, reach = mechanism.space, mechanism.first + 2 * mechanism.step + 3
    noise = {z: NoiseMechanism(sums(people=9, maximum=mechanism.step), mechanism.ratio,
                               mechanism.step, mechanism.first).law(0).probability(z)
             for z in range(-2 * reach, 2 * reach + 1)}
    worst = Fraction(1)
    for moved in product(range(space.change + 1), repeat=space.cells):
        if sum(d > 0 for d in moved) > space.touched or sum(moved) > space.change:
            continue
        ratio = Fraction(1)
        for d in moved:  # the best answer for each number by itself
            ratio *= max(noise[z] / noise[z - d] for z in range(-reach, reach + 1))
        worst = max(worst, ratio)
    return worst


@pytest.mark.parametrize("space", [(1, 1, 1), (1, 1, 4), (2, 1, 3), (2, 2, 5), (3, 2, 4)])
@pytest.mark.parametrize(("step", "first"), [(1, 1), (2, 1), (2, 2), (3, 2), (5, 3)])
def test_the_level_is_what_neighbors_show(space, step, first):
    mechanism = TallyNoise(Tallies(*space), Fraction(3), step, first)
    ratio = largest_ratio(mechanism)
    assert ratio == Fraction(3) ** mechanism.rungs
    assert verify(mechanism, mechanism.space, Level.ratio(ratio)).holds
    below = Level.ratio(ratio - Fraction(1, 1000))
    assert not verify(mechanism, mechanism.space, below).holds


@pytest.mark.parametrize(("step", "first"), [(1, 1), (4, 1), (4, 3), (4, 4)])
def test_tails_and_widths_are_those_of_the_law(step, first):
    mechanism = TallyNoise(Tallies(1, 1, step), Fraction(5, 4), step, first)
    law = mechanism.law([0])
    for width in range(12):
        inside = sum(law.probability([z]) for z in range(-width, width + 1))
        assert mechanism.beyond(width) == 1 - inside
    assert mechanism.beyond(-1) == 1
    for confidence in (Fraction(1, 100), Fraction(1, 2), Fraction(95, 100), Fraction(9999, 10000)):
        width = mechanism.reach(confidence)
        assert mechanism.beyond(width) <= 1 - confidence < mechanism.beyond(width - 1)


def test_draws_are_around_the_numbers_and_have_the_law():
    mechanism = TallyNoise(Tallies(20_000, 1, 3), Fraction(2), 3, 2)
    proved = certified(mechanism, Level.ratio(2))
    centers = [10**30 + k for k in range(20_000)]
    noise = [z - c for z, c in zip(draw(proved, centers, SeededSource(4)), centers, strict=True)]
    law = TallyNoise(Tallies(1, 1, 3), Fraction(2), 3, 2).law([0])
    for z in range(-6, 7):
        expected = float(law.probability([z])) * 20_000
        assert abs(noise.count(z) - expected) < 5 * expected**0.5
    mean = sum(map(abs, noise)) / 20_000
    assert abs(mean - float(mechanism.mean_error)) < 0.2


@pytest.mark.parametrize(("ratio", "step", "first"), [
    (1, 1, 1), ("1/2", 1, 1), (2, 3, 0), (2, 3, 4),
])
def test_noise_on_tallies_has_a_ratio_above_one_and_a_first_step(ratio, step, first):
    with pytest.raises(BadInput, match=r"expected a (ratio above 1|first step from 1 to 3)"):
        TallyNoise(Tallies(2, 1, 2), ratio, step, first)
