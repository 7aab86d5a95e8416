"""The receipt, run as a stranger runs it, and `verify` give the same verdict."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from tests.cli.runner import receipt, tightrope_outside
from tests.documents.judges import CHECKERS, checker_of
from tightrope import receipt as checker
from tightrope.documents import digest_of

DESIGNS = [
    ("path:0..2", "--ratio", "2"),
    ("path:0..20", "--epsilon", "0.5"),
    ("path:0..99", "--ratio", "3/2"),
    ("path:-3..3", "--epsilon", "1", "--delta", "0.01"),
    ("path:0..9", "--ratio", "2", "--construction", "two-sided-geometric"),
    ("categories:red/green/blue", "--epsilon", "ln(3)/2"),
    ("complete:100", "--epsilon", "2"),
    ("grid:3x4,step=0.5", "--epsilon", "1"),
    ("counts:people=3,queries=2", "--ratio", "2"),
    ("histogram:people=3,cells=3", "--epsilon", "1"),
    ("histogram:people=3,cells=2,neighbors=add-remove", "--epsilon", "1"),
    ("sum:people=4,max=3", "--epsilon", "1"),
    ("hamming:values=3,people=2", "--epsilon", "1"),
    ("sets:3", "--epsilon", "1"),
    ("cycle:6", "--ratio", "2"),
    ("star:4", "--epsilon", "1"),
    ("path:0..2 * categories:a/b", "--epsilon", "1"),
    ("path:0..2 ^ cycle:4", "--epsilon", "1"),
]


@pytest.mark.parametrize("design", DESIGNS, ids=" ".join)
def test_both_prove_what_was_designed(tightrope, design):
    assert tightrope("design", *design, "-o", "m.json").code == 0
    assert tightrope("verify", "m.json").code == 0
    assert CHECKERS[checker_of(Path("m.json").read_bytes())].main(["m.json"]) == 0


@pytest.mark.parametrize("goal", ["average", "worst"])
def test_both_prove_what_was_designed_to_be_the_best(tightrope, capsys, goal):
    made = tightrope("design", "path:0..5", "--ratio", "2", "--loss", "absolute", "--goal", goal,
                     "-o", "m.json", "--json")
    found = tightrope("verify", "m.json", "--json").json["optimality"]
    assert (found["goal"], found["holds"]) == (goal, True)
    assert found["bound"] <= found["value"] == pytest.approx(made.json["value"], rel=1e-12)
    assert found["gap"] <= 1e-6
    assert checker.main(["m.json", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)["optimality"]
    assert {key: said[key] for key in found} == found


def test_the_first_example_end_to_end_in_processes_of_their_own(folder):
    made = tightrope_outside(
        "design", "path:0..2", "--ratio", "2", "--loss", "absolute", "-o", "m.json", "--json"
    )
    assert made.code == 0
    assert made.json["level_proved"]["exact"] == "ln(2)"
    assert tightrope_outside("verify", "m.json").code == 0
    assert receipt("m.json").code == 0
    content = json.loads((folder / "m.json").read_text())
    weights = [int(weight, 16) for weight in content["mechanism"]["rows"][0].split()]
    shares = [Fraction(weight, sum(weights)) for weight in weights]
    assert shares == [Fraction(2, 3), Fraction(1, 6), Fraction(1, 6)]

    content["mechanism"]["rows"][0] = "9 2 2"
    for digest in (content["digest"], digest_of(content)):
        content["digest"] = digest
        (folder / "m.json").write_text(json.dumps(content))
        ours, theirs = tightrope_outside("verify", "m.json", "--json"), receipt("m.json", "--json")
        assert (ours.code, theirs.code) == (1, 1)
        for said in (ours.json, theirs.json):
            assert said["intact"] is (digest == digest_of(content))
            assert said["holds"] is False
            assert {said["witness"]["first"], said["witness"]["second"]} == {0, 1}
            assert len(said["witness"]["outputs"]) == 1


def test_any_changed_digit_of_a_weight_or_of_the_digest_is_noticed_by_both(
    tightrope, document, folder, capsys
):
    path = folder / document
    text = path.read_text()
    places = [i for found in re.finditer(r'"[0-9a-f]( [0-9a-f])+"', text)
              for i in range(found.start() + 1, found.end() - 1) if text[i] != " "]
    assert len(places) == 9
    places += [i + text.index("sha256:") + 7 for i in range(64)]
    for place in places:
        digit = "1" if text[place] != "1" else "5"
        path.write_text(text[:place] + digit + text[place + 1 :])
        answer = tightrope("verify", document, "--json")
        assert (answer.code, answer.json["intact"]) == (1, False)
        assert checker.main([document, "--json"]) == 1
        said = json.loads(capsys.readouterr().out)
        assert said["intact"] is False
        assert said["holds"] == answer.json["holds"]


def test_both_refuse_what_is_no_document(tightrope, folder):
    for content in (b"{}", b"[1]", b"\x1f\x8b", b'{"format": "tightrope/mechanism"}'):
        (folder / "m.json").write_bytes(content)
        assert tightrope("verify", "m.json").code == 2
        assert checker.main(["m.json"]) == 2


@pytest.mark.slow
def test_a_thousand_points_are_designed_verified_and_checked(folder):
    made = tightrope_outside(
        "design", "path:0..999", "--epsilon", "0.5", "-o", "m.json.gz", "--json")
    assert made.code == 0
    assert tightrope_outside("verify", "m.json.gz").code == 0
    assert receipt("m.json.gz").code == 0


def test_a_sanitized_table_comes_with_a_receipt(tightrope, survey):
    made = tightrope(
        "sanitize", survey, "--column", "answer", "--values", "no/yes", "--epsilon", "1",
        "-o", "out.csv", "--json",
    )
    assert receipt(made.json["mechanism"]).code == 0
