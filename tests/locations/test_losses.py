"""Losses of outputs: by hand, for pairs and between cells, and in comparisons."""

import numpy as np
import pytest

from tightrope.errors import BadInput
from tightrope.locations import PositionLoss, cells, compare_locations
from tightrope.locations.covering import region_cells
from tightrope.samplers import SeededSource

CELLS = region_cells("-4,40,-3.99,40.01", "400 m", "120 m")
GOALS = {"lon": [-3.998, -3.992], "lat": [40.002, 40.008]}


def pairs(count=200):
    generator = np.random.default_rng(4)
    return [tuple(generator.uniform(a, a + 0.01, count) for a in (-4, 40)) for _ in range(2)]


def test_losses_of_pairs_are_what_their_names_say():
    truth, out = pairs()
    meters = 111_320 * np.cos(np.radians(40.005)), 111_035  # of a degree there
    far = np.hypot((truth[0] - out[0]) * meters[0], (truth[1] - out[1]) * meters[1])
    assert np.allclose(PositionLoss("meters").of(CELLS, truth, out), far, rtol=3e-3)
    assert np.allclose(PositionLoss("squared").of(CELLS, truth, out), far**2, rtol=6e-3)
    same = CELLS.codes(*truth) == CELLS.codes(*out)
    assert np.array_equal(PositionLoss("cell").of(CELLS, truth, out), ~same)
    goals = np.array([GOALS["lon"], GOALS["lat"]])

    def ways(places):
        return np.hypot((places[0][:, None] - goals[0]) * meters[0],
                        (places[1][:, None] - goals[1]) * meters[1])

    sent = ways(out).argmin(axis=1)
    longer = ways(truth)[np.arange(200), sent] - ways(truth).min(axis=1)
    found = PositionLoss("facility", GOALS).of(CELLS, truth, out)
    assert np.allclose(found, longer, atol=5)
    minutes = PositionLoss("facility", GOALS, speed=30).of(CELLS, truth, out)
    assert np.allclose(minutes, found * 60 / 30_000)


def test_the_loss_between_cells_is_that_of_their_centers():
    at = CELLS.centers(np.arange(CELLS.size))
    loss = PositionLoss("facility", GOALS)
    matrix = loss.on_cells(CELLS).values
    for i, j in ((0, 98), (40, 3), (17, 17)):
        one, two = (tuple(part[[k]] for part in at) for k in (i, j))
        assert matrix[i, j] == pytest.approx(float(loss.of(CELLS, one, two)[0]))


def test_a_comparison_by_another_loss_is_of_mechanisms_that_are_made_for_it():
    near = {"lon": [-3.999, -3.996], "lat": [40.001, 40.004]}
    asked, loss = ("-4,40,-3.995,40.005", "400 m", 20), PositionLoss("facility", near)
    found = compare_locations(*asked, cell="140 m", draws=4000, loss=loss, source=SeededSource(1))
    best, other = (next(row for row in found.rows if row.name == f"{name} on cells")
                   for name in ("optimal", "exponential"))
    cover = region_cells(asked[0], "400 m", "140 m")
    made = cells(*asked, "140 m", loss=loss.on_cells(cover))
    assert 0 < found.bound < made.solution.value
    assert best.loss < other.loss
    assert found.facts().json["loss_unit"] == "m"
    assert best.loss == pytest.approx(made.solution.value, rel=0.3)  # truths in the region


@pytest.mark.parametrize("given", [
    ("facility",), ("meters", GOALS), ("cell", None, 30), ("facility", GOALS, 0),
    ("facility", GOALS, "fast"), ("time",),
])
def test_losses_that_cannot_be_meant_are_refused(given):
    with pytest.raises(BadInput):
        PositionLoss(*given)
