"""ε* of squares: both bounds against noise that is integrated apart, and windows by brute force."""

import random
from fractions import Fraction
from itertools import product
from math import inf

import numpy as np
import pytest
from scipy.optimize import linprog

from tightrope.errors import SolverFailed
from tightrope.theory import body_accuracy
from tightrope.theory.limits.clipped_noise import clipped_level, fails_at_most, search_shifts
from tightrope.theory.limits.spline_proofs import Layout, largest_ratio, most_failures, spread
from tightrope.theory.limits.square_games import Grid, WindowGame
from tightrope.theory.limits.square_splines import (
    choose_layout,
    least_failure,
    smallest_ratio,
    whole_coefficients,
)

F = Fraction
RADIUS, RARE = F(1, 4), F(1, 10)


def named(found, start):
    return next(b.epsilon for b in found.bounds if b.name.startswith(start))


def failure(epsilon, length, radius, x, y, answer=None, cells=400, reach=12):
    """How often noise e^(-ε max) that is clipped to [γ, L - γ] is farther than γ from (x, y)."""
    answer = answer or (lambda raw: np.clip(raw, radius, length - radius))
    step = reach / epsilon / cells
    axis = (np.arange(-cells, cells) + 0.5) * step
    first, second = np.meshgrid(axis, axis, indexing="ij")
    weights = np.exp(-epsilon * np.maximum(abs(first), abs(second))) * epsilon**2 / 8 * step**2
    near = [abs(answer(place + axis) - place) <= radius + 1e-12 for place in (x, y)]
    return 1 - weights[np.ix_(*near)].sum()


@pytest.fixture(scope="module")
def bracket():
    return body_accuracy("cube:2", RADIUS, RARE, seconds=0)


def test_clipped_noise_fails_as_often_as_said_in_a_corner_and_nowhere_more(bracket):
    epsilon = named(bracket, "noise e^(-ε|x|), clipped")
    assert epsilon < named(bracket, "noise e^(-ε|x|), projected")
    assert failure(epsilon, 1, 0.25, 0, 0) == pytest.approx(0.1, abs=1e-3)
    source = random.Random(2)
    for _ in range(25):
        assert failure(epsilon, 1, 0.25, source.random(), source.random()) <= 0.1 + 1e-3


def test_noise_is_clipped_for_four_radii_and_no_more():
    names = [b.name for b in body_accuracy("cube:2", "0.2499", RARE, seconds=0).bounds]
    assert "noise e^(-ε|x|), clipped" not in names
    opened = body_accuracy("cube:2", RADIUS, RARE, closed=False, seconds=0)
    assert "noise e^(-ε|x|), clipped" not in [b.name for b in opened.bounds]
    # one coordinate: half of a Laplace tail; three: x = εγ, e^(-x) (x²/4 + 3x/4 + 7/8) = δ
    cube = body_accuracy("cube:3", "0.3", RARE, seconds=0)
    x = named(cube, "noise e^(-ε|x|), clipped") * 0.3
    assert np.exp(-x) * (x**2 / 4 + 3 * x / 4 + 7 / 8) == pytest.approx(0.1, abs=1e-9)


@pytest.mark.parametrize(("length", "parts"), [(5, 2), (6, 2), (7.5, 3), (9, 4)])
def test_noise_clipped_in_parts_fails_as_often_as_said_somewhere_and_nowhere_more(length, parts):
    epsilon = clipped_level(F(length), F(1), RARE)
    shifts = [float(s) for s in search_shifts(parts, 0.1)[1]]
    ends = np.linspace(1, length - 1, parts + 1)
    raw = [end + s for k, s in enumerate(shifts) for end in ends[k:k + 2]]  # part k, moved by s
    values = [end for k in range(parts) for end in ends[k:k + 2]]
    places = np.linspace(0, length, 23)
    fails = [failure(epsilon, length, 1, x, y, lambda z: np.interp(z, raw, values))
             for x, y in product(places[:12], repeat=2) if x <= y]
    assert 0.098 <= max(fails) <= 0.1 + 1e-3


@pytest.mark.parametrize("parts", [1, 2, 3, 4])
def test_the_proof_of_parts_refuses_a_radius_just_below_and_shifts_that_fall(parts):
    reach, shifts = search_shifts(parts, 0.1)
    assert fails_at_most(RARE, F(reach) * (1 + F(1, 2**20)), shifts)
    assert not fails_at_most(RARE, F(reach) * (1 - F(1, 2**20)), shifts)
    if parts > 1:
        assert not fails_at_most(RARE, F(100), shifts[::-1])
    assert not fails_at_most(RARE, F(100), [F(-2)] * parts)


def test_parts_serve_open_balls_and_many_radii_or_nothing():
    opened = body_accuracy("cube:2,side=6", 1, RARE, closed=False, seconds=0)
    assert named(opened, "noise e^(-ε|x|), clipped in parts") > clipped_level(F(6), F(1), RARE)
    levels = [clipped_level(F(2 * k + 2), F(1), RARE) for k in range(1, 17)]
    assert levels == sorted(levels)
    assert levels[-1] < named(opened, "noise e^(-ε|x|), projected")  # that for the plane
    assert clipped_level(F(35), F(1), RARE) is None


@pytest.mark.parametrize("length", [F("2.3"), F(3), F("3.7"), F(4), F(5), F(9)])
def test_no_answer_serves_more_inputs_than_a_window(length):
    grid = Grid.of(length, 2.5, 2000)
    axis, wide = grid.axis, grid.window
    assert list(axis) == sorted(set(axis))
    assert (axis[0], axis[-1]) == (0, length)
    assert all(length - x in axis for x in axis)  # turned around, the grid is the same
    assert all(b - a > 2 for a, b in zip(axis, axis[wide:], strict=False))


def test_a_side_of_whole_periods_has_a_grid():
    length = 2 * (2 + F(1, 2**20))
    assert length - F(1, 2**10) < Grid.of(length).axis[-1] <= length


def full_program(grid, epsilon):
    """The least failure on a grid: all windows, all inputs, all pairs, and no symmetry."""
    axis, wide = [float(x) for x in grid.axis], grid.window
    cells = list(product(range(len(axis)), repeat=2))
    runs = list(product(range(len(axis) - wide + 1), repeat=2))
    size = len(cells)
    level, sums, success = [], np.zeros((size, len(runs) * size + 1)), []
    for y, (a, b) in enumerate(cells):
        sums[y, y:-1:size] = 1
        line = np.zeros(len(runs) * size + 1)
        for w, (i, j) in enumerate(runs):
            if i <= a < i + wide and j <= b < j + wide:
                line[w * size + y] = -1
        line[-1] = -1
        success.append(line)
        for other, (c, d) in enumerate(cells):
            share = np.exp(-epsilon * max(abs(axis[a] - axis[c]), abs(axis[b] - axis[d])))
            for w in range(len(runs)) if other != y else ():
                line = np.zeros(len(runs) * size + 1)
                line[w * size + y], line[w * size + other] = -1, share
                level.append(line)
    bounds = np.concatenate([np.zeros(len(level)), -np.ones(size)])
    costs = np.append(np.zeros(len(runs) * size), 1.0)
    return linprog(costs, np.array(level + success), bounds, sums, np.ones(size)).fun


@pytest.mark.parametrize("length", [F("2.5")])
def test_the_bound_is_that_of_the_program_without_symmetries_and_never_more(length):
    period, left = 2 + F(1, 2**20), length - 2 - F(1, 2**20)
    axis = (F(0), left, period, length) if length < 3 else (F(0), left, (left + period) / 2,
                                                            period, length)
    grid = Grid(axis, len(axis) - 2)
    assert all(length - x in axis for x in axis)
    game = WindowGame(grid, 100.0)
    value, weights = full_program(grid, 2.0), game.weights(F(2))
    bound = game.least_failure(F(2), *weights)
    assert bound == pytest.approx(value, abs=1e-5)
    source = np.random.default_rng(1)
    for _ in range(20):  # any weights prove a bound: it is no larger
        other = [w * source.uniform(0.5, 1.5, len(w)) for w in weights]
        assert game.least_failure(F(2), *other) < value + 1e-9
    assert game.least_failure(F(2), weights[0], 0 * weights[1]) < bound / 2


def test_inputs_that_are_far_from_a_window_only_lower_the_bound():
    grid, bounds = Grid.of(F(5), 5.0, 1000), []
    for reach in (1.5, 2.5, 5.0):
        game = WindowGame(grid, reach)
        bounds.append(game.least_failure(F(3), *game.weights(F(3))))
    assert bounds == sorted(bounds)
    assert bounds[1] > bounds[2] * F(9, 10)


def test_a_reach_that_ends_at_an_input_keeps_the_same_windows_from_both_ends():
    """Rounding may keep a window at one end and leave its mirror image: none would be a proof."""
    for length in (F("2.7"), F("3.3"), F(5)):
        grid = Grid.of(length, 5.0, 300)
        x, wide = grid.places, grid.window
        centers = (x[:len(x) - wide + 1] + x[wide - 1:]) / 2
        for reach in np.unique(np.abs(x - centers[:, None])):
            kept = WindowGame(grid, float(reach)).unknowns >= 0
            assert (kept == kept[::-1, ::-1]).all(), (length, reach)
            assert (kept == kept[:, :, ::-1, ::-1]).all()


@pytest.mark.parametrize(("length", "epsilon"), [
    (F("2.5"), 2.0), (F(3), 3.0), (F(4), 2.5)])
def test_no_mechanism_fails_less_often_on_the_grid_than_the_program_says(length, epsilon):
    game = WindowGame(Grid.of(length, 2.5, 300), 2.5)
    value = game.least_failure(F(epsilon), *game.weights(F(epsilon)))
    axis = [float(x) for x in game.grid.axis]
    worst = max(failure(epsilon, float(length), 1, x, y) for x, y in product(axis[:5], repeat=2)
                if y <= x)
    assert 0.3 * worst < value <= worst + 1e-3


LAYOUT = Layout(10, 4, (4, 5, 6))
LEVEL = 2.8 / 4


@pytest.fixture(scope="module")
def spline():
    return whole_coefficients(LAYOUT, least_failure(LAYOUT, np.exp(LEVEL)), 1e-4)


def chances(table, epsilon, x, y):
    """Chances of all kinds at an input: interpolation between nodes, a mean over their shifts."""
    shifts = (np.arange(400) + 0.5) / 400 - 0.5

    def weight(t):
        gap = np.abs(t - shifts)
        return np.where(gap < 1, np.sinh(epsilon * (1 - gap)) / np.sinh(epsilon), 0).mean()

    total = np.zeros(table.shape[:2])
    for a, b in zip(*LAYOUT.nodes, strict=True):
        u, v = (x - a + y - b) / 2, (x - a - y + b) / 2
        if max(abs(u), abs(v)) < 1.5:
            total += table[:, :, a + 2, b + 2] * (weight(u) * weight(v))
    constant = sum(weight(k) for k in (-1, 0, 1)) ** 2
    return total / constant / table[:, :, 2, 2].sum()


def served(x):
    """The part of each kind of a coordinate that is within the radius, 4 units."""
    cells = [min(b, x + 4) - max(a, x - 4) for a, b in ((4, 5), (5, 6))]
    return np.array([x <= 8, *(max(0.0, c) for c in cells), x >= 2])


def test_splines_are_a_mechanism_of_their_level_that_fails_as_proved(spline):
    ratio = largest_ratio(LAYOUT, spline)
    epsilon, most = np.log(float(ratio)), float(most_failures(LAYOUT, spline, ratio))
    assert epsilon == pytest.approx(LEVEL, rel=1e-3)
    source, worst, steep = random.Random(3), 0.0, 0.0
    for _ in range(150):
        x, y = (source.choice([source.uniform(0, 10), source.randint(0, 10)]) for _ in "xy")
        p = chances(spline, epsilon, x, y)
        assert p.sum() == pytest.approx(1, abs=1e-4)
        worst = max(worst, 1 - served(x) @ p @ served(y))
        length, sign = source.uniform(0.05, 0.5), source.choice([-1, 1])
        c, d = min(10, x + length), min(10, max(0, y + sign * length))
        apart = max(abs(c - x), abs(d - y))
        if apart > 0.01:
            steep = max(steep, np.abs(np.log(chances(spline, epsilon, c, d) / p)).max() / apart)
    assert 0.97 * most < worst <= most + 1e-4
    assert 0.9 * epsilon < steep <= epsilon * (1 + 1e-2)


def test_the_proof_of_splines_sees_coefficients_that_were_changed(spline):
    ratio = largest_ratio(LAYOUT, spline)
    most = most_failures(LAYOUT, spline, ratio)
    assert float(most) == pytest.approx(0.09, abs=0.02)
    steeper, wrong, gone = spline.copy(), spline.copy(), spline.copy()
    steeper[0, 0, 2, 2] *= 4  # at the node (0, 0)
    assert largest_ratio(LAYOUT, steeper) > ratio * F(11, 10)
    wrong[0, 0, 4, 4] -= (moved := int(spline[0, 0, 4, 4]) // 2)
    wrong[3, 3, 4, 4] += moved  # answers in the far corner, for inputs at the node (2, 2)
    assert most_failures(LAYOUT, wrong, ratio) > most + F(1, 100)
    gone[1, 1, 4, 4] = 0
    with pytest.raises(SolverFailed):
        largest_ratio(LAYOUT, gone)
    assert spread(ratio) < spread(ratio**2)


def test_weights_are_less_than_polynomials_by_no_more_than_the_spread():
    for ratio in (F(11, 10), F(2), F(3)):
        epsilon, y = np.log(float(ratio)), np.linspace(0, 1, 1001)
        less = y**2 / 2 - (np.cosh(epsilon * y) - 1) / (2 * np.cosh(epsilon) - 2)
        assert less.min() >= -1e-12
        assert less.max() <= spread(ratio) <= less.max() * 1.3 + 2**-12


def test_a_larger_spread_of_weights_only_raises_the_bound_on_failures(spline):
    ratio = largest_ratio(LAYOUT, spline)
    bounds = [most_failures(LAYOUT, spline, r) for r in (F(1001, 1000), ratio, ratio**2, ratio**3)]
    assert bounds == sorted(set(bounds))


def test_splines_of_a_lower_level_fail_too_often():
    ratio = smallest_ratio(LAYOUT, RARE, 2.7, inf)
    table = whole_coefficients(LAYOUT, least_failure(LAYOUT, float(ratio)), 1e-4)
    assert most_failures(LAYOUT, table, largest_ratio(LAYOUT, table)) <= RARE * F(1001, 1000)
    lower = whole_coefficients(LAYOUT, least_failure(LAYOUT, float(ratio) ** 0.97), 1e-4)
    assert most_failures(LAYOUT, lower, largest_ratio(LAYOUT, lower)) > RARE


@pytest.mark.parametrize(("length", "level"), [("2.01", 3.0), ("2.5", 2.0), (4, 3.0), (5, 6.0)])
def test_layouts_hold_the_square_and_keep_its_symmetry(length, level):
    layout = choose_layout(F(length), level, 1500)
    assert layout.side >= F(length) * layout.radius
    assert layout.side % 2 == 0
    assert (layout.ends[0], layout.ends[-1]) == (layout.radius, layout.side - layout.radius)
    assert [layout.side - e for e in reversed(layout.ends)] == list(layout.ends)


def test_no_time_leaves_what_is_known_without_programs():
    names = [b.name for b in body_accuracy("cube:2,side=3", 1, RARE, seconds=0).bounds]
    assert "noise e^(-ε|x|), clipped" in names
    assert not any("splines" in name or "grid" in name for name in names)


@pytest.mark.slow
@pytest.mark.parametrize("side", ["2.1", "2.5", "3", "4.2", "4.7", "5", "6.1", "9", "30"])
def test_squares_of_many_sides_have_brackets_within_ten_percent(side):
    bracket = body_accuracy(f"cube:2,side={side}", 1, RARE)
    assert bracket.lower < bracket.upper <= 1.1 * bracket.lower
