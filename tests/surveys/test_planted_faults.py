"""Figures and refusals that small faults in the code would change, each worked out by hand."""

from dataclasses import replace
from fractions import Fraction
from math import exp

import pytest

from tests.surveys.field import field_survey, people, private, report_on
from tightrope import surveys as sv
from tightrope.errors import BadDocument, BadInput
from tightrope.exact import Level
from tightrope.surveys.exports import export_contents
from tightrope.surveys.label import promise, question_label
from tightrope.surveys.respondents import Respondents
from tightrope.surveys.survey_file import Survey
from tightrope.surveys.survey_store import StoredAnswer
from tightrope.utility import Tally

SURVEY = field_survey()


def study(total, *questions):
    return sv.read_study({"title": "W", **total, "questions": [
        {"text": f"Ever {i}?", **question} for i, question in enumerate(questions)]})


def answers(*codes, group="old"):
    """People who sent these responses to the questions of the survey, in order."""
    keys = [question.key for question in SURVEY.questions]
    return tuple(StoredAnswer(group, dict(zip(keys, each, strict=True))) for each in codes)


def mixed(n=60, weights=None):
    """People of two groups with answers in turn."""
    truths = {question.key: [i % len(question.answers) for i in range(n)]
              for question in SURVEY.questions}
    return people(SURVEY, truths, 5, [("old", "new")[i * 7 // 3 % 2] for i in range(n)], weights)


def holm(values):
    """Each p-value times the number of those that are not smaller, kept in order."""
    ordered = sorted(values)
    return [min(1.0, max((len(values) - j) * p for j, p in enumerate(ordered) if p <= value))
            for value in values]


def test_a_share_of_a_total_has_that_share_of_its_delta():
    first, second = sv.question_levels(study(
        {"epsilon": 2, "delta": "1e-6"}, {"share": "1/4"}, {}))
    assert (first.delta, second.delta) == (Fraction(1, 4_000_000), Fraction(3, 4_000_000))


def test_levels_that_come_to_the_total_exactly_leave_nothing_and_are_taken():
    levels = sv.question_levels(study({"ratio": 6}, {"ratio": 2}, {"ratio": 3}))
    assert [level.text for level in levels] == ["ln(2)", "ln(3)"]


def test_all_answers_but_the_first_are_sensitive():
    assert sv.design_at("abc", 1).sensitive == ("b", "c")


@pytest.mark.parametrize("code", [2, -1])
def test_a_stored_response_out_of_range_is_a_damaged_store(code):
    with pytest.raises(BadDocument, match="damaged"):
        Respondents(SURVEY, answers((code, 0, 0, 0, 0, 0, 0)))


def test_a_division_by_a_clear_question_counts_groups_by_their_weights():
    by_hand = {}
    report = report_on(mixed(weights={"old": 5.0}))
    for place, name in enumerate(("north", "south", "east")):
        sent = [a for a in report.people.sent if a.responses["q6"] == place]
        heavy = [5.0 if a.group == "old" else 1.0 for a in sent]
        yes = sum(w for a, w in zip(sent, heavy, strict=True) if a.responses["q1"] == 1)
        by_hand[name] = (yes / sum(heavy) - 1 / 5) / (3 / 5)
    rows = [row for row in sv.compare_groups(report, "q6").rows if row.question == "q1"]
    assert len(rows) == 3
    for row in rows:
        assert row.result.difference == pytest.approx(by_hand[row.second] - by_hand[row.first])


def test_a_coefficient_whose_sign_depends_on_the_prevalence_has_the_p_value_one():
    """78 % "same": (0.8 - 0.78)/0.6 is above 0 at one end, (0.75 - 0.78)/0.5 below at the other."""
    same = SURVEY.questions[4].responses.index("same")
    sent = answers(*[(0, 0, 0, 0, same if i < 78 else 1 - same, 0, 0) for i in range(100)])
    (row,) = sv.regress(report_on(Respondents(SURVEY, sent)), "q5=yes ~ 1").rows
    assert row.p_value == 1


def test_p_values_of_coefficients_and_trends_are_adjusted_by_holm():
    fit = sv.regress(report_on(mixed()), "q2 ~ group + q7")
    assert [row.adjusted for row in fit.rows[1:]] == pytest.approx(
        holm([row.p_value for row in fit.rows[1:]]))
    assert fit.rows[0].adjusted is None
    trend = sv.compare_waves([report_on(mixed(n)) for n in (60, 90, 150)])
    assert [slope.adjusted for slope in trend.slopes] == pytest.approx(
        holm([slope.result.p_value for slope in trend.slopes]))


@pytest.mark.parametrize(("call", "match"), [
    (lambda: sv.regress(report_on(mixed(), sampling=False), "q1 ~ group"), "census"),
    (lambda: sv.regress(report_on(mixed(weights={"old": 2.0})), "q1 ~ group"), "weights"),
    (lambda: sv.cross_table(report_on(mixed(weights={"old": 2.0})), "q1", "q2"), "weights"),
])
def test_analyses_of_a_population_take_no_weights_and_no_census(call, match):
    with pytest.raises(BadInput, match=match):
        call()


def test_a_second_question_in_other_capitals_is_the_same_one():
    second = replace(SURVEY.questions[4].second, text=SURVEY.questions[4].second.text.upper())
    other = Survey("Later", "", tuple(
        replace(q, second=second) if q.second else q for q in SURVEY.questions), SURVEY.groups)
    later = Respondents(other, mixed().sent)
    assert len(sv.compare_waves([report_on(mixed()), report_on(later)]).reused) == 1


@pytest.mark.parametrize(("key", "name"), [
    ("str12", "str12_"), ("by", "by_"), ("strong", "strong")])
def test_a_key_that_spss_or_stata_reserves_gets_an_underscore(tmp_path, key, name):
    import pyreadstat

    question = replace(SURVEY.questions[0], key=key)
    survey = Survey("W", "", (question,), ("old",))
    sent = tuple(StoredAnswer("old", {key: i % 2}) for i in range(4))
    sv.write_export(report_on(Respondents(survey, sent)), tmp_path / "a.sav")
    assert list(pyreadstat.read_sav(tmp_path / "a.sav")[1].column_names) == ["group", name]


def test_the_codebook_marks_sensitive_answers_alone():
    survey = Survey("W", "", (private("q1", "Ever?", sv.warner("4/5")),), ("old",))
    report = report_on(Respondents(survey, (StoredAnswer("old", {"q1": 1}),)))
    text = export_contents(report)["codebook.csv"].decode()
    marks = {line.split(",")[7]: line.split(",")[8] for line in text.splitlines()
             if line.startswith("q1,") and ",answer," in line}
    assert marks == {"no": "no", "yes": "yes"}


def test_links_that_were_made_count_toward_the_most(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sv.create_survey("s.json", [("Ever?", sv.warner("3/4"))], links=3)
    monkeypatch.setattr("tightrope.surveys.links.MOST_LINKS", 5)
    with pytest.raises(BadInput, match="from 1 to 2 more links"):
        sv.add_links("s.json", 3)
    assert sv.add_links("s.json", 2).number == 2


def test_no_address_has_the_port_zero_and_a_proxy_has_its_own():
    with pytest.raises(BadInput, match="expected a url"):
        sv.checked_address("https://survey.example.org:0")
    assert sv.port_of("https://survey.example.org:8443") is None


def test_the_label_says_what_two_questions_reveal_where_they_reveal_most():
    """From 0.6 to 0.7, “same” favors yes by 3/2 to 7/3; among 10 of 100, 7·10/(7·10 + 3·90)."""
    (question,) = sv.survey_at(study({}, {"kind": "crosswise", "second": {
        "text": "Born before July?", "prevalence": ["0.6", "0.7"]}})).questions
    label = question_label(question)
    told = " ".join(part.can for part in (label.first, *label.others))
    assert "2.3" in told
    assert "1.5" not in told
    assert "21" in told


def test_the_factor_of_a_promise_is_never_below_the_truth():
    (factor,) = [float(word.strip(".()")) for word in promise(Level.of(1)).split()
                 if word.strip(".()").startswith("2.7")]
    assert exp(1) <= factor < 2.73


def test_a_tally_is_not_changed_by_an_estimate():
    tally = Tally.of([3, 1])
    assert sv.estimate_answers(sv.warner("3/4"), tally).tally is tally
