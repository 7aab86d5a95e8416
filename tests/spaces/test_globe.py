"""From longitude and latitude to the plane and back, against arithmetic with balls."""

import numpy as np
import pytest
from flint import arb, ctx

from tightrope.spaces.globe import PLANE_ERROR, TangentPlane, in_space, sine_cosine

RANDOM = np.random.default_rng(18)
EDGES = [0.0, 45.0, 90.0, -90.0, 135.0, 180.0, -180.0, 359.9999999, 1e-300, 44.99999999999999]


def exact_space(lon, lat):
    """The point of the ellipsoid in space, as balls."""
    with ctx.workprec(200):
        flattening = 1 / (arb(298257223563) / arb(10**9))
        e2 = flattening * (2 - flattening)
        s, c = (f(arb(lat) * arb.pi() / 180) for f in (arb.sin, arb.cos))
        sl, cl = (f(arb(lon) * arb.pi() / 180) for f in (arb.sin, arb.cos))
        normal = 6378137 / (1 - e2 * s * s).sqrt()
        return [normal * c * cl, normal * c * sl, normal * (1 - e2) * s]


def test_sines_are_as_close_as_is_said():
    angles = np.concatenate([EDGES, RANDOM.uniform(-360, 360, 300)])
    for angle, s, c in zip(angles.tolist(), *map(np.ndarray.tolist, sine_cosine(angles)),
                           strict=True):
        with ctx.workprec(200):
            x = arb(angle) * arb.pi() / 180
            assert abs(x.sin() - arb(s)) < arb(2) ** -48
            assert abs(x.cos() - arb(c)) < arb(2) ** -48


@pytest.mark.parametrize("center", [(-3.5, 40.5), (0.0, 0.0), (179.0, -89.0), (10.0, 90.0)])
def test_points_of_the_plane_are_as_close_as_is_said(center):
    lons = np.concatenate([EDGES, RANDOM.uniform(-180, 360, 60)])
    lats = np.concatenate([np.clip(EDGES, -90, 90), RANDOM.uniform(-90, 90, 60)])
    xs, ys = TangentPlane(*center).project(lons, lats)
    with ctx.workprec(200):
        lon, lat = (arb(angle) * arb.pi() / 180 for angle in center)
        east = [-lon.sin(), lon.cos(), arb(0)]
        north = [-lat.sin() * lon.cos(), -lat.sin() * lon.sin(), lat.cos()]
        at = exact_space(*center)
        for a, b, x, y in zip(lons.tolist(), lats.tolist(), xs.tolist(), ys.tolist(), strict=True):
            moved = [p - q for p, q in zip(exact_space(a, b), at, strict=True)]
            for axis, found in ((east, x), (north, y)):
                true = sum((p * q for p, q in zip(axis, moved, strict=True)), arb(0))
                error = abs(true - arb(found))
                assert error < arb(PLANE_ERROR.numerator) / PLANE_ERROR.denominator


def test_the_ground_below_the_plane_is_where_the_position_was():
    plane = TangentPlane(10.0, 50.0)
    lons, lats = RANDOM.uniform(-10, 30, 500), RANDOM.uniform(30, 70, 500)
    back = plane.lift(*plane.project(lons, lats))
    apart = [a - b for a, b in zip(in_space(lons, lats), in_space(*back), strict=True)]
    assert np.sqrt(sum(part**2 for part in apart)).max() < 1e-6


def test_every_point_of_the_plane_has_ground_below_it():
    x = np.array([0.0, 1e7, -1e300, 6.37e6, 5e6])
    for center in ((0.0, 0.0), (5.0, 45.0), (5.0, 90.0)):
        lon, lat = TangentPlane(*center).lift(x, x[::-1])
        assert np.isfinite(lon).all()
        assert (np.abs(lat) <= 90).all()
