"""Noise in steps: the level by brute force over all pairs, sums by hand, and the least mean."""

from fractions import Fraction

import numpy as np
import pytest

from tightrope.constructions import least_mean_distance, position_steps
from tightrope.errors import BadInput, CannotCheck
from tightrope.exact import Level
from tightrope.mechanisms import PositionSteps, RingLaw
from tightrope.privacy import certified
from tightrope.spaces import Positions, Region

HERE = Positions(Region.box(-4, 40, -3, 41), 10, 3)  # neighbors are at most 5 steps apart


@pytest.mark.parametrize(("width", "first"), [(5, 1), (5, 2), (5, 5), (3, 1)])
def test_rings_of_near_centers_differ_by_at_most_one_and_by_more_beyond(width, first):
    cells = [(x, y) for x in range(-14, 15) for y in range(-14, 15)]
    origin = RingLaw((0, 0), Fraction(7), width, first)
    rings = {z: origin.ring(z) for z in cells}
    for center in [(a, b) for a in range(6) for b in range(6)]:
        other = RingLaw(center, Fraction(7), width, first)
        apart = max(abs(rings[z] - other.ring(z)) for z in cells)
        if origin.squared(center) <= width**2:
            assert apart <= 1
    farther = RingLaw((width + 1, 0), Fraction(7), width, first)
    assert max(abs(rings[z] - farther.ring(z)) for z in cells) == 2  # and a step farther by more


def test_the_promise_holds_by_brute_force_whatever_outputs_are_moved_to():
    """All pairs of centers on a small map, and outputs put together at random."""
    made = PositionSteps(HERE, Fraction(20), 2)
    assert HERE.apart == 5
    line = np.arange(-24, 25)
    x, y = (part.ravel() for part in np.meshgrid(line, line))
    moved = np.random.default_rng(7).integers(0, 6, len(x))
    centers = [(a, b) for a in range(-4, 5) for b in range(-4, 5)]
    columns = []
    for center in centers:
        law = made.around(center)
        held = 20.0 ** -np.array([law.ring(z) for z in zip(x.tolist(), y.tolist(), strict=True)],
                                 dtype=float)
        columns.append(np.bincount(moved, held, 6) / float(law.normalizer[0]))
    worst = 1.0
    for a, one in zip(centers, columns, strict=True):
        for b, other in zip(centers, columns, strict=True):
            if (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 <= 25:
                worst = max(worst, float((one / other).max()))
    assert 1 < worst <= 20 * (1 + 1e-9)


def test_sums_and_radii_are_those_added_up_by_hand():
    law = RingLaw((0, 0), Fraction(10), 13, 6)
    line = np.arange(-150, 151)
    square = line[:, None] ** 2 + line**2
    rings = sum((square > (6 + 13 * k) ** 2).astype(int) for k in range(18))
    weights, far = 10.0**-rings, np.sqrt(square)
    low, high = map(float, law.normalizer)
    assert low * (1 - 1e-9) <= weights.sum() <= high < low * (1 + 1e-9)
    low, high = map(float, law.mean_distance)
    assert low < (weights * far).sum() / weights.sum() < high < low * (1 + 1e-8)
    low, high = map(float, law.probability((9, 9)))
    assert low * (1 - 1e-9) <= 0.1 / weights.sum() <= high * (1 + 1e-9) < low * (1 + 1e-8)
    for confidence in (Fraction(1, 2), Fraction(95, 100)):
        radius = law.radius(confidence)
        inside = [weights[far <= r].sum() / weights.sum() for r in (radius - 1, radius)]
        assert inside[0] < confidence <= inside[1]


def test_wide_rings_are_bounded_by_areas():
    """Means in widths hardly depend on the step, so listed and unlisted radii agree."""
    small, large = (RingLaw((0, 0), Fraction(3), 100 * k, 65 * k) for k in (1, 300))
    (a, b), (c, d) = ([float(m) / law.width for m in law.mean_distance] for law in (small, large))
    assert a < b < 1.001 * a
    assert c < d < 1.001 * c
    assert c == pytest.approx(a, rel=1e-3)


@pytest.mark.parametrize("factor", [1.5, 2.0, 10.0, 100.0])
def test_nothing_radial_that_keeps_the_promise_has_a_smaller_mean(factor):
    """Exponents that grow by at most 1 within 1: straight, in steps, bent, at random."""
    random, least = np.random.default_rng(2), least_mean_distance(factor)
    r = (np.arange(60_000) + 0.5) / 500
    for _ in range(40):
        steps = random.uniform(0, 1)
        slope = random.uniform(0, 1)
        floor = np.ceil(np.maximum(r - steps, 0))
        exponent = slope * r + (1 - slope) * floor * random.uniform(0.5, 1)
        held = factor**-exponent * r
        assert (held * r).sum() / held.sum() > least * (1 - 1e-3)
    straight = factor**-r * r
    assert (straight * r).sum() / straight.sum() == pytest.approx(2 / np.log(factor), rel=1e-3)


def test_the_best_first_disc_comes_near_the_least_mean_and_has_the_level():
    fine = Positions(Region.box(-4, 40, -3, 41), 200, "1/2")
    for factor in (2, 10, 100):
        made = position_steps(fine, Level.ratio(factor))
        mean = float(made.mechanism.around((0, 0)).mean_distance[1]) / 2 / 200
        assert least_mean_distance(factor) < mean < 1.01 * least_mean_distance(factor)
    shared = position_steps(fine, Level.ratio(100).scaled(Fraction(1, 2)))
    assert 10 - 1e-9 < shared.mechanism.ratio <= 10


def test_what_is_no_law_is_refused():
    for ratio, first in ((1, 2), (2, 6), (2, 0)):
        with pytest.raises(BadInput, match="steps needs"):
            PositionSteps(HERE, ratio, first)
    with pytest.raises(BadInput, match="expected Positions"):
        PositionSteps("path:0..3", 2, 1)
    with pytest.raises(CannotCheck):
        certified(PositionSteps(HERE, 3, 1), Level.ratio("29/10"))


def test_rings_are_as_wide_as_the_cells_of_neighbors_are_apart():
    """Narrower ones would let a neighbor cross two of them: a factor squared."""
    for step in (2, Fraction(1, 5)):
        space = Positions(Region.box(-4, 40, -3, 41), 200, step)
        assert PositionSteps(space, 50, 30).law((-3.5, 40.5)).width == space.apart
