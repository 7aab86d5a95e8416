"""Noise in steps in the plane: exactly the law that is proved, and nothing 3 percent off."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2

from tightrope.constructions import position_steps
from tightrope.exact import Level
from tightrope.mechanisms import RingLaw
from tightrope.samplers import SeededSource, draw, draw_cells
from tightrope.samplers.rings import RingNoise
from tightrope.samplers.sources import uniform_numbers
from tightrope.spaces import Positions, Region

Q, WIDTH, FIRST = Fraction(10), 13, 6
COUNT = 200_000
REACH = 160


def chances(ratio, width=WIDTH, first=FIRST):
    """The law on a square, by hand; beyond it lies less than 1e-9."""
    line = np.arange(-REACH, REACH + 1)
    square = line[:, None] ** 2 + line[None, :] ** 2
    rings, k = np.zeros_like(square), 0
    while (square > (first + k * width) ** 2).any():
        rings += square > (first + k * width) ** 2
        k += 1
    held = float(ratio) ** -rings.astype(float)
    return held / held.sum()


@pytest.fixture(scope="module")
def drawn():
    return RingNoise(Q, WIDTH, FIRST).draw(COUNT, SeededSource(18))


def statistic(drawn, law):
    """Chi-square of draws against a law, rare cells together; and how many terms it has."""
    at = np.zeros_like(law)
    np.add.at(at, (drawn[1] + REACH, drawn[0] + REACH), 1)
    expected = COUNT * law
    often = expected >= 20
    left = expected[~often].sum()
    found = ((at - expected) ** 2 / expected)[often].sum()
    return found + (at[~often].sum() - left) ** 2 / left, int(often.sum())


def test_cells_come_as_often_as_they_should_and_not_as_at_a_level_3_percent_off(drawn):
    """At 200,000 draws the share of the first disc tells 3 percent of the level by 14 errors."""
    found, terms = statistic(drawn, chances(Q))
    assert found < chi2.isf(1e-6, terms)
    inside = float((np.hypot(*drawn) <= FIRST).mean())
    error = 0.5 / np.sqrt(COUNT)
    middle = slice(REACH - FIRST, REACH + FIRST + 1)
    disc = np.hypot(*np.meshgrid(*[np.arange(-FIRST, FIRST + 1)] * 2)) <= FIRST
    share = {power: chances(float(Q) ** power)[middle, middle][disc].sum()
             for power in (0.97, 1.0, 1.03)}
    assert abs(inside - share[1.0]) < 4.9 * error
    assert all(abs(inside - share[power]) > 4.9 * error for power in (0.97, 1.03))


def test_rings_of_another_width_are_rejected(drawn):
    found, terms = statistic(drawn, chances(Q, width=WIDTH + 1))
    assert found > chi2.isf(1e-6, terms)


@pytest.mark.parametrize(("ratio", "width", "first"), [
    (Fraction(6, 5), 3, 1), (Fraction(3, 2), 4, 4), (Fraction(100), 40, 10)])
def test_means_of_other_laws_are_as_bounded(ratio, width, first):
    x, y = RingNoise(ratio, width, first).draw(20_000, SeededSource(3))
    far = np.hypot(x, y)
    low, high = map(float, RingLaw((0, 0), ratio, width, first).mean_distance)
    error = far.std() / np.sqrt(len(far))
    assert low - 4.9 * error < far.mean() < high + 4.9 * error
    assert abs(x.mean()) < 4.9 * x.std() / np.sqrt(len(x))


def test_radius_and_angle_are_independent_within_a_batch():
    x, y = RingNoise(Fraction(20), 1000, 400).draw(60_000, SeededSource(5))
    angle, radius = np.arctan2(y, x), np.hypot(x, y)

    def dependence(radius, angle):
        rows = np.searchsorted(np.quantile(radius, [0.25, 0.5, 0.75]), radius)
        columns = np.floor((angle + np.pi) / (np.pi / 4)).astype(int) % 8
        table = np.zeros((4, 8))
        np.add.at(table, (rows, columns), 1)
        expected = table.sum(1, keepdims=True) * table.sum(0) / table.sum()
        return ((table - expected) ** 2 / expected).sum()

    limit = chi2.isf(1e-6, 21)
    assert dependence(radius, angle) < limit
    assert dependence(radius[1:], angle[:-1]) < limit  # of different rows, too
    assert dependence(np.sort(radius), np.sort(angle)) > limit  # one number for both


def test_radii_beyond_64_bits_are_drawn_too():
    x, y = RingNoise(Fraction(3), 1 << 40, 1 << 39).draw(50, SeededSource(1))
    assert max(map(abs, x.tolist())) > 1 << 39
    assert all(a * a + b * b < 1 << 92 for a, b in zip(x.tolist(), y.tolist(), strict=True))


def test_columns_of_positions_are_drawn_as_single_ones_are():
    here = Positions(Region.box(-4, 40, -3, 41), 200, "1/5")
    made = position_steps(here, Level.ratio(100))
    east, north = draw_cells(made, np.full(4000, -3.5), np.full(4000, 40.5), SeededSource(1))
    assert np.hypot(east, north).mean() == pytest.approx(0.3077 * 1002, rel=0.1)
    assert len(draw(made, (-3.5, 40.5))) == 2


@pytest.mark.parametrize("radius", [2**30 - 1, 2**30, 3 * 2**30, 2**33])
def test_points_of_a_wide_disc_are_those_of_the_square_that_lie_in_it(radius, monkeypatch):
    """Squares of wide radii do not fit into 64 bits."""
    monkeypatch.setattr(RingNoise, "_discs", lambda self, size, source: np.zeros(size, np.int64))
    x, y = RingNoise(Q, radius, radius)._accepted_points(400, SeededSource(4))
    source = SeededSource(4)
    a, b = ((uniform_numbers(2 * radius + 1, 400, source) - radius).tolist() for _ in range(2))
    inside = [(u, v) for u, v in zip(a, b, strict=True) if u * u + v * v <= radius**2]
    assert list(zip(x.tolist(), y.tolist(), strict=True)) == inside
    assert 250 < len(inside) < 380
