"""Where the books are kept: one table to which lines are added, in SQLite or PostgreSQL.

A transaction that writes is alone: SQLite takes its lock when it begins, PostgreSQL locks the
table. The threads of a process take turns: at a SQLite file they would share one lock, which
passes from one to the next and never comes free for the writer of another process, and an open
ledger never follows two snapshots at once.
What was committed is on the disk before anything else happens. No message of a database goes out
as it is: it may hold a password.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tightrope.errors import BadDocument, BadInput, SystemFailed, TightropeError
from tightrope.extras import require
from tightrope.files import StrPath
from tightrope.ledger.entries import START, Kind, Record

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

PATIENCE = 600
"""Seconds for which a writer waits for its turn: an entry whose answer cannot be kept is lost."""

CONNECTING = 60
"""Seconds for which a server has time to answer."""

TABLE = "tightrope_ledger"
_COLUMNS = "number, kind, budget, time, body, seal"

_TURNS: dict[tuple[int, str], RLock] = {}
"""The turn at each ledger, in each process: a turn that a fork copied is not its own."""


_DEFINITION = (
    f"CREATE TABLE IF NOT EXISTS {TABLE} (number INTEGER NOT NULL PRIMARY KEY, "
    "kind TEXT NOT NULL, budget TEXT NOT NULL, time TEXT NOT NULL, body TEXT NOT NULL, "
    "seal TEXT NOT NULL)")


class Store:
    """An open table of records. Writers are alone, readers see whole transactions.

    It speaks to the drivers: the toolkit above them takes longer to load than a charge takes.
    """

    def __init__(self, url: str | StrPath, *, create: bool = False) -> None:
        self.file = file_of(url)
        self._connect = _server(address(url)) if self.file is None else _opener(self.file, create)
        self._place = f"{id(self)}" if self.file is None else str(self.file.resolve())
        if create:
            with self._transaction() as connection:
                connection.execute(_DEFINITION)
                connection.commit()
        with self.reading() as books:
            books.last()  # whatever is no ledger is said to be none before a key is asked for

    @contextmanager
    def turn(self) -> Iterator[None]:
        """The turn of this thread: at a SQLite file, or at this opened database."""
        turn = _TURNS.setdefault((os.getpid(), self._place), RLock())
        if not turn.acquire(timeout=PATIENCE):
            raise SystemFailed(f"the ledger was in use by others for {PATIENCE} seconds.")
        try:
            yield
        finally:
            turn.release()

    @contextmanager
    def reading(self) -> Iterator[Books]:
        """The books as they are now, the same for the whole block."""
        with self._transaction("BEGIN" if self.file else
                               "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ") as connection:
            yield Books(connection, "?" if self.file else "%s")

    @contextmanager
    def writing(self) -> Iterator[Books]:
        """The books, for one writer alone; what is added is on the disk when the block ends."""
        begin = ["BEGIN IMMEDIATE"] if self.file else [
            "SET LOCAL synchronous_commit = on", f"LOCK TABLE {TABLE} IN EXCLUSIVE MODE"]
        with self._transaction(*begin) as connection:
            yield Books(connection, "?" if self.file else "%s")
            connection.commit()

    @contextmanager
    def _transaction(self, *begin: str) -> Iterator[Any]:
        """A connection that began so; what it does not commit is undone."""
        with _translating_errors(), self.turn(), closing(self._connect()) as connection:
            for statement in begin:
                connection.execute(statement)
            yield connection


class Books:
    """The table inside a transaction."""

    def __init__(self, connection: Any, mark: str) -> None:
        self._connection, self._mark = connection, mark

    def last(self) -> Record | None:
        """The newest record."""
        records = self._select("ORDER BY number DESC LIMIT 1")
        return records[0] if records else None

    def all(self) -> list[Record]:
        """All records in order."""
        return self._select("ORDER BY number")

    def since(self, number: int, also: Sequence[int] = ()) -> list[Record]:
        """The record of this number, all that came later, and some that came before."""
        earlier = [each for each in also if each < number]
        return [*(self.some(earlier) if earlier else ()),
                *self._select("WHERE number >= ? ORDER BY number", number)]

    def some(self, numbers: Sequence[int]) -> list[Record]:
        """The records of these numbers, in order; those that are not there are left out."""
        marks = ", ".join("?" * len(numbers))
        return self._select(f"WHERE number IN ({marks}) ORDER BY number", *numbers)

    def head(self) -> str:
        """The newest seal."""
        last = self.last()
        return START if last is None else last.seal

    def add(self, record: Record) -> None:
        """One more record."""
        self._execute(
            f"INSERT INTO {TABLE} ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", record.number,
            record.kind.value, record.budget, record.time,
            json.dumps(record.body, sort_keys=True), record.seal)

    def _select(self, rest: str, *values: int) -> list[Record]:
        return [_record(row)
                for row in self._execute(f"SELECT {_COLUMNS} FROM {TABLE} {rest}", *values)]

    def _execute(self, statement: str, *values: int | str) -> Any:
        """Run a statement, with the marks for values as the driver spells them."""
        return self._connection.execute(statement.replace("?", self._mark), values)


def address(url: str | StrPath, *, held: str = "a ledger is kept") -> URL:
    """The address of a database, from a URL or from the name of a SQLite file."""
    from sqlalchemy.engine import URL, make_url
    from sqlalchemy.exc import ArgumentError

    if not isinstance(url, str) or "://" not in url:
        return URL.create("sqlite", database=str(url))
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise BadInput("that is no address of a database, such as sqlite:///ledger.sqlite or "
                       "postgresql://user@host/name.") from None
    backend = parsed.get_backend_name()
    if backend not in ("sqlite", "postgresql"):
        raise BadInput(f"{held} in SQLite or PostgreSQL.")
    if backend == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise BadInput(f"{held} in a file, such as sqlite:///ledger.sqlite.")
    return parsed.set(drivername="sqlite" if backend == "sqlite" else "postgresql+psycopg")


def file_of(url: str | StrPath) -> Path | None:
    """The file of a SQLite database, from its name or a URL; None of a server."""
    if not isinstance(url, str) or "://" not in url:
        return Path(url)
    stated = address(url)
    return Path(stated.database) if stated.database and stated.drivername == "sqlite" else None


def _opener(file: Path, create: bool) -> Callable[[], Any]:
    """A function that opens a SQLite file; one that went away is not made anew, empty."""
    if not create and not file.is_file():
        raise BadInput(f"there is no ledger {file}; `tightrope ledger open` or "
                       "Ledger.create makes one.")
    place = f"file:{quote(str(file.resolve()))}?mode={'rwc' if create else 'rw'}"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(place, timeout=PATIENCE, uri=True, isolation_level=None)
        connection.execute("PRAGMA synchronous = EXTRA")
        return connection

    return connect


def _server(url: URL) -> Callable[[], Any]:
    """A function that connects to a PostgreSQL database."""
    require("postgres", "a ledger in PostgreSQL")
    import psycopg

    words, options = url.get_dialect()().create_connect_args(url)
    return partial(psycopg.connect, *words, **{**options, "connect_timeout": CONNECTING})


def _record(row: Sequence[Any]) -> Record:
    number, kind, budget, time, text, seal = row
    try:
        body = json.loads(text)
        if not isinstance(body, dict) or not isinstance(number, int):
            raise ValueError
        return Record(number, Kind(kind), str(budget), str(time), body, str(seal))
    except (ValueError, TypeError, RecursionError):
        raise BadDocument("the ledger holds a line that cannot be read.") from None


@contextmanager
def _translating_errors() -> Iterator[None]:
    """Turn what a database says into one of our errors, without a word of its own."""
    try:
        yield
    except Exception as error:
        # drivers name their errors alike (PEP 249), and only the one in use is loaded
        kinds = {kind.__name__ for kind in type(error).__mro__
                 if kind.__module__.partition(".")[0] in ("sqlite3", "psycopg")}
        if not kinds & {"Error", "Warning"}:
            raise
        raise _translate(kinds, str(error).lower()) from None


def _translate(kinds: Collection[str], reason: str) -> TightropeError:
    """Our error for one of a driver, by the names of its kinds and its words."""
    unreached = "OperationalError" in kinds
    if unreached and any(word in reason for word in ("password", "authentication", "role")):
        return BadInput("the database of the ledger refused this user or password.")
    if "no such table" in reason or ("does not exist" in reason and not unreached):
        return BadInput("that database holds no ledger; open one first.")
    if "readonly" in reason or "read-only" in reason:
        return BadInput("the ledger may not be written to; nothing was spent.")
    if "unable to open" in reason:
        return BadInput("the file of the ledger cannot be opened.")
    if "not a database" in reason or "malformed" in reason:
        return BadInput("that file is no ledger.")
    return SystemFailed("the database of the ledger failed or could not be reached." if unreached
                        else "the database of the ledger failed.")
