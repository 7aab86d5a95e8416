"""Languages of a survey: drafted whole, read strictly, shown from the survey's file alone."""

import json
import re
import tomllib
from dataclasses import replace

import pytest

from tests.surveys.samples import small_survey, study_of_every_kind
from tightrope import surveys as sv
from tightrope.documents import digest_of, render
from tightrope.errors import BadInput
from tightrope.surveys.creation import survey_at
from tightrope.surveys.languages import ENGLISH, flat
from tightrope.surveys.study_file import read_study
from tightrope.surveys.survey_file import survey_bytes
from tightrope.surveys.words import all_words, language_at, survey_texts, with_languages

SURVEY = small_survey()


def other_letters(text):
    """A sentence in an invented language, with the values where they were."""
    return "".join(part if part.startswith("{") else re.sub("[a-z]", "\N{GREEK SMALL LETTER XI}",
                   part) for part in re.split(r"(\{[a-z_]+\})", text))


def filled(folder, code="xx", survey=SURVEY, **changed):
    """A draft of every sentence, filled in; `changed` has other values by key, None for none."""
    place = folder / f"{code}.toml"
    sv.draft_translation(survey, code, place, force=True)
    content = tomllib.loads(place.read_text())
    values = {f"{table}.{name}": sentence for table, inner in content.items() if table != "survey"
              for name, sentence in inner.items()}
    for key, english in ENGLISH.sentences.items():
        if key in values:
            values[key] = (other_letters(english) if isinstance(english, str) else
                           {form: other_letters(text) for form, text in english.items()})
    if "language.direction" in values:
        values["language.direction"] = "rtl"
    own = survey_texts(survey)
    values |= {f"survey.{key}": f"{text}!" for key, text in own.items()}
    values |= {key.replace("__", "."): value for key, value in changed.items()}
    lines = []
    for key, value in values.items():
        if value is not None:
            parts = ".".join(json.dumps(part) for part in key.split("."))
            inner = (json.dumps(value, ensure_ascii=False) if isinstance(value, str) else
                     "{" + ", ".join(f"{json.dumps(form)} = {json.dumps(text)}"
                                     for form, text in value.items()) + "}")
            lines.append(f"{parts} = {inner}")
    place.write_text("\n".join(lines))
    return place


def test_a_draft_has_every_sentence_once_and_says_the_english_one(tmp_path):
    made = sv.draft_translation(SURVEY, "de", tmp_path / "de.toml")
    text = (tmp_path / "de.toml").read_text()
    content = tomllib.loads(text)
    assert content["language"].pop("code") == "de"
    survey = content.pop("survey")
    assert list(flat(content)) == list(ENGLISH.sentences)
    for key, sentence in flat(content).items():
        english = ENGLISH.sentences[key]
        assert sentence == ("" if isinstance(english, str) else dict.fromkeys(english, ""))
        for form in [english] if isinstance(english, str) else english.values():
            assert f"{form}\n" in text
    assert survey["q2"] == {"text": "", "names": {"never": "", "once": "", "often": ""}}
    assert made.sentences == len(ENGLISH.sentences)
    assert made.texts == len(survey_texts(SURVEY))
    with pytest.raises(BadInput, match="exists"):
        sv.draft_translation(SURVEY, "de", tmp_path / "de.toml")


def test_a_filled_file_is_spoken_by_the_page_and_kept_by_the_survey(tmp_path):
    both = with_languages(SURVEY, [filled(tmp_path)])
    assert [spoken.code for spoken in both.languages] == ["en", "xx"]
    again = sv.read_survey(survey_bytes(both))
    assert again == both
    assert again.law == SURVEY.law
    assert again.digest != SURVEY.digest
    english, other = all_words(again)
    assert english.questions["q1"].text == "Ever?"
    assert other.language.direction == "rtl"
    assert other.questions["q2"].answers == ("never!", "once!", "often!")
    assert other.language.say("page.questions", n=2) == other_letters("There are 2 questions.")
    assert "never!" in sv.page_code(again)
    # what was drafted again has nothing left to fill in
    assert sv.draft_translation(again, "xx", tmp_path / "xx.toml", force=True).missing == 0
    assert language_at(tmp_path / "xx.toml", SURVEY) == again.languages[1]


def test_a_language_may_be_the_surveys_own_and_a_shipped_one_needs_its_texts_alone(tmp_path):
    place = filled(tmp_path)
    lines = [line for line in place.read_text().splitlines() if not line.startswith('"survey"')]
    place.write_text("\n".join(lines))
    alone = with_languages(SURVEY, [place])
    assert [spoken.code for spoken in alone.languages] == ["xx"]
    (words,) = all_words(alone)
    assert words.title == SURVEY.title
    spanish = with_languages(SURVEY, [filled(tmp_path, "es")]).languages[1]
    assert spanish.sentences is None
    assert spanish.language.name == "español"


@pytest.mark.parametrize(("changed", "said"), [
    ({"page__start": ""}, "lacks 1 sentence: page.start"),
    ({"page__start": None, "survey__q1__text": None}, "lacks 1 sentence: page.start"),
    ({"survey__q1__text": "  "}, "lacks 1 sentence: survey.q1.text"),
    ({"survey__q1__names__no": None}, "lacks 1 sentence: survey.q1.names.no"),
    ({"page__begin": "x"}, "page.begin"),
    ({"survey__q3__text": "x"}, "survey.q3.text"),
    ({"survey__q1__names__maybe": "x"}, "survey.q1.names.maybe"),
    ({"reveal__lead": "no value"}, r"reveal.lead has other values.*\{response\}"),
    ({"reveal__lead": "{response} {answer}"}, "reveal.lead has other values"),
    ({"page__start": "{"}, "page.start has a brace"),
    ({"page__start": "}"}, "page.start has a brace"),
    ({"page__start": {"other": "x"}}, "page.start has forms by number"),
    ({"page__questions": "x {n}"}, "page.questions needs forms"),
    ({"page__questions": {"1": "x {n}"}}, "page.questions has forms other than"),
    ({"page__questions": {"few": "x {n}", "other": "{n}"}}, "page.questions has forms other than"),
    ({"page__questions": {"other": "x"}}, "page.questions has other values"),
    ({"page__start": "a\u202eb"}, r"control character U\+202E"),
    ({"survey__title": "a\u001bb"}, r"control character U\+001B"),
    ({"language__direction": "up"}, "ltr or rtl"),
    ({"language__code": "Deutsch"}, "code of a language"),
    ({"language__code": None}, "does not say its language"),
    ({"survey__q1__names__yes": "no!"}, "two answers of q1 look like"),
    ({"survey__q1__names__yes": "n\u043e", "survey__q1__names__no": "no"}, "answers of q1 look"),
    ({"survey__q1__names__yes": "y" * 201}, "200 characters"),
    ({"page__start": "x" * 2001}, "2000 characters"),
])
def test_a_file_that_does_not_fit_is_refused_with_the_place(tmp_path, changed, said):
    with pytest.raises(BadInput, match=said):
        language_at(filled(tmp_path, **changed), SURVEY)


@pytest.mark.parametrize("content", [
    "x = 1", "[page]\nstart = 3", "[page]\nstart = [1]", "[[page]]",
    '[language]\ncode = "es"\n[survey]\ntitle = 3',
])
def test_what_is_no_file_of_a_language_is_refused(tmp_path, content):
    place = tmp_path / "x.toml"
    place.write_text(content)
    with pytest.raises(BadInput):
        language_at(place, SURVEY)


@pytest.mark.parametrize("given", [["en", "es"], ["en", "en"], ["de"], ["../en"], [""]])
def test_languages_that_do_not_go_together_are_refused(given):
    with pytest.raises(BadInput):
        with_languages(SURVEY, given)


@pytest.mark.parametrize("forge", [
    lambda parts: parts.append(parts[0]),
    lambda parts: parts.clear(),
    lambda parts: parts[0].update(code="DE"),
    lambda parts: parts[0].update(code=3),
    lambda parts: parts[1].update(texts=None),
    lambda parts: parts[1].update(texts=[]),
    lambda parts: parts[1].update(texts={"title": 3}),
    lambda parts: parts[1].update(sentences={"page.start": ["x"]}),
    lambda parts: parts[1].update(sentences={"page.start": "\u202e"}),
    lambda parts: parts[1].update(note="x"),
])
def test_a_forged_language_in_a_survey_is_refused(tmp_path, forge):
    content = with_languages(SURVEY, [filled(tmp_path)]).document()
    forge(content["languages"])
    content["digest"] = digest_of(content)
    with pytest.raises(BadInput):
        sv.read_survey(render(content))


def test_a_sentence_that_a_kept_language_lacks_or_has_otherwise_is_said_in_english(tmp_path):
    """A later version says more than a file of today has."""
    spoken = with_languages(SURVEY, [filled(tmp_path)]).languages[1]
    known = dict(spoken.sentences)
    del known["page.start"]
    older = replace(spoken, sentences={**known, "reveal.lead": "{gone}", "page.gone": "x"})
    assert older.language.say("page.start") == "Start"
    said = re.sub("[\u2068\u2069]", "", older.language.say("reveal.lead", response="a"))
    assert said == ENGLISH.say("reveal.lead", response="a")  # but for marks of the direction


def test_every_kind_of_question_is_translated_but_for_names_that_languages_have(tmp_path):
    """A second question, a unit and answers are; “prefer not to say” and bins are not."""
    survey = survey_at(read_study(study_of_every_kind()))
    texts = survey_texts(survey)
    both = with_languages(survey, [filled(tmp_path, survey=survey)])
    words = all_words(both)[1]
    for question in survey.questions:
        shown = words.questions[question.key]
        assert shown.text == f"{question.text}!"
        if question.second is not None:
            assert shown.second == f"{question.second.text}!"
        for name, other in zip(question.answers, shown.answers, strict=True):
            assert other != name
            own = f"{question.key}.names.{name}"
            assert (own in texts) == (other == f"{name}!")
    left = {name for question in survey.questions for name in question.answers
            if f"{question.key}.names.{name}" not in texts}
    assert any("under" in name for name in left)
    assert "prefer not to say" in left
