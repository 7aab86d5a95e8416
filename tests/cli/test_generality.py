"""`tightrope theory generality` and `tightrope theory generalize`."""

from fractions import Fraction

import pytest

from tightrope.files import load

ROWS = "1/2,1/2\n2/5,3/5\n1/2,1/2\n3/5,2/5\n"


def test_a_generalized_matrix_yields_the_matrix_again(tightrope, folder):
    (folder / "m.csv").write_text(ROWS)
    made = tightrope("theory", "generalize", "m.csv", "--space", "path:0..3", "--ratio", 2,
                     "-o", "g.json", "--json")
    assert made.code == 0
    assert made.json["outputs_before"] == 2
    assert not made.json["unchanged"]
    assert load("g.json").certificate.level.text == "ln(2)"
    rows = [[Fraction(x) for x in line.split(",")] for line in ROWS.split()]
    channel = [[Fraction(x) for x in row] for row in made.json["channel"]]
    mechanism = load("g.json").mechanism
    for i, row in enumerate(rows):
        found = [sum(p * line[z] for p, line in zip(mechanism.row_at(i), channel, strict=True))
                 for z in range(2)]
        assert found == row
    found = tightrope("theory", "generality", "m.csv", "g.json", "--space", "path:0..3", "--json")
    assert found.code == 0
    assert found.json["order"] == "less general"
    back = tightrope("theory", "generality", "g.json", "m.csv", "--space", "path:0..3")
    assert back.code == 1
    assert "separates" in back.out
    again = tightrope("theory", "generalize", "g.json", "--json")
    assert again.json["unchanged"]
    assert again.json["file"] is None


def test_the_witness_of_a_no_is_checked_by_hand(tightrope, folder):
    (folder / "a.csv").write_text("3/4,1/4\n1/4,3/4\n")
    (folder / "b.csv").write_text("2/3,1/3\n1/3,2/3\n")
    found = tightrope("theory", "generality", "a.csv", "b.csv", "--space", "categories:2",
                      "--json").json
    prior = [Fraction(p) for p in found["witness"]["prior"]]
    gains = [[Fraction(x) for x in row] for row in found["witness"]["gains"]]
    a, b = [[Fraction(3, 4), Fraction(1, 4)]], [[Fraction(2, 3), Fraction(1, 3)]]
    a.append(a[0][::-1])
    b.append(b[0][::-1])
    earned = sum(prior[i] * gains[i][z] * a[i][z] for i in range(2) for z in range(2))
    best = sum(max(sum(prior[i] * b[i][k] * gains[i][z] for i in range(2)) for z in range(2))
               for k in range(2))
    assert str(earned - best) == found["deficiency_text"] == "1/12"


@pytest.mark.parametrize(("command", "said"), [
    ("theory generality m.csv m.csv", "space"),
    ("theory generality m.csv missing.csv --space path:0..3", "no file"),
    ("theory generalize m.csv --space path:0..3", "--ratio 2"),
    ("theory generalize m.csv --space path:0..3 --ratio 2 --delta 0.1", "without"),
    ("theory generalize m.csv --space path:0..3 --ratio 2 -o g.txt", ".json"),
])
def test_bad_input_is_one_sentence(tightrope, folder, command, said):
    (folder / "m.csv").write_text(ROWS)
    found = tightrope(*command.split())
    assert found.code == 2
    assert said in found.err
    assert found.err.count("\n") <= 3


def test_mechanisms_beyond_the_limit_are_refused_before_any_work(tightrope):
    tightrope("design", "path:0..99", "--ratio", 2, "-o", "m.json", "--construction", "geometric")
    for command in ("theory generality m.json m.json", "theory generalize m.json -o g.json"):
        found = tightrope(*command.split())
        assert found.code == 2
        assert "limit" in found.err


def test_what_is_not_private_at_the_level_is_not_generalized(tightrope, folder):
    (folder / "m.csv").write_text("3/4,1/4\n1/4,3/4\n")
    assert tightrope("theory", "generalize", "m.csv", "--space", "categories:2", "--ratio",
                     2).code == 1
