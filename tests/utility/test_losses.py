"""Losses of coordinates are exact however large they are, and are values."""

import pickle

import numpy as np
import pytest

from tightrope.spaces import points
from tightrope.utility import LOSSES
from tightrope.utility.losses import CoordinateLoss

CUBED = CoordinateLoss("cubed", lambda gaps: np.asarray(sum(np.abs(g) ** 3 for g in gaps)), 3)
WIDTHS = [2**15, 2**19 + 1, 2**21 - 1, 2**29 + 1, 2**31 + 1, 2**59 + 1]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("name", "exact"), [
    ("absolute", lambda a, b: a + b), ("squared", lambda a, b: a * a + b * b),
    ("largest", max), ("cubed", lambda a, b: a**3 + b**3),
])
def test_a_bracket_is_exact_where_64_bits_do_not_suffice(name, exact, width):
    loss = {loss.name: loss for loss in (*LOSSES, CUBED)}[name]
    across = (width, width - 3)
    space = points(["near", "far"], [("0", "0"), tuple(map(str, across))])
    bracket = loss.bracket(space, space.points)
    assert bracket.low[bracket.index[0, 1]] == bracket.high[bracket.index[0, 1]]
    assert bracket.low[bracket.index[0, 1]] == exact(*across) << 96


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_a_copy_of_a_loss_is_equal(loss):
    assert pickle.loads(pickle.dumps(loss)) == loss
    assert [other for other in LOSSES if other == loss] == [loss]
