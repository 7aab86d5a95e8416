"""Mechanisms on cells keep the promise for true positions, and are compared at it."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from tightrope.cli import application
from tightrope.errors import BadInput, Infeasible
from tightrope.files import load
from tightrope.locations import cells, compare_locations, noise, places_of
from tightrope.locations.covering import region_cells
from tightrope.samplers import SeededSource
from tightrope.spaces.globe import in_space

SMALL = "-4,40,-3.99,40.01"


def plan(construction, **more):
    return cells(SMALL, "400 m", 10, "130 m", mechanism=construction, **more)


@pytest.mark.parametrize("construction", ["exponential", "planar-geometric"])
def test_true_positions_within_the_distance_are_told_apart_by_no_more_than_the_factor(construction):
    made = plan(construction)
    chances = made.certified.mechanism.to_numpy()
    random = np.random.default_rng(5)
    lon, lat = random.uniform(-4.01, -3.98, 20_000), random.uniform(39.99, 40.02, 20_000)
    lon[:100], lat[:100] = random.uniform(-180, 180, 100), random.uniform(-90, 90, 100)
    other = lon + random.normal(0, 0.003, 20_000), lat + random.normal(0, 0.002, 20_000)
    other = other[0], np.clip(other[1], -90, 90)
    chord = np.sqrt(sum((a - b) ** 2 for a, b in zip(in_space(lon, lat), in_space(*other),
                                                     strict=True)))
    near = chord <= 399.99  # the way along the ground is longer by less than a micrometer
    first, second = made.cells.codes(lon, lat)[near], made.cells.codes(*other)[near]
    ratios = chances[first] / chances[second]
    assert 2 < ratios.max() <= 10


def test_every_position_on_earth_has_a_cell_of_the_region():
    cover = region_cells(SMALL, "400 m", "130 m")
    random = np.random.default_rng(6)
    codes = cover.codes(random.uniform(-360, 360, 5000), random.uniform(-90, 90, 5000))
    assert codes.min() >= 0
    assert codes.max() < cover.size
    again = cover.codes(*cover.centers(np.arange(cover.size)))
    assert np.array_equal(again, np.arange(cover.size))


def test_a_public_prior_moves_the_optimum_to_where_people_are():
    cover = region_cells("-4,40,-3.995,40.005", "400 m", "140 m")
    town = places_of({"lon": [-3.9975], "lat": [40.0025], "weight": [7.0]})
    assert float(max(cover.shares(town))) > 0.99
    even, known = plan_small("optimal"), plan_small("optimal", prior=town)
    assert known.mean_displacement < even.mean_displacement / 10
    with pytest.raises(BadInput, match="at least 0"):
        places_of({"lon": [-3.9975], "lat": [40.0025], "weight": [-1.0]})


def plan_small(construction, **more):
    return cells("-4,40,-3.995,40.005", "400 m", 10, "140 m", mechanism=construction, **more)


def test_mechanisms_on_cells_blur_files_and_their_documents_are_proved_again(tmp_path):
    (tmp_path / "in.csv").write_text("lon,lat\n-3.995,40.005\n17,80\n")
    done = plan("exponential").blur(tmp_path / "in.csv", output=tmp_path / "out.csv")
    assert done.facts().json["construction"] == "exponential"
    assert load(tmp_path / "out.csv.mechanism.json").mechanism == done.plan.certified.mechanism
    centers = done.plan.cells.centers(done.plan.cells.codes(done.lon, done.lat))
    assert np.allclose(centers, (done.lon, done.lat), atol=1e-6)


def test_a_comparison_has_the_same_promise_for_all_and_a_bound_below_all():
    found = compare_locations("-4,40,-3.995,40.005", "400 m", 20, cell="140 m", draws=4000,
                              source=SeededSource(1))
    known = {row.name: row for row in found.rows if row.reason is None}
    assert {"planar noise", "planar noise, cut", "optimal on cells"} <= set(known)
    flat = known["planar noise"]
    assert flat.mean == pytest.approx(found.plan.mean_displacement, abs=6 * flat.error)
    assert known["planar noise, cut"].mean < flat.mean
    assert found.bound < min(known["optimal on cells"].adversary, flat.mean)
    assert all(row.reason.endswith(".") for row in found.rows if row.reason)


@pytest.mark.parametrize(("asked", "said"), [
    (lambda: cells(SMALL, "400 m", 10, "200 m", mechanism="exponential"), "more than half"),
    (lambda: noise(SMALL, "400 m", 10, cell="100 m"), "cells of its own"),
    (lambda: cells(SMALL, "400 m", 10, "100 m", mechanism="nonsense"), "nonsense"),
    (lambda: cells(SMALL, "400 m", 10, "100 m", mechanism="tight"), "no tight-constraints"),
    (lambda: plan("exponential").blur({"lon": [1], "lat": [2]}, cut=True), "nothing to cut"),
    (lambda: plan("exponential").blur({"lon": [1], "lat": [2]}, person="who"), "in a trace"),
])
def test_what_cells_cannot_do_is_said_in_a_sentence(asked, said):
    with pytest.raises((BadInput, Infeasible)) as caught:
        asked()
    assert said in str(caught.value)


def test_too_many_cells_are_refused_with_their_number():
    with pytest.raises(BadInput, match=r"has [0-9,]+ cells of 40 m"):
        region_cells("Spain", "200 m", "40 m")


def test_a_misspelled_mechanism_is_refused_before_anything_is_read_or_counted():
    asked = {"region": "no such place", "within": "nothing", "factor": 0, "mechanism": "optimall",
             "prior": "no such prior.csv"}
    with pytest.raises(BadInput, match=r"'optimall'; expected one of tight, .*, optimal-within"):
        cells(**asked, cell="nothing")
    with pytest.raises(BadInput, match=r"'optimall'; expected one of planar, .*, steps"):
        noise(**asked)


def test_the_command_states_value_bound_and_gap_of_the_optimum(tmp_path):
    (tmp_path / "in.csv").write_text("lon,lat\n-3.998,40.002\n")
    asked = ["locate", "cells", str(tmp_path / "in.csv"), "--region=-4,40,-3.995,40.005",
             "--within", "400m", "--factor", "20", "--cell", "140m", "--time", "60",
             "--force", "-o", str(tmp_path / "out.csv")]
    told = json.loads(CliRunner().invoke(application(), [*asked, "--json"]).stdout)
    assert 0 < told["bound"] <= told["expected_displacement"]
    assert told["gap"] <= 1e-3
    assert "on average on these cells; this is within" in " ".join(
        CliRunner().invoke(application(), asked).stdout.split())


def test_two_truths_beside_a_corner_of_cells_are_a_diagonal_apart_and_that_is_charged():
    cover = region_cells(SMALL, "400 m", "140 m")
    plane = cover.space.region.plane
    lon, lat = plane.lift(np.array([69.9, 70.1]), np.array([69.9, 70.1]))  # cells meet at 70 m
    east, north = cover.space.cells(lon, lat)
    assert (np.diff(east), np.diff(north)) == (1, 1)
    apart = np.hypot(*np.diff(plane.project(lon, lat)))[0]
    assert apart < 0.3
    assert 140 * np.sqrt(2) - apart <= float(cover.added) <= 140 * np.sqrt(2) + 0.06
