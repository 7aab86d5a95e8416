"""Points of GPX, read and written: way points, and the points of routes and tracks.

Elevation, names, bounds and extensions are left out. The time, and the number of the track and
segment that a point belongs to, are columns that may be kept: `time`, `track`, `segment`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any, Final
from xml.etree import ElementTree
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from tightrope.errors import BadInput, BadTable
from tightrope.locations.rows import Rows, listed_columns, pairs

KEPT: Final = ("time", "track", "segment")
_PART: Final = 1024
_SPACE: Final = "http://www.topografix.com/GPX/1/1"


def parse_gpx(content: bytes, keep: Sequence[str], where: str) -> Rows:
    """All points of a file, in order."""
    for name in keep:
        if name not in KEPT:
            raise BadInput(f"a GPX file has the columns {', '.join(KEPT)} to keep, not {name!r}.")
    if _has_doctype(content):
        raise BadTable(f"{where} defines entities, which no GPX needs.", path=where)
    try:
        root = ElementTree.fromstring(content)
    except (ElementTree.ParseError, ValueError, LookupError):
        root = None
    if root is None or _tag(root) != "gpx":
        raise BadTable(f"{where} is no GPX file.", path=where)
    points = list(_points(root))
    lon, lat = pairs((point.get("lon"), point.get("lat")) for point, _, _ in points)
    return Rows(lon, lat, listed_columns(points, keep, _cell))


def _has_doctype(content: bytes) -> bool:
    """Whether a document type, which could define entities, stands before the first element."""
    met: list[str] = []
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = lambda *_: met.append("type")
    parser.StartElementHandler = lambda *_: met.append("element")
    with suppress(expat.ExpatError, ValueError, LookupError):
        for start in range(0, len(content), _PART):
            parser.Parse(content[start : start + _PART])
            if met:
                break
    return met[:1] == ["type"]


def _points(root: Any) -> Iterator[tuple[Any, int | None, int | None]]:
    tracks = 0
    for child in root:
        match _tag(child):
            case "wpt":
                yield child, None, None
            case "rte":
                tracks += 1
                yield from ((p, tracks, 1) for p in child if _tag(p) == "rtept")
            case "trk":
                tracks += 1
                segments = [part for part in child if _tag(part) == "trkseg"]
                for number, segment in enumerate(segments, start=1):
                    yield from ((p, tracks, number) for p in segment if _tag(p) == "trkpt")


def _tag(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _cell(entry: tuple[Any, int | None, int | None], name: str) -> object:
    point, track, segment = entry
    if name == "time":
        return next((part.text for part in point if _tag(part) == "time"), None)
    return track if name == "track" else segment


def render_gpx(rows: Rows, promise: str) -> bytes:
    """Points as a GPX file: tracks where they were kept, else way points."""
    columns = {name: rows.columns.column(name).to_pylist() for name in rows.columns.column_names}
    tracks = columns.get("track", [None] * len(rows.lon))
    segments = columns.get("segment", [None] * len(rows.lon))
    times = columns.get("time", [None] * len(rows.lon))
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             f'<gpx version="1.1" creator="tightrope" xmlns="{_SPACE}">',
             f"<metadata><desc>{escape(promise)}</desc></metadata>"]
    order = range(len(rows.lon))
    for track, part in groupby(order, key=lambda i: tracks[i]):
        if track is None:
            lines += [_point("wpt", rows, times, i) for i in part]
            continue
        lines.append("<trk>")
        for _, piece in groupby(part, key=lambda i: segments[i]):
            lines.append("<trkseg>")
            lines += [_point("trkpt", rows, times, i) for i in piece]
            lines.append("</trkseg>")
        lines.append("</trk>")
    return "\n".join([*lines, "</gpx>", ""]).encode()


def _point(tag: str, rows: Rows, times: Sequence[Any], place: int) -> str:
    lat, lon = (quoteattr(str(part[place])) for part in (rows.lat, rows.lon))
    time = "" if times[place] is None else f"<time>{escape(str(times[place]))}</time>"
    return f"<{tag} lat={lat} lon={lon}>{time}</{tag}>"
