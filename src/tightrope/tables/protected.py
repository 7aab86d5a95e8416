"""Results of sanitizing: protected columns, each with its proved mechanism, and a new table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tightrope.characters import counted, few, label_text
from tightrope.choices import Estimand
from tightrope.documents import least_variance_of
from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.files import ITEMS, SAMPLED, StrPath, document_bytes, write_bytes
from tightrope.ledger import Account, Booked, TableBooking, booked_fact, booking_of
from tightrope.mechanisms import (
    FiniteMechanism,
    MatrixMechanism,
    ReportMechanism,
    TableMechanism,
    finite,
)
from tightrope.privacy import Certified, certified, level_shown
from tightrope.tables.domains import Domain, Sets, missing_text
from tightrope.tables.keeping import ORDER, SORTED
from tightrope.tables.splits import split_gap_text

if TYPE_CHECKING:  # constructions are slow to load, and not for reading a document
    from tightrope.constructions import FrequencyProtocol, Randomizer

_ALMOST_ONE: Final = 0.9995
"""Probabilities from here on are 1 in three digits."""


@dataclass(frozen=True)
class ProtectedColumn:
    """A column, what it may hold, its level, and the proved mechanism that each row goes through.

    `rows` and `document` are how many rows did and where the mechanism is written down, None
    before and where it is not. `aim` is what the mechanism was designed for, if for anything,
    and `design` the randomizer that was proved for that.

    >>> from tightrope.tables import sanitize
    >>> column = sanitize(["no", "yes", "no"], "no/yes", "ln(3)").columns[0]
    >>> column.values, round(column.kept, 6), column.rows
    (('no', 'yes'), 0.75, 3)
    """

    name: str
    domain: Domain
    level: Level
    protocol: FrequencyProtocol
    response: Certified
    rows: int | None = None
    document: Path | None = None
    aim: Estimand | None = None
    design: Randomizer | None = field(default=None, repr=False)

    @property
    def excess(self) -> float | None:
        """How far the variance is at most above that of any private mechanism, relative to it.

        None if nothing was designed; values are taken to be equally common.
        """
        return None if self.design is None else self.design.gap

    @property
    def values(self) -> tuple[Any, ...]:
        """The declared values, cells of numbers, or items."""
        domain = self.domain
        return domain.items if isinstance(domain, Sets) else tuple(domain.space.points)

    @property
    def kept(self) -> float:
        """The probability that a row comes out as it was, or in the set that is reported.

        Of a design, the least of its values have it.
        """
        mechanism = self.response.mechanism
        if isinstance(mechanism, MatrixMechanism):
            rows = [mechanism.row_at(x) for x in range(mechanism.space.size)]
            middles = [(min(column) + max(column)) / 2 for column in zip(*rows, strict=True)]
            return float(min(sum((chance for chance, middle in zip(row, middles, strict=True)
                                  if chance > middle), Fraction(0)) for row in rows))
        if isinstance(mechanism, ReportMechanism):
            return float(mechanism.held)
        return float(finite(mechanism).row_at(0)[0])

    @property
    def most(self) -> int | None:
        """How many items of a cell of a large set are counted on; None for other columns."""
        return self.domain.most if isinstance(self.domain, Sets) else None

    def document_bytes(self, rows: int, path: StrPath) -> bytes:
        """The document of the mechanism: the same response for each row, independently."""
        mechanism = self.response.mechanism
        assert isinstance(mechanism, FiniteMechanism | ReportMechanism)
        construction: dict[str, Any] = {"name": self.protocol.value}
        level, domain = self.level, self.domain
        if isinstance(domain, Sets) and domain.most is None:
            level = level.scaled(Fraction(1, len(domain.items)))
            construction = {"name": ITEMS, "items": list(domain.items)}
        elif isinstance(domain, Sets):
            construction = {"name": SAMPLED, "items": list(domain.items), "most": domain.most,
                            "protocol": self.protocol.value}
        elif self.aim is not None:
            construction["aim"] = self.aim.value
        if domain.absent is not None or (isinstance(domain, Sets) and domain.stand_in):
            construction["missing"] = missing_text(domain)
        proved = certified(TableMechanism(mechanism, rows), level)
        claim = None if self.design is None else least_variance_of(self.design)
        return document_bytes(proved, path, construction, claim)

    def save(self, path: StrPath, *, force: bool = False) -> None:
        """Write the mechanism that the rows of a table went through."""
        if self.rows is None:
            raise BadInput(f"no row went through the mechanism of column {self.name!r} yet.")
        write_bytes(path, self.document_bytes(self.rows, path), force=force)

    def facts(self) -> Facts:
        """The level and the protocol, the proof for a row, and the declared values."""
        whole = not isinstance(self.domain, Sets) or self.domain.most is not None
        part = "each row" if whole else "each item"
        return Facts(
            "ProtectedColumn",
            f"{label_text(self.name)}, {counted(len(self.values), 'value')}",
            (
                *data(column=self.name, values=self.values),
                Fact("epsilon", "level", Shown(float(self.level), str(self.level)),
                     meaning=self.protocol.value),
                Fact(None, part, level_shown(self.response.certificate)),
                Fact("kept", "kept", Shown(self.kept, self._kept_text), detail=True),
                *data(epsilon_text=self.level.text, protocol=self.protocol, aim=self.aim,
                      excess=self.excess),
                Fact(None, "rows", self.rows),
                Fact("mechanism", "mechanism", self.document),
            ),
        )

    __repr__ = lines_of
    _repr_html_ = card_of

    @property
    def _kept_text(self) -> str:
        """The probability of keeping a value; where three digits make it 1, in words."""
        return f"{self.kept:.3g}" if self.kept < _ALMOST_ONE else "almost 1"


@dataclass(frozen=True)
class Sanitized:
    """A sanitized table: what is protected, at which level for a whole row, what is in clear.

    `table` is the new table, of the kind that was given; the path of a file that was written.
    `removed` are documents of an earlier run whose columns are in clear now. `seconds` is for
    everything, `seconds_drawing` the part spent on drawing; neither is printed. `gap` is how far
    the errors are above those of the best split of the level, None if no split was searched.

    >>> from tightrope.tables import sanitize
    >>> done = sanitize({"vote": [0, 1], "age": [31, 40]}, {"vote": "0/1"}, "ln(3)")
    >>> done.rows, done.level.text, done.clear
    (2, 'ln(3)', ('age', '(order of rows)'))
    """

    table: Any
    rows: int
    level: Level
    columns: tuple[ProtectedColumn, ...]
    clear: tuple[str, ...]
    removed: tuple[Path, ...]
    seconds: float
    seconds_drawing: float
    booked: Booked | None = None
    gap: float | None = None

    @property
    def file(self) -> Path | None:
        """Where the new table was written, None for one in memory."""
        return self.table if isinstance(self.table, Path) else None

    def facts(self) -> Facts:
        """The level for a row, the protected columns, what is in clear, and the files."""
        columns = tuple(column.facts().json for column in self.columns)
        documents = [column["mechanism"] for column in columns]
        return Facts(
            "Sanitized",
            f"{counted(self.rows, 'row')}, {self.level} for a whole row",
            (
                Fact(None, "protected", few([column.name for column in self.columns])),
                Fact("clear", "in clear", Shown(
                    self.clear, ", ".join(map(label_text, self.clear)) or "nothing")),
                Fact("file", "file", self.file),
                booked_fact(self.booked),
                Fact("removed", "removed" if self.removed else None, self.removed,
                     meaning="their columns are in clear now", detail=True),
                Table(None, "", tuple(Column(None, name, words=True) for name in (
                    "column", "level", "protocol", "kept", "mechanism" if self.file else None)),
                    tuple(
                        (column.name, column.level, column.protocol, column._kept_text,
                         column.document) for column in self.columns), listed=0),
                *data(rows=self.rows, columns=columns,
                      mechanism=documents[0] if len(documents) == 1 else documents,
                      epsilon_total=float(self.level), epsilon_total_text=self.level.text,
                      split_gap=self.gap),
            ),
            tuple(self._sentences()),
        )

    __repr__ = lines_of
    _repr_html_ = card_of

    def _sentences(self) -> Iterator[str]:
        """The cost of further questions, of further runs, and of what is in clear."""
        weak = [column.name for column in self.columns if column.kept >= _ALMOST_ONE]
        if len(weak) < len(self.columns):
            yield ("Kept: the probability that a row keeps its value, or reports a set that holds "
                   "it; nobody can tell which rows did.")
        if weak:
            yield f"Kept almost 1 ({few(weak)}): nearly every row is as it was."
        sampled = {column.name: column.most for column in self.columns if column.most}
        if sampled:
            yield (f"One item of each set is reported ({few(list(sampled))}), at the level of the "
                   "whole set. Items of cells with more than the declared number count too little.")
        for column in self.columns:
            if column.excess is not None:
                yield (f"Designed for {column.aim} ({label_text(column.name)}): the variance is "
                       f"at most {100 * column.excess:.1g} % above that of any private mechanism "
                       "with unbiased estimates, if values are equally common.")
        if self.gap is not None:
            yield split_gap_text(self.gap)
        yield "The new table answers any number of questions about these columns at no cost."
        yield ("A person with k rows has k times this level, and sanitizing the same rows again "
               "adds up: two runs at ε are 2ε.")
        if self.clear:
            yield ("What is in clear is as it was. Remove columns that identify people or tell "
                   "the protected value.")
        if ORDER in self.clear:
            yield f"{SORTED} Put rows in a random order by --shuffle."


def sanitize_booking(
    account: Account | None, total: Level, columns: Sequence[ProtectedColumn]
) -> TableBooking | None:
    """The booking of a table whose columns are randomized; None without an account."""
    names = json.dumps([column.name for column in columns], ensure_ascii=False)
    return booking_of(account, f"sanitize:{names}", total, [column.response for column in columns])
