"""The export of a ledger: one record to a line, for auditors who may not write to the books.

Numbers, sums, heads and releases are checked from the export alone. That each record follows from
the one before needs the key, and whoever has the key can write other records.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from tightrope.documents import content_of
from tightrope.errors import AnswerIsNo, BadDocument
from tightrope.files import StrPath, read_bytes
from tightrope.ledger.audit import LedgerReport, audit
from tightrope.ledger.books import Ledger
from tightrope.ledger.entries import Balance, Record, record_from
from tightrope.ledger.keys import held_outside, read_key
from tightrope.ledger.standings import Standing, take


def is_export(place: object) -> bool:
    """Whether this is the file of an export: its name says so, or its first byte."""
    if not isinstance(place, str | os.PathLike) or not Path(place).is_file():
        return False
    return Path(place).suffix == ".jsonl" or read_bytes(place)[:1] == b"{"


def read_export(path: StrPath) -> tuple[Record, ...]:
    """The records of an export; `BadDocument` for a line that is none, with its number."""
    records = []
    for number, line in enumerate(BytesIO(read_bytes(path)), start=1):
        try:
            records.append(record_from(content_of(line)))
        except BadDocument as bad:
            raise BadDocument(f"{path}, line {number}: {bad}", path=str(path)) from None
    return tuple(records)


def export_balances(
    path: StrPath, *, key: StrPath | None = None
) -> tuple[tuple[Balance, ...], tuple[Record, ...]]:
    """The budgets of an export, and its records; `AnswerIsNo` if they contradict themselves."""
    report = audit_export(path, key=key)
    if not report.holds:
        raise AnswerIsNo(f"{path}: {report.reason}.")
    records, standings = read_export(path), dict[str, Standing]()
    take(standings, records)
    return tuple(standing.balance for standing in standings.values()), records


def audit_books(
    place: StrPath,
    *,
    key: StrPath | None = None,
    head: str | None = None,
    releases: Sequence[Mapping[str, Any]] = (),
) -> LedgerReport:
    """As `Ledger.audit`, of a ledger or an export; of that, the chain where the key is given."""
    judge = audit_export if is_export(place) else Ledger.audit
    return judge(place, key=key, head=head, releases=releases)


def audit_export(
    path: StrPath,
    *,
    key: StrPath | None = None,
    head: str | None = None,
    releases: Sequence[Mapping[str, Any]] = (),
) -> LedgerReport:
    """As `Ledger.audit`, of an export; its chain is checked where the key is given."""
    known = read_key(key) if key is not None or held_outside() else None
    try:
        return audit(known, read_export(path), head, releases)
    except (KeyError, TypeError, AttributeError):
        raise BadDocument(f"{path}: a record lacks a field, or has one of another kind.",
                          path=str(path)) from None
