"""Every sentence that is the report's own, in one place: a translation is another such table.

Words that releases show at the terminal, too, are theirs: decision 0037 lists them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

LANGUAGE: Final = "en"

TEXTS: Final = {
    # the page
    "title": "Private statistics of {datasets}",
    "lead": "{questions} about {datasets}, answered with differential privacy: noise was added to "
    "every answer. How much anybody can learn from them about a single {unit} is limited, and the "
    "limit is stated below. Where an interval is given, it holds {sure} times in 100.",
    "brief": "In brief",
    "brief-caption": "Questions and their errors",
    "known": "Public beforehand, as the plan states, and met by agreed answers",
    # tables of answers
    "caption": "{question} ({unit}; {confidence} intervals)",
    "caption-plain": "{question}",
    "caption-agreed": "{question}: answers that agree with the other questions of the plan",
    "caption-adjusted": "{question}: adjusted counts",
    "caption-cuts": "{question}: intervals for the mean over all draws of rows",
    "caption-change": "{question}: change from {first} to {second}",
    "marked": "Shaded cells with a dagger (†) are mostly noise: {legend}",
    "withheld": "withheld",
    "all": "all",
    "or": " or ",
    "range": "{low} to {high}",
    "question": "{count} question",
    "questions": "{count} questions",
    "answer": "{count} answer",
    "answers": "{count} answers",
    "agreed": "Agreed answers add up across the questions of a plan; they are unbiased, and their "
    "intervals hold together.",
    "sum-of-cells": "Sums in the margins (“all”) add up the answers; their intervals are wider.",
    # errors and rules
    "sure": "How sure",
    "left-out": "How rows were read",
    "error": "{name}: {text}.",
    "rule": "{name}: {rule}.",
    "mechanism": "Mechanism: {mechanism}, at {level}.",
    # changes
    "changes": "Changes",
    "change": "{second} less {first}, of the question “{question}”. Each {confidence} interval "
    "holds by itself; the noises of both releases are in it. Where it holds 0 (shaded, †), "
    "there may be no change.",
    "change-kept": "{second} less {first}, of the question “{question}”. Each release draws which "
    "rows of people it keeps, so intervals are for the means over all draws: both noises and both "
    "draws are in them. Each {confidence} interval holds by itself. Where it holds 0 "
    "(shaded, †), there may be no change.",
    "change-level": "Each release protects whom it says, at its own level. By these two answers "
    "alone, whoever is in both tables is protected at {together}.",
    "no-change": "No change is shown for “{question}” from {first} to {second}: {reason}.",
    # protection
    "protection": "Who is protected, and how much",
    "protects": "Protected: {unit}.",
    "odds-add-remove": "Somebody knows everything else, reads a release and guesses whether one "
    "{unit} is in the data. The odds improve at most by the factor in the table: even odds become "
    "at most {factor} to 1. In a guess between two contents of that {unit}, the factor counts "
    "twice: at most {twice} to 1.",
    "odds-replace": "Somebody knows everything else, reads a release and guesses between two "
    "contents of one {unit}. The odds improve at most by the factor in the table: even odds become "
    "at most {factor} to 1.",
    "test-add-remove": "A test whether one {unit} is in the data that wrongly says yes in {alarms} "
    "of cases rightly says yes in at most the share in the table.",
    "test-replace": "A test between two contents of one {unit} that is wrong about the first in "
    "{alarms} of cases is right about the second in at most the share in the table.",
    "delta": "Where δ is above 0, no factor bounds the odds in every case; the best test is "
    "bounded all the same, with δ counted.",
    "unbounded": "no bound",
    "time": "{day} {time} UTC",
    "protection-caption": "Protection by level",
    "together": "all together",
    # budget
    "budget": "The budget, before and after",
    "budget-caption": "Entries of the ledger",
    "budget-says": "Every release was charged to a budget before it was drawn. The ledger adds up "
    "ε (and δ); its limit and later charges are in the ledger, not in these documents.",
    # checking and citing
    "check": "How to check",
    "check-says": "The folder holds the documents that this page was made from. One command "
    "checks all of them, and every value in the tables here against them:",
    "check-ledger": "Whoever holds the ledger and its key checks the entries, too:",
    "check-stranger": "A document alone is checked by a program that needs nothing but Python:",
    "check-not": "Sentences and pictures are not checked. No document can prove that the noise "
    "was added to the true figures: only the holder of the data knows.",
    "files": "Files",
    "file-page": "This page as Markdown: ",
    "file-workbook": "All tables as a workbook: ",
    "file-table": "Table {number}: ",
    "file-document": "Document {number}: ",
    "cite": "How to cite",
    "citation": "{datasets}: differentially private statistics. Released {dates}; made with "
    "Tightrope.",
    "digests": "The documents by their digests",
    "digest": "Document {number}: sha256 {digest}.",
    # columns
    "column-number": "no.",
    "column-question": "question",
    "column-answers": "answers",
    "column-level": "level",
    "column-error": "error",
    "column-answer": "answer",
    "column-from": "from",
    "column-to": "to",
    "column-note": "note",
    "column-agreed": "agreed",
    "column-cuts": "mean over all draws",
    "column-adjusted": "adjusted",
    "column-possible": "cut at 0",
    "column-change": "change",
    "column-document": "document",
    "column-odds": "odds, at most times",
    "column-test": "found by the best test, at most",
    "column-budget": "budget",
    "column-entry": "entry",
    "column-time": "time",
    "column-before": "spent before",
    "column-charge": "charged",
    "column-after": "spent after",
    # pictures
    "alt": "Picture of the answers to “{question}”: {count}, from {least} to {most} {unit}.",
    "picture": "{question}. Bars and points are answers, lines their {confidence} intervals.",
    "picture-kept": "{question}. Bars and points are answers, lines their {confidence} intervals; "
    "thin lines are those for the mean over all draws of rows.",
    "picture-plain": "{question}. Points are answers.",
    # workbook
    "overview": "Overview",
    "sheet": "{number} {question}",
}
"""Templates by key; names in braces are filled in."""

_SECOND: Final = {
    "change-level": "Each release protects whom it says, at its own level. Whoever is in both "
    "tables is protected at {together} in all.",
    "picture-kept": TEXTS["picture"],
}
EARLIER: Final[tuple[Mapping[str, str], ...]] = (
    _SECOND,
    {**_SECOND, "citation": "{datasets}: differentially private statistics. Released {dates}; made "
     "with Tightrope. {digests}"},
)
"""For each earlier version with other words, newest first: its texts that differ, by key.

Who changes a text adds the old one, so that reports that were written with it hold.
"""

_WORDS: ContextVar[Mapping[str, str]] = ContextVar("words", default=TEXTS)


@contextmanager
def worded(earlier: Mapping[str, str]) -> Iterator[None]:
    """Say everything inside in the words of an earlier version."""
    token = _WORDS.set({**TEXTS, **earlier})
    try:
        yield
    finally:
        _WORDS.reset(token)


def say(key: str, **values: object) -> str:
    """A sentence with its values."""
    return _WORDS.get()[key].format(**values)


def say_count(count: int, single: str, many: str) -> str:
    """A number of things: the sentence for a single one, or the sentence for many.

    >>> say_count(1, "question", "questions"), say_count(1200, "answer", "answers")
    ('1 question', '1,200 answers')
    """
    return say(single if count == 1 else many, count=f"{count:,}")
