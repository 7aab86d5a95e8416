"""Exponential mechanisms on large grids: levels by fractions, losses beside other mechanisms."""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import hypot

import numpy as np
import pytest

from tightrope.constructions import design
from tightrope.constructions.closed_forms.planar import PlanarNoise
from tightrope.constructions.tight.leveled_grids import exponential_on_grid, halved_on_grid
from tightrope.errors import CannotCheck
from tightrope.exact import Level
from tightrope.privacy import verify
from tightrope.samplers import SeededSource, draw_many
from tightrope.spaces import grid
from tightrope.utility import Problem, binary


def power(epsilon, square):
    """e^(ε √square) to 40 digits."""
    with localcontext() as exact:
        exact.prec = 50
        return Fraction((Decimal(epsilon) * Decimal(square).sqrt()).exp())


@pytest.mark.parametrize("epsilon", ["0.6", "0.3"])
def test_a_large_grid_below_the_tight_threshold_has_a_mechanism_at_its_level(epsilon):
    space = grid((33, 33))
    found = design(space, Level.epsilon(epsilon), loss=binary, construction="exponential")
    mechanism = found.certified.mechanism
    assert verify(mechanism, space, Level.epsilon(epsilon)).holds
    cells = [(0, 0), (0, 1), (1, 1), (16, 16), (16, 17)]
    rows = {cell: mechanism.row(cell) for cell in cells}
    for a in cells:
        for b in cells:
            square = (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
            most = power(epsilon, square) * (1 + Fraction(1, 10**40))
            assert all(p <= most * q for p, q in zip(rows[a], rows[b], strict=True))
    # the whole level is used: some ratio of neighbors comes close
    pairs = zip(rows[0, 0], rows[0, 1], strict=True)
    assert max(p / q for p, q in pairs if q) > power(epsilon, 1) * Fraction(9, 10)


def test_the_proved_bound_is_above_what_other_mechanisms_gain_and_close():
    space = grid((33, 33))
    found = design(space, Level.epsilon("0.6"), loss=binary, construction="exponential")
    planar = PlanarNoise.geometric(0.6, 33).gain((33, 33))
    assert found.bound <= found.value
    assert 1 - found.bound > planar  # no private mechanism gains more
    assert 1 - found.value > 0.97 * (1 - found.bound)
    # the same bound from the definition: Σ w / (n min Φ w) for any w >= 0, here of equal weights
    places = [(i, j) for i in range(33) for j in range(33)]
    kernel = np.array([[np.exp(-0.6 * hypot(a - c, b - d)) for c, d in places] for a, b in places])
    assert 1 - found.bound < 1 / kernel.sum(axis=1).min()


@pytest.mark.parametrize("metric", ["manhattan", "chebyshev"])
def test_other_distances_have_a_mechanism_too(metric):
    space = grid((33, 33), 1, metric)
    found = design(space, Level.epsilon("0.6"), loss=binary, construction="exponential")
    assert verify(found.certified.mechanism, space, Level.epsilon("0.6")).holds
    assert found.gap < 0.02


def test_what_was_proved_is_drawn():
    found = design(grid((33, 33)), Level.epsilon("0.6"), loss=binary, construction="exponential")
    cells = draw_many(found.certified, [(0, 0)] * 4000, SeededSource(3))
    stayed = sum(cell == (0, 0) for cell in cells) / 4000
    assert stayed == pytest.approx(float(found.certified.mechanism.probability(0, 0)), abs=0.04)


def test_a_level_that_does_not_pay_for_the_normalizers_is_refused_with_the_numbers():
    with pytest.raises(CannotCheck, match=r"differ by a factor of 1\.0.* use a larger ε"):
        exponential_on_grid(Problem(grid((33, 33)), "0.01", loss=binary))


def test_design_answers_beyond_the_reach_of_the_optimum_and_of_tight_constraints():
    found = design(grid((72, 72)), Level.epsilon("0.6"), loss=binary)
    assert found.construction == "exponential"
    assert found.gap < 0.002


def test_the_smallest_levels_on_the_largest_grids_have_half_of_the_level_for_their_noise(
    monkeypatch,
):
    monkeypatch.setattr("tightrope.constructions.tight.leveled_grids._LEVELED", 5000)
    found = design(grid((72, 72)), Level.epsilon("0.02"), loss=binary, construction="exponential")
    kernel, certificate = found.certified.mechanism, found.certified.certificate
    assert 0.00999 < np.log(float(kernel.ratio)) < 0.01
    assert certificate.smallest.lower == pytest.approx(0.01)
    assert certificate.smallest.upper <= 0.02
    assert not verify(kernel, kernel.space, Level.epsilon("0.0099")).holds
    assert found.value == pytest.approx(1 - 1 / 72**2, abs=1e-4)


def test_half_of_the_level_is_what_exponential_means_on_small_grids():
    large = halved_on_grid(Problem(grid((33, 33)), "0.5", loss=binary)).certified.mechanism
    small = design(grid((5, 5)), Level.epsilon("0.5"), construction="exponential")
    rows = small.certified.mechanism.to_numpy()
    first = large.probability(0, 1) / large.probability(0, 0)
    assert float(first) == pytest.approx(rows[0, 1] / rows[0, 0])
