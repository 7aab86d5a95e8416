"""Locations: positions blurred so that those near each other look alike, proved for true ones."""

from tightrope.locations.comparing import compare_locations
from tightrope.locations.formats import read_rows
from tightrope.locations.grids import GridPlan, cells
from tightrope.locations.heat import heat_map, plan_heat_map
from tightrope.locations.lengths import meters
from tightrope.locations.locating import locate
from tightrope.locations.losses import PositionLoss
from tightrope.locations.maps import heat_picture, plan_map
from tightrope.locations.places import places_of
from tightrope.locations.planning import LocationPlan, noise
from tightrope.locations.regions import region_of
from tightrope.locations.tracing import TracePlan, traces

__all__ = [
    "GridPlan",
    "LocationPlan",
    "PositionLoss",
    "TracePlan",
    "cells",
    "compare_locations",
    "heat_map",
    "heat_picture",
    "locate",
    "meters",
    "noise",
    "places_of",
    "plan_heat_map",
    "plan_map",
    "read_rows",
    "region_of",
    "traces",
]
