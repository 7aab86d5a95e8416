"""Cauchy noise on the integers: its weights, and what halving its scale would do."""

from fractions import Fraction
from math import log, pi, tanh

import numpy as np
import pytest

from tests.spaces.all_graphs import AllGraphs
from tightrope.choices import Count
from tightrope.errors import BadInput
from tightrope.mechanisms import CauchyLaw, SmoothCount
from tightrope.spaces import Graphs


def largest_loss(one, other, shrink=1.0):
    """The largest ln P(z)/P'(z) over the integers, from its formula; (f, σ) each."""
    z = np.arange(-60, 100)
    logs = []
    for value, scale in (one, other):
        sigma = scale * shrink
        total = pi / tanh(pi * sigma)
        inside = np.log(sigma / (sigma**2 + (z - value) ** 2)) - log(total)
        logs.append(np.append(inside, log(sigma / total)))  # the last: z far away, less ln z²
    return float(np.abs(logs[0] - logs[1]).max())


def test_noise_of_half_the_scale_would_break_the_level():
    graphs = AllGraphs(5, Count.TRIANGLES)
    mechanism = SmoothCount(Graphs(5), Count.TRIANGLES, Fraction(9, 8), Fraction(1465, 1000))
    laws = [mechanism.law(graphs.network(g)) for g in (1022, 1023)]
    pair = [(law.center, float(law.scale)) for law in laws]
    assert largest_loss(*pair) < 1 < largest_loss(*pair, shrink=1 / 2)


def test_weights_at_the_smooth_sensitivity_apart_differ_by_at_most_the_square_of_the_shift():
    law = CauchyLaw(0, Fraction(3), Fraction(3, 2))
    moved = CauchyLaw(3, Fraction(3), Fraction(3, 2))
    ratios = [law.weight(z) / moved.weight(z) for z in range(-200, 200)]
    assert Fraction(9, 4) * Fraction(98, 100) < max(ratios) <= Fraction(9, 4)


def test_probabilities_add_up_to_one():
    law = CauchyLaw(0, Fraction(1), Fraction(3, 2))
    inside = sum(float(law.probability(z).mid()) for z in range(-400, 401))
    tail = 2 * float(law.scale) / 400.5 * tanh(pi * float(law.scale)) / pi
    assert inside + tail == pytest.approx(1, abs=1e-6)


def test_a_law_without_width_is_none():
    with pytest.raises(BadInput, match="above 0"):
        CauchyLaw(0, Fraction(0), Fraction(2))
    with pytest.raises(BadInput, match="k above 1"):
        CauchyLaw(0, Fraction(1), Fraction(1))
