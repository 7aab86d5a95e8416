"""Questions that were refused without need: large grids of priors, outputs with coordinates."""

import json

import numpy as np
import pytest

import tightrope as tr
from tests.cli.runner import receipt
from tightrope.kernels import corner_priors, regular_bounds


def test_a_prior_on_ten_thousand_cells_is_judged(tightrope):
    found = tightrope("theory", "prior", "grid:100x100", "--epsilon", "0.8", "--json").json
    assert found["regular"]
    assert len(found["rows"]) == 10_000
    law = tr.kernels.regularity("grid:100x100", 0.8)
    assert found["gain"] == pytest.approx(float(law.gain))


@pytest.mark.parametrize("text", [
    "grid:3x4", "grid:3x4,metric=manhattan", "grid:2x3x2,metric=chebyshev,step=1/2", "path:3..8",
    "hamming:values=3,people=3", "grid:1x5", "counts:people=2,queries=2", "categories:4", "cycle:5",
    "histogram:people=2,cells=3", "sum:people=2,max=2",
])
@pytest.mark.parametrize("level", ["ln(2)", "0.7"])
def test_bounds_of_regular_priors_are_sums_over_all_points(text, level):
    space, asked = tr.space(text), tr.Level.of(level)
    steps = np.array([[float(space.distance(i, j)) for j in range(space.size)]
                      for i in range(space.size)])
    least, most = regular_bounds(space, asked)
    assert least == pytest.approx(1 / np.exp(float(asked) * steps).sum(axis=1), rel=1e-12)
    assert most == pytest.approx(1 / np.exp(-float(asked) * steps).sum(axis=1), rel=1e-12)
    assert most == pytest.approx(np.diag(corner_priors(space, asked)), rel=1e-12)


OUTPUTS = {"o.csv": "x,y\n0.5,0.25\n1.5,3/4\n", "plain.csv": "0.5,0.25\n1.5,0.75\n"}


@pytest.mark.parametrize("file", OUTPUTS)
@pytest.mark.parametrize("loss", ["euclidean", "absolute", "squared", "largest"])
def test_outputs_may_be_coordinates(tightrope, folder, file, loss):
    (folder / "p.csv").write_text("label,x,y\na,0,0\nb,1,0.5\nc,2,1\n", encoding="utf-8")
    (folder / file).write_text(OUTPUTS[file], encoding="utf-8")
    answer = tightrope("design", "points:p.csv", "--epsilon", 1, "--outputs", file, "--loss", loss,
                       "-o", "m.json", "--json")
    assert answer.code == 0, answer
    gaps = np.abs(np.array([[0, 0], [1, 0.5], [2, 1]])[:, None] - [[0.5, 0.25], [1.5, 0.75]])
    costs = {"euclidean": np.sqrt((gaps**2).sum(axis=2)), "absolute": gaps.sum(axis=2),
             "squared": (gaps**2).sum(axis=2), "largest": gaps.max(axis=2)}[loss]
    rows = np.array(tr.load("m.json").mechanism)
    assert answer.json["value"] == pytest.approx((rows * costs).sum(axis=1).mean(), rel=1e-9)
    assert tightrope("verify", "m.json").code == 0
    assert receipt("m.json", "--json").code == 0


def test_a_half_is_an_output_on_a_path(tightrope, folder):
    (folder / "o.csv").write_text("0.5\n5/2\n", encoding="utf-8")
    found = tightrope("design", "path:0..3", "--ratio", 2, "--outputs", "o.csv", "--loss",
                      "absolute", "-o", "m.json", "--json")
    assert found.code == 0, found
    assert json.loads((folder / "m.json").read_text())["outputs"] == ["0.5", "5/2"]
    assert receipt("m.json", "--json").code == 0


@pytest.mark.parametrize("bad", ["a,b", "0.5,nowhere", "1e3,2", "1/0,2"])
def test_outputs_without_coordinates_are_refused_by_a_loss_that_needs_them(tightrope, folder, bad):
    (folder / "p.csv").write_text("label,x,y\na,0,0\nb,1,0.5\n", encoding="utf-8")
    (folder / "o.csv").write_text(f"0,0\n{bad}\n", encoding="utf-8")
    answer = tightrope("design", "points:p.csv", "--epsilon", 1, "--outputs", "o.csv", "--loss",
                       "euclidean")
    assert answer.code == 2
    assert "has no coordinates" in answer.sentence
