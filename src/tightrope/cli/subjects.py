"""What a file holds that a command is asked about: a document, or a bare matrix on a space."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tightrope.characters import shortened
from tightrope.errors import BadInput, BadMatrix, CannotCheck

if TYPE_CHECKING:
    from tightrope.data import NumberTable
    from tightrope.documents import Document
    from tightrope.exact import Level
    from tightrope.mechanisms import Mechanism
    from tightrope.spaces import Datasets, Label, Space

_GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class Subject:
    """A mechanism to be judged, as it was found.

    `claim` and `intact` are None for a bare matrix; `row_error` and `typed` are None for a
    document, else how far from 1 the rows of the matrix add up, and the space as it was typed.
    """

    file: Path
    inputs: Space | Datasets
    mechanism: Mechanism
    claim: Level | None
    intact: bool | None
    construction: str | None
    row_error: float | None
    document: Document | None = None
    typed: str | None = None

    @property
    def space(self) -> Space:
        """The space of the inputs; raises `CannotCheck` where they are too many to list."""
        from tightrope.spaces import Datasets

        if isinstance(self.inputs, Datasets):
            raise CannotCheck(
                f"{self.file} is for {self.inputs.text}, too many inputs to list: it can be "
                "verified, and no more."
            )
        return self.inputs

    @property
    def relation(self) -> str | None:
        """Who are neighbors among the inputs, None where none are declared."""
        from tightrope.privacy import relation

        return relation(self.inputs)


def read_subject(file: Path, space: str | None) -> Subject:
    """The mechanism in a file; a bare matrix needs the text of its space."""
    if is_document(file, space is not None):
        return _from_document(file, space)
    if space is None:
        if file.suffix.lower() == ".json":  # rows; if they cannot be read, that comes first
            from tightrope.data import read_matrix

            read_matrix(file)
        raise BadInput(
            f"{file} is not a mechanism document; a bare matrix needs --space, "
            "for example --space path:0..49."
        )
    return _from_matrix(file, space)


def is_document(file: Path, may_be_rows: bool) -> bool:
    """Whether a file is to be read as a document: gzip, or JSON that holds no bare rows.

    JSON rows come as a list, or (if they may come at all) as an object with `rows`.
    """
    with file.open("rb") as opened:
        head = opened.read(256)
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if head.startswith(_GZIP):
        return True
    if start == b"{" and may_be_rows:
        return not _has_rows(file)
    return start == b"{" or (file.suffix.lower() == ".json" and start != b"[")


def _has_rows(file: Path) -> bool:
    from tightrope.data import read_bytes

    try:
        content = json.loads(read_bytes(file))
    except (ValueError, RecursionError):
        return False
    return isinstance(content, dict) and "rows" in content and "format" not in content


def on_space(read: NumberTable, space: Space) -> tuple[NumberTable, Sequence[Label]]:
    """A matrix in the order of the points of a space, and the labels of its columns.

    Columns are the points themselves if their labels say so, or if there are as many of
    them without labels; otherwise they are what their labels say, or numbered from 0.
    """
    width = read.values.shape[1]
    names = read.column_labels
    if names is None:
        outputs = space.points if width == space.size else range(width)
    elif width == space.size and set(map(str, names)) == set(map(str, space.points)):
        outputs = space.points
    else:
        outputs = names
    if len(read.values) != space.size:
        raise BadMatrix(
            f"expected a row for each of the {space.size:,} points of {shortened(space.text)}, "
            f"found {len(read.values):,} rows."
        )
    return read.along(space.points, outputs), outputs


def _from_document(file: Path, space: str | None) -> Subject:
    from tightrope.data import read_document, read_space

    document = read_document(file)
    stated = document.mechanism.space
    if space is not None and read_space(space) != stated:
        raise BadInput(
            f"{file} is a document about {shortened(stated.text)}, not about {shortened(space)}; "
            "--space is for bare matrices."
        )
    name = None if document.construction is None else document.construction.get("name")
    return Subject(
        file, stated, document.mechanism, document.level, document.intact,
        name if isinstance(name, str) else None, None, document,
    )


def _from_matrix(file: Path, space: str) -> Subject:
    from tightrope.data import read_matrix, read_space
    from tightrope.mechanisms import MatrixMechanism

    points = read_space(space)
    read, outputs = on_space(read_matrix(file), points)
    mechanism = MatrixMechanism(points, outputs, read.weights())
    return Subject(file, points, mechanism, None, None, None, read.row_error, typed=space)
