"""Bounds on every mechanism for large regions hold, and are near what planar noise does."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar

from tightrope.constructions import Effort, design
from tightrope.locations import compare_locations
from tightrope.locations.bounds import (
    _inequality_holds,
    _inner_share,
    _margin,
    block_bound,
    even_bound,
)
from tightrope.locations.covering import region_cells
from tightrope.locations.grids import cell_level
from tightrope.samplers import SeededSource
from tightrope.spaces import Region, grid


@pytest.mark.parametrize("price", [1.0, 1.5, 1.9, 1.99])
def test_no_column_along_a_ray_pays_less_than_its_price(price):
    width, random = _margin(price), np.random.default_rng(8)
    for _ in range(50):
        before, inside, after = random.exponential([1, 4, 1])
        ends = np.cumsum([before * random.integers(0, 2), inside, width + after])
        r = np.linspace(0, ends[2], 4001)
        paid = np.where((r >= ends[0]) & (r <= ends[1]), price, 0.0)
        steps = np.exp(-r) * (r - paid) * r * (r[1] - r[0])
        rest = steps[::-1].cumsum()[::-1]  # a column that starts anywhere along the ray
        assert rest.min() > -2e-3


@pytest.mark.parametrize("price", ["1.2", "1.5", "1.9", "1.99", "1.999"])
def test_a_price_is_proved_where_its_inequality_holds_between_the_points_of_a_table_too(price):
    """The widest gap lies between two of the points that a proof looks at."""
    c = float(price)

    def gap(u, w):
        s = u + w
        return (2 - c) + c * (1 + u) * np.exp(-u) - (s * s + 2 * s + 2) * np.exp(-s)

    def least(w):
        at = np.linspace(0, 30, 3001)
        near = at[np.argmin(gap(at, w))]
        found = minimize_scalar(gap, args=(w,), bounds=(max(0, near - 0.02), near + 0.02),
                                method="bounded", options={"xatol": 1e-12})
        return min(found.fun, gap(0.0, w))

    width = brentq(least, 0.01, 20, xtol=1e-13)
    assert not _inequality_holds(Fraction(price), Fraction(width - 1e-8))
    assert _inequality_holds(Fraction(price), Fraction(width) + Fraction(1, 32))


def test_the_bound_for_even_truths_is_below_planar_noise_and_near_it_on_large_regions():
    found = compare_locations("-3.9,40.3,-3.5,40.6", "2 km", 10, cell="700 m", draws=2000,
                              source=SeededSource(2))
    cut = found.rows[1]
    assert found.bound_for == "truths spread evenly"
    assert 0.8 * cut.mean < found.bound < cut.mean - 4 * cut.error
    country = Region((((0, 40), (2, 40), (1, 42)),))
    assert 1.9 < even_bound(country, 0.003) * 0.003 < 2
    assert even_bound(country, 0.00001) * 0.00001 < 1


def test_blocks_lose_no_more_together_than_the_whole(monkeypatch):
    monkeypatch.setattr("tightrope.locations.bounds._SIDE", 3)
    cells = region_cells("-4,40,-3.994,40.006", "400 m", "130 m")
    shares = np.random.default_rng(4).dirichlet(np.full(cells.size, 0.5))
    level = cell_level(cells, Fraction(10))
    parts = block_bound(cells, level, shares, 60.0)
    whole = design(grid(cells.shape, cells.space.step), level, loss="euclidean",
                   prior=[Fraction(part) for part in shares], construction="optimal",
                   effort=Effort(gap=1e-3))
    assert 0.3 * whole.value < parts < whole.value
    assert block_bound(cells, level, shares, 0.0) == 0


def test_a_prior_on_many_cells_is_bounded_by_blocks(monkeypatch):
    monkeypatch.setattr("tightrope.locations.bounds._SIDE", 3)
    monkeypatch.setattr("tightrope.locations.comparing._SOLVED", 10)
    towns = {"lon": np.linspace(-4, -3.995, 9), "lat": np.linspace(40, 40.005, 9)}
    found = compare_locations("-4,40,-3.995,40.005", "400 m", 20, cell="140 m", prior=towns,
                              draws=200)
    assert found.bound_for.endswith("block by block")
    assert 10 < found.bound < min(row.mean for row in found.rows if row.mean)


def test_a_polygon_loses_as_much_of_its_margin_as_the_box_that_it_is():
    """Never less: the margin along its edges is counted, corners twice."""
    box = Region.box(-4, 40, -3, 41)
    ring = Region([[(-4, 40), (-3, 40), (-3, 41), (-4, 41)]])
    for width in (10.0, 1_000.0, 10_000.0):
        inner, exact = _inner_share(ring, width), _inner_share(box, width)
        assert exact - 0.06 <= inner <= exact
