"""`tightrope theory noise`: laws for a number, their document, draws and refusals."""

from fractions import Fraction

import pytest

from tests.cli.runner import receipt


def test_a_law_is_told_with_its_pieces_its_error_and_its_level(tightrope):
    answer = tightrope("theory", "noise", "[1, 2] | [5, 6]", "--ratio", "9", "--json")
    assert answer.code == 0
    told = answer.json
    assert {"law", "mean_error", "epsilon"} <= told.keys()
    assert told["symmetric"] == [["-6", "-5"], ["-2", "-1"], ["0", "0"], ["1", "2"], ["5", "6"]]
    low, high = (Fraction(end) for end in told["law"]["rungs"][0][0])
    assert low == -high == -Fraction(told["law"]["delta_radius"])
    # the best staircase of sensitivity 6 at e^ε = 9: 6 · 3/8
    errors = {row["law"]: row["mean_error"] for row in told["laws"]}
    assert errors["staircase"] == pytest.approx(2.25, rel=1e-9)
    assert told["mean_error"] == min(errors.values())


def test_a_document_of_noise_is_proved_by_all_and_answers(tightrope):
    made = tightrope("theory", "noise", "[0, 1] | [3, 4]", "--epsilon", "1", "--widen", "1/2",
                     "--grid", "1/4", "-o", "n.json", "--plot", "n.svg", "--json")
    assert made.code == 0
    assert made.json["file"] == "n.json"
    assert tightrope("verify", "n.json", "--json").json["holds"] is True
    checked = receipt("n.json", "--json")
    assert checked.code == 0
    assert checked.json["holds"] is True
    drawn = tightrope("draw", "n.json", "7/3", "--json")
    assert (Fraction(drawn.json["answers"][0]) * 4).denominator == 1


def test_an_answer_is_told_once_and_booked_nowhere(tightrope):
    answer = tightrope("theory", "noise", "[0, 1]", "--epsilon", "1", "--value", "1/3", "--grid",
                       "0.5")
    assert answer.code == 0
    first = answer.out.splitlines()[1].split()
    assert first[0] == "answer"
    assert (Fraction(first[1]) * 2).denominator == 1
    assert "up or down" in answer.out
    assert "Nothing was booked" in answer.out


@pytest.mark.parametrize(("arguments", "code", "said"), [
    (("{1, 3}", "--law", "theorem-2"), 1, "single points"),
    (("[0, 1] | {5}", "--law", "theorem-2"), 1, "never become one interval"),
    (("[0, 1/1000] | [90, 90.001]", "--law", "theorem-2"), 1, "number of sets is 90,000"),
    (("{1, 3}", "--law", "theorem-3", "--widen", "0.1"), 1, "single points"),
    (("{0}",), 2, "nobody can change the value"),
    (("[1, 2",), 2, "expected closed intervals"),
    (("(1, 2)",), 2, "expected closed intervals"),
    (("[0, 1]", "--widen", "-1"), 2, "radius"),
    (("[0, 1e400]",), 2, "the largest end in units is about 10^400"),
    (("[0, 1]", "--grid", "0"), 2, "grid above 0"),
    (("[0, 1]", "--value", "x"), 2, "one exact number"),
    (("[0, 1]", "--law", "laplace"), 2, "laplace"),
])
def test_what_cannot_be_made_is_refused_in_one_sentence(tightrope, arguments, code, said):
    answer = tightrope("theory", "noise", *arguments, "--epsilon", "1", "--json")
    assert answer.code == code
    assert said in answer.json["error"]


def test_points_have_laws_with_a_radius_and_say_why_one_has_none(tightrope):
    told = tightrope("theory", "noise", "{1, 3}", "--epsilon", "1", "--json").json
    rows = {row["law"]: row for row in told["laws"]}
    assert rows["theorem-3"]["certified"]
    assert not rows["theorem-2"]["certified"]
    assert "single points" in rows["theorem-2"]["reason"]
