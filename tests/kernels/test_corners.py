"""A corner of a grid proves that no tight-constraints mechanism exists on all of it."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx

from tightrope.constructions import design
from tightrope.errors import Infeasible
from tightrope.exact import Level
from tightrope.kernels import corner_proof, grid_floats
from tightrope.kernels.corners import _violation
from tightrope.spaces import parse


@pytest.mark.parametrize(("text", "epsilon", "width"), [
    ("grid:20x30", "0.05", 4), ("grid:20x30", "0.65", 8), ("grid:20x30,step=1/2", "0.9", 4)])
def test_the_vector_of_a_corner_is_checked_in_balls_at_every_cell(text, epsilon, width):
    grid, level = parse(text), Level.epsilon(epsilon)
    proof = corner_proof(grid, level)
    assert proof.width == width
    assert sum(map(Fraction, proof.values.ravel().tolist())) < 0
    held = [(z, arb(u)) for z, u in np.ndenumerate(proof.values) if u]
    with ctx.workprec(100):
        rate = -level.ball(100) * grid.least_distance.ball(100)
        for a, b in np.ndindex(20, 30):
            pulled = sum(u * (rate * arb((a - x) ** 2 + (b - y) ** 2).sqrt()).exp()
                         for (x, y), u in held)
            assert pulled > 0


@pytest.mark.parametrize("epsilon", ["0.3", "0.6", "0.66", "0.67", "0.8"])
def test_a_corner_refutes_where_a_weight_is_negative_and_nowhere_else(epsilon):
    grid = parse("grid:40x50")
    least = grid_floats(grid, float(epsilon)).min()
    assert (corner_proof(grid, Level.epsilon(epsilon)) is not None) == (least < 0)


@pytest.mark.parametrize("text", [
    "grid:8x50", "grid:40x50,metric=manhattan", "grid:9x9x9", "path:0..99"])
def test_a_corner_says_nothing_of_other_spaces_or_narrow_ones(text):
    assert corner_proof(parse(text), Level.epsilon("0.65")) is None


def test_a_large_grid_is_refused_by_its_corner_in_a_sentence():
    with pytest.raises(Infeasible, match="4 × 4 cells at a corner") as refused:
        design("grid:1000x1000", 0.05, construction="tight")
    assert refused.value.proof.width == 4


def test_cells_that_a_vector_breaks_are_named_where_they_are():
    """Negative is what is nearer to (3, 0): rows 2 and 3, in the second block of two rows."""
    values = np.zeros((4, 4))
    values[0, 0], values[3, 0] = 1.0, -1.0
    found = _violation((4, 500_000), 0.3, values)
    assert 400 < len(found) <= 1000
    assert set(found[:, 0].tolist()) == {2, 3}
    assert len(_violation((2, 500_000), 0.3, values)) == 0


@pytest.mark.parametrize("rate", [0.5, 1.5])
def test_a_sum_is_proved_positive_only_above_what_doubles_may_miss(rate):
    """One cell, two terms that nearly cancel: their sizes and exponents say how far to stay off."""
    pull = np.exp(-rate * 2**0.5)
    size = 1 + 1 / pull**2
    room = 2.0**-40 * (1 + rate * 2**0.5) * size
    for share, proved in ((0.0, False), (0.8, False), (1.2, True)):
        values = np.zeros((2, 2))
        values[0, 0], values[1, 1] = 1.0, (share * room - 1) / pull
        assert (len(_violation((1, 1), rate, values)) == 0) is proved
