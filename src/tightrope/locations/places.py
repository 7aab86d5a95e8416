"""Public places and how much each weighs: what is known before any position is read.

A census, a list of towns, a road network: anything but the positions to be blurred. Weights are
moved into the cells of a region as positions would be, and make a prior.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from tightrope.errors import BadInput, BadTable
from tightrope.exact import FloatArray, owned
from tightrope.locations.formats import read_rows
from tightrope.locations.frames import frame_rows
from tightrope.locations.rows import Rows, numbers
from tightrope.spaces import usable

WEIGHTS: Final = ("weight", "population", "count")
"""Names of a column of weights; without one, every place counts once."""


@dataclass(frozen=True, eq=False, repr=False)
class Places:
    """Longitudes, latitudes and weights of public places.

    `origin` is the file or the frame that they were read from, never blurred with them as a prior.

    >>> places_of({"lon": [2.35, 5.37], "lat": [48.86, 43.3], "population": [2.1e6, 0.9e6]})
    Places(2 places)
    """

    lon: FloatArray
    lat: FloatArray
    weight: FloatArray
    origin: Any = None

    def __post_init__(self) -> None:
        for name in ("lon", "lat", "weight"):
            object.__setattr__(self, name, owned(np.asarray(getattr(self, name), np.float64)))
        if not len(self.lon) == len(self.lat) == len(self.weight) > 0:
            raise BadInput("expected public places, each with longitude, latitude and weight.")
        if not usable(self.lon, self.lat).all():
            raise BadInput("a public place has no longitude and latitude in degrees.")
        if not (self.weight >= 0).all() or not 0 < self.weight.sum() < np.inf:
            raise BadInput("expected weights of places that are at least 0, and not all 0.")

    def check_apart(self, positions: Any) -> None:
        """Refuse the file or the frame that these places were read from."""
        if self.origin is not None and (
                self.origin is positions or same_file(self.origin, positions)):
            raise BadInput("the prior is the positions themselves; expected public places, known "
                           "before any position is read.")

    def __repr__(self) -> str:
        return f"Places({len(self.lon):,} places)"


def places_of(given: Any) -> Places:
    """Public places of a file or a frame: columns lon, lat, and weight (or population, count)."""
    if isinstance(given, Places):
        return given
    if isinstance(given, str | Path):
        return _read_weights(lambda keep: read_rows(given, keep=keep), Path(given).resolve())
    return _read_weights(lambda keep: frame_rows(given, None, None, keep)[0], given)


def _read_weights(read: Callable[[Sequence[str]], Rows], origin: Any) -> Places:
    """The places with the first column of weights that there is."""
    for name in WEIGHTS:
        try:
            rows = read([name])
        except BadTable:
            continue
        weights = rows.columns.column(0)
        if weights.null_count < len(weights):
            return Places(rows.lon, rows.lat, numbers(weights), origin)
    rows = read([])
    return Places(rows.lon, rows.lat, np.ones(len(rows.lon)), origin)


def same_file(given: Any, other: Any) -> bool:
    """Whether two names are of one file."""
    if not (isinstance(given, str | Path) and isinstance(other, str | Path)):
        return False
    try:
        return Path(given).samefile(other)
    except OSError:
        return False
