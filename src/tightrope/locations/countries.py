"""Countries that come along: Natural Earth, public domain, rounded to hundredths of a degree.

The region of a country is the convex hull, in its plane, of its largest part at 1:50 million. Parts
within 1,500 km of that one belong to it, too, and those with 15 percent of its area. So Spain has
the Canary Islands, the United States have Alaska and not Hawaii, and France has no overseas parts.
Outlines to draw are those at 1:110 million.
"""

from __future__ import annotations

import gzip
import json
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate
from typing import Any

from tightrope.errors import BadInput
from tightrope.spaces import Region

Outline = tuple[tuple[Fraction, Fraction], ...]

_OTHER_NAMES = {
    "usa": "United States of America", "united states": "United States of America",
    "us": "United States of America", "uk": "United Kingdom", "czech republic": "Czechia",
}


@lru_cache(maxsize=1)
def _content() -> dict[str, Any]:
    packed = files("tightrope.locations").joinpath("countries.json.gz").read_bytes()
    content: dict[str, Any] = json.loads(gzip.decompress(packed))
    return content


@lru_cache(maxsize=1)
def outlines() -> tuple[Outline, ...]:
    """Rings of longitudes and latitudes in degrees, to draw."""
    return tuple(_ring(ring) for rings in _content()["outlines"].values() for ring in rings)


def _ring(steps: list[int]) -> Outline:
    lons, lats = accumulate(steps[::2]), accumulate(steps[1::2])
    return tuple((Fraction(lon, 100), Fraction(lat, 100))
                 for lon, lat in zip(lons, lats, strict=True))


def country(name: str) -> Region:
    """The region of a country, by its English name.

    >>> [round(float(side)) for side in country("Portugal").bounds]
    [-26, 33, -6, 42]
    """
    hulls = _content()["hulls"]
    known = {full.lower(): full for full in hulls}
    wanted = name.strip().lower()
    full = known.get(wanted) or _OTHER_NAMES.get(wanted)
    if full is None:
        near = get_close_matches(wanted, known, n=1)
        raise BadInput(
            f"there is no country {name[:40]!r} here" + (f"; is it {known[near[0]]}?" if near else
            "; expected its English name, west,south,east,north, or a GeoJSON file.")
        )
    return Region((_ring(hulls[full]),))
