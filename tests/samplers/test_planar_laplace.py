"""Planar Laplace noise on cells: the integrals of its density; a tie is decided by more bits."""

from fractions import Fraction
from functools import cache
from math import exp, isqrt, log, pi

import numpy as np
import pytest
from flint import arb, ctx
from scipy.stats import chi2

from tests.samplers.scripts import ScriptedSource
from tests.samplers.test_planar import dependence
from tightrope.constructions import position_laplace
from tightrope.mechanisms import LaplaceLaw
from tightrope.samplers import SeededSource, draw, draw_cells, planar_laplace
from tightrope.samplers.planar_laplace import LaplaceNoise
from tightrope.spaces import Positions, Region

Q = Fraction(6, 5)
COUNT = 60_000
REACH = 150


@cache
def integrals(epsilon, reach=REACH, points=6):
    """The density over every cell of a square: points of Gauss and Legendre in every cell,
    and the cell of the center, where the density has a peak, by its corner in polar coordinates."""
    at, share = np.polynomial.legendre.leggauss(points)
    places = (np.arange(-reach, reach + 1)[:, None] + at / 2).ravel()
    shares = np.tile(share / 2, 2 * reach + 1)
    dense = np.exp(-epsilon * np.hypot(places[:, None], places)) * shares[:, None] * shares
    held = dense.reshape(2 * reach + 1, points, 2 * reach + 1, points).sum((1, 3))
    held *= epsilon**2 / (2 * pi)
    angle = (at + 1) * pi / 8  # eight triangles, each of an eighth of a turn
    far = epsilon / (2 * np.cos(angle))
    held[reach, reach] = (8 * pi / 8 * (share * (1 - (1 + far) * np.exp(-far))).sum()) / (2 * pi)
    return held


def mean_distance(held):
    return float((distances(held) * held).sum() / held.sum())


def distances(held):
    reach = len(held) // 2
    return np.hypot(*np.meshgrid(*[np.arange(-reach, reach + 1)] * 2))


@pytest.fixture(scope="module")
def drawn():
    return LaplaceNoise(Q).draw(COUNT, SeededSource(18))


def test_the_mean_distance_is_that_of_the_law_and_not_of_a_level_3_percent_off(drawn):
    """60,000 draws tell 3 percent by more than nine standard errors: half of it is 1e-6."""
    true, *off = (mean_distance(integrals(log(Q) * share)) for share in (1, 0.97, 1.03))
    found = float(np.hypot(*drawn).mean())
    error = np.sqrt(2) / log(Q) / np.sqrt(COUNT)
    assert abs(found - true) < 4.9 * error
    assert all(abs(found - wrong) > 4.9 * error for wrong in off)


def test_cells_come_as_often_as_they_should(drawn):
    expected = COUNT * integrals(log(Q))
    at = np.zeros_like(expected)
    np.add.at(at, (drawn[1] + REACH, drawn[0] + REACH), 1)
    often = expected >= 20
    left = COUNT - expected[often].sum()
    statistic = ((at - expected) ** 2 / expected)[often].sum()
    statistic += (at[~often].sum() - left) ** 2 / left
    assert statistic < chi2.isf(1e-6, often.sum())


def test_wide_noise_in_one_cell_of_the_plane_is_the_peak_of_the_density():
    """With q = e³ the cell of the center has most of all, and its neighbors what they should."""
    q = Fraction(20)
    held = integrals(log(q), 4, 16)
    x, y = LaplaceNoise(q).draw(COUNT, SeededSource(3))
    for cell in ((0, 0), (1, 0), (0, -1), (1, 1), (-2, 0)):
        chance = held[cell[1] + 4, cell[0] + 4]
        found = ((x == cell[0]) & (y == cell[1])).mean()
        assert abs(found - chance) < 4.9 * np.sqrt(chance * (1 - chance) / COUNT)


def test_radius_and_angle_are_independent_within_a_batch():
    x, y = LaplaceNoise(Fraction(1001, 1000)).draw(COUNT, SeededSource(5))
    angle, radius = np.arctan2(y, x), np.hypot(x, y)
    limit = chi2.isf(1e-6, 21)
    assert dependence(radius, angle) < limit
    assert dependence(radius[1:], angle[:-1]) < limit  # of different rows, too
    assert dependence(np.sort(radius), np.sort(angle)) > limit  # one number for both


def test_doubles_decide_as_balls_do(monkeypatch):
    """With every decision settled by balls, the same bits give the same points."""
    fast = LaplaceNoise(Fraction(21, 20)).draw(400, SeededSource(2))
    monkeypatch.setattr(planar_laplace, "_WITHIN", 2.0)
    slow = LaplaceNoise(Fraction(21, 20)).draw(400, SeededSource(2))
    assert np.array_equal(fast, slow)


def test_doubles_are_within_the_bound_that_is_stated_and_not_far_within():
    """Of a step times ε; u and the square of the radius down to where balls take over."""
    noise, rng = LaplaceNoise(Fraction(1001, 1000)), np.random.default_rng(1)
    words = rng.integers(-(2**63), 2**63, (3, 400))
    words[:2, 300:] >>= 7  # near the middle of the disc
    words[2, 200:300] = rng.integers(2**50, 2**51, 100)
    v, w = (part * 2.0**-63 for part in words[:2].astype(float))
    u = words[2].view("<u8").astype(float) * 2.0**-64
    square = v * v + w * w
    fits = (square < 1) & (square >= 2.0**-16) & (u >= 2.0**-14)
    found = noise._points(v[fits], w[fits], u[fits], square[fits])
    most = 0.0
    with ctx.workprec(300):
        epsilon = arb(1001).log() - arb(1000).log()
        for at, row in enumerate(np.flatnonzero(fits)):
            bits = [int(word) for word in words[:, row]]
            for low in (0, 1):  # either end of what 64 bits leave open
                a, b = (arb(part + low) / 2**63 for part in bits[:2])
                t = (a * a + b * b) * (arb(bits[2] % 2**64 + low) / 2**64)
                length = -t.log() / epsilon / (a * a + b * b).sqrt()
                for near, part in zip(found, (a, b), strict=True):
                    most = max(most, abs(float((part * length - arb(float(near[at]))) * epsilon)))
    assert fits.sum() > 250
    assert 2.0**-50 < most < 2.0**-43 < planar_laplace._WITHIN


def words(*parts):
    return b"".join(int(part % 2**64).to_bytes(8, "little") for part in parts)


LAST = 2**64 - 1


@pytest.mark.parametrize(("more", "cell"), [(0, 6), (LAST, 5)])
def test_a_point_at_the_edge_of_a_cell_is_settled_by_further_bits(more, cell):
    """v = 3/4, w = 0: the point is at -ln(9/16 u)/ε, and 64 bits of u leave 5.5 inside."""
    with ctx.workprec(300):
        u = (-arb("5.5") * (arb(6) / 5).log()).exp() / (arb(9) / 16)
        word = int((u * 2**64).floor().unique_fmpz())
    v = 3 * 2**61
    source = ScriptedSource([words(v, 0, word), *map(words, (0, 0, more))])
    x, y = LaplaceNoise(Q)._accepted_points(1, source)
    assert (x.tolist(), y.tolist()) == ([cell], [0])
    assert source.finished
    plain = ScriptedSource([words(v, 0, word + 2**52)])  # a little farther in, no bits are read
    assert LaplaceNoise(Q)._accepted_points(1, plain)[0].tolist() == [5]


@pytest.mark.parametrize("given", [
    (2**62, 2**61, 1), (2**62, 2**61, 1000), (2**62, 2**61, 2**50 - 1), (3, 5, 2**63),
    (2**40, -(2**41), 2**63), (2**54, 2**54, 2**63)])
def test_what_has_too_few_bits_left_is_settled_by_further_ones(given):
    """A small u, or a point near the middle of the disc: 64 bits leave many cells open."""
    noise = LaplaceNoise(Fraction(10**6 + 1, 10**6))
    for more in (0, LAST, 0x0123456789ABCDEF):
        script = [words(*given), *[words(more)] * 12]
        v, w, u = given
        expected = noise._settle(v, w, u, ScriptedSource(script[1:]))
        source = ScriptedSource(script)
        x, y = noise._accepted_points(1, source)
        assert (x.tolist(), y.tolist()) == ([expected[0]], [expected[1]])


@pytest.mark.parametrize(("given", "settled"), [
    ((2**62, 2**61, 2**50 + 2**40), 0), ((2**62, 2**61, 2**50 - 2**40), 1),
    ((2**55 + 2**50, 0, 2**63), 0), ((2**55 - 2**50, 0, 2**63), 1)])
def test_bits_are_enough_from_the_least_u_and_the_least_square_on(given, settled, monkeypatch):
    """u from 2^-14, and a distance from the middle from 2^-8, where doubles decide."""
    asked = []
    monkeypatch.setattr(LaplaceNoise, "_settle", lambda *given: asked.append(given))
    LaplaceNoise(Q)._accepted_points(1, ScriptedSource([words(*given)]))
    assert len(asked) == settled


@pytest.mark.parametrize(("more", "kept"), [(0, 1), (LAST, 0)])
def test_a_point_at_the_edge_of_the_disc_is_settled_by_further_bits(more, kept):
    with ctx.workprec(300):
        v = int(((1 - arb(9) / 25).sqrt() * 2**63).floor().unique_fmpz())
        w = int((arb(3) / 5 * 2**63).floor().unique_fmpz())
    source = ScriptedSource([words(v, w, 2**63), *map(words, (more, more, 0))])
    assert len(LaplaceNoise(Q)._accepted_points(1, source)[0]) == kept
    assert source.finished


def test_the_edge_of_the_disc_is_where_it_is_and_not_where_doubles_round_it_to(monkeypatch):
    """Points next to the circle, on either side: doubles alone misplace some of them."""
    rng, noise, misplaced, settled = np.random.default_rng(7), LaplaceNoise(Q), 0, []
    for v in rng.integers(2**60, 2**63, 300).tolist():
        edge = isqrt(2**126 - v * v)
        for off in (-500, -100, -20, 20, 100, 500):  # units of 2^-63
            inside, w = v * v + (edge + off) ** 2 < 2**126, edge + off
            kept = len(noise._accepted_points(1, ScriptedSource([words(v, w, 2**63)]))[0])
            assert kept == inside
            square = (v * 2.0**-63) ** 2 + (w * 2.0**-63) ** 2
            misplaced += (square < 1.0) != inside
    assert misplaced > 100
    monkeypatch.setattr(LaplaceNoise, "_settle", lambda *given: settled.append(given))
    noise._accepted_points(1, ScriptedSource([words(2**63 - 2**16, 0, 2**63)]))
    assert not settled  # 2^-46 inside, doubles are sure


def test_nothing_is_cut_off_far_out():
    """All first bits 0: v, w and u are then 2^-127 and the like, and the point is far."""
    source = ScriptedSource([words(0, 0, 0), *map(words, (2**63, 0, 2**63))])
    x, y = LaplaceNoise(Q)._accepted_points(1, source)
    radius = (2 * 64 + 65) * log(2) / log(Q)  # v = 2^-64, u = 2^-65
    assert x.tolist() == [round(radius)]
    assert y.tolist() == [0]
    assert abs(radius - round(radius)) < 0.49


@pytest.mark.parametrize("power", [19, 25])
def test_noise_wider_than_64_bits_is_drawn_too(power):
    wide = LaplaceNoise(1 + Fraction(1, 10**power)).draw(20, SeededSource(1))
    assert wide[0].dtype == object
    assert 10 ** (power - 1) < np.abs(wide[0]).max() < 10 ** (power + 2)


def test_bounds_of_the_law_hold_by_hand():
    for q, reach, points in ((Q, REACH, 6), (Fraction(20), 12, 16)):
        held = integrals(log(q), reach, points)
        law = LaplaceLaw((0, 0), q)
        assert held.sum() == pytest.approx(1, abs=1e-9)
        for cell in ((0, 0), (3, 4), (-1, 0), (0, 7), (-5, 5)):
            low, high = map(float, law.probability(cell))
            assert low < held[cell[1] + reach, cell[0] + reach] < high
            assert high / low < exp(0.41 * log(q))
        low, high = map(float, law.mean_distance)
        assert low < mean_distance(held) < high
        for confidence in (Fraction(1, 2), Fraction(95, 100)):
            radius, far = law.radius(confidence), distances(held)
            assert held[far <= 0.8 * radius - 2].sum() < confidence <= held[far <= radius].sum()
    low, high = map(float, LaplaceLaw((0, 0), Q).probability((3, 4)))
    assert high / low < 1.006


def test_no_two_cells_tell_centers_apart_by_more_than_the_theorem_says():
    """Integrals by hand around centers up to five steps apart; a step is nearly all of it."""
    held, most = integrals(log(Q), 40), 0.0
    for dx, dy in ((1, 0), (1, 1), (2, 1), (3, 4), (5, 0)):
        ratio = (held[dx:, dy:] / held[: 81 - dx, : 81 - dy])[:70, :70]
        apart = np.hypot(dx, dy) * log(Q)
        assert np.abs(np.log(ratio)).max() < apart
        most = max(most, np.abs(np.log(ratio)).max() / apart)
    assert most > 0.99


def test_columns_of_positions_are_drawn_as_single_ones_are():
    here = Positions(Region.box(-4, 40, -3, 41), 200, "1/5")
    made = position_laplace(here, "ln(2)")
    east, north = draw_cells(made, np.full(4000, -3.5), np.full(4000, 40.5), SeededSource(1))
    assert np.hypot(east, north).mean() == pytest.approx(2 * 1002 / log(2), rel=0.1)
    assert len(draw(made, (-3.5, 40.5))) == 2
    assert len(draw_cells(made, np.empty(0), np.empty(0))[0]) == 0
