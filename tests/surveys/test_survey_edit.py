"""New texts for a survey in the field: answers stay, the law stays, servers follow."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.surveys.samples import Client, survey_of
from tightrope import surveys as sv
from tightrope.errors import BadInput, Refused
from tightrope.surveys import SurveyStore, survey_edit
from tightrope.surveys.survey_file import store_path, survey_bytes
from tightrope.surveys.survey_store import Submission
from tightrope.web import code_asset


@pytest.fixture
def made(tmp_path):
    """A survey with three links; what was made, and the tokens."""
    survey = sv.create_survey(tmp_path / "s.json", [("Ever?", sv.warner("3/4")),
                              ("Often?", sv.warner("3/4"))], "ln(3)", links=3, title="Old")
    tokens = re.findall(r"/r/(\S+)", survey.links.read_text())
    return survey, tokens


def sent(token, value=1):
    return Submission(token, {"q1": value, "q2": 0}, f"receipt {token}")


def read(made):
    return sv.read_survey(made.file.read_bytes())


def test_answers_before_and_after_an_edit_are_all_there(made):
    survey, tokens = made
    with SurveyStore(survey.store, survey.survey.digest) as serving:
        assert serving.accept([sent(tokens[0])]) == ["stored"]
        edited = sv.edit_survey(survey.file, title="New", questions={"q1": "Have you ever?"})
        assert serving.accept([sent(tokens[0])]) == ["received"]  # sent again by its page
        assert serving.accept([sent(tokens[1])]) == ["stored"]
        assert serving.survey == edited.survey.digest
    assert read(survey) == edited.survey
    assert (edited.survey.title, edited.survey.questions[0].text) == ("New", "Have you ever?")
    assert edited.survey.law == survey.survey.law
    assert edited.survey.digest != survey.survey.digest
    assert edited.changed == ("title", "q1.text")
    with SurveyStore(survey.store, edited.survey.digest) as store:
        assert [answer.responses for answer in store.answers()] == [{"q1": 1, "q2": 0}] * 2
    assert sv.results(survey.file).answers == 2


def test_old_translations_are_named_unless_new_ones_come_with_the_edit(made, tmp_path):
    survey, _ = made
    draft = Path(sv.draft_translation(survey.file, "es", output=tmp_path / "es.toml").file)
    text = draft.read_text(encoding="utf-8")
    for i in range(text.count('= ""')):
        text = text.replace('= ""', f'= "texto {i}"', 1)
    draft.write_text(text, encoding="utf-8")
    assert sv.edit_survey(survey.file, languages=draft).stale == ()
    old = sv.edit_survey(survey.file, title="New")
    assert old.stale == ("es",)
    assert ("Not changed is the translation of these texts in es: give --language with the new "
            "one.") in old.facts().sentences
    draft.write_text(text.replace("texto 0", "Nuevo"), encoding="utf-8")
    assert sv.edit_survey(survey.file, title="Newer", languages=draft).stale == ()


def test_a_survey_that_is_closed_stays_closed_after_an_edit(made):
    survey, tokens = made
    with SurveyStore(survey.store, survey.survey.digest) as store:
        store.finish()
    edited = sv.edit_survey(survey.file, title="New")
    with SurveyStore(survey.store, edited.survey.digest) as store:
        assert store.closed
        assert store.accept([sent(tokens[0])]) == ["closed"]


def test_another_language_of_the_same_texts_takes_the_place_of_the_first_and_says_so(made):
    survey, _ = made
    edited = sv.edit_survey(survey.file, languages=["es"])
    assert [spoken.code for spoken in edited.survey.languages] == ["es"]
    assert "shown as es now, no longer as en" in " ".join(edited.facts().sentences)
    back = sv.edit_survey(survey.file, languages=["en"])
    assert back.survey == survey.survey


def test_a_running_server_shows_the_new_texts_and_takes_answers_of_the_old_page(made):
    survey, tokens = made
    with SurveyStore(survey.store, survey.survey.digest) as store:
        client = Client(survey.survey, store, reread=lambda: read(survey))
        before = client.get(f"/r/{tokens[0]}").text
        code = client.get("/page.js").text
        sv.edit_survey(survey.file, title="New", languages=["es"])
        after = client.get(f"/r/{tokens[0]}").text
        assert "<h1>Old</h1>" in before
        assert "<h1>New</h1>" in after
        assert 'lang="es"' in after
        fresh = client.get("/page.js").text
        assert sv.page_code(read(survey)) == fresh != code
        for page, wanted in ((before, code), (after, fresh)):  # each finds its own
            address, integrity = re.search(r'src="([^"]*)" integrity="([^"]*)"', page).groups()
            assert client.get(address).text == wanted
            assert code_asset(wanted).integrity == integrity
        assert integrity in client.get(f"/r/{tokens[1]}").text
        law = re.search('"law": "[^"]*"', code)[0]
        assert law in fresh  # by which the browser knows what it drew before
        body = {"token": tokens[0], "consent": True, "receipt": "0" * 32,
                "responses": {"q1": 1, "q2": 0}}
        assert client.post("/answer", json=body).status_code == 201
        assert "<h1><bdi>New" in client.get("/").text


def test_a_server_whose_copy_of_the_file_is_old_or_of_another_law_keeps_its_texts(made, tmp_path):
    survey, tokens = made
    other = survey_of("New", [("Ever?", sv.warner("3/5"), sv.prove(sv.warner("3/5")))] * 2)
    for copy in (survey.survey, replace(other, title="New")):
        with SurveyStore(survey.store, read(survey).digest) as store:
            client = Client(survey.survey, store, reread=lambda copy=copy: copy)
            sv.edit_survey(survey.file, about=f"About {id(copy)}")
            assert "<h1>Old</h1>" in client.get(f"/r/{tokens[0]}").text
    with SurveyStore(survey.store, read(survey).digest) as store:
        client = Client(survey.survey, store, reread=lambda: other)
        store.rebind(other.digest)  # as if somebody had put another survey there
        assert "<h1>Old</h1>" in client.get(f"/r/{tokens[0]}").text


def test_an_edit_of_another_law_is_refused_whatever_made_it(made, monkeypatch):
    survey, _ = made
    before = [path.read_bytes() for path in (survey.file, survey.store)]
    turned = replace(survey.survey, questions=survey.survey.questions[::-1])
    monkeypatch.setattr(survey_edit, "_edit_texts", lambda *_: turned)
    with pytest.raises(Refused, match="law"):
        sv.edit_survey(survey.file, title="New")
    assert [path.read_bytes() for path in (survey.file, survey.store)] == before


def test_an_edit_that_was_cut_off_is_made_again(made, monkeypatch):
    """The store was told, then the file was not written."""
    survey, tokens = made

    class Crash(BaseException):
        pass

    real = SurveyStore.rebind

    def cut(self, digest):
        real(self, digest)
        raise Crash

    with monkeypatch.context() as patched:
        patched.setattr(survey_edit.SurveyStore, "rebind", cut)
        with pytest.raises(Crash):
            sv.edit_survey(survey.file, title="New")
    assert read(survey).title == "Old"
    edited = sv.edit_survey(survey.file, title="New")
    with SurveyStore(survey.store, edited.survey.digest) as store:
        assert store.accept([sent(tokens[0])]) == ["stored"]


@pytest.mark.parametrize(("wanted", "said"), [
    ({}, "nothing to change"), ({"title": "Old"}, "nothing to change"),
    ({"questions": {"q9": "x"}}, "no question q9"), ({"title": "a\x1bb"}, "control character"),
    ({"questions": {"q1": ""}}, "question of 1 to"), ({"languages": ["xx"]}, "no sentences in xx"),
    ({"languages": ["en", "es"], "title": "\u3164"}, "title"),
])
def test_what_cannot_be_changed_is_refused_and_changes_nothing(made, wanted, said):
    survey, _ = made
    before = [path.read_bytes() for path in (survey.file, survey.store)]
    with pytest.raises(BadInput, match=said):
        sv.edit_survey(survey.file, **wanted)
    assert [path.read_bytes() for path in (survey.file, survey.store)] == before


def test_a_survey_of_an_earlier_version_is_not_edited(made):
    survey, _ = made
    old = replace(survey.survey, version=1)
    survey.file.write_bytes(survey_bytes(old))
    with pytest.raises(Refused, match="earlier version"):
        sv.edit_survey(survey.file, title="New")


def test_the_words_of_a_second_question_are_part_of_the_law(made):
    """Its prevalence depends on them; answers, designs and order are, too."""
    survey, _ = made
    first, second = survey.survey.questions
    assert replace(survey.survey, questions=(second, first)).law != survey.survey.law
    other = replace(first, sensitive=("no",))
    assert replace(survey.survey, questions=(other, second)).law != survey.survey.law
    assert replace(survey.survey, questions=(replace(first, text="x"), second)).law == (
        survey.survey.law)


def test_a_store_of_another_survey_is_left_alone(made, tmp_path):
    survey, _ = made
    other = sv.create_survey(tmp_path / "t.json", [("Ever?", sv.warner("3/4"))], "ln(3)", links=1)
    store_path(survey.file).write_bytes(other.store.read_bytes())
    before = survey.store.read_bytes(), survey.file.read_bytes()
    with pytest.raises(BadInput, match="another survey"):
        sv.edit_survey(survey.file, title="New")
    assert (survey.store.read_bytes(), survey.file.read_bytes()) == before
