"""Locations: positions blurred so that those near each other look alike, proved for true ones."""

from tightrope.applications.locations.blurring import Handling, blurred
from tightrope.applications.locations.cells import Cells, region_cells
from tightrope.applications.locations.comparing import (
    LocationComparison,
    LocationRow,
    compare_locations,
)
from tightrope.applications.locations.countries import country, outlines
from tightrope.applications.locations.formats import read_rows
from tightrope.applications.locations.grids import GridPlan, plan_grid
from tightrope.applications.locations.heat import HeatMap, HeatPlan, heat_map, plan_heat_map
from tightrope.applications.locations.lengths import meters, shown
from tightrope.applications.locations.locating import Located, locate, planned
from tightrope.applications.locations.losses import PositionLoss
from tightrope.applications.locations.maps import heat_picture, plan_map
from tightrope.applications.locations.places import Places, places_of
from tightrope.applications.locations.planning import Convention, LocationPlan, plan_locations
from tightrope.applications.locations.regions import region_of
from tightrope.applications.locations.rows import Rows
from tightrope.applications.locations.traces import TracePlan, plan_traces

__all__ = [
    "Cells",
    "Convention",
    "GridPlan",
    "Handling",
    "HeatMap",
    "HeatPlan",
    "Located",
    "LocationComparison",
    "LocationPlan",
    "LocationRow",
    "Places",
    "PositionLoss",
    "Rows",
    "TracePlan",
    "blurred",
    "compare_locations",
    "country",
    "heat_map",
    "heat_picture",
    "locate",
    "meters",
    "outlines",
    "places_of",
    "plan_grid",
    "plan_heat_map",
    "plan_locations",
    "plan_map",
    "plan_traces",
    "planned",
    "read_rows",
    "region_cells",
    "region_of",
    "shown",
]
