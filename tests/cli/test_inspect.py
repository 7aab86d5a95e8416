import json
from fractions import Fraction

import pytest


def test_the_geometric_is_known_in_closed_form(tightrope, document):
    found = tightrope("inspect", document, "--json").json
    assert found["level"]["exact"] == "ln(2)"
    # columns have the maxima 2/3, 1/3, 2/3
    assert found["leakage"]["min_capacity"] == pytest.approx(0.7369655941662062)
    assert found["dobrushin"] == pytest.approx(-0.5)
    assert found["rank"] == 3
    assert found["generality"]["maximally_general"] is True
    assert found["loose"] == []
    assert found["skipped"] == {}


def test_the_curve_falls_from_the_total_variation_to_zero(tightrope, document):
    curve = tightrope("inspect", document, "--json").json["curve"]
    assert curve[0] == [0, pytest.approx(1 / 3)]
    assert curve[-1][0] == pytest.approx(0.6931471805599453)
    assert curve[-1][1] == 0
    deltas = [delta for _, delta in curve]
    assert deltas == sorted(deltas, reverse=True)


def test_loose_entries_are_named(tightrope, folder):
    (folder / "m.csv").write_text("4/7,1/7,2/7\n3/7,2/7,2/7\n2/7,1/7,4/7\n")
    found = tightrope("inspect", "m.csv", "--space", "categories:3", "--json").json
    assert found["loose"] == [[1, 0]]
    assert found["loose_count"] == 1
    assert found["generality"]["maximally_general"] is False


def test_where_no_neighbors_are_declared_the_curve_is_absent_with_a_reason(tightrope, folder):
    tightrope("design", "grid:3x3", "--epsilon", "1", "-o", "g.json")
    found = tightrope("inspect", "g.json", "--json").json
    assert found["curve"] is None
    assert "no neighbors" in found["skipped"]["curve"]


def test_noise_has_a_level_and_no_matrix(tightrope):
    tightrope("design", "path:0..9", "--epsilon", "1", "--construction", "two-sided-geometric",
              "-o", "n.json")
    found = tightrope("inspect", "n.json", "--json").json
    assert found["level"]["upper"] <= 1
    assert found["rank"] is None
    assert "matrix" in found["skipped"]


def test_a_mechanism_without_level_says_why(tightrope, folder):
    (folder / "m.csv").write_text("1,0\n0.5,0.5\n")
    answer = tightrope("inspect", "m.csv", "--space", "categories:2", "--json")
    assert answer.code == 0
    assert answer.json["level"] is None
    assert "no finite level" in answer.json["skipped"]["level"]
    assert answer.json["curve"][-1][1] == pytest.approx(0.5)


def test_what_costs_too_much_is_left_out_with_a_reason(tightrope, document, monkeypatch):
    monkeypatch.setattr("tightrope.documents.inspection.MOST_CURVE", 1)
    monkeypatch.setattr("tightrope.documents.inspection.MOST_RANK", 1)
    monkeypatch.setattr("tightrope.documents.inspection.MOST_PAIRWISE", 1)
    found = tightrope("inspect", document, "--json").json
    assert set(found["skipped"]) == {"curve", "rank", "dobrushin", "generality"}
    assert found["leakage"] is not None
    assert "no rank" in tightrope("inspect", document).out


def test_people_see_a_small_matrix_or_a_picture_of_shades(tightrope, document):
    assert "2/3   1/6   1/6" in tightrope("inspect", document).out
    tightrope("design", "path:0..40", "--epsilon", "1", "-o", "p.json")
    assert "█" in tightrope("inspect", "p.json").out


@pytest.mark.parametrize(("name", "start"), [("p.png", b"\x89PNG"), ("p.svg", b"<?xml")])
def test_a_picture_is_drawn_on_request_and_not_over_another(
    tightrope, document, folder, name, start
):
    answer = tightrope("inspect", document, "--plot", name, "--json")
    assert answer.json["picture"] == name
    drawn = (folder / name).read_bytes()
    assert drawn.startswith(start)
    assert tightrope("inspect", document, "--plot", name).code == 2
    assert (folder / name).read_bytes() == drawn
    assert tightrope("inspect", document, "--plot", name, "--force").code == 0


def test_noise_cannot_be_drawn_and_nothing_is_written(tightrope, folder):
    options = ("--epsilon", "1", "--construction", "two-sided-geometric")
    answer = tightrope("design", "path:0..9", *options, "-o", "n.json", "--plot", "n.png")
    assert answer.code == 3
    assert list(folder.iterdir()) == []


def test_tiny_probabilities_are_not_shown_as_zero(tightrope):
    said = tightrope("design", "path:0..2", "--epsilon", "5000").out
    assert "e-4343" in said
    assert "e^5,000 for the nearest, e^10,000 for the farthest" in " ".join(said.split())


def test_levels_far_beyond_doubles_are_inspected(tightrope, folder):
    tightrope("design", "path:0..2", "--epsilon", "5000", "-o", "m.json")
    found = tightrope("inspect", "m.json", "--json").json
    assert found["level"]["upper"] == pytest.approx(5000)
    assert found["curve"][-1][0] <= 700


def test_generality_at_a_rational_ratio_is_decided_exactly(tightrope, folder):
    # e^ε = 2; the ratio of the first row to the second is 2 less one part in 2·10^13
    n = 10**13
    lines = [[Fraction(2 * n - 1, 3 * n - 1), Fraction(n, 3 * n - 1)]]
    lines.append(lines[0][::-1])
    (folder / "m.csv").write_text("\n".join(",".join(map(str, line)) for line in lines) + "\n")
    asked = ("m.csv", "--space", "path:0..1", "--ratio", "2")
    assert tightrope("certify", *asked, "-o", "c.json").code == 0
    (folder / "exact.csv").write_text("2/3,1/3\n1/3,2/3\n")
    found = tightrope("inspect", "exact.csv", "--space", "path:0..1", "--json").json["generality"]
    assert (found["maximally_general"], found["margin"]) == (True, 0)
    found = tightrope("inspect", "c.json", "--json").json["generality"]
    assert (found["maximally_general"], found["connected"], found["margin"]) == (False, 0, 0)
    assert "not maximal" in tightrope("inspect", "c.json").out


def test_generality_at_an_irrational_ratio_is_told_within_its_margin(tightrope, folder):
    tightrope("design", "path:0..4", "--epsilon", "0.5", "--loss", "binary", "-o", "g.json")
    found = tightrope("inspect", "g.json", "--json").json
    assert found["generality"]["maximally_general"] is False
    assert found["generality"]["connected"] == found["generality"]["occurring"]
    assert 0 < found["generality"]["margin"] < 1e-10
    said = " ".join(tightrope("inspect", "g.json").out.split())
    assert "within a relative 1.5e-11, not exactly" in said


def test_generality_is_told_at_a_level_that_the_mechanism_has(tightrope, folder):
    # the ratio is 3 and the claim is 2: nothing is said about ε = ln 2
    tightrope("design", "path:0..1", "--ratio", "3", "-o", "g.json")
    content = json.loads((folder / "g.json").read_text())
    content["claim"]["epsilon"]["base"] = "2"
    (folder / "g.json").write_text(json.dumps(content))
    found = tightrope("inspect", "g.json", "--json").json
    assert found["claim"]["epsilon_text"] == "ln(2)"
    assert found["generality"]["epsilon_text"] == "ln(3)"
    assert found["generality"]["maximally_general"] is True


def test_a_prior_shows_what_an_answer_does_to_beliefs(tightrope, folder):
    (folder / "m.csv").write_text("3/4,1/4\n1/4,3/4\n")
    (folder / "prior.csv").write_text("2/3\n1/3\n")
    found = tightrope("inspect", "m.csv", "--space", "categories:2", "--prior", "prior.csv",
                      "--json").json["beliefs"]
    assert (found["prior"], found["guess_after"]) == ("given", 0.75)
    assert found["largest_odds"]["before"] == "2"
    assert found["largest_odds"]["after"] == "6"
    shown = tightrope("inspect", "m.csv", "--space", "categories:2", "--prior", "uniform").out
    assert "Odds between neighbors" in shown
    assert tightrope("inspect", "m.csv", "--space", "categories:2", "--prior", "no.csv").code == 2
    without = tightrope("inspect", "m.csv", "--space", "categories:2", "--json")
    assert without.json["beliefs"] is None


def test_no_number_is_a_negative_zero(tightrope, tmp_path):
    file = tmp_path / "truth.csv"
    file.write_text("1,0\n0,1\n")
    answer = tightrope("inspect", file, "--space", "categories:2", "--json")
    assert answer.json["dobrushin"] == 0
    assert "-0.0" not in answer.out
    shown = tightrope("inspect", file, "--space", "categories:2").out
    assert "Dobrushin coefficient 0," in " ".join(shown.split())
