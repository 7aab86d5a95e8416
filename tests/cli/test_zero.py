"""ε = 0 on the command line: proved where it has a meaning, refused where something is released."""

import pytest

from tests.cli.runner import receipt

ZERO = ("--epsilon", "0")


@pytest.mark.parametrize(("typed", "loss"), [
    (("path:0..4", *ZERO), 1.2),
    (("path:0..4", "--ratio", "1"), 1.2),
    (("path:0..3", *ZERO, "--goal", "worst"), 1.5),
    (("categories:3", *ZERO, "--delta", "0.1"), 0.6),
    (("path:0..3", *ZERO, "--delta", "0.1"), 0.85),
])
def test_a_design_at_zero_is_proved_by_verify_and_by_the_receipt(
    tightrope, tmp_path, typed, loss
):
    file = tmp_path / "m.json"
    made = tightrope("design", *typed, "-o", file, "--json").json
    assert made["value"] == pytest.approx(loss)
    assert (made["epsilon"], made["epsilon_text"]) == (0, "0")
    checked = tightrope("verify", file, "--json")
    assert (checked.code, checked.json["holds"]) == (0, True)
    assert receipt(file).code == 0


def test_a_matrix_is_verified_at_zero(tightrope, tmp_path):
    same, other = tmp_path / "same.csv", tmp_path / "other.csv"
    same.write_text("0.5,0.5\n0.5,0.5\n")
    other.write_text("0.5,0.5\n0.45,0.55\n")
    asked = ("--space", "categories:2", *ZERO)
    assert tightrope("verify", same, *asked).code == 0
    assert "0 exactly" in tightrope("verify", same, *asked).out
    assert tightrope("verify", other, *asked).code == 1
    assert tightrope("verify", other, *asked, "--delta", "0.05").code == 0
    assert tightrope("verify", other, *asked, "--delta", "0.049").code == 1


def test_comparisons_name_what_does_not_exist_at_zero(tightrope):
    rows = {row["construction"]: row for row in
            tightrope("compare", "path:0..3", *ZERO, "--json").json["rows"]}
    assert rows["optimal"]["level_proved"]["exact"] == "0"
    assert "needs an ε above 0" in rows["geometric"]["reason"]
    answer = tightrope("design", "path:0..3", *ZERO, "--construction", "geometric")
    assert (answer.code, "needs an ε above 0" in answer.err) == (1, True)


def test_the_polytope_at_zero_has_single_columns_only(tightrope):
    # H16, Corollary 5.2
    assert tightrope("theory", "polytope", 4, "--ratio", 1, "--json").json["by_columns"] == {"1": 4}
    assert "Corollary 5.2" in tightrope("theory", "polytope", 4, "--ratio", 1).out


def test_randomized_response_at_zero_is_the_curve_of_figure_4_1(tightrope):
    # m = 5, δ = 1/20: each wrong value from (1 - δ)/5 to (1 + δ)/5
    said = tightrope("theory", "response", 5, *ZERO, "--delta", "0.05").out
    assert "from 19/100 to 21/100" in said


def test_tradeoffs_begin_at_zero(tightrope):
    rows = tightrope("tradeoff", "path:0..3", "--epsilons", "0:1:1", "--json").json["rows"]
    assert rows[0]["epsilon"] == 0
    assert rows[0]["bound"] == pytest.approx(1)


def test_laplace_noise_at_zero_needs_a_delta(tightrope):
    answer = tightrope("theory", "laplace", 1, *ZERO)
    assert (answer.code, "no scale" in answer.err) == (1, True)
    assert "4.745611" in tightrope("theory", "laplace", 1, *ZERO, "--delta",
                                   "0.1").out  # 1/(-2 ln 0.9)


@pytest.mark.parametrize("typed", [
    ("theory", "noise", "[0, 1]", *ZERO),
    ("sanitize", "t.csv", "--column", "y", "--values", "a/b", "-o", "out.csv", *ZERO),
    ("survey", "new", "s.survey", "--question", "q", "--answers", "no/yes", *ZERO),
    ("ledger", "open", "l.ledger", "--budget", "b", "--dataset", "d", "--unit", "row",
     "--neighbors", "add-remove", *ZERO),
    ("theory", "prior", "path:0..3", *ZERO),
])
def test_nothing_is_released_at_zero(tightrope, tmp_path, monkeypatch, typed):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("x,y\n1,a\n2,b\n")
    answer = tightrope(*typed)
    assert answer.code == 2
    assert "above 0" in answer.err
    assert [file.name for file in tmp_path.iterdir()] == ["t.csv"]
