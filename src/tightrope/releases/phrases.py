"""Phrases: how a statistic stands in a question, such as `quantiles PROBABILITIES of COLUMN`.

Words in small letters stand as they are, in any case; a slot is filled in by whoever asks. The
grammar reads a question by the phrases of all statistics, and a question writes itself by its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

KEYWORDS = frozenset({"by", "where", "of", "and", "or", "not", "in", "is", "missing"})


class Slot(Enum):
    """A place in a phrase that is filled in: by columns, or by one kind of details."""

    COLUMN = "a column"
    PROBABILITIES = "the probabilities"
    NUMBER = "how many"
    CONDITION = "a condition"
    CONDITIONS = "the conditions"


Piece = str | Slot


def pieces(phrase: str) -> tuple[Piece, ...]:
    """The words and slots of a phrase.

    >>> pieces("sum of COLUMN")
    ('sum', 'of', <Slot.COLUMN: 'a column'>)
    """
    return tuple(Slot.__members__.get(word, word) for word in phrase.split())


def beginning(phrase: str) -> str:
    """The words by which a statistic is known.

    >>> beginning("NUMBER most frequent of COLUMN")
    'most frequent'
    """
    return " ".join(piece for piece in pieces(phrase)
                    if not isinstance(piece, Slot) and piece not in KEYWORDS)


def columns_in(phrase: str) -> int:
    """How many columns a statistic is asked of."""
    return pieces(phrase).count(Slot.COLUMN)


def details_in(phrase: str) -> Slot | None:
    """The slot for what is asked for beside columns, if there is one."""
    return next((piece for piece in pieces(phrase)
                 if isinstance(piece, Slot) and piece is not Slot.COLUMN), None)


def fill(phrase: str, columns: Sequence[str], details: Sequence[str]) -> str:
    """The phrase as a question has it.

    >>> fill("quantiles PROBABILITIES of COLUMN", ["net income"], ["1/4", "3/4"])
    'quantiles 1/4, 3/4 of [net income]'
    """
    names = map(write_name, columns)
    listed = ("; " if details_in(phrase) is Slot.CONDITIONS else ", ").join(details)
    return " ".join(
        next(names) if piece is Slot.COLUMN else listed if isinstance(piece, Slot) else piece
        for piece in pieces(phrase))


def write_name(name: str) -> str:
    """A column's name as a question has it.

    >>> write_name("age"), write_name("net income"), write_name("by"), write_name("a]b")
    ('age', '[net income]', '[by]', '[a]]b]')
    """
    word = re.fullmatch(r"[^\W\d]\w*", name) and name.lower() not in KEYWORDS
    return name if word else f"[{name.replace(']', ']]')}]"
