"""Files of positions, read and written in the format that their name says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from tightrope.errors import BadTable
from tightrope.files import StrPath, extension, read_bytes
from tightrope.locations.geojson import parse_geojson, render_geojson
from tightrope.locations.geoparquet import geometry_column, points_of, with_points
from tightrope.locations.gpx import parse_gpx, render_gpx
from tightrope.locations.rows import Rows, numbers, position_columns
from tightrope.tables import open_table, writing

FORMATS: Final = (".csv", ".tsv", ".parquet", ".geojson", ".json", ".gpx")
_BATCH: Final = 1 << 18


def read_rows(
    path: StrPath, lon: str | None = None, lat: str | None = None, keep: Sequence[str] = ()
) -> Rows:
    """The positions of a file, and the columns that stay."""
    ending = check_format(path)
    if ending in (".geojson", ".json"):
        return parse_geojson(read_bytes(path), keep, str(path))
    if ending == ".gpx":
        return parse_gpx(read_bytes(path), keep, str(path))
    table = open_table(path)
    shape = geometry_column(table.schema, str(path)) if lon is None and lat is None else None
    names = ("lon", "lat")
    if shape is None:
        names = position_columns(table.schema.names, lon, lat, str(path))
    wanted = [*(names if shape is None else [shape]), *keep]
    _check_named(path, table.schema.names, wanted)
    kinds = pa.schema([table.schema.field(name) for name in wanted])
    cells = table.batches(wanted, encoded=wanted if ending in (".csv", ".tsv") else ())
    columns = pa.Table.from_batches(cells, kinds)
    if shape is not None:
        x, y = points_of(columns.column(shape))
    else:
        x, y = (numbers(columns.column(name)) for name in names)
    return Rows(x, y, columns.select(list(keep)), names)


def _check_named(path: StrPath, names: Sequence[str], wanted: Sequence[str]) -> None:
    for name in wanted:
        if list(names).count(name) != 1:
            what = "no column" if name not in names else "more than one column"
            raise BadTable(
                f"{path} names {what} {name!r}; expected names of columns in its first line, or "
                "in its schema.", path=str(path), column=name)


def write_rows(path: Path, named: StrPath, rows: Rows, about: Mapping[str, Any]) -> None:
    """Positions and columns in the format of the name; `about` is said in it where it can be."""
    ending = check_format(named)
    if ending in (".geojson", ".json"):
        path.write_bytes(render_geojson(rows, about))
    elif ending == ".gpx":
        path.write_bytes(render_gpx(rows, str(about["promise"])))
    elif ending == ".parquet":
        import pyarrow.parquet as pq

        pq.write_table(with_points(rows, about), path)
    else:
        table = rows.table()
        with writing(path, named, table.schema, "SNAPPY") as write:
            for batch in table.combine_chunks().to_batches(max_chunksize=_BATCH):
                write(batch)


def check_format(path: StrPath) -> str:
    """The ending of a name, if it is one of a file of positions."""
    ending = extension(path)
    if ending not in FORMATS:
        raise BadTable(
            f"{path} is no file of positions: expected a name that ends in {', '.join(FORMATS)}, "
            f"found {ending or 'no extension'!r}.", path=str(path))
    return ending
