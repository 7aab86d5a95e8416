"""The languages of a survey's pages, as its file has them.

The texts of a survey are title, about, and for every question its words and the names of its
answers and responses. A language either shows them as they are, or has a translation of each.
Its sentences (of the label, of notices) are shipped, or its own. A sentence that a later version
of the pages says, and a survey's own language lacks, is said in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from tightrope.characters import alike, counted, label_text, looks, refuse_controls
from tightrope.errors import BadDocument, BadInput
from tightrope.surveys.bins import LONGEST_NAME
from tightrope.surveys.languages import (
    ENGLISH,
    OTHER,
    PLACEHOLDER,
    SHIPPED,
    Language,
    Sentence,
    shipped,
)
from tightrope.surveys.questions import LONGEST_TEXT

CODE: Final = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?")
"""A language, a script and a region, as in de, pt-BR, sr-Latn."""
DIRECTIONS: Final = ("ltr", "rtl")
MOST_LANGUAGES: Final = 40
_NUMBER: Final = re.compile("0|[1-9][0-9]{0,5}")
_LISTED: Final = 8


@dataclass(frozen=True)
class SurveyLanguage:
    """A language of a survey's pages: `sentences` are its own, or None for those shipped, and
    `texts` translate those of the survey by key, or None where they are shown as they are."""

    code: str
    sentences: Mapping[str, Sentence] | None = None
    texts: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        if not CODE.fullmatch(self.code):
            raise BadInput(f"expected the code of a language as in de or pt-BR, found "
                           f"{label_text(self.code)}.")
        if self.sentences is None and self.code not in SHIPPED:
            raise BadInput(f"there are no sentences in {label_text(self.code)}: `tightrope survey "
                           f"translate` drafts a file for them; shipped are {', '.join(SHIPPED)}.")
        for text in self._every_text():
            refuse_controls(text, f"a text in {self.code}", BadInput)
            if len(text) > LONGEST_TEXT:
                raise BadInput(f"expected texts of at most {LONGEST_TEXT} characters.")

    @cached_property
    def language(self) -> Language:
        """The language with all sentences; English where its own do not fit those of today."""
        if self.sentences is None:
            return shipped(self.code)
        own = {key: sentence for key, sentence in self.sentences.items()
               if key in ENGLISH.sentences and misfit(key, sentence) is None}
        return Language(self.code, {**ENGLISH.sentences, **own})

    def says(self, key: str, text: str) -> str:
        """The text of the survey under a key, or its translation."""
        return text if self.texts is None else self.texts.get(key, text)

    def document(self) -> dict[str, Any]:
        """The language as the file of a survey has it."""
        plain = None if self.sentences is None else {
            key: sentence if isinstance(sentence, str) else dict(sentence)
            for key, sentence in self.sentences.items()}
        texts = None if self.texts is None else dict(self.texts)
        return {"code": self.code, "sentences": plain, "texts": texts}

    def _every_text(self) -> Iterator[str]:
        for sentence in (self.sentences or {}).values():
            yield from [sentence] if isinstance(sentence, str) else sentence.values()
        yield from (self.texts or {}).values()


def read_language(part: Mapping[str, Any]) -> SurveyLanguage:
    """The language in a part of a survey's file."""
    code, sentences, texts = part["code"], part["sentences"], part["texts"]
    good = isinstance(code, str) and all(
        value is None or isinstance(value, dict) for value in (sentences, texts))
    if not good or not all(_is_sentence(value) for value in (sentences or {}).values()):
        raise BadDocument("a language of the survey is malformed.")
    if not all(isinstance(text, str) for text in (texts or {}).values()):
        raise BadDocument("a translation of the survey is malformed.")
    return SurveyLanguage(code, sentences, texts)


def check_languages(languages: Sequence[SurveyLanguage]) -> None:
    """Raise `BadInput` unless each language is there once, and one shows the texts as they are."""
    codes = [language.code for language in languages]
    if not 1 <= len(codes) <= MOST_LANGUAGES:
        raise BadInput(f"expected from 1 to {MOST_LANGUAGES} languages.")
    twice = next((code for code in codes if codes.count(code) > 1), None)
    if twice is not None:
        raise BadInput(f"the pages speak {twice} twice: one file with a table [survey] translates "
                       "the survey's own texts into it, and a language without one shows them.")
    plain = [language.code for language in languages if language.texts is None]
    if len(plain) != 1:
        raise BadInput(
            "expected one language in which the survey's own texts are written, found "
            f"{', '.join(plain) or 'none'}: the others are files with a table [survey], which "
            "`tightrope survey translate` drafts.")


def check_translation(name: str, own: Mapping[str, str], texts: Mapping[str, str]) -> None:
    """Raise `BadInput` unless texts translate each of a survey's own and no other."""
    refuse_other(name, {f"survey.{key}" for key in set(texts) - set(own)})
    refuse_missing(name, [f"survey.{key}" for key in own if not looks(texts.get(key, ""))])
    seen: dict[tuple[str, str], str] = {}
    for key, text in texts.items():
        question, _, rest = key.partition(".")
        if not rest.startswith("names."):
            continue
        if len(text) > LONGEST_NAME:
            raise BadInput(f"{name}: expected answers of at most {LONGEST_NAME} characters.")
        other = seen.setdefault((question, alike(text)), key)
        if other != key:
            raise BadInput(f"{name}: two answers of {question} look like {label_text(text)}.")


def check_sentences(name: str, sentences: Mapping[str, Sentence]) -> None:
    """Raise `BadInput` unless these are all sentences of the pages, with the same values."""
    refuse_other(name, set(sentences) - set(ENGLISH.sentences))
    refuse_missing(name, [key for key in ENGLISH.sentences if _blank(sentences.get(key, ""))])
    for key, sentence in sentences.items():
        wrong = misfit(key, sentence)
        if wrong is not None:
            raise BadInput(f"{name}: {key} {wrong}.")
    if sentences["language.direction"] not in DIRECTIONS:
        raise BadInput(f"{name}: expected language.direction as ltr or rtl.")


def misfit(key: str, sentence: Sentence) -> str | None:
    """The way in which a sentence does not fit its key; None if it does."""
    known = ENGLISH.sentences[key]
    wanted = _values(known if isinstance(known, str) else known[OTHER])
    by_number = not isinstance(known, str)
    if by_number != (not isinstance(sentence, str)):
        return "needs forms by number: other, and any of 0, 1, 2, …" if by_number else (
            "has forms by number, and there is no number in it")
    forms = {OTHER: sentence} if isinstance(sentence, str) else sentence
    if OTHER not in forms or not all(form == OTHER or _NUMBER.fullmatch(form) for form in forms):
        return "has forms other than other, 0, 1, 2, …, or lacks other"
    for form, text in forms.items():
        optional = {"n"} if form != OTHER else set[str]()
        if _values(text) | optional != wanted | optional:
            listed = ", ".join(f"{{{value}}}" for value in sorted(wanted)) or "none"
            return f"has other values in braces than the English sentence: {listed}"
        if "{" in PLACEHOLDER.sub("", text) or "}" in PLACEHOLDER.sub("", text):
            return "has a brace that stands for no value"
    return None


def refuse_missing(name: str, missing: Sequence[str]) -> None:
    """Raise `BadInput` with what is missing, if anything."""
    if missing:
        more = f" and {len(missing) - _LISTED} more" if len(missing) > _LISTED else ""
        raise BadInput(f"{name} lacks {counted(len(missing), 'sentence')}: "
                       f"{', '.join(map(label_text, missing[:_LISTED]))}{more}.")


def refuse_other(name: str, other: set[str]) -> None:
    """Raise `BadInput` with what does not belong there, if anything."""
    if other:
        raise BadInput(f"{name} has {counted(len(other), 'field')} that the pages do not say: "
                       f"{', '.join(map(label_text, sorted(other)[:_LISTED]))}.")


def _values(text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text))


def _blank(sentence: Sentence) -> bool:
    """Whether a sentence, or one of its forms, is empty; a space may group digits."""
    return not sentence if isinstance(sentence, str) else not all(sentence.values())


def _is_sentence(value: object) -> bool:
    return isinstance(value, str) or (
        isinstance(value, dict) and all(isinstance(form, str) for form in value.values()))
