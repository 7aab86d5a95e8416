"""ε* of bodies: brackets against closed forms, limits of finite paths, and each other."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import exp, hypot, log, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq

from tightrope.errors import BadInput, BadSpace, Infeasible
from tightrope.spaces import matrix
from tightrope.theory import Body, body_accuracy, smallest_level_for
from tightrope.theory.limits.interval_games import Cells, worst_failure

F = Fraction


def test_an_interval_lies_between_a_finite_part_of_it_and_laplace_noise():
    found = body_accuracy("interval:0..1", "3/10", "1/10")
    places = [F(k, 4) for k in range(5)]
    five = matrix(range(5), [[abs(a - b) for b in places] for a in places])
    # answers on [0, 1] serve a window of 0.6, as a radius of 1/2 around the five points does
    part = smallest_level_for(five, F(1, 2), F(1, 10))
    assert part.lower <= found.upper
    assert found.lower <= found.upper <= log(10) / 0.3 + 1e-9  # Laplace: e^(-0.3 ε) = 1/10
    assert found.upper / found.lower < 1.2


def test_units_do_not_matter():
    one = body_accuracy("interval:0..1", "3/10", "1/10")
    ten = body_accuracy("interval:-5..5", 3, "1/10")
    assert ten.lower == pytest.approx(one.lower / 10)
    assert ten.upper == pytest.approx(one.upper / 10)


def test_noise_on_a_plane_fails_as_often_as_a_gamma_variable_is_large():
    found = body_accuracy("ball:2", "1/10", "1/20")
    noise = next(b.epsilon for b in found.bounds if b.name.startswith("noise"))
    x = noise / 10
    assert exp(-x) * (1 + x) == pytest.approx(0.05, abs=1e-9)
    assert found.lower < found.upper == noise


@pytest.mark.parametrize("text", [
    pytest.param("cube:2", marks=pytest.mark.slow), "ball:2,radius=1/2"])
def test_a_body_costs_at_least_what_an_interval_in_it_costs(text):
    line = body_accuracy("interval:0..1", "1/4", "1/10").lower
    assert body_accuracy(text, "1/4", "1/10").lower >= line


def test_corners_of_a_cube_of_many_dimensions_force_the_odds():
    # 2^10 corners at distance 1, balls of 0.3 apart: ln(1023 · 9)
    found = body_accuracy("cube:10", "3/10", "1/10")
    assert found.lower >= log(1023 * 9) * (1 - 1e-6)


def test_the_center_serves_a_body_that_is_no_wider_than_the_ball():
    assert body_accuracy("interval:0..1", "1/2", "1/10").upper == 0


@pytest.mark.parametrize(
    ("text", "radius", "kind"),
    [("interval:1..1", "1/10", BadSpace), ("cube:0", "1/10", BadSpace),
     ("cube:3,radius=2", "1/10", BadSpace), ("ball:x", "1/10", BadInput),
     ("interval:0..1", 0, Infeasible), ("interval:0..1", -1, BadInput)],
)
def test_bodies_without_meaning_are_refused(text, radius, kind):
    with pytest.raises(kind):
        body_accuracy(text, radius, "1/10")


def test_a_space_is_no_body():
    assert Body.parse("path:0..9") is None


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize(("radius", "failure"), [
    ("1/10", "1/10"), ("1/50", "1/100"), ("1/4", "1/10"), ("2/5", "1/1000")])
def test_brackets_of_intervals_are_narrow(radius, failure, closed):
    found = body_accuracy("interval:0..1", radius, failure, closed=closed)
    assert 0 < found.lower <= found.upper <= 1.1 * found.lower


def test_a_ball_with_an_end_serves_more():
    """Two closed balls of radius 1/4 cover [0, 1]; of open ones it takes three."""
    closed = body_accuracy("interval:0..1", "1/4", "1/2")
    assert "one of 2 points at random" in [b.name for b in closed.bounds]
    assert closed.upper == 0
    assert body_accuracy("interval:0..1", "1/4", "1/2", closed=False).lower > 0.5
    assert body_accuracy("cube:2", "1/4", "3/4", seconds=0).upper == 0
    assert body_accuracy("cube:2", "1/4", "0.74", seconds=0).upper > 0
    assert body_accuracy("interval:0..1", "1/2", "1/10", closed=False).lower > 0


def test_a_remapped_laplace_fails_no_more_often_than_proved():
    """Its failure at many inputs, from the distribution function of Laplace noise."""
    from scipy.stats import laplace

    source = np.random.default_rng(5)
    for wide, closed in ((3, True), (5, False), (5, True)):
        radius, length = F(1, 4), F(1)
        cells = replace(Cells.of(length, radius, F(1, 2), closed=closed), wide=wide,
                        above=2 * radius / wide)
        size, step, epsilon = cells.outputs, float(cells.above), 6.0
        remap = source.dirichlet(np.full(size, 0.3), size)
        proved = float(worst_failure(cells, remap, F(epsilon)))
        edges = np.concatenate([[-np.inf], np.arange(1, size) * step, [np.inf]])
        centers = (np.arange(size) + 0.5) * step
        worst = 0.0
        for x in np.linspace(0, size * step, 601):
            chances = np.diff(laplace.cdf(edges, loc=x, scale=1 / epsilon))
            far = np.abs(centers - x) > float(radius) * (1 + 1e-9)
            worst = max(worst, float(chances @ remap @ far))
        assert worst <= proved + 1e-9
        assert proved <= worst * 1.3  # no more than the middle of a cell is given away


def test_disjoint_balls_of_a_disk_are_those_counted_by_hand():
    """On a grid of step 2/5 in the unit disk, and at the four ends of its axes."""
    found = [b.epsilon for b in body_accuracy("ball:2", "1/5", "1/10").bounds if b.lower][:2]
    inside = [0.4 * hypot(*cell) for cell in product(range(-2, 3), repeat=2)]
    inside = [d for d in inside if 0 < d <= 1]
    assert len(inside) == 20

    def root(lengths):
        return brentq(lambda e: 0.9 * (1 + sum(exp(-e * d) for d in lengths)) - 1, 0, 100)

    assert found == pytest.approx([root(inside), root([sqrt(2), sqrt(2), 2])], rel=1e-4)


def test_the_theorem_on_a_square_counts_both_of_its_sides():
    """Balls of radius 1/8 in a corner hold 1/64 of it, and 4 · 4 of them cover it."""
    found = {b.name: b.epsilon for b in body_accuracy("cube:2", "1/4", "1/10", seconds=0).bounds}
    assert found["exponential, Lebesgue"] == pytest.approx(16 * log(640))
    assert found["exponential, 16 points of a cover"] == pytest.approx(16 * log(160))


@pytest.mark.parametrize(("text", "failure"), [("interval:0..1e9", "1/10"), ("cube:2", "1e-99"),
                                               ("cube:64", "1/10")])
def test_tiny_radii_are_bounded_by_as_many_points_as_can_be_counted(text, failure):
    found = body_accuracy(text, "1e-99", failure, seconds=0)
    assert 0 < found.lower < found.upper < float("inf")
    # two balls more than 2γ apart already force e^(2 γ ε) >= (1 - δ)/δ
    assert found.lower >= log((1 - float(F(failure))) / float(F(failure))) / 2e-99 * (1 - 1e-5)


def test_a_packing_of_a_square_counts_all_of_its_points():
    """Nine points on a grid of step 0.48, the middle one so far from eight others."""
    found = next(b for b in body_accuracy("cube:2", "0.24", "1/10", seconds=0).bounds if b.lower)
    assert found.name.startswith("9 ")
    assert found.epsilon == pytest.approx(log(72) / 0.48, rel=1e-4)


def test_failures_too_rare_for_a_solver_leave_the_bounds_that_need_none():
    found = body_accuracy("cube:2", "1/3", "1e-99")
    assert [b.name for b in found.bounds if b.lower] == ["4 disjoint balls"]
    assert found.lower == pytest.approx(log(3 * 1e99) * 3 / 2, rel=1e-4)


@pytest.mark.parametrize("failure", ["0.01", "0.1", "0.3", "0.45"])
@pytest.mark.parametrize("length", ["2.01", "3", "4"])
def test_a_short_interval_needs_what_half_a_laplace_tail_leaves(length, failure):
    """Inputs at 0 fail upwards only, if answers are clipped: e^(-εγ)/2 is the failure."""
    found = body_accuracy(f"interval:0..{length}", 1, failure)
    assert found.upper == pytest.approx(-np.log(2 * float(failure)), rel=1e-12)
    assert found.lower <= found.upper <= 1.003 * found.lower


@pytest.mark.parametrize("failure", ["0.01", "0.1", "0.3"])
@pytest.mark.parametrize("length", ["4.5", "7", "10", "25"])
def test_longer_intervals_have_brackets_within_five_percent(length, failure):
    found = body_accuracy(f"interval:0..{length}", 1, failure)
    assert found.lower <= found.upper <= 1.05 * found.lower
