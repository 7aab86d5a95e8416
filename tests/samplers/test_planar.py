"""Noise in the plane: exactly the law that is proved, and nothing like it."""

from fractions import Fraction
from math import log

import numpy as np
import pytest
from flint import arb, ctx
from scipy.stats import chi2

from tests.samplers.scripts import ScriptedSource
from tightrope.constructions import position_noise
from tightrope.errors import BadInput, NotCertified
from tightrope.exact import ball_of
from tightrope.mechanisms import PlanarLaw
from tightrope.samplers import SeededSource, draw, draw_cells, planar
from tightrope.samplers.planar import PlanarNoise
from tightrope.spaces import Positions, Region

Q = Fraction(6, 5)
COUNT = 60_000


@pytest.fixture(scope="module")
def drawn():
    return PlanarNoise(Q).draw(COUNT, SeededSource(18))


def weights(ratio, reach=150):
    """q^-|z| on a square, summed by hand."""
    x, y = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1))
    return x, y, float(ratio) ** -np.hypot(x, y)


def mean_distance(ratio):
    x, y, held = weights(ratio)
    return float((np.hypot(x, y) * held).sum() / held.sum())


def test_the_mean_distance_is_that_of_the_law_and_not_of_a_level_3_percent_off(drawn):
    """60,000 draws tell 3 percent by more than nine standard errors: half of it is 1e-6."""
    true = mean_distance(Q)
    off = [mean_distance(float(Q) ** share) for share in (0.97, 1.03)]
    found = float(np.hypot(*drawn).mean())
    error = np.sqrt(2) / np.log(float(Q)) / np.sqrt(COUNT)
    assert abs(found - true) < 4.9 * error
    assert all(abs(found - wrong) > 4.9 * error for wrong in off)


def test_cells_come_as_often_as_they_should(drawn):
    _, _, held = weights(Q)
    expected = COUNT * held / held.sum()
    at = np.zeros_like(expected)
    np.add.at(at, (drawn[1] + 150, drawn[0] + 150), 1)
    often = expected >= 20
    left = expected[~often].sum()
    statistic = ((at - expected) ** 2 / expected)[often].sum()
    statistic += (at[~often].sum() - left) ** 2 / left
    assert statistic < chi2.isf(1e-6, often.sum())


def dependence(radius, angle):
    """Chi-square of quarters of the radius against eighths of the turn."""
    rows = np.searchsorted(np.quantile(radius, [0.25, 0.5, 0.75]), radius)
    columns = np.floor((angle + np.pi) / (np.pi / 4)).astype(int) % 8
    table = np.zeros((4, 8))
    np.add.at(table, (rows, columns), 1)
    expected = table.sum(1, keepdims=True) * table.sum(0) / table.sum()
    return ((table - expected) ** 2 / expected).sum()


def test_radius_and_angle_are_independent_within_a_batch():
    x, y = PlanarNoise(Fraction(1001, 1000)).draw(COUNT, SeededSource(5))
    angle, radius = np.arctan2(y, x), np.hypot(x, y)
    limit = chi2.isf(1e-6, 21)
    assert dependence(radius, angle) < limit
    assert dependence(radius[1:], angle[:-1]) < limit  # of different rows, too
    assert dependence(np.sort(radius), np.sort(angle)) > limit  # one number for both


def test_doubles_decide_as_balls_do(monkeypatch):
    """With every decision settled by balls, the same bits give the same points."""
    fast = PlanarNoise(Fraction(21, 20)).draw(400, SeededSource(2))
    monkeypatch.setattr(planar, "_CLOSE", 2.0)
    slow = PlanarNoise(Fraction(21, 20)).draw(400, SeededSource(2))
    assert np.array_equal(fast, slow)


def test_powers_in_doubles_are_within_the_bound_that_is_stated():
    """e^-t, over three sixteenths and at the ends of all; its bound leaves room for the rest."""
    t = np.concatenate([np.linspace(0, 3 / 16, 400), np.arange(1, 640) / 16 - 2.0**-40])
    found, most = PlanarNoise(Q)._falling(t), 0.0
    with ctx.workprec(120):
        for at, value in zip(t.tolist(), found.tolist(), strict=True):
            most = max(most, abs(float((-arb(at)).exp() - arb(value))))
    assert most < 2.0**-45 < planar._CLOSE


class Given:
    """Numbers in place of geometric draws."""

    def __init__(self, *numbers):
        self.numbers = iter(numbers)

    def draw(self, size, source):
        return np.array([next(self.numbers)] * size)


def chance_of(noise, x, y):
    with ctx.workprec(300):
        logs = [ball_of(q, 300).log() for q in (noise._ratio, noise._proposed)]
        chance = (logs[1] * (x + y) - logs[0] * arb(x * x + y * y).sqrt()).exp()
        return int((chance * 2**62).floor().unique_fmpz())


@pytest.mark.parametrize("far", [1, 60, 99, 101, 10**4, 10**7])
def test_a_uniform_number_next_to_the_chance_is_decided_as_by_balls(far):
    """Near the diagonal chances are near 1, and doubles are off by 2^-53 of what is subtracted."""
    noise = PlanarNoise(Fraction(21, 20))
    side = int(far / log(1.05) / 2**0.5)
    for shift in range(12):
        x, y = side, side + shift
        word = chance_of(noise, x, y)
        for size in range(0, 26, 5):  # from 2^-62 to 2^-37 away
            for off, kept in ((-(2**size), True), (1 + 2**size, False)):
                if not 0 <= word + off < 2**62:
                    continue
                noise._geometric = Given(x, y)
                source = ScriptedSource([((word + off) << 2).to_bytes(8, "little"),
                                         *[bytes(8)] * 4])
                assert (len(noise._accepted_points(1, source)[0]) == 1) is kept


def test_balls_settle_hardly_any(monkeypatch):
    """What is within 2^-39 of its chance, one in 10^11, and what is beyond an exponent of 100."""
    settled = []
    monkeypatch.setattr(PlanarNoise, "_settle", lambda *given: bool(settled.append(given)))
    PlanarNoise(Fraction(21, 20)).draw(20_000, SeededSource(6))
    assert not settled


def test_bounds_of_the_law_hold_by_hand():
    x, y, held = weights(Q)
    law = PlanarLaw((0, 0), Q)
    low, high = map(float, law.normalizer)
    assert low < held.sum() < high < 1.01 * low
    low, high = map(float, law.mean_distance)
    assert low < mean_distance(Q) < high < 1.01 * low
    low, high = map(float, law.probability((3, 4)))
    assert low < Q**-5 / held.sum() < high
    for confidence in (Fraction(1, 2), Fraction(95, 100)):
        radius = law.radius(confidence)
        inside = held[np.hypot(x, y) <= radius].sum() / held.sum()
        less = held[np.hypot(x, y) <= 0.8 * radius - 2].sum() / held.sum()
        assert less < confidence <= inside


def test_columns_of_positions_are_drawn_as_single_ones_are():
    here = Positions(Region.box(-4, 40, -3, 41), 200, "1/5")
    made = position_noise(here, "ln(2)")
    east, north = draw_cells(made, np.full(4000, -3.5), np.full(4000, 40.5), SeededSource(1))
    assert np.hypot(east, north).mean() == pytest.approx(2 * 1002 / np.log(2), rel=0.1)
    assert len(draw(made, (-3.5, 40.5))) == 2
    assert len(draw_cells(made, np.empty(0), np.empty(0))[0]) == 0
    with pytest.raises(BadInput, match="in degrees"):
        draw_cells(made, np.array([1.0]), np.array([np.nan]))
    with pytest.raises((NotCertified, BadInput)):
        draw_cells(made.mechanism, np.array([1.0]), np.array([1.0]))
