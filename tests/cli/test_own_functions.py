"""Functions of the user's own at the terminal: mechanisms, losses; and infinite orders."""

import pytest

OWN = """
def warner(space, level):
    ratio = 3
    return [["3/4", "1/4"], ["1/4", "3/4"]]

def far(x, z):
    return 2 * abs(x - z) ** 3
"""


@pytest.fixture
def own(folder):
    (folder / "own.py").write_text(OWN)


def test_a_loss_is_a_function_in_a_file(tightrope, own):
    found = tightrope("design", "path:0..1", "--ratio", "3", "--loss", "own.py:far", "--json").json
    assert found["value"] == pytest.approx(2 / 4)


def test_a_mechanism_is_a_function_in_a_file(tightrope, own):
    found = tightrope("compare", "categories:2", "--ratio", "3", "--extra", "mine=own.py:warner",
                      "--json").json
    assert {row["construction"]: row["value"] for row in found["rows"]}["mine"] == 0.25


@pytest.mark.parametrize("words", [
    ("design", "path:0..1", "--ratio", "3", "--loss", "own.py"),
    ("compare", "categories:2", "--ratio", "3", "--extra", "mine=own.py"),
    ("theory", "compatible", "own.py", "--radius", "1"),
])
def test_a_file_without_a_name_is_refused_with_the_spelling(tightrope, own, words):
    answer = tightrope(*words)
    assert answer.code == 2
    assert "own.py:name" in answer.sentence


def test_the_infinite_order_is_the_smallest_level(tightrope, folder):
    (folder / "m.csv").write_text("0.75,0.25\n0.25,0.75\n")
    rows = tightrope("inspect", "m.csv", "--space", "categories:2", "--orders", "2,inf",
                     "--json").json["renyi"]
    assert [row["order"] for row in rows] == ["2", "inf"]
    assert rows[1]["low"] <= 1.0986122886681098 <= rows[1]["high"]
