"""`improve` never makes a mechanism worse, and says what it did."""

from fractions import Fraction

import numpy as np
import pytest

from tightrope.constructions import (
    design,
    exponential,
    improve,
    truncated_geometric,
    two_sided_geometric,
)
from tightrope.constructions.improving import Change
from tightrope.errors import BadInput, NotPrivate
from tightrope.exact import Level
from tightrope.mechanisms import remap
from tightrope.privacy import certify
from tightrope.spaces import categories, grid, path
from tightrope.utility import LossMatrix, absolute, binary, euclidean, squared

LEVEL = Level.ratio(2)


def test_the_optimum_is_kept():
    best = design(path(0, 5), LEVEL, loss=absolute, construction="optimal")
    found = improve(best.certified.mechanism, LEVEL, loss=absolute)
    assert found.change is Change.KEPT
    assert found.after.value == found.before
    assert found.after.gap < 1e-6


def test_answers_in_the_wrong_place_are_mended_by_post_processing():
    exact = truncated_geometric(path(0, 4), LEVEL).mechanism
    backwards = remap(exact, (4, 3, 2, 1, 0), (0, 1, 2, 3, 4))
    found = improve(backwards, LEVEL, loss=binary)
    assert found.change is Change.REMAPPED
    assert found.after.value < found.before
    assert found.after.value == pytest.approx(found.after.bound, rel=1e-6)


@pytest.mark.parametrize(
    ("space", "loss"),
    [(path(0, 6), squared), (categories(4), binary), (grid((3, 3)), euclidean)],
)
def test_a_weak_mechanism_is_replaced_by_the_best(space, loss):
    found = improve(exponential(space, LEVEL).mechanism, LEVEL, loss=loss)
    assert found.change is Change.REPLACED
    assert found.after.value < found.before
    assert found.after.certified.certificate.level == LEVEL


def test_random_mechanisms_never_get_worse():
    drawn = np.random.default_rng(3)
    for _ in range(10):
        space = path(0, 3)
        given = certify(drawn.dirichlet(np.ones(4), size=4), space, LEVEL)
        table = LossMatrix(drawn.integers(0, 5, (4, 4)).astype(float))
        found = improve(given.mechanism, LEVEL, loss=table)
        assert found.after.value <= found.before
        assert found.after.bound <= found.after.value + 1e-12


def test_a_mechanism_must_have_the_level():
    with pytest.raises(NotPrivate):
        improve(truncated_geometric(path(0, 4), Level.ratio(3)).mechanism, LEVEL)


def test_noise_on_all_integers_is_not_improved():
    with pytest.raises(BadInput, match="listed outputs"):
        improve(two_sided_geometric(path(0, 4), LEVEL).mechanism, LEVEL)


def test_the_level_is_a_promise_not_the_smallest_one():
    strong = truncated_geometric(path(0, 4), Level.ratio(Fraction(3, 2))).mechanism
    found = improve(strong, LEVEL, loss=absolute)
    assert found.change is Change.REPLACED
