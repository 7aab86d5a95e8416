"""Mechanism documents on disk."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from tightrope.documents import (
    DEFINITION,
    Document,
    GenericReview,
    accept,
    compose,
    compose_definition,
    judge_definition,
    least_variance_of,
    optimality_of,
    read,
    render,
)
from tightrope.errors import BadDocument, BadInput, NotCertified
from tightrope.files.files import StrPath, extension, read_bytes, write_bytes
from tightrope.files.formats import says_format
from tightrope.privacy import Certified
from tightrope.utility import GenericSolution, Solution

if TYPE_CHECKING:
    from tightrope.documents import LeastVariance, Randomizer


@runtime_checkable
class Documented(Protocol):
    """A result that is a document by itself: a release that was booked."""

    def document(self) -> Mapping[str, Any]: ...


def save(
    result: Solution | GenericSolution | Randomizer | Certified | Documented,
    path: StrPath,
    *,
    construction: Mapping[str, Any] | None = None,
    force: bool = False,
) -> None:
    """Write the document of a solution or a randomizer, with its proof, or of a mechanism alone.

    A release that was booked is written, too; `tightrope verify` reads it. A name that ends in .gz
    is compressed; `construction` says how a mechanism was made.

    Returns: None; the file is written whole or not at all.

    Raises: `NotCertified` for what was not proved, `Refused` for a release that was not booked.
    `BadInput` where the name does not end in .json or .json.gz, or the file exists (see `force`).

    >>> import tightrope as tr
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save(tr.design("path:0..4", 1), f"{folder}/m.json")
    ...     tr.load(f"{folder}/m.json").certificate.level.text
    '1'
    """
    write_bytes(path, document_bytes(result, path, construction), force=force)


def document_bytes(
    result: Solution | GenericSolution | Randomizer | Certified | Documented,
    path: StrPath,
    construction: Mapping[str, Any] | None = None,
    optimality: LeastVariance | None = None,
) -> bytes:
    """The document of a solution or a certified mechanism, as the name of its file wants it.

    `optimality` is a claim about a certified mechanism, which has none by itself. The same
    mechanism always gives the same bytes.
    """
    ending = extension(path)
    if ending not in (".json", ".json.gz"):
        raise BadInput(
            f"{path}: expected the name of a document, which ends in .json or .json.gz."
        )
    made = (compose(result, construction, optimality=optimality)
            if isinstance(result, Certified) else _document(result, construction))
    content = render(made)
    if ending == ".json.gz":
        content = gzip.compress(content, mtime=0)
    return content


def _document(
    result: Solution | GenericSolution | Randomizer | Documented,
    construction: Mapping[str, Any] | None,
) -> Mapping[str, Any]:
    if isinstance(result, GenericSolution):
        return compose_definition(result)
    if isinstance(result, Solution):
        return compose(result.certified, construction or {"name": result.construction},
                       optimality=optimality_of(result))
    if isinstance(result, Documented):
        return result.document()
    from tightrope.documents import Randomizer  # here, as it brings the proofs of optima

    if isinstance(result, Randomizer):
        return compose(result.certified, construction or {"name": "best-randomizer"},
                       optimality=least_variance_of(result))
    raise NotCertified(result)


def read_document(path: StrPath) -> Document:
    """The document in a file as it stands, neither its digest nor its claim trusted."""
    try:
        return read(read_bytes(path))
    except BadDocument as bad:
        raise BadDocument(f"{path}: {bad}", path=str(path)) from None


def is_definition(path: StrPath) -> bool:
    """Whether a file says that it holds a mechanism under a generic definition."""
    return says_format(path, DEFINITION)


def verify_definition(path: StrPath) -> GenericReview:
    """The verdict on the document of a design under a definition, proved again."""
    try:
        return judge_definition(read_bytes(path))
    except BadDocument as bad:
        raise BadDocument(f"{path}: {bad}", path=str(path)) from None


def load(path: StrPath) -> Certified:
    """The mechanism of a document, verified again.

    Returns: a `Certified`, which `draw` runs; its `certificate` was made now, not read.

    Raises: `NotIntact`, `NotPrivate` or `NotOptimal` where the document was changed or claims too
    much. `BadInput` for no such file, `BadDocument` for no document. `CannotCheck` for a matrix
    beyond what is checked.

    >>> import tightrope as tr
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     tr.save(tr.design("categories:2", ratio=3), f"{folder}/m.json")
    ...     [str(p) for p in load(f"{folder}/m.json").mechanism.row(0)]
    ['3/4', '1/4']
    """
    return accept(read_document(path))


def construction_of(path: StrPath) -> Mapping[str, Any]:
    """How a document says that its mechanism was made: a name, and what belongs to it."""
    return read_document(path).construction or {}
