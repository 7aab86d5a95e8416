"""Covers and packings by their definition; measures against closed forms and games."""

import random
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

from tightrope.errors import BadInput, TooLarge
from tightrope.spaces import categories, cycle, parse, path, star
from tightrope.theory import balls, cover, cover_measure, least_ball, packing
from tightrope.theory.limits.covers import (
    ball_cover,
    best_weights,
)

F = Fraction
SPACES = [path(0, 9), cycle(7), star(5), categories(6), parse("grid:3x4"), parse("sets:3")]


@pytest.mark.parametrize("space", SPACES, ids=lambda s: s.text)
@pytest.mark.parametrize("radius", [F(1, 2), F(1), F(3, 2), F(2)])
@pytest.mark.parametrize("closed", [True, False])
def test_covers_cover_and_packings_do_not_meet(space, radius, closed):
    def near(i, j):
        d = float(space.distance(i, j))
        return d <= radius if closed else d < radius

    everyone = range(space.size)
    centers = cover(space, radius, closed=closed)
    assert all(any(near(y, c) for c in centers) for y in everyone)
    chosen = packing(space, radius, closed=closed)
    for a in chosen:
        for b in chosen:
            assert a == b or not any(near(a, y) and near(b, y) for y in everyone)
    # every ball of a packing needs a center of its own in any cover of the same radius
    assert len(chosen) <= len(centers)


def test_balls_on_the_edge_are_decided_exactly():
    diagonal = parse("grid:2x2")  # distances 1 and √2
    inside = balls(diagonal, F(14142135623730950488, 10**19))  # just below √2
    assert inside.sum() == 12
    assert balls(diagonal, F(14142135623730950489, 10**19)).all()
    assert balls(path(0, 2), F(1), closed=False).sum() == 3
    with pytest.raises(BadInput):
        cover(path(0, 2), F(0), closed=False)
    with pytest.raises(BadInput):
        balls(path(0, 2), F(-1))


@pytest.mark.parametrize("space", SPACES, ids=lambda s: s.text)
def test_the_best_measure_is_the_optimum_of_the_game(space):
    inside = balls(space, F(1))
    size = space.size
    measure, value = best_weights(inside)
    assert sum(measure) == 1
    assert min(measure) >= 0
    assert least_ball(space, measure, F(1)) == value
    found = linprog(
        np.append(np.zeros(size), -1.0),
        A_ub=np.hstack([-inside.astype(float), np.ones((size, 1))]), b_ub=np.zeros(size),
        A_eq=[[1.0] * size + [0.0]], b_eq=[1.0],
    )
    assert float(value) == pytest.approx(-found.fun, abs=1e-9)


def test_the_cover_measure_weighs_as_the_erratum_says():
    # on a path of 5: radius 2 has one center, radius 1 two, radius 1/2 and below all five
    measure = cover_measure(path(0, 4))
    assert sum(measure) == 1
    one, two = cover(path(0, 4), F(2)), cover(path(0, 4), F(1))
    assert (len(one), len(two)) == (1, 2)
    for y in range(5):
        expected = F(1, 4) / 5
        expected += F(1, 2) if y in one else 0
        expected += F(1, 4) / 2 if y in two else 0
        assert measure[y] == expected


@pytest.mark.parametrize("space", SPACES, ids=lambda s: s.text)
def test_the_cover_measure_is_positive_on_every_ball(space):
    measure = cover_measure(space)
    assert sum(measure) == 1
    for i in range(1, 6):
        radius = F(2) / 2**i
        assert least_ball(space, measure, radius) > 0


@pytest.mark.parametrize(("dimension", "radius"), [(1, F(1, 3)), (2, F(2, 5)), (3, F(9, 10))])
def test_every_point_of_the_ball_is_near_a_center_in_the_ball(dimension, radius):
    centers = ball_cover(dimension, radius)
    assert all(sum(x * x for x in c) <= 1 for c in centers)
    source = random.Random(21)
    tried = 0
    while tried < 200:
        point = [F(source.randrange(-1000, 1001), 1000) for _ in range(dimension)]
        if sum(x * x for x in point) > 1:
            continue
        tried += 1
        assert any(sum((a - b) ** 2 for a, b in zip(point, c, strict=True)) <= radius**2
                   for c in centers)


def test_bodies_that_make_no_sense_are_refused():
    with pytest.raises(BadInput):
        ball_cover(0, F(1))
    with pytest.raises(BadInput):
        ball_cover(2, F(0))
    with pytest.raises(TooLarge):
        ball_cover(9, F(1, 100))
