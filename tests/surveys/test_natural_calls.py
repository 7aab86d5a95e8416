"""Calls that come to mind first: each works, or one sentence names the spelling that does."""

import json
from pathlib import Path

import numpy as np
import pytest

import tightrope as tr
from tests.surveys.field import field_survey, people, report_on
from tightrope import surveys as sv
from tightrope.documents import digest_of
from tightrope.errors import BadInput, SolverFailed
from tightrope.surveys.survey_file import survey_bytes
from tightrope.utility import Tally


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def made():
    sv.create_survey("s.json", [("Ever?", sv.warner("3/4")), ("Never?", sv.warner("3/4"))], links=3)
    return sv.results("s.json")


@pytest.mark.parametrize("call", [
    lambda: sv.regress("s.json", "q1 ~ group"),
    lambda: sv.compare_groups("s.json"),
    lambda: sv.cross_table("s.json", "q1", "q2"),
    lambda: sv.compare_waves(["s.json", "t.json"]),
    lambda: sv.write_export("s.json", "out.csv"),
])
def test_the_name_of_a_file_in_place_of_results_is_answered_with_the_call(call):
    with pytest.raises(BadInput, match=r'as surveys\.results\("s\.json"\) returns them, found str'):
        call()


@pytest.mark.parametrize(("call", "match"), [
    (lambda report: sv.regress(report, 5), 'such as "q1 ~ group'),
    (lambda report: sv.compare_waves(report), "each wave in a list"),
    (lambda report: report.analyzed(tables=("q1", "q2")), r'\[\("q1", "q2"\)\]'),
    (lambda report: sv.add_links("s.json", "5"), "more links"),
    (lambda _: sv.create_survey("t.json", ["Ever?"], epsilon=1), "each question with its design"),
    (lambda _: sv.create_survey("t.json", [("Ever?", "warner")]), "each question with its design"),
    (lambda _: sv.k_ary(3, 4), "answers in a list"),
    (lambda _: sv.best_design(5, 1), "answers in a list"),
    (lambda _: sv.design_at(3, 1), "answers in a list"),
    (lambda _: sv.plan_survey(1, answers="never/once"), r"as in \['never', 'once'\], found"),
    (lambda _: sv.expected_margins(300, epsilon=1, answers=3), "answers in a list"),
    (lambda _: sv.designs_at_violation("0.5", "0.1", answers=2), "answers in a list"),
    (lambda _: sv.results("s.json", confidence=95), "such as 0.95"),
    (lambda _: sv.results("s.json", confidence="95%"), "such as 0.95, found '95%'"),
    (lambda _: sv.results("s.json", regress="q1 ~ group"), r'use formulas="q1 ~ group"'),
    (lambda _: sv.results("s.json", table="q1,q2"), r'use tables=\[\("q1", "q2"\)\]'),
    (lambda _: sv.results("s.json", output="out.csv"), r"use tr.surveys.write_export\("),
    (lambda _: sv.results("s.json", plot="r.svg"), r"use plot\(\) of the result"),
    (lambda _: sv.edit_survey("s.json", titel="Work"), "unexpected keyword argument 'titel'"),
    (lambda _: sv.edit_survey("s.json"), "give a new title, about, question or language"),
    (lambda _: sv.create_survey("t.json", question="Ever?"), r'"questions": \[\{"text"'),
    (lambda _: tr.estimate({"q1": ["no"]}, "q1", mechanism="s.json"),
     r'question_mechanisms\("s.json"\)'),
    (lambda _: tr.sanitize({"a": [1]}, values="1/2", epsilon=1), "may hold, by its name"),
    (lambda _: tr.sanitize([1, 2], epsilon=1), "may hold, by its name"),
    (lambda _: sv.plan_survey(1, confidence=95), "such as 0.95"),
    (lambda _: sv.best_design(["a", "b", "c"], eps=1), "use epsilon=1"),
    (lambda _: sv.best_design(["a", "b", "c"], 1, aim=None), "weights such as"),
    (lambda _: sv.best_design(["a", "b", "c"], 1, outputs="6"), "responses, found '6'"),
    (lambda _: sv.best_design(["a", "b", "c"], 1, prior={"a": 1}), "shares of all 3 answers"),
    (lambda _: sv.best_design(["a", "b", "c"], 1, aim=[0, "1e-20", 0]), "weights are too small"),
    (lambda _: sv.plan_survey(1, respondents=300), r"use tr.surveys.expected_margins\(300"),
    (lambda _: sv.plan_survey(1, aim="mean"), r"use tr.surveys.plan_aim\("),
    (lambda _: sv.plan_survey(1, margin="0.05"), "such as 0.05, found '0.05'"),
    (lambda _: sv.plan_survey(1, difference="0.1:0.2"), r"as in \(0.1, 0.2\)"),
    (lambda _: sv.plan_survey(1, confidence="95%"), "such as 0.95"),
    (lambda _: sv.plan_survey(1, power=80), "such as 0.8"),
    (lambda _: sv.plan_aim(["a", "b"], 1, margin="0.05"), "above 0, such as 0.05"),
    (lambda _: sv.plan_aim(["a", "b"], 1, prevalence=[0.7, 0.3]), "use prior="),
    (lambda _: sv.plan_aim(["a", "b", "c"], 1, scores=[1, 2, 3]), "use aim="),
    (lambda _: sv.expected_margins("300", 1), "whole number of respondents"),
    (lambda _: sv.expected_margins(None, 1), "whole number of respondents"),
    (lambda _: sv.expected_margins(300, 1, groups="200:100"), r"as in \(150, 150\)"),
    (lambda _: sv.expected_margins(300, 1, difference=(0.1,)), r"as in \(0.1, 0.2\)"),
    (lambda _: sv.expected_margins(300, 1, answers=["a", "b"], scores="0,1"), r"as in \[0, 1, 2\]"),
    (lambda _: tr.sanitize({"a": [1]}, {"a": 1}, 1), "what a column may hold"),
    (lambda _: tr.sanitize({"a": [1]}, {"a": "0-100"}, 1), "bins:0,10,20"),
    (lambda _: tr.estimate([3, 1], sv.warner("3/4")), "the name of a column"),
])
def test_a_natural_mistake_has_one_sentence(call, match):
    with pytest.raises(BadInput, match=match) as told:
        call(made())
    assert len(str(told.value)) < 300


def test_a_list_of_cells_needs_no_name_for_its_values():
    assert tr.sanitize(["no", "yes"], values="no/yes", epsilon=60).table == ["no", "yes"]


def test_an_edit_names_the_language_that_is_lost_and_only_that():
    made()
    lost = sv.edit_survey("s.json", languages="es").facts().sentences[-1]
    assert lost == ("The survey's own texts are shown as es now, no longer as en; for en beside "
                    "es, translate them: tightrope survey translate.")
    draft = Path(sv.draft_translation("s.json", "en").file)
    text = draft.read_text(encoding="utf-8")
    for i in range(text.count('= ""')):
        text = text.replace('= ""', f'= "text {i}"', 1)
    draft.write_text(text, encoding="utf-8")
    sv.edit_survey("s.json", languages="en")
    kept = sv.edit_survey("s.json", languages=["es", draft])
    assert kept.facts().sentences[-1].endswith("shown as es now, no longer as en.")


def test_one_text_stands_for_a_list_of_one():
    report = made()
    with pytest.raises(BadInput, match="no answers yet"):
        report.analyzed(formulas="q1 ~ 1")
    with pytest.raises(BadInput, match="two groups with answers to compare by group"):
        sv.results("s.json", by="group")
    edited = sv.edit_survey("s.json", languages="es")
    assert [language.code for language in edited.survey.languages] == ["es"]


def test_results_are_drawn_with_a_line_for_each_question_of_two_answers():
    figure = report_on(people(field_survey(), {
        question.key: [0, 1, 0, 1] for question in field_survey().questions}, 1)).plot()
    (axes,) = figure.axes
    shown = {text.get_text() for text in axes.texts}
    assert {"q1: yes", "q2: 3", "q6: east"} <= shown
    assert "q1: no" not in shown
    with pytest.raises(BadInput, match="no answers to draw"):
        made().plot()


def test_counts_of_responses_are_a_tally_too():
    design = sv.warner("3/4")
    assert repr(sv.estimate_answers(design, [390, 210])) == repr(
        sv.estimate_answers(design, Tally.of([390, 210])))


def test_a_violation_takes_the_share_of_the_sensitive_answer():
    """Bayes: 0.1 · 3/4 / (0.1 · 3/4 + 0.9 · 1/4) = 1/4."""
    assert sv.privacy_violation(sv.warner("3/4"), "0.1") == 1 / 4


def test_a_language_is_drafted_from_the_file_which_the_next_step_names():
    made()
    draft = sv.draft_translation("s.json", "de")
    (last,) = draft.facts().sentences
    assert last.endswith("tightrope survey edit s.json --language de.toml")
    assert "survey edit s.json --language" in Path("de.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("call", [sv.results, sv.edit_survey, lambda file: sv.add_links(file, 1),
                                  lambda file: sv.draft_translation(file, "de")])
def test_a_file_that_is_no_survey_is_named(call):
    made()
    with pytest.raises(BadInput, match=r"^s\.links\.csv is not a survey that `survey new` wrote"):
        call("s.links.csv")


@pytest.mark.parametrize(("change", "match"), [
    (lambda q: q[3].update(scores=["0", "1", "2"]), "middles of its bins"),
    (lambda q: q[3]["bins"].update(edges=["1", "10", "20", "40"]), "bins|malformed|answers"),
    (lambda q: q[0]["design"].update(how="x" * 3000), "at most 2000"),
    (lambda q: q[0]["design"].update(name="x" * 3000), "at most 2000"),
    (lambda q: q[4]["second"].update(prevalence=["1/10", "1/5"]), "ratio|not that of"),
])
def test_a_forged_file_whose_digest_fits_is_refused(change, match):
    document = json.loads(survey_bytes(field_survey()))
    change(document["questions"])
    document["digest"] = digest_of(document)
    with pytest.raises(tr.TightropeError, match=match):
        sv.read_survey(json.dumps(document).encode())


@pytest.mark.parametrize("groups", [("",), (" ",), ("a", "a\u200b"), ()])
def test_groups_that_look_alike_are_refused(groups):
    with pytest.raises(BadInput, match="look different"):
        field_survey(groups)


MIXED = ["yes", "\u0443\u0435s"]  # two letters of the second are Cyrillic


@pytest.mark.parametrize("made", [
    lambda: sv.k_ary(MIXED, 4),
    lambda: sv.read_study({"title": "T", "epsilon": 1, "questions": [
        {"text": "A?", "answers": MIXED}]}),
    lambda: sv.Question("q1", "A?", None, (), "clear", "", listed=tuple(MIXED)),
    lambda: field_survey(MIXED),
    lambda: sv.read_study({"title": "T", "epsilon": 1, "questions": [
        {"text": "A?", "answers": ["no", "yes"], "refuse": "n\u03bf"}]}),
])
def test_answers_that_look_alike_by_letters_of_two_alphabets_are_refused(made):
    with pytest.raises(BadInput, match="look different"):
        made()


def test_answers_of_one_alphabet_stay_as_they_are():
    for answers in (["\u043d\u0435\u0442", "\u0434\u0430"], ["I", "l"], ["0", "O"], ["A", "a"],
                    ["\u03bd\u03b1\u03b9", "\u03cc\u03c7\u03b9"]):
        assert sv.k_ary(answers, 4).answers == tuple(answers)


@pytest.mark.parametrize("aim", ["1,0,-1", np.array([1, 0, -1]), (1.0, 0, "-1"), [[1, 0, -1]]])
def test_weights_are_taken_as_they_come(aim):
    expected = sv.best_design(["a", "b", "c"], 1, aim=[1, 0, -1])
    assert sv.best_design(["a", "b", "c"], 1, aim=aim).value == expected.value


def test_rows_of_weights_are_taken_as_a_matrix():
    shares = sv.best_design(["a", "b", "c"], 1)
    assert float(sv.best_design(["a", "b", "c"], 1, aim=np.eye(3)).value) == pytest.approx(
        float(shares.value), rel=0.01)


def test_too_few_responses_to_tell_all_shares_are_refused():
    with pytest.raises(SolverFailed, match="at most 2 outputs"):
        sv.best_design(["a", "b", "c"], 1, outputs=2)


def test_numbers_of_people_may_come_from_numpy():
    plan = sv.expected_margins(np.int64(300), 1, groups=tuple(np.array([200, 100])))
    assert (plan.respondents, type(plan.respondents)) == (300, int)
    study = {"title": "T", "epsilon": 1, "questions": [{"text": "A?"}]}
    assert type(sv.plan_study(study, respondents=np.int32(300)).respondents) is int
    for wrong in (np.float64(300), True, np.int64(1), None):
        with pytest.raises(BadInput, match="whole number of respondents"):
            sv.expected_margins(wrong, 1)
