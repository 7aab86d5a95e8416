"""Subjects of a judgment, from files: a document, or a bare matrix on a space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from tightrope.characters import few, shorten
from tightrope.documents import Document
from tightrope.errors import BadDocument, BadInput, BadMatrix
from tightrope.exact import Level
from tightrope.files.files import StrPath
from tightrope.files.matrices import NumberTable, read_matrix
from tightrope.files.mechanisms import is_definition, read_document, verify_definition
from tightrope.files.sheets import read_parameters
from tightrope.files.spaces import read_space
from tightrope.mechanisms import MatrixMechanism, Mechanism, finite
from tightrope.spaces import Label, Space, listed

_GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class Subject:
    """A mechanism to be judged, as it was found in a file.

    `document` is None for a bare matrix; `row_error` is None for a document, else how far
    from 1 the rows of the matrix add up.
    """

    mechanism: Mechanism
    document: Document | None = None
    row_error: float | None = None

    @property
    def given(self) -> Document | Mechanism:
        """The document with its claim, or the bare mechanism."""
        return self.mechanism if self.document is None else self.document

    @property
    def claim(self) -> Level | None:
        """The level that a document claims."""
        return None if self.document is None else self.document.level

    @property
    def intact(self) -> bool | None:
        """Whether the digest of a document fits."""
        return None if self.document is None else self.document.intact

    @property
    def space(self) -> Space:
        """The space of the inputs; raises `CannotCheck` where they are too many to list."""
        return listed(self.mechanism.space)


def read_subject(
    path: StrPath, space: str | None = None, *, normalize: bool = False
) -> Subject:
    """The mechanism in a file; a bare matrix needs the text of its space.

    To `normalize` divides each row of a matrix by its total, however far from 1 that is.
    """
    file = Path(path)
    if is_document(file, space is not None):
        return _from_document(file, space)
    if space is None:
        if file.suffix.lower() == ".json":  # rows; if they cannot be read, that comes first
            read_matrix(file)
        raise BadInput(
            f"{file} is not a mechanism document; a bare matrix needs the space of its inputs "
            "(space), for example path:0..49."
        )
    points = read_space(space)
    read, outputs = on_space(read_matrix(file), points)
    weights = read.weights(normalize=normalize)
    return Subject(MatrixMechanism(points, outputs, weights), row_error=read.row_error)


def read_rows(
    path: StrPath, space: str | None = None
) -> tuple[tuple[tuple[Fraction, ...], ...], Space | None]:
    """The probabilities in a file, a row for each input, exactly as they are written; the space.

    The file is a mechanism document, which has a space, or a bare matrix, which has the one that
    is given, or None. A double of an array means its shortest decimal here: whether an entry is
    exactly twice another is the question.
    """
    file = Path(path)
    if is_document(file, may_be_rows=True):
        mechanism = finite(_from_document(file, space).mechanism)
        points = listed(mechanism.space)
        return tuple(mechanism.row(x) for x in points.points), points
    read, stated = read_matrix(file), None if space is None else read_space(space)
    if stated is not None:
        read, _ = on_space(read, stated)
    if read.exact is not None:
        return read.exact, stated
    rows = read.values.tolist()
    return tuple(tuple(Fraction(repr(entry)) for entry in row) for row in rows), stated


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
    try:
        content = read_parameters(file)
    except BadInput:
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
            f"expected a row for each of the {space.size:,} points of {shorten(space.text)}, "
            f"found {len(read.values):,} rows{_below(names)}."
        )
    return read.along(space.points, outputs), outputs


def _below(names: Sequence[Label] | None) -> str:
    """Words for a first row that was taken for labels, since not all of it are numbers."""
    return "" if names is None else f" below the labels {few(names, len(names))}"


def _from_document(file: Path, space: str | None) -> Subject:
    """A document and its mechanism; a design under a definition claims no level."""
    document = None if is_definition(file) else read_document(file)
    mechanism = _designed(file) if document is None else document.mechanism
    stated = mechanism.space
    if space is not None and read_space(space) != stated:
        raise BadInput(
            f"{file} is a document about {shorten(stated.text)}, not about {shorten(space)}; "
            "only bare matrices need a space."
        )
    return Subject(mechanism, document)


def _designed(file: Path) -> Mechanism:
    review = verify_definition(file)
    if not review.intact:
        raise BadDocument(f"{file}: the design was changed after it was written.")
    return review.mechanism
