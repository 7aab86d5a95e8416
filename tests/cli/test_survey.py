"""`tightrope survey` from plan to results, and its bad input."""

import csv
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tightrope.applications import surveys as sv
from tightrope.data import Submission, SurveyStore


def answered(counts):
    """Use the links of s.json: so many answers of each response, in order of the file."""
    survey = sv.read_survey(Path("s.json").read_bytes())
    with Path("s.links.csv").open(newline="") as lines:
        tokens = [row["link"].rpartition("/")[2] for row in csv.DictReader(lines)]
    with SurveyStore("s.answers.sqlite", survey.digest) as store:
        positions = [z for z, count in enumerate(counts) for _ in range(count)]
        batch = [Submission(t, {"q1": z}) for t, z in zip(tokens, positions, strict=False)]
        assert set(store.accept(batch)) == {"stored"}


def test_a_survey_goes_from_plan_to_results(tightrope, folder):
    plan = tightrope("survey", "plan", "--ratio", 3, "--prevalence", "0.1", "--json").json
    assert plan["rows"][0]["design"] == "warner"
    assert plan["rows"][0]["matrix"] == [["3/4", "1/4"], ["1/4", "3/4"]]
    made = tightrope("survey", "new", "s.json", "--question", "Ever?", "--ratio", 3,
                     "--group", "old=60", "--group", "new=40", "--json").json
    assert made["epsilon_total"] == pytest.approx(1.0986, abs=1e-4)
    answered([60, 40])
    found = tightrope("survey", "results", "s.json", "-o", "a.csv", "--page", "r.html",
                      "--plot", "r.svg", "--json").json
    row = found["questions"][0]["estimate"]["rows"][1]
    assert row["unbiased"] == pytest.approx(0.3)
    assert set(found["questions"][0]["groups"]) == {"new", "old"}
    assert len((folder / "a.csv").read_text().splitlines()) == 101
    assert "<script" not in (folder / "r.html").read_text(encoding="utf-8")
    tightrope("survey", "results", "s.json", "-o", "a.parquet")
    assert pq.read_table("a.parquet").column("q1").to_pylist().count("yes") == 40
    weighted = tightrope("survey", "results", "s.json", "--weight", "old=2", "--interval",
                         "chebyshev", "--close", "--json").json
    assert weighted["closed"] is True
    assert weighted["questions"][0]["estimate"]["effective"] == pytest.approx(160**2 / 280)


def test_responses_that_do_not_fit_the_design_are_pointed_out(tightrope):
    tightrope("survey", "new", "s.json", "--question", "Ever?", "--ratio", 3)
    answered([95, 5])
    assert "hardly fit" in tightrope("survey", "results", "s.json").out


def test_plan_says_that_mangat_has_no_finite_epsilon(tightrope):
    assert "no finite ε" in tightrope("survey", "plan", "--epsilon", 1).out
    shown = tightrope("survey", "plan", "--epsilon", 1, "--delta", "0.1", "--prevalence", "0.03")
    assert "none finite" in shown.out


@pytest.mark.parametrize(("arguments", "words"), [
    (("plan", "--epsilon", 1, "--prevalence", "1.5"), "from 0 to 1"),
    (("plan",), "a level is missing"),
    (("plan", "--epsilon", 1, "--margin", 0), "margin"),
    (("new", "s.json", "--question", "?", "--epsilon", 1, "--design", "mangat"), "no design"),
    (("new", "s.json", "--question", "?", "--epsilon", 1, "--links", 0), "links"),
    (("new", "s.json", "--question", "?", "--epsilon", 1, "--group", "a"), "NAME=NUMBER"),
    (("new", "s.txt", "--question", "?", "--epsilon", 1), ".json"),
    (("results", "missing.json"), "no file"),
    (("serve", "missing.json"), "no file"),
])
def test_bad_input_is_one_sentence_and_exit_2(tightrope, arguments, words):
    answer = tightrope("survey", *arguments)
    assert answer.code == 2
    assert words in answer.sentence


def test_nothing_is_overwritten_without_force(tightrope):
    assert tightrope("survey", "new", "s.json", "--question", "?", "--ratio", 3).code == 0
    assert tightrope("survey", "new", "s.json", "--question", "?", "--ratio", 3).code == 2
