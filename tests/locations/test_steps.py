"""Noise in steps for positions: the same promise with a smaller mean, and what is not promised."""

import json
from fractions import Fraction

import numpy as np
import pytest
from typer.testing import CliRunner

from tightrope.cli import application
from tightrope.constructions import Effort
from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.files import load
from tightrope.locations import cells, compare_locations, noise, plan_map
from tightrope.locations.bounds import block_bound
from tightrope.locations.covering import region_cells
from tightrope.locations.nearness import best_near, near_space
from tightrope.locations.remapping import spread_remap
from tightrope.samplers import SeededSource

SMALL = "-4,40,-3.99,40.01"
TOWNS = {"lon": [-3.997, -3.992], "lat": [40.003, 40.008], "population": [50, 20]}


@pytest.mark.parametrize(("factor", "share"), [(2, 0.998), (10, 0.935), (100, 0.709)])
def test_the_mean_is_the_share_of_planar_noise_that_was_worked_out(factor, share):
    """Shares of 2/ε, from two lines of integrals of (γ + k)² and (γ + k)³ by hand."""
    flat, steps = (noise("-4,40,-3,41", "1 km", factor, mechanism=name)
                   for name in ("planar", "steps"))
    assert steps.mean_displacement / flat.mean_displacement == pytest.approx(share, rel=0.01)
    assert steps.least_displacement < steps.mean_displacement < 1.01 * steps.least_displacement
    assert steps.least_displacement / flat.least_displacement == pytest.approx(share, abs=6e-4)


def test_what_is_kept_and_what_is_not_is_said():
    plan = noise("-4,40,-3,41", "1 km", 100, mechanism="steps")
    assert plan.promise.endswith("Positions nearer to each other may differ by as much.")
    assert not any("each meter" in one.name for one in plan.conventions)
    assert "any two positions on Earth at most 1000 m" in plan.certified.certificate.neighbors
    assert plan.facts().json["construction"] == "steps"
    flat = noise("-4,40,-3,41", "1 km", 100)
    assert "nearer" not in flat.promise
    assert flat.facts().json["construction"] == "planar"


def test_rows_of_one_person_share_the_factor():
    three = noise("-4,40,-3,41", "1 km", 100, releases=3, mechanism="steps")
    assert three.mechanism.ratio**3 <= 100 < (three.mechanism.ratio + Fraction(1, 10**9)) ** 3
    assert three.least_displacement < three.mean_displacement < 1.01 * three.least_displacement


def test_one_far_row_more_changes_no_other_law_and_nothing_that_is_said(tmp_path):
    found = {}
    for name, more in (("none", ""), ("near", "-3.995,40.005\n"), ("far", "179.9,-89.5\n")):
        (tmp_path / f"{name}.csv").write_text(f"lon,lat\n-3.997,40.003\n-3.992,40.001\n{more}")
        found[name] = noise(SMALL, "400 m", 50, mechanism="steps", prior=TOWNS).blur(
            tmp_path / f"{name}.csv", output=tmp_path / f"out_{name}.csv", source=SeededSource(3))
    said = [{**one.facts().json, "rows": 0, "file": "", "mechanism": ""} for one in found.values()]
    assert said[0] == said[1] == said[2]
    rows = [(tmp_path / f"out_{name}.csv").read_text().splitlines() for name in ("near", "far")]
    assert rows[0][:3] == rows[1][:3]
    documents = {(tmp_path / f"out_{name}.csv.mechanism.json").read_bytes() for name in found}
    assert len(documents) == 1
    assert load(tmp_path / "out_far.csv.mechanism.json").mechanism == found["far"].plan.mechanism
    assert json.loads(documents.pop())["mechanism"]["form"] == "planar-steps"


def test_the_best_cell_for_noise_in_steps_is_the_best_of_all_cells():
    cover = region_cells(SMALL, "400 m", "130 m")
    shares = np.random.default_rng(3).dirichlet(np.full(cover.size, 0.2))

    def falling(far):
        return 30.0 ** -np.ceil(np.maximum(far - 1.4, 0) / 4)

    found = spread_remap(cover, shares, np.log(30) / 4, falling=falling)
    east, north = np.divmod(np.arange(cover.size), cover.shape[1])
    far = np.hypot(east[:, None] - east, north[:, None] - north)
    lost = (shares[:, None] * falling(far)).T @ far
    chosen = lost[np.arange(cover.size), found.targets]
    assert (chosen <= lost.min(axis=1) * 1.03).all()
    assert (found.targets != spread_remap(cover, shares, np.log(30) / 4).targets).any()


def test_outputs_that_are_moved_by_a_prior_lose_less_than_planar_noise_does():
    means = {}
    lon, lat = np.full(3000, -3.997), np.full(3000, 40.003)
    for name in ("planar", "steps"):
        plan = noise(SMALL, "400 m", 50, prior=TOWNS, mechanism=name)
        new = plan.space.region.plane.project(*plan.draw(lon, lat, source=SeededSource(4)))
        old = plan.space.region.plane.project(lon, lat)
        means[name] = np.hypot(new[0] - old[0], new[1] - old[1]).mean()
    assert means["steps"] < 0.95 * means["planar"]


def test_cells_that_are_near_are_joined_and_no_others():
    space = near_space((4, 5), Fraction(2), Fraction(5))
    for i in range(20):
        for j in range(i):
            far = 4 * ((i // 5 - j // 5) ** 2 + (i % 5 - j % 5) ** 2)
            assert (space.distance(i, j).rational == 1) is (far <= 25)


def test_a_bound_for_one_distance_is_below_that_for_every_distance_and_below_noise_in_steps():
    found = compare_locations("-4,40,-3.995,40.005", "400 m", 20, cell="140 m", prior=TOWNS,
                              draws=4000, source=SeededSource(1))
    known = {row.name: row for row in found.rows if row.reason is None}
    steps = known["noise in steps, moved by the prior"]
    assert 0 < found.near_bound < found.bound
    assert found.near_bound < steps.mean < known["planar noise, moved by the prior"].mean
    assert found.facts().json["bound_at_distance"] == found.near_bound


def test_blocks_lose_no_more_together_than_the_whole_for_one_distance(monkeypatch):
    monkeypatch.setattr("tightrope.locations.bounds._SIDE", 3)
    cover = region_cells("-4,40,-3.995,40.005", "300 m", "100 m")
    shares = np.random.default_rng(4).dirichlet(np.full(cover.size, 0.5))
    level, within = Level.ratio(10), Fraction(300)
    parts = block_bound(cover, level, shares, 60.0, within)
    space = near_space(cover.shape, cover.space.step, within)
    whole = best_near(space, cover.shape, cover.space.step, level,
                      [Fraction(part) for part in shares], Effort(gap=0.01))
    assert 0 < parts < whole.value
    assert whole.bound < whole.value < 1.02 * whole.bound


def test_the_command_plans_compares_and_blurs_in_steps(tmp_path):
    run, asked = CliRunner().invoke, ["--region=" + SMALL, "--within", "400m", "--factor", "50",
                                      "--mechanism", "steps"]
    said = run(application(), ["locate", "blur", *asked])
    assert said.exit_code == 0
    assert "may differ by as much" in " ".join(said.stdout.split())
    (tmp_path / "in.csv").write_text("lon,lat\n-3.997,40.003\n")
    done = run(application(), ["locate", "blur", str(tmp_path / "in.csv"), *asked, "--json",
                     "-o", str(tmp_path / "out.csv")])
    assert json.loads(done.stdout)["construction"] == "steps"
    proved = run(application(), ["verify", str(tmp_path / "out.csv.mechanism.json"), "--json"])
    assert (proved.exit_code, json.loads(proved.stdout)["holds"]) == (0, True)
    with pytest.raises(BadInput, match="a width is for a prior"):
        noise(SMALL, "400 m", 50, mechanism="steps", cell="90 m")


def test_a_map_shows_rings_and_bad_names_are_refused():
    plan = noise(SMALL, "400 m", 50, mechanism="steps")
    assert plan_map(plan, around=(-3.995, 40.005)).axes
    with pytest.raises(BadInput, match="one of planar, planar-laplace, steps"):
        noise(SMALL, "400 m", 50, mechanism="stairs")


def test_positions_that_are_near_are_in_cells_that_are_joined():
    """Pairs right at the edges of cover and right at the distance, along the ground."""
    cover = region_cells(SMALL, "400 m", "100 m")
    space = near_space(cover.shape, cover.space.step, cover.space.within, anywhere=True)
    plane, random = cover.space.region.plane, np.random.default_rng(6)
    east, north = cover.edges
    x = 1000 * random.choice(east[1:-1], 4000) + random.choice([-1e-9, 0, 1e-9, 30], 4000)
    y = 1000 * random.choice(north[1:-1], 4000) + random.choice([-1e-9, 0, 1e-9, 30], 4000)
    turn = random.choice(np.arange(8), 4000) * np.pi / 4 + random.choice([0, 0.3], 4000)
    near = cover.codes(*plane.lift(x, y))
    far = cover.codes(*plane.lift(x + 400 * np.cos(turn), y + 400 * np.sin(turn)))
    hops = {(a, b): space.distance(a, b).rational for a, b in zip(near.tolist(), far.tolist(),
                                                                  strict=True)}
    assert max(hops.values()) == 1
    assert max(space.distance(0, k).rational for k in range(cover.size)) > 1


def test_the_best_for_the_distance_keeps_the_promise_for_all_pairs_of_cells_and_loses_less():
    asked, effort = ("-4,40,-3.992,40.008", "400 m", 10, "140 m"), Effort(gap=0.05)
    plan = cells(*asked, mechanism="optimal-within", prior=TOWNS, effort=effort)
    chances, shape = plan.certified.mechanism.to_numpy(), plan.cells.shape
    east, north = np.divmod(np.arange(plan.cells.size), shape[1])
    gaps = [np.maximum(np.abs(part[:, None] - part) - 1, 0) * 140 for part in (east, north)]
    joined = np.hypot(*gaps) <= 400
    assert not joined.all()
    for a, b in np.argwhere(joined):
        assert (chances[a] <= 10 * chances[b] * (1 + 1e-12)).all()
    assert (chances.max(axis=0) / chances.min(axis=0) > 10.5).any()  # and no more than asked for
    every = cells(*asked, prior=TOWNS, effort=effort)
    assert plan.mean_displacement < 0.6 * every.mean_displacement
    assert (plan.construction, every.construction) == ("optimal-within", "optimal")
    assert plan.promise.endswith("may differ by as much.")
    assert plan.facts().json["epsilon_per_meter_of_cells"] is None


def test_the_best_for_the_distance_blurs_files_and_is_proved_again(tmp_path):
    (tmp_path / "in.csv").write_text("lon,lat\n-3.995,40.005\n17,80\n")
    done = cells(SMALL, "400 m", 10, "140 m", mechanism="optimal-within", prior=TOWNS,
                 effort=Effort(gap=0.05)).blur(tmp_path / "in.csv", output=tmp_path / "out.csv")
    assert load(tmp_path / "out.csv.mechanism.json").mechanism == done.plan.certified.mechanism
    document = json.loads((tmp_path / "out.csv.mechanism.json").read_text())
    assert document["construction"]["name"] == "optimal-within"
    with pytest.raises(BadInput, match="made for meters"):
        cells(SMALL, "400 m", 10, "130 m", mechanism="optimal-within", loss="squared")


def test_cells_whose_centers_are_just_so_far_apart_are_joined():
    line = near_space((3, 1), Fraction(1), Fraction(2))
    assert len(line.edges()) == 1 + 1 + 1
    assert len(near_space((3, 1), Fraction(1), Fraction(199, 100)).edges()) == 2
