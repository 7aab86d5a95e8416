"""Meters that cells and rounding add to a distance: enough for what they add, and hardly more."""

from fractions import Fraction

import numpy as np
import pytest

from tightrope.locations import nearness
from tightrope.locations.covering import Cells
from tightrope.locations.nearness import near_space
from tightrope.spaces import MOVED, Positions, Region


@pytest.mark.parametrize("step", ["1/5", "2", "60"])
def test_cells_and_the_rounding_of_two_positions_are_added(step):
    cells = Cells(Positions(Region.box(-4, 40, "-3.99", "40.01"), 200, step))
    beyond = float(cells.added) - float(Fraction(step)) * 2**0.5
    assert 2 * 2**0.5 / 128 < beyond < 0.0251
    diagonal = (cells.added - 2 * MOVED) / Fraction(step)
    assert 2 < diagonal**2 < 2 + Fraction(1, 10**6)


@pytest.mark.parametrize(("less", "joined"), [("0.0220", True), ("0.0222", True), ("0.05", False)])
def test_cells_are_joined_if_rounding_can_make_their_positions_near(less, joined):
    """Cells with one between them are 2 m apart where they are nearest."""
    space = near_space((1, 3), Fraction(2), 2 - Fraction(less), anywhere=True)
    edges = space.edges()
    pairs = {*zip(edges.first.tolist(), edges.second.tolist(), strict=True)}
    assert ((0, 2) in pairs) is joined
    assert {(0, 1), (1, 2)} <= pairs


def test_losses_between_cells_are_distances_rounded_down_and_by_a_hair(monkeypatch):
    """A bound for positions must not rest on losses above their distances."""
    held = []
    monkeypatch.setattr(nearness, "design", lambda *asked, loss, **others: held.append(loss))
    shape, step = (6, 7), Fraction(7, 10)
    nearness.best_near(near_space(shape, step, step), shape, step, None, None, None)
    east, north = np.indices(shape).reshape(2, -1).tolist()
    for row, a, b in zip(np.asarray(held[0].values).tolist(), east, north, strict=True):
        for loss, c, d in zip(row, east, north, strict=True):
            square = ((a - c) ** 2 + (b - d) ** 2) * step**2
            assert square * (1 - Fraction(1, 2**45)) <= Fraction(loss) ** 2 <= square


@pytest.mark.parametrize(("short", "joined"), [("0.025", True), ("0.02", True), ("0.041", False)])
def test_cells_two_meters_apart_are_joined_if_two_roundings_can_bridge_what_is_missing(
    short, joined
):
    space = near_space((4, 1), Fraction(1), 2 - Fraction(short), anywhere=True)
    assert any({one, other} == {0, 3} for one, other in space.edges()) is joined
