import numpy as np
import pytest

OPTIMUM = 1.8080081202645478  # of absolute loss on path:0..49 at ε = 0.5, in exact arithmetic


@pytest.fixture
def solved(folder):
    """The matrix that a solver returns for the best mechanism on path:0..49 at ε = 0.5."""
    from scipy import sparse
    from scipy.optimize import linprog

    size, ratio = 50, np.exp(0.5)
    step = sparse.eye(size - 1, size, k=1) - ratio * sparse.eye(size - 1, size)
    back = sparse.eye(size - 1, size) - ratio * sparse.eye(size - 1, size, k=1)
    ratios = sparse.kron(sparse.vstack([step, back]), sparse.eye(size))
    totals = sparse.kron(sparse.eye(size), np.ones((1, size)))
    points = np.arange(size)
    cost = np.abs(points[:, None] - points[None, :]).ravel() / size
    found = linprog(
        cost, A_ub=ratios, b_ub=np.zeros(ratios.shape[0]), A_eq=totals, b_eq=np.ones(size)
    )
    np.savetxt(folder / "lp.csv", found.x.reshape(size, size), delimiter=",")
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
    assert found["proved"]["upper"] <= 0.5
    assert tightrope("verify", "m.json").code == 0


def test_a_matrix_that_has_the_level_is_kept_as_it_is(tightrope, folder):
    (folder / "m.csv").write_text("2/3,1/6,1/6\n1/3,1/3,1/3\n1/6,1/6,2/3\n")
    found = tightrope("certify", "m.csv", "--space", "path:0..2", "--ratio", "2", "--json").json
    assert found["moved"] == 0
    assert found["changed"] is False
    assert found["proved"]["exact"] == "ln(2)"
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
