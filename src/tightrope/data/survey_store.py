"""The answers of a survey, in one SQLite file.

A link works once: taking it and storing the answer are one transaction, and an answer counts
as stored when it is on the disk (write-ahead log, synchronous=FULL). Links and the owner's
token are kept as SHA-256 only, and so is the receipt that took a link: a random number that the
page drew with its responses, by which the same answer sent twice is known without keeping which
answer it was. An answer is not stored beside its link but under a random number, with the
link's group; no time, address or browser is kept. Many answers share one transaction. The log,
where a link and its answer stand side by side, is emptied after each, and closing rebuilds the
file in the order of the random numbers: pages of the file keep the order of arrival until then.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from threading import RLock

from tightrope.data.files import StrPath, replacing_all
from tightrope.data.tables import fill_table
from tightrope.errors import BadDocument, BadInput, SystemFailed
from tightrope.samplers import token

_SCHEMA = """
CREATE TABLE survey (one INTEGER PRIMARY KEY CHECK (one = 1), digest TEXT NOT NULL,
                     owner BLOB NOT NULL, closed INTEGER NOT NULL);
CREATE TABLE links (hash BLOB PRIMARY KEY, party TEXT NOT NULL, used INTEGER NOT NULL,
                    receipt BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE answers (id TEXT PRIMARY KEY, party TEXT NOT NULL, responses TEXT NOT NULL)
    WITHOUT ROWID;
"""
_PATIENCE = 10.0
_OUTSIDE = frozenset({
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN,
})
"""Errors of the disk, or of others that use the store; all others are about its content."""


class LinkState(StrEnum):
    """What a link can still do."""

    OPEN = "open"
    USED = "used"
    UNKNOWN = "unknown"


class Outcome(StrEnum):
    """What became of an answer."""

    STORED = "stored"
    RECEIVED = "received"  # this very answer was stored before
    REPLAYED = "replayed"  # another answer was
    UNKNOWN = "unknown"
    CLOSED = "closed"


@dataclass(frozen=True)
class Link:
    """A link as the store knows it: its state, and the group of people it was made for."""

    state: LinkState
    group: str


@dataclass(frozen=True)
class Submission:
    """One respondent's randomized answers, by question, with the token of the link.

    `receipt` is a random number drawn together with the responses, and sent again with them.
    """

    token: str
    responses: Mapping[str, int]
    receipt: str


@dataclass(frozen=True)
class StoredAnswer:
    """Randomized answers as stored: the group, and the position of each response."""

    group: str
    responses: Mapping[str, int]


class SurveyStore:
    """An open store; close it, or use it in a `with` block."""

    def __init__(self, path: StrPath, digest: str) -> None:
        if not Path(path).is_file():
            raise BadInput(f"there is no file {path}; `tightrope survey new` makes it.")
        self._path, self._arrivals = path, False
        self._turn = RLock()  # one thread at a time writes: answers arrive while a survey closes
        self._writer, self._reader = _connect(path), _connect(path)
        try:
            with self._working():
                row = self._reader.execute("SELECT digest FROM survey").fetchone()
                self._reader.execute("SELECT receipt FROM links LIMIT 1").fetchall()
                if row is not None and row[0] == digest:
                    for made in (self._writer, self._reader):
                        made.execute("PRAGMA journal_mode = WAL")
                        made.execute("PRAGMA synchronous = FULL")
                    return
            raise BadDocument(f"{path} holds the answers of another survey.")
        except BaseException:
            self.close()
            raise

    @classmethod
    def create(
        cls, path: StrPath, digest: str, owner: str, links: Mapping[str, str], *, force: bool
    ) -> SurveyStore:
        """A new store with the owner's token and links (token to group)."""
        with replacing_all([path], secret=[path], force=force) as (unfinished,):
            _fill(unfinished, digest, owner, links)
        _drop_logs(path)
        return cls(path, digest)

    def __enter__(self) -> SurveyStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; after new answers it is rebuilt first, so that no order is left."""
        try:
            if self._arrivals:
                self._rebuild()
        except SystemFailed:
            pass  # somebody else is using it; whoever closes it last rebuilds it
        finally:
            self._arrivals = False
            self._writer.close()
            self._reader.close()

    def _rebuild(self) -> None:
        with self._turn, self._working():
            self._writer.execute("VACUUM")
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def accept(self, batch: Sequence[Submission]) -> list[Outcome]:
        """Store answers in one transaction; when this returns they are on the disk."""
        with self._turn, self._working():
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                closed = self._writer.execute("SELECT closed FROM survey").fetchone()[0]
                found = [self._accept(one, closed) for one in batch]
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._arrivals |= Outcome.STORED in found
        return found

    def _accept(self, one: Submission, closed: bool) -> Outcome:
        key, receipt = _hash(one.token), _hash(one.receipt)
        row = self._writer.execute(
            "SELECT party, used, receipt FROM links WHERE hash = ?", (key,)
        ).fetchone()
        if row is None:
            return Outcome.UNKNOWN
        party, used, kept = row
        if used:
            return Outcome.RECEIVED if kept == receipt else Outcome.REPLAYED
        if closed:
            return Outcome.CLOSED
        self._writer.execute(
            "UPDATE links SET used = 1, receipt = ? WHERE hash = ?", (receipt, key)
        )
        content = json.dumps(dict(one.responses), sort_keys=True)
        self._writer.execute("INSERT INTO answers VALUES (?, ?, ?)", (token(), party, content))
        return Outcome.STORED

    def link(self, link: str) -> Link:
        """What the store knows about a link."""
        with self._working():
            row = self._reader.execute(
                "SELECT used, party FROM links WHERE hash = ?", (_hash(link),)
            ).fetchone()
        if row is None:
            return Link(LinkState.UNKNOWN, "")
        return Link(LinkState.USED if row[0] else LinkState.OPEN, row[1])

    def is_owner(self, candidate: str) -> bool:
        """Whether this is the owner's token."""
        from hmac import compare_digest

        with self._working():
            kept = self._reader.execute("SELECT owner FROM survey").fetchone()[0]
        return compare_digest(bytes(kept), _hash(candidate))

    @property
    def closed(self) -> bool:
        """Whether the survey takes no more answers."""
        with self._working():
            return bool(self._reader.execute("SELECT closed FROM survey").fetchone()[0])

    def finish(self) -> None:
        """Close the survey: no further answer is stored."""
        with self._turn, self._working():
            self._writer.execute("UPDATE survey SET closed = 1")
        self._rebuild()

    def answers(self) -> list[StoredAnswer]:
        """Every stored answer, in an order that says nothing."""
        with self._working():
            rows = self._reader.execute("SELECT party, responses FROM answers ORDER BY id")
            return [StoredAnswer(group, self._responses(content)) for group, content in rows]

    def _responses(self, content: object) -> Mapping[str, int]:
        try:
            found = json.loads(content)  # type: ignore[arg-type]
        except (TypeError, ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or not all(type(z) is int for z in found.values()):
            raise BadDocument(f"{self._path} is damaged: an answer in it cannot be read.")
        return found

    def links(self) -> dict[str, tuple[int, int]]:
        """For each group, how many links were made and how many were used."""
        with self._working():
            rows = self._reader.execute(
                "SELECT party, COUNT(*), SUM(used) FROM links GROUP BY party ORDER BY party"
            ).fetchall()
        return {group: (made, used) for group, made, used in rows}

    @contextmanager
    def _working(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            # the low byte is the kind of error, the rest of the number says more about it
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _OUTSIDE:
                raise SystemFailed(f"{self._path} could not be used: {error}.") from error
            raise BadDocument(
                f"{self._path} is not the store of a survey, or is damaged: {error}."
            ) from None


@dataclass(frozen=True)
class NewSurvey:
    """What the three files of a new survey are made from; `links` has tokens and their groups."""

    content: bytes
    digest: str
    owner: str
    links: Mapping[str, str]
    address: str


def write_survey(
    file: StrPath, store: StrPath, listed: StrPath, new: NewSurvey, *, force: bool
) -> None:
    """Write the file of a survey, its empty store and the table of its links: all or none.

    Store and table hold secrets, so nobody but their owner can read them.
    """
    columns = {
        "group": list(new.links.values()),
        "link": [f"{new.address}/r/{one}" for one in new.links],
    }
    with replacing_all((file, store, listed), secret=(store, listed), force=force) as places:
        places[0].write_bytes(new.content)
        _fill(places[1], new.digest, new.owner, new.links)
        fill_table(places[2], listed, columns)
    _drop_logs(store)


def _fill(path: Path, digest: str, owner: str, links: Mapping[str, str]) -> None:
    """Write a store into an empty file; no log beside it, as whoever asks discards a half one."""
    try:
        made = _connect(path)
        try:
            made.execute("PRAGMA journal_mode = OFF")
            made.executescript(_SCHEMA)
            made.execute("BEGIN")
            made.execute("INSERT INTO survey VALUES (1, ?, ?, 0)", (digest, _hash(owner)))
            rows = ((_hash(link), group) for link, group in links.items())
            # room for a receipt from the start: rows that grew would show the order of arrival
            made.executemany("INSERT INTO links VALUES (?, ?, 0, zeroblob(32))", rows)
            made.execute("COMMIT")
        finally:
            made.close()
    except sqlite3.Error as error:
        raise SystemFailed(f"the store of the survey could not be written: {error}.") from error


def _drop_logs(path: StrPath) -> None:
    """Remove the logs of a store that was replaced; they would be read into the new one."""
    for name in (f"{path}-wal", f"{path}-shm", f"{path}-journal"):
        Path(name).unlink(missing_ok=True)


def _connect(path: StrPath) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()
