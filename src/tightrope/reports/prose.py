"""Sentences between tables: they may be edited, but no line of them may pass for a row of values.

A line that a report has is fine as it is. Any other line may state numbers only inside a sentence:
at least four words, more words than numbers, and nothing that lines up columns. A line of the
report with other numbers is no sentence of the editor's. Headings, tables and pictures stand
fixed, and a line with a number stays between those that it stood between.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape
from itertools import groupby

from tightrope.characters import control_in, shorten

_FEWEST_WORDS = 4
_WORD = re.compile(r"[^\W\d_]{2,}")
_COLUMNS = re.compile(r"\s\s|\t|[|¦‖∣│┃║❘｜]")
"""Marks between columns: blanks side by side, and upright lines."""
_BEGINNING = re.compile(r"(?:\s*(?:[-*+>]|#{1,6})(?=\s))*\s*")
"""Marks of Markdown before the text of a line: lists, quotes, headings."""
_CODE = re.compile(r" {4}|\s*\t|\s*(```|~~~|\$\$)")
_ROW = (f"could be a row of values: expected a sentence of {_FEWEST_WORDS} words or more around a "
        "number")
_OTHER = "states another number than the documents, or stands twice or elsewhere"
_ORDER = "its sections, headings, tables or pictures are named or ordered otherwise"
_LINK = re.compile(r"!\[|\]\s*[(\[:]|://")


PICTURE = "svg "
"""The beginning of a mark of a picture; its words follow."""

Line = tuple[int, str]
"""A line with its number."""


@dataclass
class Outline:
    """The headings, tables and pictures of a text in order, and the lines after each of them."""

    marks: list[str] = field(default_factory=list)
    lines: list[list[Line]] = field(default_factory=lambda: [[]])

    def mark(self, text: str) -> None:
        """Add what stands fixed; lines follow it from here on."""
        self.marks.append(text)
        self.lines.append([])


def outline_faults(
    outline: Outline, known: Outline, odd: Callable[[Sequence[Line], Sequence[str]], Iterator[str]]
) -> Iterator[str]:
    """Where a text has another outline than a report, or `odd` lines between.

    Pictures may be left out: which answers have one changes with versions.
    """
    known = _without_pictures(known, {*known.marks} - {*outline.marks})
    if outline.marks != known.marks:
        yield _ORDER
        return
    for lines, kept in zip(outline.lines, known.lines, strict=True):
        yield from odd(lines, [line for _, line in kept])


def _without_pictures(known: Outline, absent: Collection[str]) -> Outline:
    """The outline without pictures that are absent; their lines follow what is before them."""
    made = Outline(lines=[[*known.lines[0]]])
    for mark, lines in zip(known.marks, known.lines[1:], strict=True):
        if mark not in absent or not mark.startswith(PICTURE):
            made.mark(mark)
        made.lines[-1] += lines
    return made


def is_sentence(text: str) -> bool:
    """Whether a text has no number, or has it among enough words.

    >>> is_sentence("There were 20 beds in the clinic."), is_sentence("women: 5,000")
    (True, False)
    """
    numbers = sum(map(_is_number, text.split()))
    if not numbers:
        return True
    words = len(_WORD.findall(text))
    return words >= max(_FEWEST_WORDS, numbers + 1) and not _COLUMNS.search(text)


def odd_lines(lines: Iterable[Line], known: Sequence[str]) -> Iterator[str]:
    """The lines of a page that no report has and that are no sentences."""
    bare = {*map(_without_numbers, known)}
    for _, line in _others(lines, known):
        if _is_number(line) and _without_numbers(line) in bare:
            yield f"“{shorten(line)}” {_OTHER}"
        elif not is_sentence(line):
            yield f"“{shorten(line)}” {_ROW}"


def odd_markdown(lines: Iterable[Line], known: Sequence[str]) -> Iterator[str]:
    """The numbered lines of a Markdown text that no report has and that are no sentences."""
    bare = {*map(_without_numbers, known)}
    for number, line in _others(lines, known):
        control = control_in(line)
        if control is not None:
            yield f"line {number} holds the character {control}"
        elif _CODE.match(line) or _LINK.search(line):
            yield f"line {number} has code, a link or a picture that no report has"
        elif _is_number(line) and _without_numbers(line) in bare:
            yield f"line {number} {_OTHER}"
        elif not is_sentence(_BEGINNING.sub("", unescape(line), count=1)):
            yield f"line {number} {_ROW}"


def _is_number(text: str) -> bool:
    return any(map(str.isnumeric, text))


def _without_numbers(line: str) -> str:
    """The words of a line, and one mark for numbers side by side, however they are spelled."""
    return " ".join(mark for mark, _ in groupby(
        "#" if _is_number(part) else part for part in line.split()))


def _others(lines: Iterable[Line], known: Sequence[str]) -> Iterator[Line]:
    """The lines that are not known, or come more often; those with numbers keep their order."""
    left = Counter(known)
    ordered = [line for line in known if _is_number(line)]
    for number, line in lines:
        if line in ordered:
            del ordered[:ordered.index(line) + 1]
        elif left[line] and not _is_number(line):
            left[line] -= 1
        else:
            yield number, line
