"""Answers drawn from a document: for values that were typed, or for a column of a table.

The document is proved again before anything is drawn. Every answer is a full charge of its
level; a column is drawn by the function that `sanitize` uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from tightrope.data.domains import Sets
from tightrope.data.files import StrPath
from tightrope.data.mechanisms import item_names, load
from tightrope.data.sanitization import Progress, sanitize_table
from tightrope.errors import BadInput
from tightrope.privacy import Certified
from tightrope.samplers import draw, draw_many
from tightrope.spaces import Datasets, Label, RealLine, Space, label_to_json, point_named


@dataclass(frozen=True)
class Drawn:
    """Answers to typed values, or a table of so many rows with one column randomized."""

    certified: Certified
    document: Path
    rows: int
    answers: tuple[Label | Fraction, ...] | None = None
    column: str | None = None
    clear: tuple[str, ...] = ()
    output: Path | None = None

    def as_json(self) -> dict[str, Any]:
        """The answers or the new table, and what they cost a person whom all are about."""
        level, answers = self.certified.certificate.level, self.answers
        return {
            "answers": None if answers is None else [_plain(answer) for answer in answers],
            "rows": self.rows,
            **level.as_json(),
            "epsilon_one_person": float(level.scaled(self.rows)),
            "delta_one_person": min(1.0, float(self.rows * level.delta)),
            "clear": list(self.clear),
            "mechanism": str(self.document),
            "file": None if self.output is None else str(self.output),
        }


def draw_values(document: StrPath, values: Sequence[str]) -> Drawn:
    """An answer for each value, written as labels are: 7, or 0,2, or red.

    >>> import tightrope as tr
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     tr.save(tr.randomized_response("categories:no/yes", 60), f"{folder}/m.json")
    ...     draw_values(f"{folder}/m.json", ["no", "yes"]).answers  # at 60, as good as sure
    ('no', 'yes')
    """
    certified = load(document)
    if isinstance(certified.mechanism.space, RealLine):
        answers = [draw(certified, value) for value in values]
    else:
        space = _points(certified)
        answers = draw_many(certified, [point_named(space, value) for value in values])
    return Drawn(certified, Path(document), len(values), tuple(answers))


def draw_column(
    document: StrPath,
    table: StrPath,
    column: str,
    output: StrPath,
    *,
    force: bool = False,
    curator: bool = False,
    progress: Progress | None = None,
) -> Drawn:
    """A copy of a table in which one column is drawn anew, row by row."""
    certified = load(document)
    space, items = _points(certified), item_names(document)
    done = sanitize_table(
        table, output, [(column, certified)],
        domains={} if items is None else {column: Sets(space, items)},
        force=force, curator=curator, progress=progress,
    )
    return Drawn(certified, Path(document), done.rows, None, column, done.clear, Path(output))


def _points(certified: Certified) -> Space:
    """The space of a mechanism that answers its points, not whole datasets."""
    space = certified.mechanism.space
    if isinstance(space, Datasets):
        raise BadInput(
            f"this mechanism answers whole datasets ({space.text}), which are neither typed nor "
            "a column; draw from it in Python."
        )
    return space


def _plain(answer: Label | Fraction) -> Any:
    return str(answer) if isinstance(answer, Fraction) else label_to_json(answer)
