"""Locations: positions blurred so that those near each other look alike, proved for true ones."""

from tightrope.applications.locations.countries import country, outlines
from tightrope.applications.locations.lengths import meters, shown
from tightrope.applications.locations.locating import Located, blurred, locate, read_rows
from tightrope.applications.locations.maps import plan_map
from tightrope.applications.locations.planning import Convention, LocationPlan, plan_locations
from tightrope.applications.locations.regions import region_of
from tightrope.applications.locations.rows import Rows

__all__ = [
    "Convention",
    "Located",
    "LocationPlan",
    "Rows",
    "blurred",
    "country",
    "locate",
    "meters",
    "outlines",
    "plan_locations",
    "plan_map",
    "read_rows",
    "region_of",
    "shown",
]
