"""`tightrope verify --definition`: any generic definition, from a file."""

import json

import pytest

import tightrope as library

ROWS = "1/2,1/2\n3/10,7/10\n1/4,3/4\n"


@pytest.fixture
def matrix(folder):
    (folder / "m.csv").write_text(ROWS)
    return "m.csv"


def judged(tightrope, folder, text, *more):
    (folder / "d.toml").write_text(text)
    return tightrope("verify", "m.csv", "--space", "path:0..2", "--definition", "d.toml", *more)


HOLD = {
    'formula = "sqrt(a)"': True,  # 7/10 <= √(1/2), and back 3/10 -> 1/2 <= √(3/10)
    'formula = "1-(1-a)^2"': True,  # 3/4, and 1 - (7/10)² = 51/100
    "epsilon = 0\ndelta = 0.2": True,  # rows are 1/5 and 1/20 apart
    'epsilon = 0\ndelta = 0.2\nboundary = "strict"': False,
    "epsilon = 0\ndelta = 0.19": False,
    "epsilon = 0.5": False,  # e^0.5 = 1.6487 is below 5/3
    "epsilon = 0.52": True,  # e^0.52 = 1.682
    'ratio = "5/3"': True,
    'ratio = "5/3"\nboundary = "strict"': False,
    'pairs = [[1, 2]]\nformula = "1.08*a"': True,  # 7/10 -> 3/4 is a ratio of 15/14
    'pairs = [[2, 1]]\nformula = "1.08*a"': False,  # 1/4 -> 3/10 is one of 6/5
    'pairs = [[0, 2]]\nboth_ways = true\nepsilon = "ln(5/3)"\nper_distance = true': True,
    'corners = [[0, 0], ["0.3", "0.5"], ["0.5", "0.7"], [1, 1]]': True,
    'corners = [[0, 0], ["0.3", "0.5"], ["0.5", "0.69"], [1, 1]]': False,
    'formula = "gaussian(a, 0.6)"': True,  # Φ(0.6) = 0.7257, Φ(Φ⁻¹(0.3) + 0.6) = 0.5301
    'formula = "gaussian(a, 0.5)"': False,  # Φ(0.5) = 0.6915
    'formula = "1"\nat_zero = 0': True,
}


@pytest.mark.parametrize("text", HOLD)
def test_a_definition_is_decided_as_by_hand(tightrope, folder, matrix, text):
    found = judged(tightrope, folder, text, "--json")
    assert found.code == (0 if HOLD[text] else 1)
    assert found.json["holds"] is HOLD[text]
    assert (found.json["witness"] is None) is HOLD[text]


def test_json_and_toml_and_python_say_the_same(tightrope, folder, matrix):
    table = {"bounds": [
        {"pairs": [[0, 1]], "epsilon": 0.5},
        {"pairs": [[1, 2]], "both_ways": True, "formula": "gaussian(a, 1/5)", "boundary": "strict"},
    ]}
    (folder / "d.json").write_text(json.dumps(table))
    toml = ('[[bounds]]\npairs = [[0, 1]]\nepsilon = 0.5\n[[bounds]]\npairs = [[1, 2]]\n'
            'both_ways = true\nformula = "gaussian(a, 1/5)"\nboundary = "strict"\n')
    first = judged(tightrope, folder, toml, "--json").json
    second = tightrope("verify", "m.csv", "--space", "path:0..2", "--definition", "d.json",
                       "--json").json
    third = library.privacy.verify_generic(
        library.mechanisms.MatrixMechanism.of(
            [["1/2", "1/2"], ["3/10", "7/10"], ["1/4", "3/4"]], "path:0..2"),
        library.files.read_definition(table, "path:0..2"),
    )
    assert {**first, "definition": "d.json"} == second
    assert first["witness"] == third.broken.as_json()
    assert first["witness"]["probabilities"] == ["1/2", "7/10"]
    assert not first["both_ways"]


def test_a_disconnected_relation_says_what_is_not_protected(tightrope, folder, matrix):
    found = judged(tightrope, folder, "pairs = [[0, 1]]\nboth_ways = true\nratio = 2")
    assert found.code == 0
    assert "2 components" in found.out
    assert "NOT" in found.out


@pytest.mark.parametrize(("text", "said"), [
    ('formula = "a^2"', "cannot be bounded"),
    ('formula = "sin(a)"', "no part of a formula"),
    ("formula = 3", "a formula in a"),
    ("epsilon = 1\nratio = 2", "epsilon and ratio"),
    ("pairs = [[0, 1]]", "found none"),
    ("epsilon = 1\npairs = [[0, 9]]", "no input"),
    ("epsilon = 1\npairs = [[0, 0]]", "twice"),
    ("epsilon = 1\npairs = [0, 1]", "a pair"),
    ("epsilon = 1\npairs = []", "list of pairs"),
    ("epsilon = -1", "from 0"),
    ("epsilon = 1\ndelta = 2", "δ"),
    ("epsilon = 0\ndelta = 2", "δ"),
    ('epsilon = 1\nboundary = "open"', "closed or strict"),
    ("epsilon = 1\nwhat = 2", "is not known"),
    ("bounds = []", "at least one"),
    ("bounds = [3]", "a table"),
    ("epsilon = 1\n[[bounds]]\nepsilon = 1", "inside one of the bounds"),
    ("[[bounds]]\nepsilon = 1\n[[bounds]]\npairs = [[0, 1]]\nepsilon = 2", "already"),
    ("corners = [[0, 0], [1]]", "a corner"),
    ("corners = 3", "corners"),
    ("corners = [[0, 0.5], [0.5, 0.6], [1, 1]]", "concave"),
    ('formula = "sqrt(a)"\nper_distance = true', "level only"),
    ('formula = "sqrt(a)"\ndelta = 0.1', "level only"),
    ('formula = "sqrt(a)"\nat_zero = 0.5', "M(0)"),
    ('epsilon = 1\nboth_ways = "yes"', "true or false"),
    ("epsilon = ", "not a TOML file"),
])
def test_a_bad_definition_is_one_sentence(tightrope, folder, matrix, text, said):
    found = judged(tightrope, folder, text)
    assert found.code == 2
    assert said in " ".join(found.err.split())
    assert found.out == ""


def test_a_definition_is_a_file_and_no_level_beside_it(tightrope, folder, matrix):
    (folder / "d.toml").write_text("epsilon = 1")
    base = ("verify", "m.csv", "--space", "path:0..2", "--definition")
    assert tightrope(*base, "d.toml", "--epsilon", 1).code == 2
    assert tightrope(*base, "missing.toml").code == 2
    assert tightrope(*base, "m.csv").code == 2
    (folder / "d.json").write_text("[1]")
    assert tightrope(*base, "d.json").code == 2


def test_the_bound_and_the_pair_nearest_to_it_are_drawn(tightrope, folder, matrix):
    found = judged(tightrope, folder, "epsilon = 0.5", "--plot", "d.svg", "--json")
    assert found.code == 1
    assert found.json["picture"] == "d.svg"
    picture = (folder / "d.svg").read_text()
    assert "not allowed" in picture
    assert "probability under 1" in picture  # the pair (0, 1) or (1, 0) has the ratio 5/3
    kept = judged(tightrope, folder, 'ratio = "5/3"', "--plot", "e.svg")
    assert kept.code == 0
    assert "not allowed" not in (folder / "e.svg").read_text()
    refused = tightrope("verify", "m.csv", "--space", "path:0..2", "--plot", "f.svg")
    assert (refused.code, (folder / "f.svg").exists()) == (2, False)


def test_a_design_under_a_definition_is_a_matrix_for_every_other_question(tightrope, folder):
    (folder / "two.toml").write_text('pairs = "neighbors"\ncorners = [[0, 0], ["1/3", "2/3"], '
                                     "[1, 1]]\n")
    design = tightrope("design", "path:0..2", "--definition", "two.toml", "-o", "two.json",
                       "--json")
    assert tightrope("verify", "two.json").code == 0  # by its own definition
    assert tightrope("verify", "two.json", "--ratio", "2").code == 0
    assert tightrope("verify", "two.json", "--ratio", "199/100").code == 1
    assert tightrope("verify", "two.json", "--definition", "two.toml").code == 0
    assert "ln(2)" in tightrope("inspect", "two.json").out
    rows = tightrope("compare", "path:0..2", "--ratio", "2", "--extra", "mine=two.json",
                     "--json").json["rows"]
    mine = next(row for row in rows if row["construction"] == "mine")
    assert abs(mine["value"] - design.json["value"]) < 1e-12
    kept = tightrope("certify", "two.json", "--space", "path:0..2", "--ratio", "2", "-o", "m.json")
    assert kept.code == 0
    assert tightrope("draw", "m.json", "1").code == 0
    refused = tightrope("draw", "two.json", "1")
    assert (refused.code, "`tightrope certify` at a level" in refused.sentence) == (2, True)


def test_a_design_that_was_changed_is_no_matrix(tightrope, folder):
    (folder / "two.toml").write_text("ratio = 2\n")
    assert tightrope("design", "path:0..1", "--definition", "two.toml", "-o", "two.json").code == 0
    changed = json.loads((folder / "two.json").read_text())
    changed["rows"] = ["1/2 1/2", "1/2 1/2"]
    (folder / "two.json").write_text(json.dumps(changed))
    for call in (("inspect", "two.json"), ("verify", "two.json", "--ratio", "2")):
        answer = tightrope(*call)
        assert (answer.code, "changed after it was written" in answer.sentence) == (2, True)
