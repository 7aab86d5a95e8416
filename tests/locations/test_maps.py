"""Maps show the region, the outputs and how far noise carries, and are the same every time."""

import numpy as np
import pyarrow as pa

from tightrope.locations import cells, noise, plan_map
from tightrope.locations.rows import Rows
from tightrope.plots import picture


def test_a_map_says_what_its_circles_are_and_how_many_outputs_it_shows():
    plan = noise("Fiji", "1 km", 2)
    lon, lat = (np.array([float(side)] * 3) for side in plan.space.region.bounds[:2])
    empty, full = (picture(plan_map(plan, *held), "svg") for held in ((), (lon, lat)))
    assert full == picture(plan_map(plan, lon, lat), "svg")
    for text in ("1,000 m: look the same up to a factor 2", "mean displacement 2,", "95 of 100"):
        assert text.encode() in empty
        assert text.encode() in full
    assert b"3 outputs" in full
    assert b"outputs" not in empty


def test_true_positions_are_drawn_for_a_curator_alone_and_the_map_says_so():
    plan = noise("-4,40,-3,41", "1 km", 2)
    truths = Rows(np.array([-3.5, np.nan]), np.array([40.5, 40.6]), pa.table({}))
    plain, told = (picture(plan_map(plan, truths=held), "svg") for held in (None, truths))
    assert b"NOT PRIVATE" in told
    assert b"1 true positions" in told
    assert b"true positions" not in plain


def test_a_mechanism_on_cells_is_drawn_cell_by_cell_around_a_chosen_place():
    plan = cells("-4,40,-3.99,40.01", "400 m", 10, "100 m", mechanism="exponential")
    figure = plan_map(plan, around=(-3.999, 40.005))
    squares = next(held for held in figure.axes[1].collections if held.get_array() is not None)
    likely = np.asarray(squares.get_array()).reshape(plan.cells.shape[::-1])
    code = int(plan.cells.codes(np.array([-3.999]), np.array([40.005]))[0])
    row = np.array([float(chance) for chance in plan.certified.mechanism.row_at(code)])
    assert np.allclose(likely.T.ravel(), row / row.max())
    assert np.unravel_index(likely.T.argmax(), plan.cells.shape) == divmod(
        code, plan.cells.shape[1])
    assert "around -3.999, 40.005" in figure.axes[1].get_title()
