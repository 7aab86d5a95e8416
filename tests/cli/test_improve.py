import numpy as np
import pytest


def test_a_document_is_improved_and_written(tightrope, folder):
    options = ("--ratio", "2", "--construction", "exponential")
    tightrope("design", "path:0..5", *options, "-o", "weak.json", "--json")
    found = tightrope("theory", "improve", "weak.json", "--loss", "absolute", "-o", "b.json",
                      "--json").json
    assert found["after"] < found["before"]
    assert found["change"] == "replaced"
    assert found["gap"] < 1e-6
    assert tightrope("verify", "b.json", "--json").json["holds"]


@pytest.mark.parametrize("level", [("--ratio", "2"), ("--ratio", "2", "--delta", "0.05")])
@pytest.mark.parametrize("loss", ["absolute", "binary"])
def test_what_improve_writes_carries_the_proof(tightrope, folder, level, loss):
    tightrope("design", "path:0..5", *level, "--loss", "absolute", "-o", "m.json", "--json")
    found = tightrope("theory", "improve", "m.json", "--loss", loss, "-o", "b.json", "--json").json
    told = tightrope("verify", "b.json", "--json").json["optimality"]
    assert told["holds"]
    assert told["loss"] == loss
    assert abs(told["value"] - found["after"]) <= 1e-12
    assert told["gap"] <= 1e-6


def test_a_matrix_needs_a_space_and_a_level(tightrope, folder):
    np.savetxt(folder / "m.csv", np.array([[0.6, 0.4], [0.4, 0.6]]), delimiter=",")
    answer = tightrope("theory", "improve", "m.csv", "--space", "categories:2")
    assert answer.code == 2
    assert "--epsilon" in answer.sentence
    told = tightrope("theory", "improve", "m.csv", "--space", "categories:2", "--ratio", "2",
                     "--json").json
    assert round(told["before"], 9) == 0.4
    assert round(told["after"], 9) == 0.333333333


def test_a_mechanism_without_the_level_is_refused(tightrope, folder):
    np.savetxt(folder / "m.csv", np.array([[0.9, 0.1], [0.1, 0.9]]), delimiter=",")
    assert tightrope("theory", "improve", "m.csv", "--space", "categories:2", "--ratio",
                     "2").code == 1


def test_a_changed_document_is_refused(tightrope, folder):
    tightrope("design", "path:0..3", "--ratio", "2", "-o", "m.json", "--json")
    text = (folder / "m.json").read_text()
    (folder / "m.json").write_text(text.replace('"digest": "', '"digest": "0', 1))
    assert tightrope("theory", "improve", "m.json").code == 1


def test_people_read_what_was_done(tightrope, folder):
    tightrope("design", "path:0..5", "--ratio", "2", "--loss", "absolute", "-o", "m.json")
    said = tightrope("theory", "improve", "m.json", "--loss", "absolute").out
    assert "loss before" in said
    assert "nothing" in said
