import numpy as np
import pytest

from tests.crosschecks.plain_programs import best_matrix

OPTIMUM = 1.8080081202645478  # of absolute loss on path:0..49 at ε = 0.5, in exact arithmetic


@pytest.fixture
def solved(folder):
    """The matrix that a solver returns for the best mechanism on path:0..49 at ε = 0.5."""
    gaps = np.abs(np.subtract.outer(np.arange(50), np.arange(50)))
    found = best_matrix(np.where(gaps == 1, np.exp(0.5), np.inf), gaps, np.full(50, 1 / 50))
    np.savetxt(folder / "lp.csv", found, delimiter=",")
    return "lp.csv"


def test_the_matrix_of_a_solver_is_private_at_no_level_until_it_is_repaired(
    tightrope, solved, folder
):
    answer = tightrope("verify", solved, "--space", "path:0..49", "--json")
    assert answer.code == 1
    assert answer.json["epsilon"] is None
    assert answer.json["witness"] is not None
    options = ("--space", "path:0..49", "--epsilon", "0.5", "--loss", "absolute")
    answer = tightrope("certify", solved, *options, "-o", "m.json", "--json")
    assert answer.code == 0
    found = answer.json
    assert found["certified"] is True
    assert found["changed"] is True
    assert 0 < found["moved"] < 1e-5
    assert OPTIMUM <= found["value_after"] < OPTIMUM * (1 + 1e-5)
    assert found["value_before"] < OPTIMUM
    assert found["level_proved"]["upper"] <= 0.5
    assert tightrope("verify", "m.json").code == 0


def test_a_matrix_that_has_the_level_is_kept_as_it_is(tightrope, folder):
    (folder / "m.csv").write_text("2/3,1/6,1/6\n1/3,1/3,1/3\n1/6,1/6,2/3\n")
    found = tightrope("certify", "m.csv", "--space", "path:0..2", "--ratio", "2", "--json").json
    assert found["moved"] == 0
    assert found["changed"] is False
    assert found["level_proved"]["exact"] == "ln(2)"
    assert found["file"] is None
    assert found["value_before"] is None


def test_without_o_nothing_is_written(tightrope, folder):
    (folder / "m.csv").write_text("1,0\n0,1\n")
    assert tightrope("certify", "m.csv", "--space", "categories:2", "--epsilon", "1").code == 0
    assert [path.name for path in folder.iterdir()] == ["m.csv"]


def test_people_are_told_how_far_it_was_moved(tightrope, folder):
    (folder / "m.csv").write_text("1,0\n0,1\n")
    options = ("--space", "categories:2", "--epsilon", "1", "--loss", "binary")
    said = tightrope("certify", "m.csv", *options).out
    assert "moved" in said
    assert "before" in said


def test_a_document_is_not_certified_again(tightrope, document):
    answer = tightrope("certify", document, "--space", "path:0..2", "--epsilon", "1")
    assert answer.code == 2
    assert "verify" in answer.sentence


def test_with_delta_less_is_moved_than_without(tightrope, folder):
    (folder / "m.csv").write_text("1,0\n0,1\n")
    options = ("--space", "categories:2", "--epsilon", "1", "--json")
    pure = tightrope("certify", "m.csv", *options).json
    found = tightrope("certify", "m.csv", *options, "--delta", "0.1").json
    assert found["certified"]
    assert 0 < found["moved"] < pure["moved"]
