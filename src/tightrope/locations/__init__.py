"""Locations: positions blurred so that those near each other look alike, proved for true ones."""

from tightrope.locations.blurring import Handling, Plan
from tightrope.locations.comparing import compare_locations
from tightrope.locations.countries import country, outlines
from tightrope.locations.covering import Cells, region_cells
from tightrope.locations.formats import read_rows
from tightrope.locations.grids import GridPlan, cells
from tightrope.locations.heat import heat_map, plan_heat_map
from tightrope.locations.lengths import meters
from tightrope.locations.located import Located
from tightrope.locations.locating import locate
from tightrope.locations.losses import PositionLoss
from tightrope.locations.maps import heat_picture, plan_map
from tightrope.locations.places import Places, places_of
from tightrope.locations.planning import LocationPlan, noise
from tightrope.locations.regions import region_of
from tightrope.locations.rows import Rows
from tightrope.locations.tracing import TracePlan, traces

__all__ = [
    "Cells",
    "GridPlan",
    "Handling",
    "Located",
    "LocationPlan",
    "Places",
    "Plan",
    "PositionLoss",
    "Rows",
    "TracePlan",
    "cells",
    "compare_locations",
    "country",
    "heat_map",
    "heat_picture",
    "locate",
    "meters",
    "noise",
    "outlines",
    "places_of",
    "plan_heat_map",
    "plan_map",
    "read_rows",
    "region_cells",
    "region_of",
    "traces",
]
