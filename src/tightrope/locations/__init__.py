"""Locations: positions blurred so that those near each other look alike, proved for true ones."""

from tightrope.locations.blurring import Handling, blurred
from tightrope.locations.cells import Cells, region_cells
from tightrope.locations.comparing import LocationComparison, LocationRow, compare_locations
from tightrope.locations.countries import country, outlines
from tightrope.locations.formats import read_rows
from tightrope.locations.grids import GridPlan, plan_grid
from tightrope.locations.heat import HeatMap, HeatPlan, heat_map, plan_heat_map
from tightrope.locations.lengths import meters, shown
from tightrope.locations.locating import Located, locate, planned
from tightrope.locations.losses import PositionLoss
from tightrope.locations.maps import heat_picture, plan_map
from tightrope.locations.places import Places, places_of
from tightrope.locations.planning import Convention, LocationPlan, plan_locations
from tightrope.locations.regions import region_of
from tightrope.locations.rows import Rows
from tightrope.locations.traces import TracePlan, plan_traces

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
