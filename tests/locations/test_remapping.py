"""Outputs are moved by a public prior, which costs nothing and comes from no position."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from tightrope.cli import application
from tightrope.errors import BadInput
from tightrope.files import load
from tightrope.locations import cells, compare_locations, noise, places_of, region_of
from tightrope.locations.covering import Cells, region_cells
from tightrope.locations.planning import _least_width
from tightrope.locations.remapping import spread_remap
from tightrope.samplers import SeededSource
from tightrope.spaces import Positions

SMALL = "-4,40,-3.99,40.01"
TOWNS = {"lon": [-3.997, -3.992], "lat": [40.003, 40.008], "population": [50, 20]}


def test_the_best_cell_by_convolutions_is_the_best_of_all_cells():
    cover = region_cells(SMALL, "400 m", "130 m")
    random = np.random.default_rng(3)
    shares = random.dirichlet(np.full(cover.size, 0.2))
    found = spread_remap(cover, shares, 0.9)
    east, north = np.divmod(np.arange(cover.size), cover.shape[1])
    far = np.hypot(east[:, None] - east, north[:, None] - north)
    lost = (shares[:, None] * np.exp(-0.9 * far)).T @ far  # of output z for answer r
    best = lost.min(axis=1)
    chosen = lost[np.arange(cover.size), found.targets]
    assert (chosen <= best * 1.02).all()
    assert (found.targets != np.arange(cover.size)).any()


def test_places_are_read_with_their_weights_from_files_and_frames(tmp_path):
    (tmp_path / "a.csv").write_text("longitude,latitude,count\n1,2,3\n4,5,6\n")
    found = places_of(tmp_path / "a.csv")
    assert [part.tolist() for part in (found.lon, found.lat, found.weight)] == [
        [1, 4], [2, 5], [3, 6]]
    (tmp_path / "a.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"name": "x"},
         "geometry": {"type": "Point", "coordinates": [1, 2]}}]}))
    assert places_of(tmp_path / "a.geojson").weight.tolist() == [1]
    assert places_of({"lon": [1.0], "lat": [2.0], "weight": [4]}).weight.tolist() == [4]


@pytest.mark.parametrize(("held", "said"), [
    ("lon,lat,weight\n1,2,x\n", "weights"),
    ("lon,lat,weight\n1,200,1\n", "longitude and latitude"),
    ("lon,lat,weight\n1,2,0\n", "not all 0"),
    ("lon,lat,weight\n1,2,-1\n3,4,5\n", "at least 0"),
    ("a,b\n1,2\n", "no column of longitudes"),
])
def test_places_that_cannot_be_used_are_refused_in_a_sentence(tmp_path, held, said):
    (tmp_path / "a.csv").write_text(held)
    with pytest.raises(BadInput, match=said):
        places_of(tmp_path / "a.csv")


def test_the_positions_themselves_are_no_prior(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("lon,lat\n-3.995,40.005\n")
    (tmp_path / "b.csv").symlink_to(file)
    for prior in (file, tmp_path / "b.csv"):
        with pytest.raises(BadInput, match="themselves"):
            noise(SMALL, "400 m", 10, prior=prior).blur(file, output=tmp_path / "out.csv")
    frame = {"lon": [-3.995], "lat": [40.005]}
    with pytest.raises(BadInput, match="themselves"):
        noise(SMALL, "400 m", 10, prior=frame).blur(frame)
    with pytest.raises(BadInput, match="themselves"):
        cells(SMALL, "400 m", 10, "130 m", mechanism="exponential", prior=frame).blur(frame)


def test_planar_noise_that_is_moved_has_the_same_certificate_and_outputs_of_the_prior():
    places = places_of(TOWNS)
    even = noise(SMALL, "400 m", 10)
    moved = noise(SMALL, "400 m", 10, prior=places)
    assert moved.certified.certificate == even.certified.certificate
    lon, lat = np.full(400, -3.997), np.full(400, 40.003)
    near = {}
    for plan in (even, moved):
        new = plan.space.region.plane.project(*plan.draw(lon, lat, source=SeededSource(4)))
        old = plan.space.region.plane.project(lon, lat)
        near[plan] = np.hypot(new[0] - old[0], new[1] - old[1]).mean()
    assert near[moved] < near[even] / 2
    codes = moved.remap.cells.codes(*moved.draw(lon, lat, source=SeededSource(5)))
    assert set(codes) <= set(moved.remap.targets)


@pytest.mark.parametrize("construction", ["exponential", "planar-geometric"])
def test_mechanisms_on_cells_are_moved_after_the_draw_and_lose_less(construction):
    plan = cells(SMALL, "400 m", 10, "130 m", mechanism=construction, prior=TOWNS)
    problem, chances = plan.solution.problem, plan.certified.mechanism.to_numpy()
    before = float((problem.chances[:, None] * chances * problem.losses).sum())
    after = float((problem.chances[:, None] * chances
                   * problem.losses[:, plan.remap.targets]).sum())
    assert before == pytest.approx(plan.mean_displacement)
    assert after < before / 1.5


def test_a_comparison_with_a_prior_draws_its_truths_and_bounds_from_it():
    found = compare_locations("-4,40,-3.995,40.005", "400 m", 20, cell="140 m", prior=TOWNS,
                              draws=2000, source=SeededSource(1))
    known = {row.name: row for row in found.rows if row.reason is None}
    moved = known["planar noise, moved by the prior"]
    assert moved.mean < known["planar noise"].mean / 1.5
    assert found.bound < known["optimal on cells"].adversary < moved.mean


def test_the_command_line_takes_a_prior_and_says_so(tmp_path):
    (tmp_path / "towns.csv").write_text("lon,lat,population\n-3.997,40.003,50\n-3.992,40.008,2\n")
    (tmp_path / "in.csv").write_text("lon,lat\n-3.995,40.005\n17,80\n")
    asked = ["locate", "blur", str(tmp_path / "in.csv"), f"--region={SMALL}", "--within", "400m",
             "--factor", "10", "--prior", str(tmp_path / "towns.csv"), "-o",
             str(tmp_path / "out.csv"), "--json"]
    done = CliRunner().invoke(application(), asked)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["remapped"] is True
    assert load(tmp_path / "out.csv.mechanism.json").certificate.holds


def test_a_wide_region_has_a_prior_on_cells_as_fine_as_the_limit_allows():
    plan = noise("Portugal", "200 m", 2, prior=places_of({"lon": [-8], "lat": [40]}))
    assert 300_000 < plan.remap.cells.size <= 400_000
    assert plan.facts().json["cell"] == plan.remap.cells.space.step
    even = noise("Portugal", "200 m", 2)
    assert plan.certified.certificate == even.certified.certificate
    with pytest.raises(BadInput, match="Leave out the width"):
        noise("Portugal", "200 m", 2, prior=TOWNS, cell="100 m")


@pytest.mark.parametrize("region", ["-4,40,-3.9999,44", "-4,40,-3,41", "Chile"])
def test_the_least_width_of_cells_keeps_to_their_limit_on_thin_regions_too(region):
    place = region_of(region)
    width = _least_width(place)
    held = [Cells(Positions(place, 4 * part, part)).size for part in (width, width / 2)]
    assert held[0] <= 400_000 < held[1]


def test_coarse_cells_lose_some_of_the_gain_and_never_more():
    region, places = "-4,40,-3.9,40.1", places_of(
        {"lon": [-3.97, -3.94], "lat": [40.03, 40.07], "weight": [5, 1]})
    spread = np.random.default_rng(2).uniform(-0.003, 0.003, (2, 4000))
    lon, lat = (np.repeat(towns, [3333, 667]) + part for towns, part in zip(
        ([-3.97, -3.94], [40.03, 40.07]), spread, strict=True))
    mean = []
    for more in ({"prior": places}, *({"prior": places, "cell": width} for width in (
            "500 m", "1 km", "2 km")), {}):
        plan = noise(region, "500 m", 2, **more)
        old, new = (plan.space.region.plane.project(*part) for part in (
            (lon, lat), plan.draw(lon, lat, cut=True, source=SeededSource(6))))
        mean.append(np.hypot(new[0] - old[0], new[1] - old[1]).mean())
    assert mean == sorted(mean)
    assert mean[0] < mean[-1] / 1.5


def test_outputs_whose_own_coarse_cell_is_best_stay_where_they_are():
    plan = noise("-4,40,-3.7,40.3", "1 km", 2, cell="5 km",
                          prior=places_of({"lon": [-3.9], "lat": [40.1]}))
    assert plan.remap.coarse
    lon, lat = np.array([-3.9, -3.9001]), np.array([40.1, 40.1002])
    held = [part.tolist() for part in plan.remap.moved(lon, lat)]
    assert held == [lon.tolist(), lat.tolist()]
    corner = plan.draw(np.full(50, -4.0), np.full(50, 40.0), source=SeededSource(3))
    inside = np.array(plan.space.region.plane.project(*corner))
    hull = plan.space.region.hull.T / 64
    assert (inside >= hull.min(axis=1)[:, None] - 1).all()  # a meter for degrees of seven digits
    assert (inside <= hull.max(axis=1)[:, None] + 1).all()


def test_coarse_cells_are_moved_as_points_anywhere_in_them_would_have_it():
    cover = region_cells(SMALL, "400 m", "140 m")
    shares = np.random.default_rng(8).dirichlet(np.full(cover.size, 0.1))
    rate, parts = 2.0, (np.arange(5) - 2) / 5
    found = spread_remap(cover, shares, rate, coarse=True)
    at = np.stack(np.divmod(np.arange(cover.size), cover.shape[1]), axis=1).astype(float)
    within = np.stack(np.meshgrid(parts, parts), axis=-1).reshape(-1, 2)
    lost = np.zeros((cover.size, cover.size + 1))  # of an output in each cell: moved, or as it is
    truths = at[:, None] + within
    moved = np.hypot(*(truths[:, :, None] - at).transpose(3, 0, 1, 2))
    for z in range(cover.size):
        for offset in within:
            far = np.hypot(*(truths - at[z] - offset).transpose(2, 0, 1))
            chance = shares[:, None] * np.exp(-rate * far)
            lost[z, -1] += (chance * far).sum()
            lost[z, :-1] += chance.ravel() @ moved.reshape(-1, cover.size)
    own = np.arange(cover.size)
    lost[own, own] = np.inf  # a coarse cell does not become its own center
    chosen = lost[own, np.where(found.targets == own, cover.size, found.targets)]
    assert (found.targets != own).sum() > cover.size / 5
    assert (found.targets == own).sum() > cover.size / 5
    assert chosen.sum() <= 1.01 * lost.min(axis=1).sum()
