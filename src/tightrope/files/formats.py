"""The format that a file says it has, read without the rest of its content."""

from __future__ import annotations

from typing import Final

from tightrope.documents import content_of
from tightrope.errors import BadInput
from tightrope.files.files import StrPath, read_bytes

SURVEY: Final = "tightrope/survey"
"""The format of the file of a survey."""


def is_survey(path: StrPath) -> bool:
    """Whether a file says that it is a survey."""
    return says_format(path, SURVEY)


def says_format(path: StrPath, *formats: str) -> bool:
    """Whether a file names one of these formats; what does not hold such a word is not parsed."""
    raw = read_bytes(path)
    if not any(name.encode() in raw for name in formats) and raw[:2] != b"\x1f\x8b":
        return False
    try:
        return content_of(raw).get("format") in formats
    except BadInput:
        return False
