"""Positions as they come and go: longitude and latitude, and the columns that stay.

A row whose position cannot be used (text for a number, missing, another kind of geometry) has no
number here; what becomes of it is declared. Columns that follow from a position are never kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa

from tightrope.choices import Unusable
from tightrope.errors import BadInput, BadTable
from tightrope.exact import FloatArray
from tightrope.spaces import usable
from tightrope.tables import cells_of, doubles_of

LONGITUDES: Final = ("lon", "longitude", "lng", "long", "x")
LATITUDES: Final = ("lat", "latitude", "y")
DERIVED: Final = frozenset({
    *LONGITUDES, *LATITUDES, "geometry", "geom", "the_geom", "wkt", "wkb", "bbox", "bounds",
    "coordinates", "position", "location", "point", "ele", "elevation", "altitude", "alt",
    "height", "geohash", "h3", "s2", "quadkey", "plus_code", "olc", "mgrs", "utm", "easting",
    "northing",
})
"""Names of columns that tell the position again."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Longitudes and latitudes in degrees, not a number where unusable; columns that stay."""

    lon: FloatArray
    lat: FloatArray
    columns: pa.Table
    names: tuple[str, str] = ("lon", "lat")

    @property
    def usable(self) -> Any:
        """Which rows have a position."""
        return usable(self.lon, self.lat)

    def only(self, names: Sequence[str]) -> Rows:
        """The same positions beside these columns alone."""
        return Rows(self.lon, self.lat, self.columns.select(list(names)), self.names)

    def kept_by(self, rule: Unusable) -> int:
        """How many rows are put out."""
        return int(self.usable.sum()) if rule is Unusable.DROP else len(self.lon)

    def with_positions(self, lon: FloatArray, lat: FloatArray, kept: Any = None) -> Rows:
        """The same columns beside other positions; `kept` says of which rows."""
        columns = self.columns
        if kept is not None and columns.num_columns:
            columns = columns.filter(pa.array(kept))
        return Rows(lon, lat, columns, self.names)

    def table(self) -> pa.Table:
        """All columns, the position first."""
        table = pa.table({self.names[0]: self.lon, self.names[1]: self.lat})
        for name in self.columns.column_names:
            table = table.append_column(name, self.columns.column(name))
        return table


def check_kept(keep: Sequence[str]) -> None:
    """Refuse columns that follow from the position, and names given twice."""
    for name in keep:
        if name.strip().lower() in DERIVED:
            raise BadInput(
                f"the column {name!r} would tell the position itself; it is dropped, and made "
                "anew from the output where it can be."
            )
    if len(set(keep)) < len(keep):
        raise BadInput("a column to keep is given twice.")


def position_columns(
    names: Sequence[str], lon: str | None, lat: str | None, where: str
) -> tuple[str, str]:
    """The names of the columns of longitude and latitude: as given, or usual ones."""
    columns = [_column(names, given, known, what) for given, known, what in (
        (lon, LONGITUDES, "longitude"), (lat, LATITUDES, "latitude"))]
    if None in columns:
        missing = "longitudes" if columns[0] is None else "latitudes"
        raise BadTable(
            f"{where} has no column of {missing} with a usual name (lon, longitude, lat, "
            "latitude); name both columns (lon, lat)."
        )
    if columns[0] == columns[1]:
        raise BadTable(f"{where}: longitude and latitude are one column.")
    return str(columns[0]), str(columns[1])


def _column(names: Sequence[str], given: str | None, known: Sequence[str], what: str) -> str | None:
    if given is not None:
        return given
    lower = {name.strip().lower(): name for name in reversed(names)}
    return next((lower[name] for name in known if name in lower), None)


def numbers(column: pa.ChunkedArray | pa.Array) -> FloatArray:
    """A column as doubles: not a number where a cell is missing or is no number."""
    return np.array(doubles_of(cells_of(column)))


def listed_columns(
    rows: Sequence[Any], keep: Sequence[str], cell: Callable[[Any, str], object]
) -> pa.Table:
    """Columns of text from rows that are no table; cells of other kinds become their text."""
    return pa.table({name: pa.array([_text(cell(row, name)) for row in rows], pa.string())
                     for name in keep})


def _text(value: object) -> str | None:
    if value is None:
        return None
    return str(value).encode(errors="replace").decode()


def pairs(values: Iterable[tuple[object, object]]) -> tuple[FloatArray, FloatArray]:
    """Longitudes and latitudes of values that need not be numbers."""
    made = [*values]
    lon, lat = (doubles_of([pair[place] for pair in made]) for place in (0, 1))
    return lon, lat
