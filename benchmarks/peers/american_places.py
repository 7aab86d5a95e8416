"""Real positions that come with packages, as CSV: `python american_places.py FOLDER`."""

import gzip
import json
import shutil
import sys
from importlib.resources import files
from pathlib import Path

from vega_datasets import data

folder = Path(sys.argv[1])
shutil.copy(data.airports.filepath, folder / "airports.csv")
held = json.loads(gzip.decompress(
    files("bokeh_sampledata").joinpath("_data", "us_cities.json.gz").read_bytes()))
lines = [f"{lon},{lat}\n" for lon, lat in zip(held["lon"], held["lat"], strict=True)]
(folder / "places.csv").write_text("lon,lat\n" + "".join(lines), encoding="ascii")
