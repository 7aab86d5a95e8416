"""Regions, and the cells of positions: no pair on Earth is drawn apart by more than is charged."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tightrope.errors import BadInput, BadSpace
from tightrope.spaces import MOVED, Positions, Region, usable
from tightrope.spaces.convex_sets import convex_hull, nearest
from tightrope.spaces.globe import in_space

BOX = Region.box(-4, 40, -3, 41)
SHAPE = Region([[(-4, 40), (-3, 40), ("-2.5", "40.7"), (-3, 41), ("-3.9", "41.2")]])
ACROSS = Region.box(177, -20, 182, -15)
POLE = Region.box(-60, 80, 60, 90)


def straight(a, b):
    """The straight line in space between positions, no longer than any way along the ground."""
    return np.sqrt(sum((p - q) ** 2 for p, q in zip(in_space(*a), in_space(*b), strict=True)))


@pytest.mark.parametrize("region", [BOX, SHAPE, ACROSS, POLE], ids=lambda region: region.text[:9])
@pytest.mark.parametrize("reach", [0.0, 1e-4, 0.01, 10.0, 360.0])
def test_no_two_positions_on_earth_are_in_cells_farther_apart_than_is_charged(region, reach):
    random = np.random.default_rng(7)
    space = Positions(region, 50, "1/2")
    west, south, east, north = map(float, region.bounds)
    lon = random.uniform(west - 2, east + 2, 4000)
    lat = np.clip(random.uniform(south - 2, north + 2, 4000), -90, 90)
    lon[:500], lat[:500] = random.uniform(-180, 180, 500), random.uniform(-90, 90, 500)
    other = (np.clip(lon + reach * random.normal(size=4000), -360, 360),
             np.clip(lat + reach * random.normal(size=4000), -90, 90))
    (x, y), (u, v) = space.cells(lon, lat), space.cells(*other)
    apart = np.hypot(x - u, y - v)
    allowed = (straight((lon, lat), other) + 1 / 40) / 0.5 + np.sqrt(2)
    assert (apart <= allowed).all()


def test_steps_between_neighbors_are_the_least_whole_number_that_covers_rounding():
    for within, step in product((10, 50, Fraction(401, 2)), (Fraction(1, 3), 1, Fraction(7, 3))):
        most = (Fraction(within) + Fraction(1, 40)) / Fraction(step)
        apart = Positions(BOX, within, step).apart
        assert (apart - most) ** 2 >= 2
        assert apart - most > 0
        assert apart - 1 < most or (apart - 1 - most) ** 2 < 2


def test_positions_outside_are_moved_and_never_refused():
    space = Positions(SHAPE, 50, 1)
    far = np.array([[0.0, 0.0], [176.5, -40.5], [-3.5, 90.0], [-183.5, 40.0], [356.5, 40.5]])
    east, north = space.cells(far[:, 0], far[:, 1])
    hull = SHAPE.hull / 64
    assert (hull.min(axis=0) - 1 <= np.array([east, north]).T).all()
    assert (hull.max(axis=0) + 1 >= np.array([east, north]).T).all()
    assert usable(far[:, 0], far[:, 1]).all()


def test_the_nearest_point_of_a_polygon_is_that_of_exact_arithmetic():
    random = np.random.default_rng(3)
    for _ in range(40):
        corners = random.integers(-9, 10, (8, 2))
        hull = convex_hull(corners[:, 0], corners[:, 1])
        points = random.integers(-20, 21, (30, 2))
        found = np.array(nearest(hull, points[:, 0], points[:, 1])).T
        for point, near in zip(points.tolist(), found.tolist(), strict=True):
            best = brute_nearest(hull.tolist(), point)
            assert [float(part) for part in best] == pytest.approx(near, abs=1e-12)


def brute_nearest(hull, point):
    """The point itself inside, else the nearest of those on all sides, in fractions."""
    sides = list(zip(hull, hull[1:] + hull[:1], strict=True))
    if all((b[0] - a[0]) * (point[1] - a[1]) >= (b[1] - a[1]) * (point[0] - a[0])
           for a, b in sides):
        return point
    tried = []
    for a, b in sides:
        way = [q - p for p, q in zip(a, b, strict=True)]
        along = sum(w * (p - q) for w, p, q in zip(way, point, a, strict=True))
        share = min(max(Fraction(along, sum(w * w for w in way)), 0), 1)
        tried.append([p + share * w for p, w in zip(a, way, strict=True)])
    return min(tried, key=lambda q: sum((p - r) ** 2 for p, r in zip(point, q, strict=True)))


def test_a_cut_moves_cells_to_the_hull_and_leaves_those_inside():
    space = Positions(BOX, 50, 1)
    inside = space.cells(np.array([-3.2]), np.array([40.9]))
    assert np.array_equal(space.cut(*inside), inside)
    east, north = space.cut(np.array([10**12, -7]), np.array([0, -(10**9)]))
    assert (np.abs(east) <= np.abs(BOX.hull).max() / 64 + 1).all()
    assert (np.abs(north) <= np.abs(BOX.hull).max() / 64 + 1).all()


@pytest.mark.parametrize(("make", "said"), [
    (lambda: Region.box(40, -100, 42, 3), "beyond 90 degrees"),
    (lambda: Region.box(3, 40, -3, 41), "antimeridian"),
    (lambda: Region.box(-3, 41, 3, 40), "south < north"),
    (lambda: Region.box(-300, 40, 3, 41), "-180 to 360"),
    (lambda: Region.box(-179, 40, 179, 41), "half the globe"),
    (lambda: Region.box("x", 40, 3, 41), "in degrees"),
    (lambda: Region([]), "an inside"),
    (lambda: Region([[(0, 0), (1, 1)]]), "at least three"),
    (lambda: Region([[(179, 0), (-179, 1), (-179, 0)]]), "antimeridian"),
    (lambda: Region(7), "rings"),
    (lambda: Positions(Region.box(-80, -70, 80, 70), 50, 1), "60 degrees"),
    (lambda: Positions(Region([[(0, 0), (1, 1), (2, 2)]]), 50, 1).region, None),
    (lambda: Positions(BOX, 50, 18), "more than half"),
    (lambda: Positions(BOX, "1/25", "1/1000"), "more than half"),
    (lambda: Positions(BOX, 50, "1/1000"), "too small"),
    (lambda: Positions(BOX, -1, 1), "above 0"),
    (lambda: Positions("Spain", 50, 1), "a Region"),
    (lambda: Positions(BOX, 50, 1).accept((3, 91)), "in degrees"),
    (lambda: Positions(BOX, 50, 1).accept((float("nan"), 1)), "in degrees"),
    (lambda: Positions(BOX, 50, 1).accept("ab"), "a position"),
    (lambda: Positions(BOX, 50, 1).accept(None), "a position"),
])
def test_what_is_no_region_or_no_position_is_refused_in_a_sentence(make, said):
    if said is None:
        assert len(make().hull) >= 3  # a line in degrees is none in the plane
        return
    with pytest.raises((BadInput, BadSpace)) as caught:
        make()
    assert said in str(caught.value)


def test_rounding_moves_a_position_by_less_than_is_charged_and_hardly_less():
    """Beside the middle of four places of 1/64 m: √2/128 m, the most that rounding can."""
    space = Positions(BOX, 100, "1/64")
    middles = (np.arange(-200, 200) * 7 + 0.5 - 2.0**-20) / 64
    lon, lat = space.region.plane.lift(middles, middles[::-1].copy())
    x, y = space.region.plane.project(lon, lat)
    east, north = space.cells(lon, lat)
    moved = np.hypot(x - east / 64, y - north / 64).max()
    assert 0.999 * 2**0.5 / 128 < moved < float(MOVED)
    assert 2 < (128 * MOVED) ** 2 < Fraction(26, 10)  # √2/128, and room for doubles


@pytest.mark.parametrize(("within", "apart"), [("3.56", 5), ("3.57", 6)])
def test_both_positions_of_a_pair_are_moved_by_rounding(within, apart):
    """√2 = 1.41421…, 2 MOVED = 0.025: 3.56 m and both make 4.9992…, 3.57 m and both 5.0092…"""
    assert Positions(BOX, within, 1).apart == apart
