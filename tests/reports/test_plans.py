"""Reports of plans: several questions in one document, answers that agree, one entry."""

import csv
import io

import pytest

from tests.reports.stage import FORM, open_table
from tightrope.errors import BadInput
from tightrope.releases import difference, plan
from tightrope.reports import report, verify_report

WHOLE = {**FORM, "columns": {**FORM["columns"], "sex": {
    "type": "category", "values": ["f", "m"], "other": "m", "missing": "m"}}}
"""Every row is in some cell of sex, so that counts by sex add up to the count."""
PLAN = {"name": "spring", "total": {"epsilon": 120}, "questions": [
    {"ask": "count by sex"}, {"ask": "count"}, {"ask": "mean of age"}]}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plan")
    table = open_table(folder, WHOLE)
    spring = table.release_plan(plan(PLAN, WHOLE))
    autumn = table.release_plan(plan({**PLAN, "name": "autumn"}, WHOLE))
    return report([spring, autumn], folder / "out"), folder, (spring, autumn)


def test_every_question_of_a_plan_has_its_table(made):
    report, *_ = made
    assert [*report.files][3:9] == [
        f"tables/0{k}-{name}.csv" for k, name in enumerate(
            ["count-by-sex", "count", "mean-of-age"] * 2, start=1)]
    assert {"documents/01-spring.json", "documents/02-autumn.json"} <= {*report.files}
    text = report.files["report.md"].decode()
    assert "| f | 5 | 5 | 5 | 5 ± 0 |" in text
    assert "Agreed answers add up" in text


def test_agreed_answers_stand_beside_the_raw_ones(made):
    raw = made[0].files["tables/01-count-by-sex.csv"].decode()
    head, *rows = csv.reader(io.StringIO(raw, newline=""))
    assert head == ["sex", "answer", "low", "high", "note", "agreed", "agreed_low", "agreed_high"]
    assert rows == [["f", *"555", "", *"555"], ["m", *"333", "", *"333"]]


def test_all_questions_of_two_plans_are_held_against_each_other(made):
    assert [change.question for change in made[0].contents.changes] == [
        "count by sex", "count", "mean of age"]


def test_questions_of_two_plans_have_the_difference_that_the_report_shows(made):
    report, _, plans = made
    for place, change in enumerate(report.contents.changes):
        first, second = (each[place] for each in plans)
        assert difference(first, second).answers == change.difference.answers
    assert difference(plans[0][-1], plans[1]["mean of age"]).answers == (
        report.contents.changes[2].difference.answers)


def test_a_difference_of_whole_plans_or_of_files_is_led_on(made):
    for given in (made[2], ("spring.json", "autumn.json")):
        with pytest.raises(BadInput, match=r'p\["count by sex"\] of a plan, or tr\.releases\.read'):
            difference(*given)


def test_two_answers_alone_are_not_the_level_of_both_plans(made):
    text = made[0].files["report.md"].decode()
    level = made[0].contents.changes[0].difference.together
    assert f"By these two answers alone, whoever is in both tables is protected at {level}." in text
    assert float(level) < 240


def test_the_charge_is_that_of_the_whole_plan(made):
    text = made[0].files["report.md"].decode()
    assert "| 01-spring | ε = 120 |" in text
    assert "| all together | ε = 240 |" in text


def test_a_report_of_plans_is_checked_with_its_ledger(made):
    folder = made[1]
    verdict = verify_report(folder / "out", ledger=folder / "books.sqlite")
    assert verdict.holds
    assert (verdict.documents, verdict.ledger) == (2, True)


def test_counts_that_a_plan_states_as_public_stand_on_the_page(tmp_path):
    table = open_table(tmp_path, WHOLE)
    known = [{"ask": "count", "value": 8}, {"ask": "histogram of sex", "cell": ["f"], "value": 5}]
    spring = table.release_plan(plan({**PLAN, "name": "p", "known": known}, WHOLE))
    made = report([spring], tmp_path / "out")
    listed = "\n\n- count: 8\n- histogram of sex, f: 5\n"
    assert f"Public beforehand, as the plan states, and met by agreed answers{listed}" in (
        made.files["report.md"].decode())
    page = tmp_path / "out" / "index.html"
    page.write_text(page.read_text().replace("<li>count: 8</li>", "<li>count: 9</li>"))
    (fault,) = verify_report(tmp_path / "out").faults
    assert "“count: 9” states another number" in fault
