import json
import re
import shlex
import sys

import pytest

from tests.cli.runner import outside, receipt
from tightrope.constructions import design
from tightrope.files import load, read_document, save
from tightrope.utility import largest


def test_the_smallest_geometric_is_exact(tightrope, document):
    certified = load(document)
    assert [str(p) for p in certified.mechanism.row(0)] == ["2/3", "1/6", "1/6"]
    assert certified.certificate.smallest.exact.text == "ln(2)"


def test_the_answer_says_what_was_designed(tightrope):
    found = tightrope("design", "path:0..2", "--ratio", "2", "--loss", "absolute", "--json").json
    assert found["construction"] == "geometric"
    assert found["value"] == pytest.approx(5 / 9)
    assert found["bound"] == pytest.approx(5 / 9, rel=1e-6)
    assert 0 <= found["gap"] <= 1e-6
    assert found["certified"] is True
    assert found["evidence"] == "enumerated"
    assert found["outputs"] == 3
    assert found["epsilon_text"] == "ln(2)"
    assert found["level_proved"]["exact"] == "ln(2)"
    assert found["level_proved"]["lower"] <= found["epsilon"] <= found["level_proved"]["upper"]
    assert found["file"] is None


def test_without_o_nothing_is_written(tightrope, folder):
    assert tightrope("design", "path:0..2", "--epsilon", "1").code == 0
    assert list(folder.iterdir()) == []


def test_people_are_told_rows_meaning_protection_and_what_to_type_next(tightrope):
    said = tightrope("design", "path:0..2", "--ratio", "2", "-o", "m.json").out
    assert "2/3   1/6   1/6" in said
    words = " ".join(said.split())
    assert "a factor e^(ε d): e^ε = 2 for the nearest, e^(2 ε) = 4 for the farthest." in words
    assert "Protected: counts that differ by one." in said
    assert "tightrope verify m.json" in said
    assert "python -m tightrope.receipt m.json" in said
    assert "python -m tightrope.receipt m.json" in tightrope("verify", "m.json").out


@pytest.mark.parametrize("space", ["grid:33x33", "path:0..2"])
def test_what_is_to_be_typed_next_proves_the_document(tightrope, space):
    asked = ("design", space, "--epsilon", "1.2", "--loss", "binary")
    said = tightrope(*asked, "-o", "my own.json").out
    for typed in (said, tightrope("verify", "my own.json").out):
        _, _, module, file = shlex.split(re.search(r"python -m \S+ '.*?'", typed)[0])
        assert outside(sys.executable, "-m", module, file).code == 0


def test_a_level_with_delta_is_explained_with_its_delta(tightrope):
    said = tightrope("design", "path:0..2", "--epsilon", "1", "--delta", "0.001").out
    assert "plus δ = 0.001" in " ".join(said.split())


def test_a_document_may_be_compressed(tightrope):
    assert tightrope("design", "path:0..9", "--epsilon", "1", "-o", "m.json.gz").code == 0
    assert tightrope("verify", "m.json.gz").code == 0


def test_an_existing_file_is_refused_before_any_work(tightrope, document, folder, monkeypatch):
    def work(*_, **__):
        raise AssertionError("worked before looking")

    monkeypatch.setattr("tightrope.constructions.design", work)
    before = (folder / document).read_bytes()
    answer = tightrope("design", "path:0..9", "--epsilon", "1", "-o", document)
    assert answer.code == 2
    assert "m.json exists" in answer.sentence
    assert (folder / document).read_bytes() == before


def test_force_overwrites(tightrope, document, folder):
    answer = tightrope("design", "path:0..9", "--epsilon", "1", "-o", document, "--force")
    assert answer.code == 0
    assert json.loads((folder / document).read_text())["space"]["high"] == 9


def test_a_construction_that_does_not_exist_here_is_a_no(tightrope):
    answer = tightrope(
        "design", "path:0..9", "--epsilon", "1", "--construction", "randomized-response", "--json"
    )
    assert answer.code == 1
    assert answer.json["kind"] == "Infeasible"


def test_noise_on_all_integers_has_no_number_of_outputs(tightrope):
    found = tightrope(
        "design", "path:0..9", "--epsilon", "1", "--construction", "two-sided-geometric", "--json"
    ).json
    assert found["outputs"] is None
    assert found["evidence"] == "theorem"


def test_the_prior_and_the_loss_may_come_from_files(tightrope, folder):
    (folder / "prior.csv").write_text("2,1/2\n0,1/4\n1,1/4\n")
    (folder / "loss.csv").write_text("0,1,4\n1,0,1\n4,1,0\n")
    options = ("--ratio", "2", "--prior", "prior.csv", "--construction", "geometric", "--json")
    given = tightrope("design", "path:0..2", "--loss", "loss.csv", *options).json["value"]
    named = tightrope("design", "path:0..2", "--loss", "squared", *options).json["value"]
    assert given == pytest.approx(named)
    # rows 0, 1, 2 cost 5/6, 2/3, 5/6
    assert given == pytest.approx(5 / 24 + 2 / 12 + 5 / 12)


def test_the_worst_input_may_count(tightrope):
    options = ("--ratio", "2", "--loss", "absolute", "--construction", "geometric", "--json")
    worst = tightrope("design", "path:0..2", "--goal", "worst", *options).json["value"]
    assert worst == pytest.approx(2 / 3)


def test_the_two_products_say_how_far_a_person_who_differs_in_both_is(tightrope):
    both = {}
    for operator in "*^":
        said = tightrope("design", f"path:0..1 {operator} path:0..1", "--epsilon", "1").out
        both[operator] = " ".join(said.split())
    assert "a person who differs in both is at distance 2" in both["*"]
    assert "a person who differs in both is at distance 1" in both["^"]


def test_a_loss_in_place_of_a_level_finds_the_smallest_level(tightrope, folder):
    found = tightrope("design", "categories:2", "--max-loss", "1/4", "-o", "m.json", "--json").json
    assert found["epsilon_refuted"] < 1.0986122886681098 <= found["epsilon"]
    assert found["value"] <= 0.25
    assert tightrope("verify", "m.json", "--json").json["holds"]
    assert "level found" in tightrope("design", "categories:2", "--max-loss", "1/4").out


def test_a_loss_that_no_level_reaches_is_an_answer_and_a_level_beside_it_a_mistake(tightrope):
    unreachable = tightrope("design", "path:0..4", "--max-loss", "0", "--loss", "absolute")
    assert unreachable.code == 1
    assert "even without privacy" in unreachable.sentence
    assert tightrope("design", "path:0..4", "--max-loss", "1", "--epsilon", "1").code == 2
    assert tightrope("design", "path:0..4", "--max-loss", "x").code == 2


def test_outputs_come_from_a_file(tightrope, folder):
    (folder / "o.csv").write_text("answer\n0\n9\n")
    options = ("--epsilon", "1", "--loss", "absolute", "--outputs", "o.csv", "--json")
    found = tightrope("design", "path:0..9", *options).json
    assert found["outputs"] == 2
    assert found["gap"] <= 1e-6
    (folder / "twice.csv").write_text("0\n0\n")
    options = ("--epsilon", "1", "--outputs", "twice.csv")
    assert tightrope("design", "path:0..9", *options).code == 2


def test_a_loss_matrix_may_have_columns_for_the_outputs(tightrope, folder):
    (folder / "o.csv").write_text("low\nhigh\n")
    (folder / "l.csv").write_text(",low,high\n0,0,1\n1,0.5,0.5\n2,1,0\n")
    options = ("--ratio", "2", "--loss", "l.csv", "--outputs", "o.csv", "-o", "m.json", "--json")
    found = tightrope("design", "path:0..2", *options).json
    assert found["outputs"] == 2
    assert round(found["value"], 7) == 0.3333333  # the rows (3, 1)/4, (1, 1)/2, (1, 3)/4
    assert tightrope("verify", "m.json", "--json").json["holds"]


def test_delta_finds_a_better_mechanism_than_no_delta(tightrope, folder):
    pure = tightrope("design", "path:0..5", "--ratio", "2", "--loss", "absolute", "--json").json
    options = ("--ratio", "2", "--delta", "0.05", "--loss", "absolute", "-o", "m.json", "--json")
    found = tightrope("design", "path:0..5", *options).json
    assert found["value"] < pure["bound"]
    assert found["gap"] <= 1e-6
    assert tightrope("verify", "m.json", "--json").json["holds"]


@pytest.mark.parametrize("goal", ["average", "worst"])
def test_the_command_writes_what_the_library_saves(tightrope, goal, tmp_path):
    text = "counts:people=2,queries=2"
    tightrope("design", text, "--epsilon", 1, "--goal", goal, "-o", tmp_path / "c.json")
    save(design(text, 1, goal=goal), tmp_path / "s.json")
    assert (tmp_path / "c.json").read_bytes() == (tmp_path / "s.json").read_bytes()
    assert read_document(tmp_path / "s.json").optimality.loss == largest
    assert receipt(tmp_path / "s.json").code == 0


def test_a_measure_takes_the_place_of_a_loss(tightrope, folder):
    found = tightrope("theory", "measure", "cycle:5", "dobrushin", "--ratio", 2, "-o", "d.json",
                      "--json")
    assert found.code == 0
    assert found.json["value"] == found.json["bound"] == -0.5  # -e^(-ε) at diameter 2
    assert tightrope("verify", "d.json").code == 0
    told = tightrope("theory", "measure", "categories:2", "mutual-information", "--ratio", 3)
    assert "0.1887218755 bits" in told.out
    for more in ("--loss binary", "--goal worst", "--construction geometric", "--delta 0.1"):
        asked = ("theory", "measure", "path:0..2", "determinant", "--ratio", 2, *more.split())
        assert tightrope(*asked).code in (2, 3)
