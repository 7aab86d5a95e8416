"""The label of each kind of question: figures by hand, and what is said of what no proof covers."""

import re
from fractions import Fraction
from math import ceil

import pytest

from tests.surveys.samples import own_words, study_of_every_kind, survey_of
from tightrope import surveys as sv
from tightrope.exact import Level
from tightrope.surveys.label import device_promise, promise, question_label, total_promise
from tightrope.surveys.languages import SHIPPED, shipped
from tightrope.surveys.respondent_pages import respondent_page


@pytest.fixture(scope="module")
def survey():
    return sv.survey_at(sv.read_study(study_of_every_kind()))


def labels(survey, code="en"):
    language = shipped(code)
    words = own_words(survey, language)
    return {question.key: question_label(question, language, words.questions[question.key])
            for question in survey.questions}


def test_chances_of_two_questions_are_those_at_both_ends_of_the_interval(survey):
    """P(same | yes) is the prevalence: 15 to 18 %; the factor is that of 85 to 15."""
    lied = labels(survey)["lied"]
    assert lied.responses == ("different", "the same")
    assert lied.sending == (("no", ("15%–18%", "82%–85%")), ("yes", ("82%–85%", "15%–18%")))
    assert "up to 5.67 times as likely" in lied.first.can
    after = round(100 * Fraction(1, 10) * Fraction(85) / (Fraction(85, 10) + Fraction(9 * 15, 10)))
    assert f"at most {after} in 100" in lied.first.can
    assert "15%–18% of the people" in lied.first.cannot


@pytest.mark.parametrize("code", SHIPPED)
def test_conditions_stand_on_the_label_in_every_language_with_their_figures(survey, code):
    shown = labels(survey, code)
    for key, second, numbers in (("lied", "mother's birthday", ("15", "18")),
                                 ("drunk", "house number", ("45", "55"))):
        conditions = " ".join(shown[key].conditions)
        assert second in conditions
        assert all(number in conditions for number in numbers)
        assert len(shown[key].conditions) == 4
    assert all(not shown[key].conditions for key in ("taken", "often", "hours", "age", "why"))
    language = shipped(code)
    total = total_promise(survey, language)
    assert language.say("promise.but_clear") in total
    assert language.say("promise.if_second") in total


def test_a_promise_without_clear_or_second_questions_has_no_exception(survey):
    plain = sv.Survey("x", "", survey.questions[:1], ("all",))
    assert total_promise(plain) == promise(plain.total)


def every_design():
    """Questions whose most and least likely true answer differ from response to response."""
    own = sv.custom("abc", "xyz", [[".5", ".3", ".2"], [".2", ".5", ".3"], [".25", ".25", ".5"]],
                    "bc")
    second = {"text": "Born in the first half?", "prevalence": ["0.8", "0.85"]}
    asked = {"title": "x", "epsilon": 4, "questions": [
        {"text": "k-ary?", "answers": ["a", "b", "c"]},
        {"text": "Crosswise?", "kind": "crosswise", "second": second},
        {"text": "Unrelated?", "kind": "unrelated", "second": {
            "text": "House even?", "prevalence": ["0.3", "0.65"]}}]}
    return (*survey_of("x", [("Own?", own, sv.prove(own))]).questions,
            *sv.survey_at(sv.read_study(asked)).questions)


@pytest.mark.parametrize("question", every_design(), ids=lambda question: question.text)
def test_what_a_sent_answer_reveals_is_the_most_that_it_can(question):
    """Over all true answers, and all prevalences of a second question: by trying each."""
    shown = question_label(question)
    told = {sent.response: sent for sent in (shown.first, *shown.others)}
    assert tuple(sorted(told)) == tuple(sorted(shown.responses))
    for z, response in enumerate(shown.responses):
        columns = [[row[z] for row in end.rows] for end in question.ends]
        factor, high, low = max((a / b, a, b) for column in columns for a in column
                                for b in column)
        assert f"up to {shipped('en').times(factor)} times as likely" in told[response].can
        after = Fraction(100) * high / (high + 9 * low)
        one = len(question.ends) == 1 and len(question.answers) == 2
        people = f"then {round(after)}" if one else f"at most {ceil(after)}"
        assert f"{people} in 100 of those who send" in told[response].can
        least = min(min(column) for column in columns)
        assert shipped("en").percent(least) in told[response].cannot


def test_what_is_at_most_is_never_rounded_down():
    """Of three answers at e^ε = 61/20: 10·61 / (10·61 + 90·20) of a hundred are 25.3, not 25."""
    told = []
    for design in (sv.k_ary("abc", "61/20"), sv.k_ary("ab", "61/20")):
        proof = sv.prove(design, Level.ratio("61/20"))
        (question,) = survey_of("x", [("How often?", design, proof)]).questions
        told.append(question_label(question).first.can)
    assert "at most 26 in 100" in told[0]
    assert "then 25 in 100" in told[1]


@pytest.mark.parametrize("delta", ["1/25", "0.000123", "0.0099999", "1/3", "0.0100001", "0.5",
                                   "0.012341", "0.123456", "0.000001", "0.0000011"])
def test_a_delta_is_never_rounded_down(delta):
    said = promise(Level.ratio(3, delta))
    shown = Fraction(re.search(r"plus ([0-9.]+)% ", said)[1]) / 100
    assert Fraction(delta) <= shown <= Fraction(delta) * Fraction(11, 10)


@pytest.mark.parametrize(("keys", "never", "draws"), [
    (("taken",), True, True), (("lied",), True, False), (("drunk",), False, False),
    (("taken", "age"), False, True), (("lied", "age"), False, False),
    (("taken", "lied"), False, True),
])
def test_a_page_says_that_it_draws_only_where_it_does(survey, keys, never, draws):
    """No true answer to a crosswise question is typed; of an unrelated one, it may be sent."""
    asked = sv.Survey("x", "", tuple(q for q in survey.questions if q.key in keys), ("all",))
    first, then = device_promise(asked)
    assert (first == "Your true answers never leave this device.") is never
    assert ("lets chance change" in then) is draws
    page = respondent_page(asked, "all").decode()
    assert ("Randomize and send" in page) is (draws or "drunk" in keys)
    assert ("what was sent" in page) is (draws or "drunk" in keys)
    assert page.count(first) == 1


def test_an_open_link_has_no_list_of_links(survey):
    """Its label names no use of a link, and stands with the group that is stored."""
    grouped = sv.Survey("x", "", survey.questions, ("north", "open"))
    own, opened = (respondent_page(grouped, group, opened=group == "open").decode()
                   for group in ("north", "open"))
    for words, said in (("that your link was used", own), ("how many came by this link", opened)):
        assert words in said
        assert (words in own) is not (words in opened)
    assert "your link, “north”, stands with" in own.partition("<details>")[0]  # not folded
    assert "your link, “open”, stands with" in opened


def test_a_clear_question_reveals_itself_and_has_no_promise(survey):
    age = labels(survey)["age"]
    assert (age.clear, age.promise, age.first, age.sending) == (True, "", None, ())
    assert "Stored as you give it" in age.note


def test_sensitive_answers_are_marked_and_given_names_are_those_of_the_language(survey):
    spanish = labels(survey, "es")
    assert spanish["taken"].marked == (False, True, False)
    assert [answer for answer, _ in spanish["taken"].sending] == [
        "no", "yes", "prefiero no decirlo"]
    assert spanish["often"].sending[-1][0] == "no se preguntó"
    assert spanish["hours"].sending[0][0] == "de 0 a menos de 2,5"
    assert spanish["lied"].responses == ("distintas", "iguales")


def test_new_says_the_conditions_and_each_level(survey, tmp_path):
    made = sv.create_survey(tmp_path / "s.json", study_of_every_kind())
    said = ' '.join(made.facts().sentences)
    assert "The promise of lied holds if: What “Is your mother's birthday" in said
    rows = made.facts().json["questions"]
    assert sum(row["epsilon"] or 0 for row in rows) == pytest.approx(4, abs=1e-5)
    assert [row["kind"] for row in rows][2:6] == ["numeric", "choice", "crosswise", "unrelated"]
