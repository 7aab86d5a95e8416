"""The languages of a survey's pages: the sentences that a respondent sees, and translated texts.

A file of `texts` has the sentences of one language, under the same keys and with the same named
values in every language. They are whole: nothing is put together from pieces, whose order differs
between languages. A count chooses among the forms of a sentence by the exact number, else `other`.

A survey's language has the shipped sentences or its own; one that it lacks is said in English. It
shows the survey's texts (title, about, the words of questions, answers and responses) as they are,
or has a translation of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import count
from math import ceil, log10
from pathlib import Path
from typing import Any, Final, TypeAlias

from tightrope.characters import alike, counted, label_text, looks, refuse_controls
from tightrope.errors import BadDocument, BadInput
from tightrope.files import read_form
from tightrope.surveys.bins import LONGEST_NAME, LONGEST_TEXT

Sentence: TypeAlias = "str | Mapping[str, str]"
"""A sentence, or its forms by number."""

SHIPPED: Final = ("en", "es")
PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)\}")
OTHER: Final = "other"
_DIRECTION: Final = "language.direction"
_APART: Final = "\N{FIRST STRONG ISOLATE}"
_END: Final = "\N{POP DIRECTIONAL ISOLATE}"
CODE: Final = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?")
"""A language, a script and a region, as in de, pt-BR, sr-Latn."""
DIRECTIONS: Final = ("ltr", "rtl")
MOST_LANGUAGES: Final = 40
_NUMBER: Final = re.compile("0|[1-9][0-9]{0,5}")
_LISTED: Final = 8


@dataclass(frozen=True)
class Language:
    """A language by its code, with its sentences by key, as in `label.title`.

    >>> shipped("es").name, shipped("en").direction
    ('español', 'ltr')
    """

    code: str
    sentences: Mapping[str, Sentence] = field(repr=False)

    @property
    def name(self) -> str:
        """The name of the language in itself."""
        return self.say("language.name")

    @property
    def direction(self) -> str:
        """Where lines begin: `ltr` or `rtl`."""
        return self.say(_DIRECTION)

    def say(self, key: str, **values: object) -> str:
        """The sentence under a key, with its values put in; whole numbers are grouped.

        >>> shipped("en").say("page.questions", n=3)
        'There are 3 questions.'
        """
        form = self.sentences[key]
        if isinstance(form, Mapping):
            form = form.get(str(values["n"]), form[OTHER])
        return PLACEHOLDER.sub(lambda found: self._shown(values[found[1]]), form)

    def script(self) -> dict[str, Any]:
        """The sentences that the code of the page says, and how it writes numbers."""
        wanted = ("script.", "number.decimal", "number.percent")
        return {key.removeprefix("script."): value if isinstance(value, str) else dict(value)
                for key, value in self.sentences.items() if key.startswith(wanted)}

    def percent(self, p: Fraction) -> str:
        """A probability as people say it; only what cannot happen is 0%, only the certain 100%.

        >>> [shipped("en").percent(Fraction(*p)) for p in ((3, 4), (731, 1000), (1, 3000))]
        ['75%', '73.1%', '0.033%']
        >>> shipped("es").percent(Fraction(731, 1000))
        '73,1\\xa0%'
        >>> [shipped("en").percent(p) for p in (1 - Fraction(1, 10**6), Fraction(1, 10**400))]
        ['over 99.9%', 'under 0.0001%']
        """
        if Fraction(9995, 10_000) <= p < 1:
            return self.say("number.over", percent=self._percent("99.9"))
        if 0 < p < Fraction(1, 10**6):
            return self.say("number.under", percent=self._percent("0.0001"))
        value = 100 * float(p)
        return self._percent(f"{value:.2g}" if 0 < value < 1 else f"{value:.3g}")

    def percent_at_most(self, p: Fraction) -> str:
        """As `percent`, and never too low.

        >>> [shipped("en").percent_at_most(Fraction(p)) for p in ("1/25", "0.000123", "1/3")]
        ['4%', '0.013%', '33.4%']
        """
        if not Fraction(1, 10**6) <= p < Fraction(9995, 10_000):
            return self.percent(p)
        power = next(k for k in count(1) if 10**k * p >= 1)  # the place of the first digit
        unit = Fraction(1, 10 ** (power + (1 if 100 * p < 1 else 2)))
        return self.percent(ceil(p / unit) * unit)

    def times(self, factor: Fraction) -> str:
        """A factor to two decimals, whole from 10, a power of ten from 10^12; never too low.

        >>> [shipped("en").times(Fraction(*f)) for f in ((3, 1), (1492, 1001), (10001, 10))]
        ['3', '1.5', '1,001']
        >>> shipped("en").times(Fraction(10**12)), shipped("en").times(Fraction(10**5000 + 1))
        ('10^12', '10^5001')
        """
        if factor >= 10**12:
            power = int(log10(2) * ceil(factor).bit_length()) - 1
            return f"10^{next(k for k in count(power) if 10**k >= factor)}"
        if factor >= 10:
            return self._shown(ceil(factor))
        return self.decimal(f"{ceil(100 * factor) / 100:g}")

    def decimal(self, text: str) -> str:
        """A number that was written with a point, as this language writes it."""
        return text.replace(".", self.say("number.decimal"))

    def _percent(self, text: str) -> str:
        return self.say("number.percent", n=self.decimal(text))

    def _shown(self, value: object) -> str:
        """A value as a sentence has it; in a line from right to left, with a direction of its own.

        >>> shipped("en").say("label.quoted", text="a")
        '“a”'
        """
        if isinstance(value, int):
            return f"{value:,}".replace(",", str(self.sentences["number.group"]))
        return f"{_APART}{value}{_END}" if self.sentences[_DIRECTION] == "rtl" else str(value)


@lru_cache(maxsize=len(SHIPPED))
def shipped(code: str) -> Language:
    """A language that is shipped."""
    if code not in SHIPPED:
        raise BadInput(f"there are no sentences in {code[:20]!r}; shipped are "
                       f"{', '.join(SHIPPED)}.")
    content = read_form(Path(__file__).parent / "texts" / f"{code}.toml")
    return Language(code, flat(content))


def flat(content: Mapping[str, Mapping[str, Sentence]]) -> dict[str, Sentence]:
    """The sentences of all tables, by keys as in `label.title`."""
    return {f"{table}.{name}": sentence
            for table, inner in content.items() for name, sentence in inner.items()}


ENGLISH: Final = shipped("en")


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
