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

from tightrope.characters import counted, few, label_text
from tightrope.documents import compose
from tightrope.errors import BadInput
from tightrope.facts import Column, Fact, Facts, Table, card_of, data, lines_of
from tightrope.files import StrPath, construction_of, load
from tightrope.ledger import (
    UNITS,
    Account,
    Booked,
    booked_fact,
    booking_of,
    from_plain,
    metric_of,
    neighbors_of,
    plain,
)
from tightrope.privacy import Certified, promise
from tightrope.samplers import draw, draw_many
from tightrope.spaces import Datasets, Label, RealLine, Space, decimal, point_named
from tightrope.tables.keeping import SORTED
from tightrope.tables.passages import sets_of
from tightrope.tables.sanitization import Progress, sanitize_table


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
    booked: Booked | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The answers as people write them: a number as its exact decimal where it has one."""
        return tuple(
            decimal(answer) if isinstance(answer, Fraction) else label_text(answer)
            for answer in self.answers or ()
        )

    def facts(self) -> Facts:
        """The answers or the new table, and the cost for a person whom all are about."""
        certificate, answers = self.certified.certificate, self.answers
        level, texts = certificate.level, self.texts
        listed = () if len(texts) <= 4 else (
            Table(None, "", (Column(None, "answer"),), tuple((text,) for text in texts)),)
        return Facts(
            "Drawn",
            f"{self.column}: {counted(self.rows, 'row')}" if answers is None
            else few(texts, len(texts)),
            (
                *listed,
                *data(answers=None if answers is None else [plain(answer) for answer in answers],
                      rows=self.rows, **level.as_json()),
                Fact(None, "level", level, meaning=f"proved again ({certificate.evidence.value})"),
                *data(epsilon_one_person=float(level.scaled(self.rows)),
                      delta_one_person=min(1.0, float(self.rows * level.delta))),
                Fact("clear", "in clear" if self.clear else None, self.clear, detail=True),
                Fact("mechanism", None, self.document),
                Fact("file", "file", self.output),
                booked_fact(self.booked),
            ),
            (promise(level, self.certified.mechanism.space), self._cost,
             *([SORTED] if answers is None else [])),
        )

    __repr__ = lines_of
    _repr_html_ = card_of

    @property
    def _cost(self) -> str:
        """Each answer is a full charge."""
        level, n = self.certified.certificate.level, self.rows
        what = "row" if self.answers is None else "answer"
        each = f"Each {what} is a full charge of {level}"
        if n == 1:
            return f"{each}; n {what}s about the same person cost n times ε."
        both = "ε and δ" if level.delta else "ε"
        return f"{each}: {n:,} {what}s about the same person cost {n:,} times {both}."


def draw_values(
    document: StrPath, values: Sequence[str], account: Account | None = None
) -> Drawn:
    """An answer for each value, written as labels are: 7, or 0,2, or red.

    An account is charged the level once for each: all of them may be about one person.

    >>> import tightrope as tr
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     tr.save(tr.design("categories:no/yes", 60), f"{folder}/m.json")
    ...     draw_values(f"{folder}/m.json", ["no", "yes"]).answers  # at 60, as good as sure
    ('no', 'yes')
    """
    certified = load(document)
    answers, booked = _answers(certified, values, account)
    return Drawn(certified, Path(document), len(values), tuple(answers), booked=booked)


def _answers(
    certified: Certified, values: Sequence[str], account: Account | None
) -> tuple[list[Any], Booked | None]:
    """The answers, from a draw or from the books, where they were kept."""
    space = certified.mechanism.space
    inputs = list(values) if isinstance(space, RealLine) else [
        point_named(_points(certified), value) for value in values]

    def draw_all() -> list[Any]:
        if isinstance(space, RealLine):
            return [draw(certified, value) for value in inputs]
        return list(draw_many(certified, inputs))

    if account is None:
        return draw_all(), None
    level, law = certified.certificate.level, compose(certified)
    total = level.scaled(len(inputs)).with_delta(len(inputs) * level.delta)
    metric = UNITS if isinstance(space, RealLine) else metric_of(_points(certified))
    booked = account.book(
        f"draw:{len(inputs)}", total, [law],
        lambda: {"answers": [plain(answer) for answer in draw_all()]}, unit="value",
        neighbors=neighbors_of(certified), metric=metric)
    return [from_plain(answer, certified) for answer in booked.answer["answers"]], booked


def draw_column(
    document: StrPath,
    table: StrPath,
    column: str,
    output: StrPath,
    *,
    force: bool = False,
    curator: bool = False,
    progress: Progress | None = None,
    account: Account | None = None,
) -> Drawn:
    """A copy of a table in which one column is drawn anew, row by row."""
    certified = load(document)
    space = _points(certified)
    sets = sets_of(space, construction_of(document))
    done = sanitize_table(
        table, output, [(column, certified)],
        domains={} if sets is None else {column: sets},
        force=force, curator=curator, progress=progress,
        booking=booking_of(account, f"draw-column:{column}", certified.certificate.level,
                           [certified], metric_of(space)),
    )
    return Drawn(certified, Path(document), done.rows, None, column, done.clear, Path(output),
                 done.booked)


def _points(certified: Certified) -> Space:
    """The space of a mechanism that answers its points, not whole datasets."""
    space = certified.mechanism.space
    if isinstance(space, Datasets):
        raise BadInput(
            f"this mechanism answers whole datasets ({space.text}), which are neither typed nor "
            "a column; draw from it in Python."
        )
    return space
