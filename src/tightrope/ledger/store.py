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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tightrope.errors import BadDocument, BadInput, SystemFailed
from tightrope.extras import require
from tightrope.files import StrPath
from tightrope.ledger.entries import START, Kind, Record

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, Table
    from sqlalchemy.engine import URL

PATIENCE = 600
"""Seconds for which a writer waits for its turn: an entry whose answer cannot be kept is lost."""

CONNECTING = 60
"""Seconds for which a server has time to answer."""

TABLE = "tightrope_ledger"
_COLUMNS = "number, kind, budget, time, body, seal"

_TURNS: dict[tuple[int, str], RLock] = {}
"""The turn at each ledger, in each process: a turn that a fork copied is not its own."""


class Store:
    """An open table of records. Writers are alone, readers see whole transactions."""

    def __init__(self, url: str | StrPath, *, create: bool = False) -> None:
        self._url = address(url)
        self._engine = _engine(self._url, create)
        file = self.file
        self._place = f"{id(self)}" if file is None else str(file.resolve())
        if create:
            with _translating_errors(), self.turn():
                _table().metadata.create_all(self._engine)
        with self.reading() as books:
            books.last()  # whatever is no ledger is said to be none before a key is asked for

    @property
    def file(self) -> Path | None:
        """The file of a SQLite ledger."""
        return file_of(self._url)

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

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
        with _translating_errors(), self.turn(), self._engine.connect() as connection:
            if self._engine.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN")
            else:
                connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield Books(connection)

    @contextmanager
    def writing(self) -> Iterator[Books]:
        """The books, for one writer alone; what is added is on the disk when the block ends."""
        with _translating_errors(), self.turn(), self._engine.connect() as connection:
            if self._engine.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                connection.exec_driver_sql("SET LOCAL synchronous_commit = on")
                connection.exec_driver_sql(f"LOCK TABLE {TABLE} IN EXCLUSIVE MODE")
            yield Books(connection)
            if self._engine.dialect.name == "sqlite":
                connection.exec_driver_sql("COMMIT")
            else:
                connection.commit()


class Books:
    """The table inside a transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

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
        """Run a statement as the driver spells it: building each anew takes longer than it does."""
        if self._connection.dialect.name != "sqlite":
            statement = statement.replace("?", "%s")
        return self._connection.exec_driver_sql(statement, values)


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


def file_of(url: URL) -> Path | None:
    """The file of a SQLite database."""
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def _engine(url: URL, create: bool) -> Engine:
    from sqlalchemy import create_engine, event
    from sqlalchemy.pool import NullPool

    path = file_of(url)
    if path is None:
        require("postgres", "a ledger in PostgreSQL")
        return create_engine(url, poolclass=NullPool, hide_parameters=True,
                             connect_args={"connect_timeout": CONNECTING})
    if not create and not path.is_file():
        raise BadInput(f"there is no ledger {path}; `tightrope ledger open` or "
                       "Ledger.create makes one.")
    # a file that went away is not made anew, empty
    mode = "rwc" if create else "rw"
    place = f"file:{quote(str(path.resolve()))}?mode={mode}"
    engine = create_engine(
        url, poolclass=NullPool, hide_parameters=True,
        creator=lambda: sqlite3.connect(place, timeout=PATIENCE, uri=True))

    @event.listens_for(engine, "connect")
    def _durable(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions begin where they are told to
        connection.execute("PRAGMA synchronous = EXTRA")

    return engine


def _table() -> Table:
    from sqlalchemy import Column, Index, Integer, MetaData, Table, Text

    table = Table(
        TABLE, MetaData(),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("kind", Text, nullable=False),
        Column("budget", Text, nullable=False),
        Column("time", Text, nullable=False),
        Column("body", Text, nullable=False),
        Column("seal", Text, nullable=False),
    )
    Index(f"{TABLE}_of_budget", table.c.budget, table.c.kind, table.c.number)
    return table


def _record(row: Any) -> Record:
    try:
        body = json.loads(row.body)
        if not isinstance(body, dict) or not isinstance(row.number, int):
            raise ValueError
        return Record(row.number, Kind(row.kind), str(row.budget), str(row.time), body,
                      str(row.seal))
    except (ValueError, TypeError, RecursionError):
        raise BadDocument("the ledger holds a line that cannot be read.") from None


@contextmanager
def _translating_errors() -> Iterator[None]:
    """Turn what a database says into one of our errors, without a word of its own."""
    from sqlalchemy.exc import DatabaseError, OperationalError, SQLAlchemyError

    try:
        yield
    except OperationalError as error:
        reason = str(error.orig).lower()
        if "password" in reason or "authentication" in reason or "role" in reason:
            raise BadInput("the database of the ledger refused this user or password.") from None
        if "no such table" in reason:
            raise BadInput("that database holds no ledger; open one first.") from None
        if "readonly" in reason or "read-only" in reason:
            raise BadInput("the ledger may not be written to; nothing was spent.") from None
        if "unable to open" in reason:
            raise BadInput("the file of the ledger cannot be opened.") from None
        raise SystemFailed("the database of the ledger failed or could not be reached.") from None
    except DatabaseError as error:
        reason = str(error.orig).lower()
        if "does not exist" in reason:
            raise BadInput("that database holds no ledger; open one first.") from None
        if "not a database" in reason or "malformed" in reason:
            raise BadInput("that file is no ledger.") from None
        raise SystemFailed("the database of the ledger failed.") from None
    except SQLAlchemyError:
        raise SystemFailed("the database of the ledger failed.") from None
