from math import exp

import pytest
from numpy.linalg import solve


def test_rows_are_sorted_by_loss_and_absent_ones_have_a_reason(tightrope):
    found = tightrope("compare", "path:0..9", "--epsilon", "1", "--loss", "absolute", "--json").json
    losses = [row["value"] for row in found["rows"] if row["value"] is not None]
    assert losses == sorted(losses)
    assert found["rows"][0]["construction"] in ("geometric", "optimal", "remapped-geometric")
    assert found["bound"] <= losses[0] <= found["bound"] * (1 + 1e-6)
    absent = [row for row in found["rows"] if row["value"] is None]
    planar = {"planar-geometric", "planar-laplace"}
    nowhere = {"randomized-response", "staircase", *planar}
    assert {row["construction"] for row in absent} == nowhere
    assert absent[0]["construction"] == "randomized-response"
    assert not absent[0]["certified"]
    assert "equally far apart" in absent[0]["reason"]


def test_a_remap_of_the_tight_mechanism_is_a_row_of_its_own(tightrope, tmp_path):
    # for this prior the best answer to every output is the likeliest input: nothing is told
    prior = tmp_path / "prior.csv"
    prior.write_text("0.9\n" + "0.02\n" * 5)
    found = tightrope("compare", "star:5", "--epsilon", "1.5", "--prior", prior, "--json").json
    rows = {row["construction"]: row for row in found["rows"]}
    assert rows["tight"]["level_proved"]["upper"] == pytest.approx(1.5, rel=1e-9)
    x = exp(-1.5)
    kernel = [[x ** (0 if i == j else 1 if 0 in (i, j) else 2) for j in range(6)] for i in range(6)]
    weights = solve(kernel, [1.0] * 6)
    right = 0.9 * weights[0] + 0.02 * sum(weights[1:])
    assert rows["tight"]["value"] == pytest.approx(1 - right, rel=1e-9)
    remapped = rows["remapped-tight"]
    assert (remapped["level_proved"]["upper"], remapped["value"]) == (0, 0.1)


def test_each_row_has_the_fields_of_the_contract(tightrope):
    for row in tightrope("compare", "categories:3", "--ratio", "2", "--json").json["rows"]:
        assert " ".join(row) == (
            "construction value gap errors_expected level_proved certified reason parameters"
        )


def test_the_proved_level_stands_beside_the_one_asked_for(tightrope):
    found = tightrope("compare", "complete:4", "--epsilon", "1", "--json").json
    proved = {row["construction"]: row["level_proved"]["upper"] for row in found["rows"]
              if row["certified"]}
    assert proved["randomized-response"] <= 1
    assert proved["exponential"] <= 0.5 + 0.001  # its normalizers are equal here


def test_people_see_losses_and_reasons(tightrope):
    said = tightrope("compare", "path:0..9", "--epsilon", "1").out
    assert "geometric" in said
    assert "Not here" in said


def test_the_best_row_is_what_design_returns(tightrope):
    options = ("path:0..9", "--ratio", "3/2", "--loss", "squared", "--json")
    best = tightrope("compare", *options).json["rows"][0]
    designed = tightrope("design", *options).json
    assert designed["value"] == pytest.approx(best["value"], rel=1e-6)
    assert designed["bound"] <= designed["value"]


def test_a_picture_is_drawn_on_request(tightrope, folder):
    answer = tightrope("compare", "path:0..9", "--epsilon", "1", "--plot", "c.svg", "--json")
    assert answer.json["picture"] == "c.svg"
    assert b"<svg" in (folder / "c.svg").read_bytes()


@pytest.mark.parametrize("columns", [30, 40, 60, 70, 71, 80, 200])
def test_no_name_or_number_is_cut_in_a_narrow_terminal(tightrope, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    options = ("path:0..9", "--epsilon", "1")
    said = tightrope("compare", *options).out
    rows = tightrope("compare", *options, "--json").json["rows"]
    assert "…" not in said
    for row in rows:
        if row["certified"]:
            assert row["construction"] in said
            assert f"{row['value']:.6g}" in said
            assert f"± {row['errors_expected']['worst']['radius']:g}" in said
