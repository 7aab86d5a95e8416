"""The mixture that replaces a row is that row, as fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.mechanisms import KernelMechanism
from tightrope.samplers import SeededSource
from tightrope.samplers.draws import _make_sampler
from tightrope.samplers.laws import RationalLaw
from tightrope.samplers.mixtures import MixtureSampler
from tightrope.samplers.rows import RowSampler
from tightrope.spaces import parse


def fractions_of(law) -> list[Fraction]:
    assert isinstance(law, RationalLaw)
    weights = law.integers()
    return [Fraction(weight, sum(weights)) for weight in weights]


@given(
    st.lists(st.fractions(0, 10, max_denominator=20), min_size=2, max_size=9).filter(any),
    st.fractions(1, 50, max_denominator=30).filter(lambda ratio: ratio > 1),
    st.sampled_from([Fraction(1), Fraction(1, 3)]),
)
def test_keeping_or_drawing_anew_is_the_row_of_the_kernel(weights, ratio, unit):
    kernel = KernelMechanism(parse(f"categories:{len(weights)}"), ratio, unit, tuple(weights))
    sampler = MixtureSampler(kernel)
    anew = fractions_of(sampler.anew.law(0))
    kinds = sorted(set(weights))
    for y, weight in enumerate(weights):
        replace, keep = fractions_of(sampler.coins.law(kinds.index(weight)))
        row = tuple(keep * (z == y) + replace * p for z, p in enumerate(anew))
        assert row == kernel.row_at(y)


def test_inputs_of_equal_weight_share_a_coin():
    weights = tuple(Fraction(1 + z % 2) for z in range(1000))
    sampler = MixtureSampler(KernelMechanism(parse("categories:1000"), Fraction(4), Fraction(1),
                                             weights))
    drawn = sampler.draw(np.arange(1000), SeededSource(1))
    assert drawn.shape == (1000,)
    assert len(sampler.coins._laws) == 2


@pytest.mark.parametrize("k", [2, 3, 70])
def test_an_output_of_weight_zero_never_comes_up(k):
    weights = (Fraction(0), *(Fraction(1),) * (k - 1))
    sampler = MixtureSampler(KernelMechanism(parse(f"categories:{k}"), Fraction(9), Fraction(1),
                                             weights))
    assert 0 not in sampler.draw(np.zeros(5000, dtype=np.int64), SeededSource(2))


@pytest.mark.parametrize(("space", "sampler"), [
    ("categories:64", RowSampler), ("categories:65", MixtureSampler), ("path:0..64", RowSampler)])
def test_only_points_that_are_all_equally_far_apart_are_kept_or_drawn_anew(space, sampler):
    points = parse(space)
    kernel = KernelMechanism(points, Fraction(2), Fraction(1), (Fraction(1),) * points.size)
    assert type(_make_sampler(kernel)) is sampler
