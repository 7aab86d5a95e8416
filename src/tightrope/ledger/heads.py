"""Heads that a client has kept: by them it knows that a ledger lost records it had written.

The file has a line for each ledger: the seal of the first record, number and seal of the newest
record that was written from here, and a mark made with the key. It is written after the record is
on the disk, so that it may lag behind the ledger and never leads: whatever is killed or lost in
between, nobody is locked out. A line that is torn or has another mark is no line.
"""

from __future__ import annotations

import hmac
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import get_ident

from tightrope.errors import Refused
from tightrope.ledger.entries import Record

VARIABLE = "TIGHTROPE_LEDGER_HEADS"
"""The environment variable that may name the file; else it is beside the key."""

Head = tuple[int, str]
"""Number and seal of a record."""

_LINE = re.compile(r"([0-9a-f]{64}) ([1-9][0-9]{0,17}) ([0-9a-f]{64}) ([0-9a-f]{64})")


@dataclass(frozen=True)
class KeptHeads:
    """The file of heads, None where there is no place for it, and the key that marks its lines."""

    path: Path | None
    key: bytes = field(repr=False)

    @classmethod
    def beside(cls, place: str | os.PathLike[str] | None, key: bytes) -> KeptHeads:
        """The heads in the file that the environment names, or beside the file of the key."""
        named = os.environ.get(VARIABLE)
        if named:
            return cls(Path(named).absolute(), key)
        return cls(None if place is None else Path(f"{os.fspath(place)}.heads").absolute(), key)

    def newest(self, first: str | None) -> Head | None:
        """The newest head that was kept of the ledger with this first seal."""
        known = [(int(line[2]), line[3]) for line in self._lines()
                 if line[1] == first and hmac.compare_digest(line[4], self._mark(line[0]))]
        return max(known, default=None)

    def keep(self, first: str, number: int, seal: str) -> None:
        """Keep a head of records that are on the disk; where that fails, the file lags behind."""
        known = self.newest(first)
        if self.path is None or (known is not None and known[0] >= number):
            return
        stated = f"{first} {number} {seal}"
        lines = [*(line[0] for line in self._lines() if line[1] != first),
                 f"{stated} {self._mark(stated)}"]
        unfinished = Path(f"{self.path}.{os.getpid()}-{get_ident()}")
        try:
            unfinished.write_text("\n".join(lines) + "\n", "ascii")
            unfinished.replace(self.path)
        except OSError:
            unfinished.unlink(missing_ok=True)

    def refuse_lost(self, kept: Head, records: Sequence[Record]) -> None:
        """Refuse to charge books in which the record that was kept is none of these."""
        number, seal = kept
        if not any(record.number == number and record.seal == seal for record in records):
            raise Refused(f"the ledger lost records: {self.path} knows record {number} with head "
                          f"{seal[:12]}…, and it is not there. Put the newest copy of the ledger "
                          "back. Nothing was spent.")

    def _lines(self) -> list[re.Match[str]]:
        try:
            text = "" if self.path is None else self.path.read_text("ascii")
        except (OSError, UnicodeDecodeError):
            return []
        return [*_LINE.finditer(text)]

    def _mark(self, line: str) -> str:
        stated = line[:line.rindex(" ")] if line.count(" ") == 3 else line
        return hmac.digest(self.key, b"head " + stated.encode("ascii"), "sha256").hex()
