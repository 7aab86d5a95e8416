"""Positions in, positions out: a file or a frame, blurred row by row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from tightrope.applications.locations.frames import frame_rows
from tightrope.applications.locations.geojson import parse_geojson, render_geojson
from tightrope.applications.locations.geoparquet import geometry_column, points_of, with_points
from tightrope.applications.locations.gpx import parse_gpx, render_gpx
from tightrope.applications.locations.grids import GridPlan, plan_grid
from tightrope.applications.locations.planning import LocationPlan, plan_locations
from tightrope.applications.locations.rows import (
    Rows,
    check_kept,
    numbers,
    position_columns,
)
from tightrope.choices import Unusable, member_of
from tightrope.data import (
    StrPath,
    document_bytes,
    extension,
    open_table,
    read_bytes,
    refuse_existing,
    replacing_all,
    writing,
)
from tightrope.errors import BadInput, BadTable
from tightrope.exact import FloatArray, owned
from tightrope.samplers import SYSTEM, Source

FORMATS: Final = (".csv", ".tsv", ".parquet", ".geojson", ".json", ".gpx")
PLANAR: Final = "planar"
_DECIMALS: Final = 7
"""Places of a degree in outputs: about a centimeter."""
_BATCH: Final = 1 << 18


@dataclass(frozen=True, repr=False)
class Located:
    """Blurred positions, and what was promised of them."""

    plan: LocationPlan | GridPlan
    rows: int
    clear: tuple[str, ...]
    unusable: Unusable
    cut: bool
    lon: FloatArray = field(compare=False)
    lat: FloatArray = field(compare=False)
    table: Any = field(default=None, compare=False)
    file: str | None = None
    document: str | None = None

    def __post_init__(self) -> None:
        for name in ("lon", "lat"):
            object.__setattr__(self, name, owned(getattr(self, name)))

    def as_json(self) -> dict[str, Any]:
        """The object that `tightrope locate --json` prints."""
        return self.plan.as_json() | {
            "rows": self.rows,
            "clear": list(self.clear),
            "unusable": self.unusable.value,
            "cut": self.cut,
            "file": self.file,
            "mechanism": self.document,
        }

    def __repr__(self) -> str:
        to = f", {self.file}" if self.file else ""
        return f"Located({self.rows:,} rows{to}, {self.plan!r})"


def locate(
    positions: Any,
    *,
    region: Any,
    within: str,
    factor: Any,
    lon: str | None = None,
    lat: str | None = None,
    keep: Sequence[str] = (),
    unusable: Unusable | str = Unusable.CENTER,
    cut: bool = False,
    mechanism: str = PLANAR,
    cell: str | None = None,
    releases: int = 1,
    output: StrPath | None = None,
    force: bool = False,
    progress: Callable[[int], None] | None = None,
    source: Source = SYSTEM,
) -> Located:
    """Blur positions, so that those within a distance look the same up to a factor.

    `positions` is a file (CSV, TSV, Parquet, GeoParquet, GeoJSON, GPX; then `output` names the
    new one) or a frame. The region is declared; positions outside are moved to it. All other
    columns are dropped but those to `keep`, which stay in clear. Rows without a usable position
    are drawn as if they were in the middle of the region, or dropped (`unusable`). With `cut`,
    outputs outside the region's hull are moved to it, which costs nothing. A `mechanism` other
    than planar noise is a construction for grids on cells of a declared width `cell`. Up to
    `releases` rows of one person share the level of planar noise: a trace.

    >>> frame = {"lon": [-3.7, -3.6], "lat": [40.4, 40.5], "phone": ["a", "b"]}
    >>> found = locate(frame, region="-4,40,-3,41", within="200 m", factor=2)
    >>> sorted(found.table), len(found.table["lon"])
    (['lat', 'lon'], 2)
    """
    plan = _planned(region, within, factor, mechanism, cell, releases)
    rule, kept = member_of(Unusable, unusable, "rule"), tuple(keep)
    check_kept(kept)
    if isinstance(positions, str | Path):
        return _locate_file(plan, positions, output, _Asked(lon, lat, kept, rule, cut, force),
                            progress, source)
    if output is not None:
        raise BadInput("expected a file of positions where an output file is named.")
    rows, made = frame_rows(positions, lon, lat, kept)
    found = blurred(plan, rows, rule, cut, progress, source)
    return Located(plan, len(found.lon), kept, rule, cut, found.lon, found.lat, made(found))


def _planned(
    region: Any, within: str, factor: Any, mechanism: str, cell: str | None, releases: int
) -> LocationPlan | GridPlan:
    if mechanism == PLANAR:
        if cell is not None:
            raise BadInput("planar noise has cells of its own; a width is for other mechanisms.")
        return plan_locations(region, within, factor, releases=releases)
    if releases != 1:
        raise BadInput("rows of one person share the level of planar noise only.")
    if cell is None:
        raise BadInput(f"the mechanism {mechanism!r} needs the width of its cells, such as 40 m.")
    return plan_grid(region, within, factor, cell, mechanism)


@dataclass(frozen=True)
class _Asked:
    lon: str | None
    lat: str | None
    keep: tuple[str, ...]
    unusable: Unusable
    cut: bool
    force: bool


def _locate_file(
    plan: LocationPlan | GridPlan, path: StrPath, output: StrPath | None, asked: _Asked,
    progress: Callable[[int], None] | None, source: Source,
) -> Located:
    if output is None:
        raise BadInput("expected the name of a file to write the positions to (output).")
    _check_format(output)
    document = Path(output).with_suffix(".mechanism.json")
    for target in (output, document):
        refuse_existing(target, force=asked.force)
    rows = read_rows(path, asked.lon, asked.lat, asked.keep)
    found = blurred(plan, rows, asked.unusable, asked.cut, progress, source)
    name = plan.solution.construction if isinstance(plan, GridPlan) else "planar geometric"
    construction = {"name": name, "promise": plan.promise, "positions": plan.space.describe(),
                    "unit": "m", "unusable": asked.unusable.value, "cut": asked.cut}
    with replacing_all([output, document], force=asked.force) as (first, second):
        _write(first, output, found, plan)
        second.write_bytes(document_bytes(plan.certified, document, construction))
    return Located(plan, len(found.lon), asked.keep, asked.unusable, asked.cut,
                   found.lon, found.lat, None, str(output), str(document))


def blurred(
    plan: LocationPlan | GridPlan, rows: Rows, rule: Unusable | str, cut: bool,
    progress: Callable[[int], None] | None = None, source: Source = SYSTEM,
) -> Rows:
    """The rows with new positions, each with noise of its own."""
    kept, lon, lat = None, rows.lon, rows.lat
    fits = rows.usable
    if member_of(Unusable, rule, "rule") is Unusable.DROP:
        kept, lon, lat = fits, lon[fits], lat[fits]
    else:
        middle = plan.space.region.plane
        lon, lat = np.where(fits, lon, middle.lon), np.where(fits, lat, middle.lat)
    new: tuple[FloatArray, FloatArray] = np.empty(len(lon)), np.empty(len(lon))
    for start in range(0, len(lon), _BATCH):
        part = slice(start, start + _BATCH)
        moved = plan.blur(lon[part], lat[part], cut=cut, source=source)
        for held, made in zip(new, moved, strict=True):
            held[part] = np.round(made, _DECIMALS) + 0.0
        if progress is not None:
            progress(min(start + _BATCH, len(lon)))
    return rows.drawn(*new, kept)


def read_rows(
    path: StrPath, lon: str | None = None, lat: str | None = None, keep: Sequence[str] = ()
) -> Rows:
    """The positions of a file, and the columns that stay."""
    ending = _check_format(path)
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
    for name in wanted:
        if name not in table.schema.names:
            raise BadTable(
                f"{path} names no column {name!r}; expected names of columns in its first line, or "
                "in its schema.", path=str(path), column=name)
        table.position(name)
    held = pa.Table.from_batches(list(table.batches(wanted)))
    if shape is not None:
        x, y = points_of(held.column(shape))
    else:
        x, y = (numbers(held.column(name)) for name in names)
    return Rows(x, y, held.select(list(keep)), names)


def _write(path: Path, named: StrPath, rows: Rows, plan: LocationPlan | GridPlan) -> None:
    about = {"promise": plan.promise, "unit": "m", "expected_displacement": plan.mean_displacement}
    ending = _check_format(named)
    if ending in (".geojson", ".json"):
        path.write_bytes(render_geojson(rows, about))
    elif ending == ".gpx":
        path.write_bytes(render_gpx(rows, plan.promise))
    elif ending == ".parquet":
        import pyarrow.parquet as pq

        pq.write_table(with_points(rows, about), path)
    else:
        held = rows.table()
        with writing(path, named, held.schema, "SNAPPY") as write:
            for batch in held.combine_chunks().to_batches(max_chunksize=_BATCH):
                write(batch)


def _check_format(path: StrPath) -> str:
    ending = extension(path)
    if ending not in FORMATS:
        raise BadTable(
            f"{path} is no file of positions: expected a name that ends in {', '.join(FORMATS)}, "
            f"found {ending or 'no extension'!r}.", path=str(path))
    return ending
