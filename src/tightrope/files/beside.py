"""The documents of mechanisms beside a sanitized table: `out.csv.answer.mechanism.json`.

Such a file says how a column of the table is protected. If an earlier run left one and the column
is now in clear, the file would be false; it is removed. Only files that `sanitize` wrote are
removed: named after a column in clear, and holding an unchanged document for the rows of a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tightrope.errors import AnswerIsNo, BadInput
from tightrope.files.files import StrPath
from tightrope.files.mechanisms import read_document

ITEMS: Final = "item-response"
"""The construction of a column of sets: a response on each item."""

SAMPLED: Final = "sampled-item"
"""The construction of a column of large sets: a report of one item of each."""


def mechanism_path(table: StrPath, column: str) -> Path:
    """Where the mechanism of a column of a table is written.

    >>> mechanism_path("out.csv", "new job?").name
    'out.csv.new_job_.mechanism.json'
    """
    plain = "".join(c if c.isalnum() or c in "-_" else "_" for c in column)[:60]
    return Path(table).parent / f"{Path(table).name}.{plain}.mechanism.json"


def stale_mechanisms(
    names: Sequence[str], target: StrPath, columns: Sequence[str], *, force: bool
) -> list[Path]:
    """The mechanisms of an earlier run whose columns would now be in clear, to be removed.

    `names` are those of all columns, `columns` those to be randomized. Raises `BadInput`
    without `force`, or where a file cannot be told to be of that run.
    """
    kept = {mechanism_path(target, name) for name in columns}
    clear = dict.fromkeys(mechanism_path(target, name) for name in names if name not in columns)
    stale = [path for path in clear if path not in kept and path.exists()]
    for path in stale:
        if force and _written_by_us(path):
            continue
        raise BadInput(
            f"{path} is the mechanism of a column that would be in clear in {target}; move it "
            "away or choose another name"
            + (" or ask to overwrite what an earlier run wrote (force)." if not force else "."),
            path=str(path),
        )
    return stale


def remove_files(paths: Sequence[Path]) -> None:
    """Remove files that may already be gone."""
    for path in paths:
        path.unlink(missing_ok=True)


def _written_by_us(path: Path) -> bool:
    """Whether a file is an unchanged document such as `sanitize` writes."""
    from tightrope.constructions import (
        FrequencyProtocol,  # slow to load, and not for reading a document
    )

    try:
        document = read_document(path)
    except (BadInput, AnswerIsNo):
        return False
    named = (document.construction or {}).get("name")
    ours = {ITEMS, SAMPLED, *(protocol.value for protocol in FrequencyProtocol)}
    return document.intact and document.mechanism.rows is not None and named in ours
