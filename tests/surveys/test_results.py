"""A survey from plan to results as library calls, each with a frozen result that JSON holds."""

import json
from pathlib import Path

import pyarrow.csv as pacsv
import pytest

from tightrope import surveys as sv
from tightrope.errors import AnswerIsNo, BadInput, NotPrivate
from tightrope.exact import Level
from tightrope.surveys import SurveyStore
from tightrope.surveys.survey_store import Submission

YES_NO = ("no", "yes")


def plain(result):
    return json.loads(json.dumps(result.facts().json))


def test_a_plan_is_a_value_with_the_sizes_of_each_design():
    plan = sv.plan_survey(Level.ratio(3), prevalence="0.1", difference=("0.1", "0.15"))
    assert plan.answers == YES_NO
    assert [row.efficiency for row in plan.rows] == sorted(
        (row.efficiency for row in plan.rows), reverse=True)
    best = plan.rows[0]
    assert best.plan == sv.plan_margin(sv.warner("3/4"), 0.05, prevalence="0.1")
    assert best.proved is True
    # P(yes | sent yes) = 0.1·3/4 / (0.1·3/4 + 0.9·1/4)
    assert best.violation == 0.25
    told = plain(plan)
    assert told["rows"][0]["respondents"] == best.plan.respondents
    assert told["epsilon_text"] == "ln(3)"
    assert told["prevalence"] == "0.1"
    assert told["difference"] == {
        "first": "0.1", "second": "0.15", "power": 0.8,
        "per_group": sv.plan_difference(best.design, "0.1", "0.15").per_group,
    }


def test_a_level_may_be_a_number_and_shares_a_list():
    plan = sv.plan_survey(1, answers=["never", "once", "often"], prevalence=[0.5, 0.25, 0.25])
    (row,) = plan.rows
    assert row.design.name == "k-ary"
    assert plain(plan)["prevalence"] == "0.5,0.25,0.25"
    assert plan.level == Level.epsilon(1)


def test_a_design_of_ones_own_is_planned_alone_or_must_keep_the_protection():
    own = sv.binary("0.9", "0.9")  # P(yes | sent yes) = 1/2 at a prevalence of 1/10
    assert [row.design for row in sv.plan_survey(own=own).rows] == [own]
    assert sv.plan_survey(own=own).rows[0].proved is None
    assert sv.plan_survey(violation="0.5", prevalence="0.1", own=own).rows
    with pytest.raises(AnswerIsNo, match="more than"):
        sv.plan_survey(violation="0.4", prevalence="0.1", own=own)
    with pytest.raises(NotPrivate):
        sv.plan_survey(Level.ratio(8), own=own)
    assert {row.proved for row in sv.plan_survey(Level.ratio(9), own=own).rows} == {True}


@pytest.mark.parametrize(("asked", "words"), [
    ({}, "a level is missing"),
    ({"violation": "0.5"}, "needs the prevalence"),
    ({"violation": "0.5", "prevalence": "0.1", "epsilon": 1}, "instead of a level"),
    ({"epsilon": 1, "answers": "abc", "prevalence": 0.1}, "all 3 answers"),
])
def test_what_cannot_be_planned_is_one_sentence_without_flags(asked, words):
    with pytest.raises(BadInput) as refused:
        sv.plan_survey(**asked)
    assert words in str(refused.value)
    assert "--" not in str(refused.value)


@pytest.fixture
def made(tmp_path):
    designs = [("Ever?", sv.design_at(YES_NO, Level.ratio(3))),
               ("Which?", sv.design_at("abc", Level.ratio(3)))]
    return sv.create_survey(tmp_path / "s.json", designs, Level.ratio(3),
                            links={"old": 6, "new": 4}, url="https://example.org/")


def test_a_survey_is_created_with_its_files_and_read_back(made):
    assert sv.read_survey(made.file.read_bytes()) == made.survey
    assert made.owner not in repr(made)
    told = plain(made)
    assert told["owner"] == made.owner
    assert [one["design"] for one in told["questions"]] == ["warner", "k-ary"]
    assert told["epsilon_total"] == pytest.approx(2 * 1.0986122887)
    links = pacsv.read_csv(made.links).to_pydict()
    assert sorted(links["group"]) == ["new"] * 4 + ["old"] * 6
    assert all(link.startswith("https://example.org/r/") for link in links["link"])
    made.remove()
    assert list(made.file.parent.iterdir()) == []


def answered(made, sent):
    tokens = [link.rpartition("/")[2] for link in pacsv.read_csv(made.links)["link"].to_pylist()]
    with SurveyStore(made.store, made.survey.digest) as store:
        batch = [Submission(t, {"q1": a, "q2": b}, "")
                 for t, (a, b) in zip(tokens, sent, strict=True)]
        assert set(store.accept(batch)) == {"stored"}


def test_results_hold_the_estimates_what_was_sent_and_whether_it_is_over(made):
    empty = sv.results(made.file)
    assert (empty.answers, empty.closed) == (0, False)
    assert empty.columns() == {"group": [], "q1": [], "q2": []}
    answered(made, [(0, 0)] * 6 + [(1, 2)] * 4)
    found = sv.results(str(made.file), close=True, interval="chebyshev")
    assert (found.answers, found.closed) == (10, True)
    # Warner's p = 3/4: (0.4 - 1/4)/(3/4 - 1/4)
    assert found.findings[0].estimate.shares.rows[1].estimate == pytest.approx(0.3)
    columns = found.columns()
    assert sorted(columns["q1"]) == ["no"] * 6 + ["yes"] * 4
    assert {q for q, one in zip(columns["q2"], columns["q1"], strict=True) if one == "yes"} == {"c"}
    told = plain(found)
    assert told["closed"] is True
    assert told["questions"][0]["estimate"]["interval"] == "chebyshev"
    assert set(told["questions"][1]["groups"]) == {"old", "new"}


def test_the_page_shows_the_unbiased_share_first_with_its_interval(made):
    """Nobody of ten sent yes: Warner's estimate is (0 - 1/4)/(1/2), and stays so."""
    answered(made, [(0, 0)] * 10)
    found = sv.results(made.file)
    page = sv.results_page(found, alone=True).decode()
    heads = [page.index(f">{name}</th>") for name in ("unbiased", "from", "to", "most likely")]
    assert heads == sorted(heads)
    assert "Intervals are for the unbiased estimate" in page
    yes = plain(found)["questions"][0]["estimate"]["rows"][1]
    assert list(yes) == ["answer", "estimate", "low", "high", "error", "adjusted"]
    assert yes["estimate"] == pytest.approx(-0.5)
    assert yes["adjusted"] == pytest.approx(0, abs=1e-6)
    assert "-50.0%" in page
    assert sv.bars(found.findings[0])[1][1] == pytest.approx(-0.5)


@pytest.mark.parametrize(("change", "words"), [
    ({"links": 0}, "links"),
    ({"links": {"a": 3, "b": -1}}, "links"),
    ({"links": {}}, "links"),
    ({"url": "ftp://a"}, "https:// or http://"),
    ({"file": "s.txt"}, ".json"),
])
def test_what_is_no_survey_leaves_no_file(tmp_path, monkeypatch, change, words):
    monkeypatch.chdir(tmp_path)
    asked = {"file": "s.json", "questions": [("Ever?", sv.warner("3/4"))], **change}
    with pytest.raises(BadInput) as refused:
        sv.create_survey(**asked)
    assert words in str(refused.value)
    assert list(Path().iterdir()) == []


def test_a_design_is_chosen_by_name():
    assert sv.design_at(YES_NO, Level.ratio(3), "kuk").name.startswith("kuk")
    best = sv.design_at(("never", "ever"), Level.epsilon(1, "0.4"), "best", prevalence="0.1")
    assert best.answers == ("never", "ever")
    assert best.rows == sv.best_binary(Level.epsilon(1, "0.4"), "0.1").design.rows
    for names, name in ((YES_NO, "mangat"), ("abc", "warner")):
        with pytest.raises(BadInput, match="design"):
            sv.design_at(names, Level.ratio(3), name)
