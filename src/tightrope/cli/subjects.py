"""What a file holds that a command is asked about: a document, or a bare matrix on a space."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tightrope.errors import BadInput

if TYPE_CHECKING:
    from tightrope.exact import Level
    from tightrope.mechanisms import Mechanism
    from tightrope.spaces import Space

_GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class Subject:
    """A mechanism to be judged, as it was found.

    `claim` and `intact` are None for a bare matrix; `row_error` is None for a document, else
    how far from 1 the rows of the matrix add up.
    """

    file: Path
    space: Space
    mechanism: Mechanism
    claim: Level | None
    intact: bool | None
    construction: str | None
    row_error: float | None


def read_subject(file: Path, space: str | None) -> Subject:
    """The mechanism in a file; a bare matrix needs the text of its space."""
    return _from_document(file, space) if is_document(file) else _from_matrix(file, space)


def is_document(file: Path) -> bool:
    """Whether a file should be read as a document: gzip, or JSON that is no list of rows."""
    with file.open("rb") as opened:
        head = opened.read(256).removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith((_GZIP, b"{")):
        return True
    return file.suffix.lower() == ".json" and not head.startswith(b"[")


def _from_document(file: Path, space: str | None) -> Subject:
    from tightrope.data import read_document, read_space

    document = read_document(file)
    stated = document.mechanism.space
    if space is not None and read_space(space) != stated:
        raise BadInput(
            f"{file} is a document about {stated.text}, not about {space}; "
            "--space is for bare matrices."
        )
    name = None if document.construction is None else document.construction.get("name")
    return Subject(
        file, stated, document.mechanism, document.level, document.intact,
        name if isinstance(name, str) else None, None,
    )


def _from_matrix(file: Path, space: str | None) -> Subject:
    from tightrope.data import read_matrix, read_space

    if space is None:
        raise BadInput(
            f"{file} is not a mechanism document; a bare matrix needs --space, "
            "for example --space path:0..49."
        )
    read = read_matrix(file)
    points = read_space(space)
    raise NotImplementedError
