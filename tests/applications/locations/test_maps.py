"""Maps show the region, the outputs and how far noise carries, and are the same every time."""

import numpy as np

from tightrope.applications.locations import plan_locations, plan_map
from tightrope.plots import picture


def test_a_map_says_what_its_circles_are_and_how_many_outputs_it_shows():
    plan = plan_locations("Fiji", "1 km", 2)
    lon, lat = (np.array([float(side)] * 3) for side in plan.space.region.bounds[:2])
    empty, full = (picture(plan_map(plan, *held), "svg") for held in ((), (lon, lat)))
    assert full == picture(plan_map(plan, lon, lat), "svg")
    for text in ("1,000 m: look the same up to a factor 2", "mean displacement 2,", "95 of 100"):
        assert text.encode() in empty
        assert text.encode() in full
    assert b"3 outputs" in full
    assert b"outputs" not in empty
