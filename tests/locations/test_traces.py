"""Traces at one level however long they are, places with public visits, and allowed outputs."""

import json

import numpy as np
import pyarrow as pa
import pytest

from tightrope import receipt_theorems
from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.files import load
from tightrope.locations import noise, traces
from tightrope.locations.allowed import allowed_of
from tightrope.locations.blurring import Handling
from tightrope.locations.rows import Rows
from tightrope.samplers import SeededSource
from tightrope.spaces import Region

ASKED = {"region": "-4,40,-3,41", "within": "200 m", "factor": 2}
BOX = Region.box(-4, 40, -3, 41)


@pytest.mark.parametrize("fresh", [1, 4, 100])
def test_a_trace_costs_the_level_and_nearly_all_of_it_is_used(fresh):
    plan = traces("Spain", "20 m", 2, fresh=fresh)
    assert plan.level == Level.ratio(2)
    smallest = plan.certified.certificate.smallest
    assert np.log(1.9999) < smallest.upper <= np.nextafter(np.log(2), 1)
    assert plan.mechanism.ratio == plan.position.mechanism.ratio
    assert plan.mechanism.jump == int(plan.jump / plan.space.step)
    assert f"at most {fresh} positions of a person are fresh" in plan.promise


def test_the_document_beside_a_trace_is_that_of_the_whole_trace(tmp_path, capsys):
    file, out = tmp_path / "in.csv", tmp_path / "out.csv"
    file.write_text("lon,lat,who\n" + "-3.5,40.5,a\n" * 3)
    done = traces(**ASKED, fresh=3, jump="9 km").blur(file, output=out, person="who")
    beside = tmp_path / "out.csv.mechanism.json"
    held = json.loads(beside.read_text())
    assert held["mechanism"]["form"] == "trace"
    assert (held["mechanism"]["fresh"], held["mechanism"]["jump"]) == (3, 45_000)
    assert held["claim"]["epsilon"] == {"rational": "0", "coefficient": "1", "base": "2"}
    assert load(beside).mechanism == done.plan.mechanism
    assert receipt_theorems.main([str(beside)]) == 0
    said = capsys.readouterr().out
    assert "a bar moved as far pays for all tests" in said
    assert "that rows of one person are one trace" in said


def test_a_long_trace_has_few_positions_and_a_far_move_is_followed():
    lon = np.where(np.arange(600) < 300, -3.9, -3.1)
    frame = {"lon": lon, "lat": np.full(600, 40.5), "who": ["a"] * 600, "day": list(range(600))}
    asked = {**ASKED, "within": "20 m", "factor": 10}
    done = traces(**asked, fresh=3, jump="8 km").blur(
        frame, person="who", keep=["day"], source=SeededSource(8))
    assert list(done.table) == ["lon", "lat", "day"]
    places = list(dict.fromkeys(zip(done.lon.tolist(), done.lat.tolist(), strict=True)))
    assert 2 <= len(places) <= 4  # the middle, where all start, may be among them
    plane = done.plan.space.region.plane
    (x, y), (u, v) = plane.project(lon, frame["lat"]), plane.project(done.lon, done.lat)
    assert np.median(np.hypot(x - u, y - v)) < 2_000
    assert "fresh" in done.promise


def test_one_position_for_each_place_of_a_person_and_the_column_is_not_put_out(tmp_path):
    file, out = tmp_path / "in.csv", tmp_path / "out.csv"
    rows = [("a", "home"), ("a", "work"), ("b", "home"), ("a", "home"), ("b", "home"), ("a", "")]
    file.write_text("lon,lat,who,at\n" + "".join(f"-3.5,40.5,{p},{q}\n" for p, q in rows))
    done = noise(**ASKED).blur(file, output=out, person="who", place="at", visits_are_public=True)
    lon = done.lon.tolist()
    assert lon[0] == lon[3]
    assert lon[2] == lon[4]
    assert len(set(lon)) == 4
    assert out.read_text().splitlines()[0] == "lon,lat"
    assert "public, as declared" in json.loads(
        (tmp_path / "out.csv.mechanism.json").read_text())["construction"]["promise"]


@pytest.mark.parametrize(("changes", "said"), [
    ({"place": "at"}, "visits are public"),
    ({"place": "geohash", "visits_are_public": True}, "who came back"),
    ({"place": "Lon", "visits_are_public": True}, "who came back"),
    ({"person": "who"}, "in a trace"),
    ({"to": []}, "at least one point"),
    ({"to": [(40, 95)]}, "in that order"),
    ({"to": {"type": "Point", "coordinates": ["a", 2]}}, "in that order"),
    ({"to": "none.geojson"}, "no file"),
])
def test_what_cannot_be_shared_is_refused(changes, said):
    frame = {"lon": [-3.7], "lat": [40.4], "who": ["a"], "at": ["home"]}
    with pytest.raises(BadInput, match=said):
        noise(**ASKED).blur(frame, **changes)


def test_what_a_trace_cannot_have_is_refused():
    with pytest.raises(BadInput, match="leave out the column of places"):
        traces(**ASKED, fresh=2).blur({"lon": [-3.7], "lat": [40.4], "at": ["home"]}, place="at",
                                      visits_are_public=True)
    with pytest.raises(BadInput, match="from 1 to 100"):
        traces(**ASKED, fresh=0)


def test_outputs_move_to_the_nearest_allowed_point_and_no_farther(tmp_path):
    generator = np.random.default_rng(3)
    places = np.stack([generator.uniform(-4, -3, 50), generator.uniform(40, 41, 50)], axis=1)
    lon, lat = generator.uniform(-4.2, -2.8, 200), generator.uniform(39.8, 41.2, 200)
    x, y = allowed_of(places, BOX, 10).move(lon, lat)
    near = [min(places.tolist(), key=lambda p, a=a, b=b: (
        ((p[0] - a) * np.cos(np.radians((p[1] + b) / 2))) ** 2 + (p[1] - b) ** 2))
        for a, b in zip(lon, lat, strict=True)]
    assert np.mean((np.stack([x, y], axis=1) == near).all(axis=1)) > 0.99
    file = tmp_path / "p.csv"
    file.write_text("lon,lat\n-3.5,40.5\n-3.9,40.9\n")
    done = noise(**ASKED).blur({"lon": [-3.5] * 50, "lat": [40.5] * 50}, to=file)
    assert {*zip(done.lon.tolist(), done.lat.tolist(), strict=True)} <= {(-3.5, 40.5),
                                                                        (-3.9, 40.9)}


def test_outputs_in_a_polygon_stay_and_others_move_to_its_edge_and_roads_are_lines():
    hole = {"type": "Polygon", "coordinates": [[[0, 0], [2, 0], [2, 2], [1, 1], [0, 2], [0, 0]]]}
    allowed = allowed_of(hole, BOX, 1000)
    lon, lat = np.array([0.5, 1.0, 1.9, 3.0]), np.array([0.5, 1.5, 1.8, 1.0])
    x, y = allowed.move(lon, lat)
    assert (x[[0, 2]] == lon[[0, 2]]).all()
    assert (x[1] - 1, y[1] - 1.5) == pytest.approx((0.25, -0.25), abs=0.01) or (
        x[1] - 1, y[1] - 1.5) == pytest.approx((-0.25, -0.25), abs=0.01)
    assert (x[3], y[3]) == pytest.approx((2, 1), abs=0.01)
    road = {"type": "Feature", "geometry": {"type": "MultiLineString", "coordinates": [
        [[0, 0], [4, 0]], [[0, 5], [4, 5]]]}}
    x, y = allowed_of(road, BOX, 500).move(np.array([1.0, 3.0]), np.array([0.3, 4.0]))
    assert y.tolist() == [0, 5]
    assert x.tolist() == pytest.approx([1, 3], abs=0.01)
    across = np.array([[179.0, -1], [181, -1], [181, 1], [179, 1]])
    inside = allowed_of({"type": "Polygon", "coordinates": [across.tolist()]}, BOX, 1000).move(
        np.array([-179.5, 179.5]), np.zeros(2))
    assert inside[0].tolist() == [-179.5, 179.5]


def test_rows_are_taken_together_if_person_and_place_are_the_same_and_only_then():
    generator = np.random.default_rng(6)
    who = [None if k == 3 else f"p{k}" for k in generator.integers(0, 5, 60)]
    at = [None if k == 2 else f"q{k}" for k in generator.integers(0, 7, 60)]
    rows = Rows(np.zeros(60), np.zeros(60), pa.table({"who": who, "at": at}))
    for handling, keys in ((Handling(person="who"), who), (Handling(place="at"), at),
                           (Handling(person="who", place="at"),
                            list(zip(who, at, strict=True)))):
        groups = handling.groups(rows).tolist()
        assert len(set(groups)) == len(set(zip(groups, keys, strict=True))) == len(set(keys))
    assert Handling().groups(rows) is None


@pytest.mark.parametrize("rule", ["center", "drop"])
def test_traces_of_two_people_are_apart_whatever_rows_are_unusable(rule):
    count = 200
    lon = np.where(np.arange(count) % 2, -3.9, -3.1)
    lon[::10] = np.nan
    frame = {"lon": lon, "lat": np.full(count, 40.5), "who": [f"p{k % 2}" for k in range(count)]}
    asked = {**ASKED, "within": "20 m", "factor": 50}
    done = traces(**asked, fresh=2, jump="15 km").blur(
        frame, person="who", unusable=rule, keep="who", source=SeededSource(5))
    people = np.array(done.table["who"])
    assert done.rows == (count if rule == "center" else count - count // 10)
    for person, truth in (("p0", -3.1), ("p1", -3.9)):
        assert abs(np.median(done.lon[people == person]) - truth) < 0.05
        assert len(set(done.lon[people == person].tolist())) <= 3


def test_outputs_of_traces_are_cut_to_the_region():
    frame = {"lon": [-3.0001] * 40, "lat": [40.5] * 40, "who": list(range(40))}
    plain, cut = (traces(**ASKED, fresh=1, jump="1 km").blur(
        frame, person="who", cut=cut, source=SeededSource(9)) for cut in (False, True))
    region = plain.plan.space.region
    edge = region.hull[:, 0].max() / 64 + 0.2
    east = [region.plane.project(done.lon, done.lat)[0].max() for done in (plain, cut)]
    assert east[0] > edge + 100
    assert east[1] <= edge


def test_without_a_jump_the_bar_grows_with_the_logarithm_of_the_rows():
    plans = {k: traces("-4,40,-3,41", "200 m", 2, fresh=2, rows=k) for k in (10, 100, 1000)}
    far = plans[10].position.far_displacement
    noise = plans[10].mechanism.tests
    decade = float(noise.step * np.log(10) / np.log(float(noise.ratio)) * plans[10].space.step)
    jumps = [float(plan.jump) for plan in plans.values()]
    assert np.diff(jumps) == pytest.approx(decade, rel=0.02)
    assert jumps[0] == pytest.approx(far + decade * np.log10(10 / 0.05), rel=0.1)


def test_which_outputs_are_in_a_triangle_is_what_the_signs_of_its_sides_say():
    generator = np.random.default_rng(11)
    for _ in range(20):
        ring = generator.uniform(-3, 3, (3, 2))
        lon, lat = generator.uniform(-3, 3, (2, 200))
        sides = [(b[0] - a[0]) * (lat - a[1]) - (b[1] - a[1]) * (lon - a[0])
                 for a, b in zip(ring, np.roll(ring, -1, axis=0), strict=True)]
        inside = (np.min(sides, axis=0) > 0) | (np.max(sides, axis=0) < 0)
        shape = {"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {
            "type": "MultiPolygon", "coordinates": [[ring.tolist()]]}}]}
        x, y = allowed_of(shape, BOX, 20_000).move(lon, lat)
        assert np.array_equal((x == lon) & (y == lat), inside)
        a, b = np.stack([x, y], axis=1)[~inside], ring
        along = np.min([np.abs(_beside(a, b[k], b[(k + 1) % 3])) for k in range(3)], axis=0)
        assert along.max() < 1e-9  # on an edge


def _beside(points, a, b):
    length = np.hypot(*(b - a))
    return ((b[0] - a[0]) * (points[:, 1] - a[1]) - (b[1] - a[1]) * (points[:, 0] - a[0])) / length


def test_allowed_places_come_from_files_and_the_region_and_not_too_many(tmp_path):
    file = tmp_path / "roads.geojson"
    file.write_text('{"type":"GeometryCollection","geometries":[{"type":"LineString",'
                    '"coordinates":[[-3.9,40.1],[-3.9,40.9]]},{"type":"Point",'
                    '"coordinates":[-3.2,40.5]}]}')
    lon, lat = np.array([-3.8, -3.1]), np.array([40.5, 40.4])
    x, y = allowed_of(str(file), BOX, 50).move(lon, lat)
    assert x.tolist() == [-3.9, -3.2]
    assert y.tolist() == pytest.approx([40.5, 40.5], abs=1e-3)
    x, y = allowed_of("region", BOX, 500).move(np.array([-3.5, -2.5]), np.array([40.5, 40.5]))
    assert (x.tolist(), y[0]) == ([-3.5, -3.0], 40.5)
    file.write_text("[")
    deep = {"type": "Point", "coordinates": [0, 0]}
    for _ in range(30):
        deep = {"type": "Feature", "geometry": deep}
    long = {"type": "LineString", "coordinates": [[0, 0], [90, 0]]}
    for given, said in ((str(file), "no GeoJSON"), (deep, "too deep"), (long, "too long")):
        with pytest.raises(BadInput, match=said):
            allowed_of(given, BOX, 1)
