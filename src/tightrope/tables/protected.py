"""Results of sanitizing: protected columns, each with its proved mechanism, and a new table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tightrope.characters import counted, few, label_text
from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.files import ITEMS, StrPath, document_bytes, write_bytes
from tightrope.ledger import Account, Booked, TableBooking, booking_of
from tightrope.markup import lines
from tightrope.mechanisms import FiniteMechanism, ReportMechanism, TableMechanism, finite
from tightrope.privacy import Certified, certified, level_shown
from tightrope.tables.domains import Domain, Sets

if TYPE_CHECKING:  # constructions are slow to load, and not for reading a document
    from tightrope.constructions import FrequencyProtocol


@dataclass(frozen=True)
class ProtectedColumn:
    """A column, what it may hold, its level, and the proved mechanism that each row goes through.

    `rows` and `document` are how many rows did and where the mechanism is written down, None
    before and where it is not.

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

    @property
    def values(self) -> tuple[Any, ...]:
        """The declared values, cells of numbers, or items."""
        domain = self.domain
        return domain.items if isinstance(domain, Sets) else tuple(domain.space.points)

    @property
    def kept(self) -> float:
        """The probability that a row comes out as it was, or in the set that is reported."""
        mechanism = self.response.mechanism
        if isinstance(mechanism, ReportMechanism):
            return float(mechanism.held)
        return float(finite(mechanism).row_at(0)[0])

    def document_bytes(self, rows: int, path: StrPath) -> bytes:
        """The document of the mechanism: the same response for each row, independently."""
        mechanism = self.response.mechanism
        assert isinstance(mechanism, FiniteMechanism | ReportMechanism)
        construction: dict[str, Any] = {"name": self.protocol.value}
        level = self.level
        if isinstance(self.domain, Sets):
            level = level.scaled(Fraction(1, len(self.domain.items)))
            construction = {"name": ITEMS, "items": list(self.domain.items)}
        proved = certified(TableMechanism(mechanism, rows), level)
        return document_bytes(proved, path, construction)

    def save(self, path: StrPath, *, force: bool = False) -> None:
        """Write the mechanism that the rows of a table went through."""
        if self.rows is None:
            raise BadInput(f"no row went through the mechanism of column {self.name!r} yet.")
        write_bytes(path, self.document_bytes(self.rows, path), force=force)

    def as_json(self) -> dict[str, Any]:
        """The column as JSON has it."""
        return {
            "column": self.name,
            "values": list(self.values),
            "epsilon": float(self.level),
            "epsilon_text": self.level.text,
            "protocol": self.protocol.value,
            "kept": self.kept,
            "mechanism": None if self.document is None else str(self.document),
        }

    def __repr__(self) -> str:
        part = "each item" if isinstance(self.domain, Sets) else "each row"
        return lines(
            f"ProtectedColumn: {label_text(self.name)}, {counted(len(self.values), 'value')}",
            [
                ("level", f"{self.level}, {self.protocol.value}"),
                (part, level_shown(self.response.certificate)),
                ("rows", None if self.rows is None else f"{self.rows:,}"),
            ],
        )


@dataclass(frozen=True)
class Sanitized:
    """A sanitized table: what is protected, at which level for a whole row, what is in clear.

    `table` is the new table, of the kind that was given; the path of a file that was written.
    `removed` are documents of an earlier run whose columns are in clear now. `seconds` is for
    everything, `seconds_drawing` the part spent on drawing; neither is printed.

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

    @property
    def file(self) -> Path | None:
        """Where the new table was written, None for one in memory."""
        return self.table if isinstance(self.table, Path) else None

    def as_json(self) -> dict[str, Any]:
        """The result as JSON has it, without the rows themselves."""
        columns = [column.as_json() for column in self.columns]
        documents = [column["mechanism"] for column in columns]
        return {
            "rows": self.rows,
            "mechanism": documents[0] if len(documents) == 1 else documents,
            "epsilon_total": float(self.level),
            "epsilon_total_text": self.level.text,
            "columns": columns,
            "clear": list(self.clear),
            "removed": [str(path) for path in self.removed],
            "file": None if self.file is None else str(self.file),
            "booked": None if self.booked is None else self.booked.as_json(),
        }

    def __repr__(self) -> str:
        return lines(
            f"Sanitized: {counted(self.rows, 'row')}, {self.level} for a whole row",
            [
                ("protected", few([column.name for column in self.columns])),
                ("in clear", ", ".join(self.clear) or "nothing"),
                ("file", self.file),
            ],
        )


def sanitize_booking(
    account: Account | None, total: Level, columns: Sequence[ProtectedColumn]
) -> TableBooking | None:
    """The booking of a table whose columns are randomized; None without an account."""
    names = json.dumps([column.name for column in columns], ensure_ascii=False)
    return booking_of(account, f"sanitize:{names}", total, [column.response for column in columns])
