"""Planar noise on grids, against sums and integrals that are worked out another way."""

from math import exp, hypot, pi

import numpy as np
import pytest
from scipy.integrate import dblquad, quad

from tests.privacy.brute import has_level, lengths_of
from tightrope.constructions import (
    PlanarNoise,
    compare,
    design,
    planar_geometric,
    planar_laplace,
)
from tightrope.errors import Infeasible, TooLarge
from tightrope.exact import Level
from tightrope.spaces import grid, path
from tightrope.utility import binary, expected_loss, uniform

RATES = (0.1, 0.7, 3.0, 20.0)


def brute_geometric(rate, shape):
    """Every lattice point near enough to count, moved into the grid one by one."""
    far = int(45 / rate) + max(shape)
    found = np.zeros((*shape, *shape))
    for y in np.ndindex(shape):
        for a in range(-far, shape[0] + far):
            for b in range(-far, shape[1] + far):
                z = min(max(a, 0), shape[0] - 1), min(max(b, 0), shape[1] - 1)
                found[(*y, *z)] += exp(-rate * hypot(a - y[0], b - y[1]))
    size = shape[0] * shape[1]
    found = found.reshape(size, size)
    return found / found.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("rate", [0.7, 3.0])
@pytest.mark.parametrize("shape", [(2, 2), (2, 4), (3, 3)])
def test_the_planar_geometric_is_the_lattice_law_moved_into_the_grid(rate, shape):
    found = PlanarNoise.geometric(rate, max(shape)).matrix(shape)
    assert np.allclose(found, brute_geometric(rate, shape), rtol=1e-11, atol=0)


def mass(rate, left, right, low, high):
    """The mass of the planar Laplace in a rectangle, by adaptive quadrature."""
    found, _ = dblquad(
        lambda y, x: rate**2 / (2 * pi) * exp(-rate * hypot(x, y)),
        left, right, low, high, epsabs=0, epsrel=1e-9,
    )
    return found


@pytest.mark.parametrize("rate", RATES)
def test_cells_of_the_planar_laplace_are_integrals(rate):
    noise = PlanarNoise.laplace(rate, 6)
    for k, m in ((1, 0), (1, 1), (3, 1), (4, 0), (5, 5)):
        expected = mass(rate, k - 0.5, k + 0.5, m - 0.5, m + 0.5)
        assert noise.masses[k, m] == pytest.approx(expected, rel=1e-8)
    center = 4 * mass(rate, 0, 0.5, 0, 0.5)
    assert noise.masses[0, 0] == pytest.approx(center, rel=1e-7)


@pytest.mark.parametrize("rate", RATES)
def test_border_cells_of_the_planar_laplace_have_the_mass_of_half_and_quarter_planes(rate):
    masses = PlanarNoise.laplace(rate, 3).masses
    # the half plane x >= 1/2 in polar coordinates: from 1/(2 cos t) outward
    def beyond(t):
        u = rate * 0.5 / np.cos(t)
        return (1 + u) * exp(-u) / (2 * pi)

    half = quad(beyond, -pi / 2, pi / 2, epsabs=0, epsrel=1e-12)[0]
    band = masses[4, 0] + 2 * masses[4, 4]  # x >= 1/2: |y| <= 1/2, and above and below
    assert band == pytest.approx(half, rel=1e-10)
    # all but x < -1/2 and y < -1/2, which have a quarter plane in common
    assert masses[3, 3] == pytest.approx(1 - 2 * half + masses[4, 4], rel=1e-10)


@pytest.mark.parametrize("build", [planar_geometric, planar_laplace])
@pytest.mark.parametrize("epsilon", ["0.05", "0.7", "8"])
def test_the_level_is_proved_and_used_up(build, epsilon):
    space, level = grid((4, 3), "1/2" if epsilon == "8" else 1), Level.epsilon(epsilon)
    made = build(space, level)
    rows = [made.mechanism.row_at(i) for i in range(space.size)]
    assert has_level(rows, lengths_of(space), level)
    assert not has_level(rows, lengths_of(space), Level.epsilon(float(epsilon) * 0.9))


@pytest.mark.parametrize("make", [PlanarNoise.geometric, PlanarNoise.laplace])
def test_the_gain_is_that_of_the_matrix_and_no_remap_beats_it(make):
    noise = make(0.4, 6)
    matrix = noise.matrix((4, 6))
    assert noise.gain((4, 6)) == pytest.approx(np.trace(matrix) / 24, rel=1e-12)
    assert noise.gain((4, 6)) == pytest.approx(matrix.max(axis=0).sum() / 24, rel=1e-12)


def test_tight_constraints_beat_planar_noise_on_a_grid():
    rows = {row.construction: row.solution for row in compare(grid((6, 6)), 1, loss=binary).rows}
    losses = [rows[name].value for name in ("tight", "planar-geometric", "planar-laplace")]
    assert losses == sorted(losses)
    made = rows["planar-laplace"].certified.mechanism
    assert expected_loss(made, prior=uniform, loss=binary) == losses[2]


@pytest.mark.parametrize(
    ("space", "epsilon", "words"),
    [
        (path(0, 5), "1", "two axes"),
        (grid((1, 5)), "1", "two axes"),
        (grid((2, 2, 2)), "1", "two axes"),
        (grid((3, 3), 1, "manhattan"), "1", "Euclidean"),
        (grid((3, 3)), "0.01", "reaches too far"),
        (grid((9, 9)), "100", "range of doubles"),
    ],
)
def test_where_planar_noise_is_not_made_one_sentence_says_why(space, epsilon, words):
    for name in ("planar-geometric", "planar-laplace"):
        with pytest.raises(Infeasible, match=words):
            design(space, Level.epsilon(epsilon), construction=name)


def test_large_grids_are_refused():
    with pytest.raises(TooLarge, match=r"1,024|1024"):
        design(grid((40, 40)), Level.epsilon(1), construction="planar-laplace")
