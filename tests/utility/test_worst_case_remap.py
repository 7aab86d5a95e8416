"""The randomized remap for the worst input, against the theorem for paths and brute force."""

from fractions import Fraction

import numpy as np
import pytest

from tightrope.constructions import min_loss_given_level, truncated_geometric
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism, cascade
from tightrope.privacy import certified
from tightrope.spaces import categories, path
from tightrope.utility import LossMatrix, absolute, squared, worst_case_remap, worst_loss


@pytest.mark.parametrize("loss", [absolute, squared], ids=lambda loss: loss.name)
@pytest.mark.parametrize("ratio", [2, Fraction(3, 2)])
def test_the_geometric_so_remapped_is_the_best_for_the_worst_input(loss, ratio):
    space, level = path(0, 6), Level.ratio(ratio)
    geometric = truncated_geometric(space, level).mechanism
    channel = worst_case_remap(geometric, loss=loss, outputs=space.points)
    remapped = cascade(geometric, channel, space.points)
    best = min_loss_given_level(space, level, loss=loss, goal="worst")
    assert worst_loss(remapped, loss=loss) == pytest.approx(best.value, rel=2e-6)
    assert worst_loss(remapped, loss=loss) >= best.bound
    assert worst_loss(remapped, loss=loss) <= worst_loss(geometric, loss=loss) + 1e-9
    assert certified(remapped, level)


def test_the_worst_case_needs_a_remap_that_is_randomized():
    space = path(0, 6)
    geometric = truncated_geometric(space, Level.ratio(2)).mechanism
    channel = worst_case_remap(geometric, loss=absolute, outputs=space.points)
    remapped = cascade(geometric, channel, space.points)
    assert worst_loss(remapped, loss=absolute) < worst_loss(geometric, loss=absolute) - 1e-3
    assert any(0 < p < 1 for law in channel for p in law)


def test_rows_are_laws_and_no_pure_remap_is_better():
    rng = np.random.default_rng(7)
    given = MatrixMechanism(
        categories(3), ("a", "b", "c"), Weights.from_floats(rng.dirichlet(np.ones(3), 3))
    )
    loss = LossMatrix(rng.uniform(0, 1, (3, 2)))
    channel = worst_case_remap(given, loss=loss, outputs=(0, 1))
    assert all(sum(law) == 1 and min(law) >= 0 for law in channel)
    reached = worst_loss(cascade(given, channel, (0, 1)), loss=loss)
    for code in range(8):
        pure = [(1 - bit, bit) for bit in (code & 1, code >> 1 & 1, code >> 2)]
        assert reached <= worst_loss(cascade(given, pure, (0, 1)), loss=loss) + 1e-9
