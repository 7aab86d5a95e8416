"""Positions in and out: in every format, none of the input in the output, no row told of."""

import inspect
import json
import struct
import sys
from fractions import Fraction
from types import ModuleType
from typing import ClassVar

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tightrope.errors import BadInput, BadSpace, BadTable, Refused
from tightrope.files import load
from tightrope.ledger import Budget, Ledger, Scope
from tightrope.locations import cells, locate, noise, read_rows, region_of
from tightrope.samplers import SeededSource

ASKED = {"region": "-4,40,-3,41", "within": "200 m", "factor": 2}
PLACES = [(-3.7038191, 40.4167754), (-3.5551237, 40.9914411), (-3.1, 40.2),
          (12.4963655, 41.9027835)]
TOLD = ["3.7038191", "40.4167754", "3.5551237", "40.9914411", "12.4963655", "41.9027835"]


def blur(positions, *, region, within, factor, mechanism="planar", releases=1, **rows):
    """A plan and what it does to rows, in one call."""
    plan = noise(region, within, factor, mechanism=mechanism, releases=releases)
    return plan.blur(positions, **rows)



def written(folder, ending):
    """The places in a file of each format, with more that tells of them."""
    path = folder / f"in{ending}"
    if ending in (".csv", ".tsv"):
        mark = "," if ending == ".csv" else "\t"
        lines = [mark.join(["name", "Longitude", "Latitude", "geohash", "day"])]
        lines += [mark.join([f"p{k}", str(x), str(y), "ezjmgu", f"d{k}"])
                  for k, (x, y) in enumerate(PLACES)]
        path.write_text("\n".join(lines) + "\n")
    elif ending == ".geojson":
        path.write_text(json.dumps({
            "type": "FeatureCollection", "bbox": [-3.7038191, 40.2, 12.4963655, 41.9027835],
            "features": [{"type": "Feature", "id": f"at {x}", "bbox": [x, y, x, y],
                          "geometry": {"type": "Point", "coordinates": [x, y, 667.5]},
                          "properties": {"day": f"d{k}", "where": f"{x} {y}"}}
                         for k, (x, y) in enumerate(PLACES)]}))
    elif ending == ".gpx":
        points = "".join(f'<trkpt lat="{y}" lon="{x}"><ele>667.5</ele><time>2026-01-0{k + 1}</time>'
                         f"<name>{x}</name></trkpt>" for k, (x, y) in enumerate(PLACES))
        path.write_text('<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><metadata>'
                        '<bounds minlat="40.4167754" minlon="-3.7038191"/></metadata>'
                        f"<trk><name>ride</name><trkseg>{points}</trkseg></trk></gpx>")
    else:
        shapes = [struct.pack("<BIdd", 1, 1, x, y) for x, y in PLACES]
        geo = {"version": "1.1.0", "primary_column": "shape", "columns": {"shape": {
            "encoding": "WKB", "geometry_types": ["Point"], "bbox": [-3.7038191, 40.2, 12.5, 42]}}}
        table = pa.table({"shape": shapes, "day": [f"d{k}" for k in range(4)]})
        pq.write_table(table.replace_schema_metadata({"geo": json.dumps(geo)}), path)
    return path


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".geojson", ".gpx", ".parquet"])
@pytest.mark.parametrize("target", [".csv", ".geojson", ".gpx", ".parquet"])
def test_no_byte_of_an_output_tells_an_input(ending, target, tmp_path):
    source, out = written(tmp_path, ending), tmp_path / f"out{target}"
    done = blur(source, output=out, source=SeededSource(1), **ASKED)
    assert (done.rows, done.clear) == (4, ("(order of rows)",))
    packed = [struct.pack(order, part) for place in PLACES for part in place
              for order in ("<d", ">d")]
    for file in (out, tmp_path / f"out{target}.mechanism.json"):
        content = file.read_bytes()
        for told in (*TOLD, "667.5", "ezjmgu", "p1", "2026-01-02", "ride"):
            assert told.encode() not in content
        assert not any(part in content for part in packed)
    found = read_rows(out)
    assert np.array_equal(found.lon, done.lon)
    assert np.array_equal(found.lat, done.lat)
    true = np.array(PLACES[:3])
    moved = np.hypot((done.lon[:3] - true[:, 0]) * 85_000, (done.lat[:3] - true[:, 1]) * 111_000)
    assert (moved > 1).all()
    assert (moved < 10_000).all()  # e^-30 beyond
    assert load(tmp_path / f"out{target}.mechanism.json").mechanism == done.plan.mechanism


@pytest.mark.parametrize("ending", [".csv", ".geojson", ".gpx", ".parquet"])
def test_columns_stay_only_if_they_are_named_and_are_listed(ending, tmp_path):
    column = "time" if ending == ".gpx" else "day"
    out = tmp_path / f"out{ending}"
    done = locate(written(tmp_path, ending), output=out, keep=[column], **ASKED)
    assert done.clear == (column, "(order of rows)")
    again = read_rows(out, keep=[column])
    assert len(set(again.columns.column(column).to_pylist())) == 4
    assert set(json.loads(json.dumps(done.facts().json))["clear"]) == {column, "(order of rows)"}


def test_one_far_row_more_changes_no_other_law_and_nothing_that_is_said(tmp_path):
    """The plan is the same with it and without; with it or a near one, so is every other row."""
    lines = ["lon,lat", *(f"{x},{y}" for x, y in PLACES)]
    found = {}
    for name, more in (("none", []), ("near", ["-3.5,40.5"]), ("far", ["179.9,-89.5"])):
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join([*lines, *more]) + "\n")
        out = tmp_path / f"out_{name}.csv"
        found[name] = blur(path, output=out, source=SeededSource(3), **ASKED)
    said = [{**one.facts().json, "rows": 0, "file": "", "mechanism": ""} for one in found.values()]
    assert said[0] == said[1] == said[2]
    for place in PLACES:
        assert len({one.plan.mechanism.law(place) for one in found.values()}) == 1
    rows = [(tmp_path / f"out_{name}.csv").read_text().splitlines() for name in ("near", "far")]
    assert rows[0][:-1] == rows[1][:-1]
    assert rows[0] != rows[1]
    documents = {(tmp_path / f"out_{name}.csv.mechanism.json").read_bytes() for name in found}
    assert len(documents) == 1


def test_rows_without_a_position_follow_the_declared_rule(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text("lon,lat\n-3.1,40.2\n,40\nnorth,west\n-3.2,95\n1e999,40\nnan,40\n-3.9,40.9\n")
    done = locate(path, output=tmp_path / "a.csv", **ASKED)
    assert done.rows == 7
    middle = np.hypot((done.lon[1:6] + 3.5) * 85_000, (done.lat[1:6] - 40.5) * 111_000)
    assert (middle < 10_000).all()
    dropped = blur(path, output=tmp_path / "b.csv", unusable="drop", **ASKED)
    assert dropped.rows == 2


def test_other_geometries_are_rows_without_a_position(tmp_path):
    shapes = [{"type": "Point", "coordinates": [-3.1, 40.2]}, None, {"type": "Point"},
              {"type": "LineString", "coordinates": [[0, 0], [1, 1]]},
              {"type": "Point", "coordinates": ["-3", "40"]}]
    held = {"type": "FeatureCollection",
            "features": [*({"type": "Feature", "geometry": shape} for shape in shapes), 7]}
    (tmp_path / "in.geojson").write_text(json.dumps(held))
    assert read_rows(tmp_path / "in.geojson").usable.tolist() == [True, *[False] * 5]


def test_cutting_moves_outputs_to_the_region_and_no_farther_from_the_truth():
    edge = {"lon": [-3.0] * 2000, "lat": [40.5] * 2000}
    plain, cut = (blur(edge, cut=cut, source=SeededSource(4), **ASKED) for cut in (False, True))
    east = plain.plan.space.region.plane.project(cut.lon, cut.lat)[0]
    assert float(east.max()) <= plain.plan.space.region.hull[:, 0].max() / 64 + 0.3
    inside = plain.lon < -3.01
    assert np.array_equal(plain.lon[inside], cut.lon[inside])
    assert abs(cut.lon + 3).mean() < abs(plain.lon + 3).mean()


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_frames_come_back_as_the_same_kind(kind):
    frame = kind({"x": [-3.7, None, -3.2], "y": [40.4, 40.5, 40.6], "day": ["a", "b", "c"],
                  "phone": ["p", "q", "r"]})
    done = locate(frame, keep=["day"], **ASKED)
    assert type(done.table) is type(frame)
    names = list(done.table) if kind is dict else (
        done.table.column_names if kind is pa.table else list(done.table.columns))
    assert names == ["x", "y", "day"]
    assert len(done.lon) == 3


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_pairs_of_longitude_and_latitude_come_back_as_pairs(kind):
    done = locate(kind([(-3.7, 40.4), (-3.2, 40.9), (-3.1, 40.8)]), **ASKED)
    assert np.array_equal(np.array(done.table), np.stack([done.lon, done.lat], axis=1))
    assert type(done.table) is (np.ndarray if kind is np.array else list)
    for odd in ([1, 2], [(1, 2, 3)], [{"lon": 1, "lat": 2}], ["ab"], []):
        assert locate(odd, **ASKED).rows == len(odd)  # none is refused, each is without a position
    for wrong in (np.zeros(2), np.zeros((2, 3))):
        with pytest.raises(BadTable, match="pairs of longitude"):
            locate(wrong, **ASKED)


def test_words_are_taken_as_people_write_them():
    frame = {"lon": [-3.7], "lat": [40.4], "day": ["a"]}
    sides = {"west": -4, "south": 40, "east": -3, "north": 41}
    done = locate(frame, region=sides, within="0.2 Kilometers", factor="2", keep="day")
    assert list(done.table) == ["lon", "lat", "day"]
    assert done.plan == locate(frame, **ASKED).plan


def test_planar_laplace_needs_no_cells_and_its_document_says_which_noise_it_is(tmp_path):
    path, made = written(tmp_path, ".csv"), tmp_path / "out.csv"
    done = blur(path, **ASKED, mechanism="planar-laplace", releases=2, output=made)
    document = json.loads((tmp_path / "out.csv.mechanism.json").read_text())
    assert document["mechanism"]["form"] == "planar-laplace"
    assert document["construction"]["name"] == "planar Laplace"
    assert load(tmp_path / "out.csv.mechanism.json").mechanism == done.plan.mechanism
    assert done.facts().json["construction"] == "planar-laplace"
    plain = noise(**ASKED, releases=2)
    assert plain.facts().json["construction"] == "planar"
    assert plain.mechanism.ratio == done.plan.mechanism.ratio  # the same level for each step
    assert plain.mechanism != done.plan.mechanism
    on_cells = cells("-4,40,-3.99,40.01", "400 m", 10, "120 m", mechanism="planar-laplace")
    assert on_cells.cells.size == 99


@pytest.mark.parametrize(("changes", "said"), [
    ({"region": "world"}, "no plane"),
    ({"region": "Spian"}, "is it Spain?"),
    ({"region": "-3,40,-4,41"}, "west < east"),
    ({"region": "1e400,0,1,1"}, "beyond 360"),
    ({"region": "40,-4,141,-95"}, "south < north"),
    ({"region": "none.geojson"}, "no file"),
    ({"region": []}, "expected a region"),
    ({"region": {"type": "Point", "coordinates": [1, 2]}}, "no polygon"),
    ({"region": {"type": "Polygon", "coordinates": [[[1, 2], [3], [4, 5]]]}}, "no position"),
    ({"within": "200"}, "with its unit"),
    ({"within": 200}, "with its unit"),
    ({"within": "0 m"}, "above 0"),
    ({"within": "1 cm"}, "with its unit"),
    ({"within": "0.02 m"}, "more than half"),
    ({"releases": 0}, "from 1 to"),
    ({"factor": 1}, "above 1"),
    ({"factor": "much"}, "a factor above 1"),
    ({"factor": 101}, "bet that many to one"),
    ({"within": "50 km", "factor": "1.01"}, "next to nothing"),
    ({"keep": ["Elevation"]}, "would tell the position"),
    ({"keep": ["day", "day"]}, "twice"),
    ({"keep": ["nobody"]}, "no column 'nobody'"),
    ({"lon": "east"}, "no column 'east'"),
    ({"unusable": "keep"}, "there is no rule"),
    ({"output": "x.csv"}, "a file of positions"),
])
def test_what_cannot_be_meant_is_refused_in_a_sentence(changes, said):
    frame = {"lon": [-3.7], "lat": [40.4], "day": ["a"]}
    with pytest.raises((BadInput, BadSpace, BadTable)) as caught:
        blur(frame, **{**ASKED, **changes})
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("name", "content", "said"), [
    ("a.gpx", "<gpx><wpt", "no GPX"),
    ("a.gpx", "<html/>", "no GPX"),
    ("a.gpx", '<!DOCTYPE g [<!ENTITY a "b">]><gpx/>', "entities"),
    ("a.geojson", "[]", "no GeoJSON"),
    ("a.geojson", '{"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": '
     '"EPSG:25830"}}, "features": [1]}', "reference system"),
    ("a.csv", "a,b\n1,2\n", "column of longitudes"),
    ("a.csv", "lon,b\n1,2\n", "column of latitudes"),
    ("a.xlsx", "", "no file of positions"),
])
def test_whole_files_that_are_none_are_refused_in_a_sentence(name, content, said, tmp_path):
    (tmp_path / name).write_text(content)
    with pytest.raises((BadInput, BadTable)) as caught:
        locate(tmp_path / name, output=tmp_path / "out.csv", **ASKED)
    assert said in str(caught.value)
    assert not (tmp_path / "out.csv").exists()


def test_regions_are_declared_in_several_ways(tmp_path):
    ring = [[-4, 40], [-3, 40], [-3.5, 41], [-4, 40]]
    shape = {"type": "Polygon", "coordinates": [ring]}
    (tmp_path / "r.geojson").write_text(json.dumps({"type": "Feature", "geometry": shape}))
    found = {region_of(given) for given in (
        shape, tmp_path / "r.geojson", str(tmp_path / "r.geojson"),
        [(-4, 40), (-3, 40), (-3.5, 41)],
        {"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": shape}]},
        {"type": "MultiPolygon", "coordinates": [[ring]]})}
    assert len(found) == 1
    assert len(region_of("Fiji").hull) > 3


@pytest.mark.parametrize(("within", "factor"), [("200 m", 2), ("1 mi", "3/2"), ("25 m", 20)])
def test_what_rounding_costs_is_below_half_a_percent_and_the_level_is_the_one_asked_for(
    within, factor
):
    plan = noise("Portugal", within, factor)
    assert plan.least_displacement < plan.mean_displacement < 1.005 * plan.least_displacement
    assert plan.certified.certificate.level.base == plan.factor
    assert plan.far_displacement == pytest.approx(4.7439 / 2 * plan.mean_displacement, rel=0.01)


def test_rows_of_one_person_share_the_level():
    one, five = (noise("Portugal", "200 m", 2, releases=k) for k in (1, 5))
    levels = [plan.certified.certificate.level for plan in (one, five)]
    assert levels[1] == levels[0].scaled(Fraction(1, 5))
    assert five.mechanism.ratio ** (5 * five.space.apart) <= 2
    assert five.mean_displacement == pytest.approx(5 * one.mean_displacement, rel=1e-6)
    assert "up to 5 rows of one person" in five.promise
    assert "to the power of k" in one.promise


def test_a_column_that_is_not_there_is_named_and_no_option_that_is_not_offered(tmp_path):
    file = tmp_path / "p.csv"
    file.write_text("lon,lat,secret\n-3.7,40.4,x\n")
    for asked in ({"keep": ["nope"]}, {"lon": "nope", "lat": "lat"}):
        with pytest.raises(BadTable, match="'nope'") as refused:
            read_rows(file, **asked)
        assert "curator" not in str(refused.value)
        assert "secret" not in str(refused.value)


HOSTILE = {
    ".csv": ["-3.5", "-3.5,40.6,c,d,e", '"a""b",40,x', "\udcff,40,a", "1e999,nan,x", ",,",
             "1" * 5000 + ",40,c", "\x00,40,a", "-3.5;40.6;c"],
    ".geojson": ["7", "null", '{"geometry":{"type":"Point","coordinates":[1e999,NaN]}}',
                 '{"geometry":{"type":"Point","coordinates":[[1],true]},"properties":[1]}',
                 '{"geometry":{"type":"Point","coordinates":[' + "1" * 5000 + ',2]}}',
                 '{"geometry":{"type":"Point","coordinates":[1,2]},"properties":{"who":"\\ud800"}}'],
    ".gpx": ["<wpt/>", '<wpt lat="abc" lon="1"/>', '<wpt lat="nan" lon="inf"/>',
             '<wpt lat="40" lon="-3"><time><b>x</b></time></wpt>'],
}


@pytest.mark.parametrize("ending", HOSTILE)
def test_whatever_one_row_says_the_answer_is_the_same(ending, tmp_path):
    """One row more, and neither a refusal nor a word that tells of it."""
    heads = {".csv": "lon,lat,who\n-3.7,40.4,a\n", ".gpx": '<gpx><wpt lat="40.4" lon="-3.7"/>',
             ".geojson": '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":'
             '{"type":"Point","coordinates":[-3.7,40.4]},"properties":{"who":"a"}},'}
    tails = {".csv": "\n", ".gpx": "</gpx>", ".geojson": "]}"}
    said, keep = [], ["time"] if ending == ".gpx" else ["who"]
    for row in HOSTILE[ending]:
        path, out = tmp_path / f"in{ending}", tmp_path / "out.csv"
        path.write_bytes((heads[ending] + row + tails[ending]).encode(errors="surrogateescape"))
        done = locate(path, output=out, keep=keep, force=True, **ASKED)
        said.append(done.facts().json)
    assert all(one == said[0] for one in said)
    assert said[0]["rows"] == 2


def test_whole_numbers_too_large_for_a_double_are_no_positions(tmp_path):
    pq.write_table(pa.table({"lon": [2**63 - 1, -3], "lat": [40, 41]}), tmp_path / "in.parquet")
    assert read_rows(tmp_path / "in.parquet").usable.tolist() == [False, True]


def test_a_column_that_is_named_twice_is_refused(tmp_path):
    (tmp_path / "in.csv").write_text("lon,lat,who,who\n-3.7,40.4,a,b\n")
    with pytest.raises(BadTable, match="more than one column 'who'"):
        read_rows(tmp_path / "in.csv", keep=["who"])
    assert len(read_rows(tmp_path / "in.csv").lon) == 1


class Crs:
    def __init__(self, code):
        self.code = code

    def to_epsg(self):
        return self.code


class Shape:
    def __init__(self, x, y, kind="Point"):
        self.x, self.y, self.geom_type, self.is_empty = x, y, kind, False


class GeoDataFrame(pd.DataFrame):
    """Stands for that of GeoPandas, which is no part of the tests: its names, and no more."""

    _metadata: ClassVar = ["crs"]
    __module__ = "geo_stand_in"

    def __init__(self, data=None, geometry=None, crs=None):
        super().__init__(data)
        self["geometry"] = geometry
        self.crs = Crs(crs)


def test_a_frame_with_points_comes_back_as_one_without_its_index_or_other_columns(monkeypatch):
    held = ModuleType("geo_stand_in")
    held.GeoDataFrame = GeoDataFrame
    held.points_from_xy = lambda x, y: [Shape(a, b) for a, b in zip(x, y, strict=True)]
    monkeypatch.setitem(sys.modules, "geo_stand_in", held)
    shapes = [Shape(-3.7, 40.4), None, Shape(1, 2, "LineString"), Shape(-3.2, 40.9)]
    frame = GeoDataFrame({"day": list("abcd"), "phone": list("pqrs")}, shapes, 4326)
    frame.index = [40, 41, 42, 43]
    done = locate(frame, keep=["day"], **ASKED)
    assert type(done.table) is GeoDataFrame
    assert list(done.table.columns) == ["day", "geometry"]
    assert list(done.table.index) == [0, 1, 2, 3]
    assert [shape.x for shape in done.table["geometry"]] == done.lon.tolist()
    frame.crs = Crs(3857)
    with pytest.raises(BadTable, match="to_crs"):
        locate(frame, **ASKED)


def test_a_request_that_was_answered_is_the_same_file_whatever_its_columns_are_called(tmp_path):
    file, out = tmp_path / "in.csv", tmp_path / "out.csv"
    file.write_text("a,b\n-3.7,40.4\n-3.6,40.5\n")
    ledger = Ledger.create(tmp_path / "l.sqlite")
    ledger.open_budget(Budget("b", Scope("d", "row", "replace:units=2",
                                         "meters:200"), 9))
    first, again = (blur(file, lon="a", lat="b", output=out, **ASKED,
                           account=ledger.account("b", request="mine")) for _ in range(2))
    assert again.booked.again
    assert np.array_equal(first.lon, again.lon)
    with pytest.raises(Refused):
        blur({"a": [-3.7], "b": [40.4]}, lon="a", lat="b", **ASKED,
               account=ledger.account("b", request="mine"))


def test_locate_has_few_parameters_and_says_which_plan_takes_the_others():
    assert len(inspect.signature(locate).parameters) == 8
    for name, plan in (("mechanism", "noise(…, mechanism=…).blur(…)"),
                       ("releases", "noise(…, releases=…).blur(…)"),
                       ("prior", "noise(…, prior=…).blur(…)"),
                       ("fresh", "traces(…, fresh=…).blur(…)"),
                       ("effort", "cells(…, effort=…).blur(…)"),
                       ("lon", "noise(…).blur(positions, lon=…)"),
                       ("place", "noise(…).blur(positions, place=…)")):
        with pytest.raises(BadInput) as refused:
            locate({"lon": [1], "lat": [2]}, **ASKED, **{name: 3})
        assert str(refused.value) == (
            f"locate takes no {name}: it is said to a plan, tr.locations.{plan}")
    with pytest.raises(TypeError, match="nonsense"):
        locate({"lon": [1], "lat": [2]}, **ASKED, nonsense=3)


def test_locate_is_planar_noise_and_blur(tmp_path):
    path = written(tmp_path, ".csv")
    done = locate(path, **ASKED, output=tmp_path / "out.csv")
    assert done.plan == noise(**ASKED)
    with pytest.raises(BadInput, match="exists"):
        locate(path, **ASKED, output=tmp_path / "out.csv")
    assert locate(path, **ASKED, output=tmp_path / "out.csv", force=True).rows == done.rows
