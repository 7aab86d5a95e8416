"""Sentences between tables: they may be edited, but no line of them may pass for a row of values.

A line that a report has is fine as it is. Any other line may state numbers only inside a sentence:
at least four words, more words than numbers, and nothing that lines up columns. A line of the
report with other numbers is no sentence of the editor's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from html import unescape

from tightrope.characters import control_in, shorten

_FEWEST_WORDS = 4
_WORD = re.compile(r"[^\W\d_]{2,}")
_COLUMNS = re.compile(r"\s\s|\t|[|¦‖∣│┃║❘｜]")
"""Marks between columns: blanks side by side, and upright lines."""
_BEGINNING = re.compile(r"(?:\s*(?:[-*+>]|#{1,6})(?=\s))*\s*")
"""Marks of Markdown before the text of a line: lists, quotes, headings."""
_CODE = re.compile(r" {4}|\s*\t|\s*(```|~~~)")
_ROW = (f"could be a row of values: expected a sentence of {_FEWEST_WORDS} words or more around a "
        "number")
_OTHER = "states another number than the documents, or states it twice"
_NUMBERS = re.compile(r"[^\W_]*\d[\w.,]*")
_LINK = re.compile(r"!\[|\]\s*[(\[:]|://")


def is_sentence(text: str) -> bool:
    """Whether a text has no number, or has it among enough words.

    >>> is_sentence("There were 20 beds in the clinic."), is_sentence("women: 5,000")
    (True, False)
    """
    numbers = sum(any(map(str.isnumeric, part)) for part in text.split())
    if not numbers:
        return True
    words = len(_WORD.findall(text))
    return words >= max(_FEWEST_WORDS, numbers + 1) and not _COLUMNS.search(text)


def odd_lines(lines: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    """The lines of a page that no report has and that are no sentences."""
    kept = [*known]
    bare = {*map(_without_numbers, kept)}
    for _, line in _others(enumerate(lines), kept):
        if _without_numbers(line) in bare and any(map(str.isnumeric, line)):
            yield f"“{shorten(line)}” {_OTHER}"
        elif not is_sentence(line):
            yield f"“{shorten(line)}” {_ROW}"


def odd_markdown(lines: Iterable[tuple[int, str]], known: Iterable[str]) -> Iterator[str]:
    """The numbered lines of a Markdown text that no report has and that are no sentences."""
    kept = [*known]
    bare = {*map(_without_numbers, kept)}
    for number, line in _others(lines, kept):
        control = control_in(line)
        if control is not None:
            yield f"line {number} holds the character {control}"
        elif _CODE.match(line) or _LINK.search(line):
            yield f"line {number} has code, a link or a picture that no report has"
        elif _without_numbers(line) in bare and any(map(str.isnumeric, line)):
            yield f"line {number} {_OTHER}"
        elif not is_sentence(_BEGINNING.sub("", unescape(line), count=1)):
            yield f"line {number} {_ROW}"


def _without_numbers(line: str) -> str:
    return _NUMBERS.sub("#", line)


def _others(
    lines: Iterable[tuple[int, str]], known: Iterable[str]
) -> Iterator[tuple[int, str]]:
    """The lines that are not known, or come more often than they are."""
    left = Counter(known)
    for number, line in lines:
        if left[line]:
            left[line] -= 1
        else:
            yield number, line
