"""Every language has every sentence, with the same values; and what it says in a promise."""

import re
from fractions import Fraction

import pytest

from tightrope.characters import control_in
from tightrope.errors import BadInput
from tightrope.surveys.languages import ENGLISH, PLACEHOLDER, SHIPPED, shipped

OTHERS = [code for code in SHIPPED if code != "en"]


def forms(sentence):
    return [sentence] if isinstance(sentence, str) else list(sentence.values())


def values(sentence):
    """The names of the values; a form for one number may leave its number out."""
    return set(PLACEHOLDER.findall(sentence if isinstance(sentence, str) else sentence["other"]))


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_the_same_sentences_with_the_same_values(code):
    other = shipped(code)
    assert list(other.sentences) == list(ENGLISH.sentences)
    for key, sentence in ENGLISH.sentences.items():
        assert values(other.sentences[key]) == values(sentence), key


@pytest.mark.parametrize("code", SHIPPED)
def test_a_sentence_has_no_markup_and_no_stray_braces_or_controls(code):
    for key, sentence in shipped(code).sentences.items():
        for form in forms(sentence):
            assert form.strip() or key == "number.group", key
            assert not re.search(r"[<>&]", form), key
            assert not re.search(r"[{}]", PLACEHOLDER.sub("", form)), key
            assert control_in(form) is None, key


@pytest.mark.parametrize("code", SHIPPED)
def test_a_form_for_one_number_names_it_or_leaves_it_out(code):
    for key, sentence in shipped(code).sentences.items():
        if not isinstance(sentence, str):
            assert "other" in sentence, key
            for form in forms(sentence):
                assert set(PLACEHOLDER.findall(form)) | {"n"} == values(sentence) | {"n"}, key


def test_every_sentence_is_said_somewhere():
    from tests.architecture.source import ROOT

    rooms = ROOT / "src/tightrope/surveys"
    said = "\n".join(path.read_text() for path in (*rooms.glob("*.py"), *rooms.glob("pages/*")))
    for key in ENGLISH.sentences:
        table, _, name = key.partition(".")
        wanted = {"script": f'"{name}"', "notice": f'"{name.removesuffix("_title")}"'}
        stem = re.sub("_of_two$", "", key)
        assert wanted.get(table, stem) in said, key


def test_pages_and_code_hold_no_sentence_of_their_own():
    """A text between two tags, or a sentence in quotes in the code, is not in the catalog."""
    from tests.architecture.source import ROOT

    pages = ROOT / "src/tightrope/surveys/pages"
    for name in ("respondent.html", "notice.html"):
        plain = re.sub(r"\{[%{].*?[%}]\}", "", (pages / name).read_text())
        assert not re.findall(r">[^<]*[A-Za-z][^<]*<", plain), name
    code = re.sub(r"//.*", "", "".join((pages / name).read_text() for name in (
        "page.js", "wheel.js")))
    for quoted in re.findall(r'"([^"\n]*)"|`([^`\n]*)`', code):
        assert not re.search(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}", "".join(quoted)), quoted


def test_a_number_is_written_as_the_language_writes_it():
    spanish = shipped("es")
    assert spanish.times(Fraction(12345)) == "12\N{NO-BREAK SPACE}345"
    assert spanish.percent(Fraction(1, 10**9)) == "menos del 0,0001\N{NO-BREAK SPACE}%"
    assert spanish.times(Fraction(3, 2)) == "1,5"


def test_a_value_is_put_in_as_it_is_and_not_read_again():
    assert "{answer}" in ENGLISH.say("reveal.lead", response="{answer}")


def test_a_language_that_is_not_shipped_is_refused_with_those_that_are():
    with pytest.raises(BadInput, match="en, es"):
        shipped("../en")
