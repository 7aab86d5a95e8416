"""ε* of squares: both bounds against noise that is integrated apart, and windows by brute force."""

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tightrope.theory import body_accuracy
from tightrope.theory.limits.clipped_noise import clipped_level, fails_at_most, search_shifts
from tightrope.theory.limits.square_games import coordinates, square_game, windows

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
    return body_accuracy("cube:2", RADIUS, RARE)


def test_a_square_of_two_windows_has_a_bracket_within_ten_percent(bracket):
    assert bracket.lower <= bracket.upper <= 1.1 * bracket.lower


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


def test_wide_squares_have_brackets_within_eleven_percent():
    for side in (5, 6):
        bracket = body_accuracy(f"cube:2,side={side}", 1, RARE)
        assert named(bracket, "noise e^(-ε|x|), clipped in parts") == bracket.upper
        assert bracket.lower <= bracket.upper <= 1.11 * bracket.lower


def test_parts_serve_open_balls_and_many_radii_or_nothing():
    opened = body_accuracy("cube:2,side=6", 1, RARE, closed=False, seconds=0)
    assert named(opened, "noise e^(-ε|x|), clipped in parts") > clipped_level(F(6), F(1), RARE)
    levels = [clipped_level(F(2 * k + 2), F(1), RARE) for k in range(1, 17)]
    assert levels == sorted(levels)
    assert levels[-1] < named(opened, "noise e^(-ε|x|), projected")  # that for the plane
    assert clipped_level(F(35), F(1), RARE) is None


@pytest.mark.parametrize("length", [F("2.3"), F(3), F("3.7"), F(4), F(5), F(9)])
def test_windows_hold_what_one_answer_serves_and_all_of_that(length):
    axis = coordinates(length)
    assert list(axis) == sorted(set(axis))
    assert (axis[0], axis[-1] <= length) == (0, True)
    assert all(axis[-1] - x in axis for x in axis)  # turned around, the grid is the same
    for closed in (True, False):
        served = set()
        for a in {x + s for x in axis for s in (-1, 1)}:  # an answer with an input at its end
            for hair in (F(0), F(1, 2**40), -F(1, 2**40)):
                far = [abs(x - a - hair) for x in axis]
                served.add(frozenset(k for k, d in enumerate(far) if d < 1 or (closed and d == 1)))
        largest = {some for some in served if not any(some < other for other in served)}
        assert {frozenset(range(a, b + 1)) for a, b in windows(axis, closed=closed)} == largest


def test_an_input_at_exactly_the_end_of_a_window_is_served_if_balls_are_closed():
    axis = (F(0), F(1), F(2), F(3))
    assert windows(axis, closed=True) == [(0, 2), (1, 3)]
    assert windows(axis, closed=False) == [(0, 1), (1, 2), (2, 3)]


@pytest.mark.parametrize(("length", "epsilon"), [
    (F("2.5"), 2.0), (F(3), 3.0), (F(4), 2.5), (F("4.1"), 2.9)])
def test_no_mechanism_fails_less_often_on_the_grid_than_the_program_says(length, epsilon):
    value = square_game(length, F(1), RARE, closed=True).value(epsilon)
    axis = [float(x) for x in coordinates(length)]
    worst = max(failure(epsilon, float(length), 1, x, y) for x, y in product(axis[:5], repeat=2)
                if y <= x)
    assert 0.3 * worst < value <= worst + 1e-3


def test_a_square_costs_at_least_what_its_part_costs(bracket):
    assert body_accuracy("cube:2,side=5/4", RADIUS, RARE).lower >= bracket.lower


@pytest.mark.parametrize("count", range(9, 14))
def test_no_answer_serves_five_of_the_coordinates_half_a_radius_apart(count):
    axis = coordinates(F(count - 1, 2) + F(1, 100))
    assert len(axis) == count
    assert all(b - a > 2 for a, b in zip(axis, axis[4:], strict=False))
    assert max(abs(x - F(k, 2)) for k, x in enumerate(axis)) < F(1, 10**5)


@pytest.mark.slow
def test_a_side_of_five_radii_is_bounded_from_below_by_more_than_four_windows():
    found = body_accuracy("cube:2,side=5", 1, RARE)
    assert named(found, "a grid of 121") == found.lower
    # the whole plane needs x with (1 + x) e^(-x) = 1/10
    assert 3.2 < found.lower < found.upper < 3.54
    assert named(found, "noise e^(-ε|x|), projected") == pytest.approx(3.88972, abs=1e-5)
