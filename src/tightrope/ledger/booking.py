"""Tables that are randomized row by row, charged to a budget.

The table itself is too large for the books, and parts of it are in clear: kept with the entry are
its number of rows, which is public, and its seal under the key of the ledger, which tells nobody
else anything. Asked again, the request is answered with the same file if that is still there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tightrope.documents import compose
from tightrope.errors import Refused
from tightrope.exact import Level
from tightrope.files import StrPath
from tightrope.ledger.accounts import Account
from tightrope.ledger.entries import Booked
from tightrope.ledger.requests import another_question
from tightrope.ledger.scopes import UNITS
from tightrope.privacy import Certified

_ROW = "row"


@dataclass(frozen=True)
class TableBooking:
    """The charge for a randomized table: a level for each unit, where units replace one another."""

    account: Account
    question: str
    level: Level
    laws: tuple[Mapping[str, Any], ...]
    metric: str = UNITS
    unit: str = _ROW

    def spend(self, rows: int, unfinished: Path | None, draw: Callable[[], None]) -> Booked:
        """Charge, draw, and keep the seal of the file that was drawn."""

        def record() -> dict[str, Any]:
            draw()
            mark = None if unfinished is None else self.account.ledger.mark(unfinished)
            return {"rows": rows, "file": mark}

        return self._book(rows, record)

    def again(self, target: StrPath | None) -> Booked | None:
        """The entry of this request if it was answered, and the file is what was drawn then."""
        booked = self.account.answered()
        if booked is None:
            return None
        rows = booked.answer.get("rows")
        if type(rows) is not int:  # the answer of another command
            raise another_question(self.account.request)
        booked = self._book(rows, _never)
        place = None if target is None else Path(target)
        if place is None or not place.is_file() or (
                self.account.ledger.mark(place) != booked.answer["file"]):
            raise Refused(f"the request {self.account.request!r} was answered as entry "
                          f"{booked.entry.number} with a table that is not here; it is not drawn "
                          "again.")
        return booked

    def _book(self, rows: int, draw: Callable[[], Mapping[str, Any]]) -> Booked:
        counted = "units" if self.unit == _ROW else "rows"
        return self.account.book(self.question, self.level, self.laws, draw, unit=self.unit,
                                 neighbors=f"replace:{counted}={rows}", metric=self.metric)


def booking_of(
    account: Account | None,
    question: str,
    level: Level,
    drawn_from: Sequence[Certified],
    metric: str = UNITS,
    unit: str = _ROW,
) -> TableBooking | None:
    """The booking of a table whose rows are drawn from these; None without an account."""
    if account is None:
        return None
    return TableBooking(account, question, level, tuple(map(compose, drawn_from)), metric, unit)


def _never() -> Mapping[str, Any]:
    raise AssertionError("unreachable: the request was answered")
