import json

import pytest


@pytest.fixture
def randomized(tightrope, survey):
    tightrope(
        "sanitize", survey, "--column", "answer", "--values", "no/yes", "--epsilon", "6",
        "-o", "out.csv", "--json",
    )
    return ("out.csv", "--column", "answer", "--mechanism", "out.csv.answer.mechanism.json")


def test_the_true_proportions_come_back(tightrope, randomized):
    found = tightrope("estimate", *randomized, "--json").json
    assert found["n"] == 400
    assert found["confidence"] == 0.95
    assert [row["value"] for row in found["rows"]] == ["no", "yes"]
    for row, truth in zip(found["rows"], (0.75, 0.25), strict=True):
        # at ε = 6 the standard error is 0.0025: 0.05 is twenty of them
        assert row["estimate"] == pytest.approx(truth, abs=0.05)
        assert row["low"] <= row["estimate"] <= row["high"]
    assert sum(row["estimate"] for row in found["rows"]) == pytest.approx(1)


def test_intervals_for_the_population_are_wider(tightrope, randomized):
    def width(*options):
        row = tightrope("estimate", *randomized, *options, "--json").json["rows"][0]
        return row["high"] - row["low"]

    assert width("--sampling") > width()
    assert width("--confidence", "0.99") > width()


def test_people_see_a_table_with_intervals(tightrope, randomized):
    said = tightrope("estimate", *randomized).out
    assert "400 randomized rows" in said
    assert "estimate" in said


@pytest.mark.parametrize("estimator", ["simplex", "clipped", "likelihood"])
def test_the_unbiased_estimate_is_shown_first_with_its_interval(tightrope, randomized, estimator):
    asked = ("estimate", *randomized, "--estimator", estimator)
    said = " ".join(tightrope(*asked).out.split())
    assert said.index(f"value unbiased from to {estimator}") < said.index("intervals exact")
    assert "Intervals are for the unbiased estimate" in said
    assert "were randomized as “no”, and count as that" in said
    found = tightrope(*asked, "--json").json
    assert (found["estimator"], found["missing"]) == (estimator, "no")
    plain = tightrope("estimate", *randomized, "--json").json
    for row, first in zip(found["rows"], plain["rows"], strict=True):
        assert row["estimate"] == first["estimate"]
        assert 0 <= row["adjusted"] <= 1
    assert tightrope("estimate", *randomized, "--estimator", "unbiased").code == 2


def test_a_picture_is_drawn_on_request(tightrope, randomized, folder):
    assert tightrope("estimate", *randomized, "--plot", "e.png", "--json").code == 0
    assert (folder / "e.png").read_bytes().startswith(b"\x89PNG")


def test_a_changed_mechanism_is_not_used(tightrope, randomized, folder):
    path = folder / "out.csv.answer.mechanism.json"
    content = json.loads(path.read_text())
    content["mechanism"]["rows"] = 401
    path.write_text(json.dumps(content))
    answer = tightrope("estimate", *randomized, "--json")
    assert answer.code == 1
    assert answer.json["kind"] == "NotIntact"


def test_a_column_of_other_values_is_refused(tightrope, randomized):
    table, _, _, *rest = randomized
    answer = tightrope("estimate", table, "--column", "age", *rest)
    assert answer.code == 2


def test_integer_noise_has_no_proportions(tightrope, randomized):
    tightrope("design", "path:0..9", "--epsilon", "1", "--construction", "two-sided-geometric",
              "-o", "n.json")
    answer = tightrope("estimate", "out.csv", "--column", "answer", "--mechanism", "n.json")
    assert answer.code == 3


@pytest.mark.parametrize("confidence", ["0", "1", "95", "nan"])
def test_a_confidence_lies_between_0_and_1(tightrope, randomized, confidence):
    answer = tightrope("estimate", *randomized, "--confidence", confidence)
    assert answer.code == 2
    assert "confidence" in answer.sentence
