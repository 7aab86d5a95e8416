"""A survey's records in PostgreSQL: blocks of bytes, each with many links or many answers.

The server keeps the time order of rows: an update writes a row anew, where there is room, with
the number of its transaction. Therefore no row is an answer or a link. What anybody can select,
or finds in a dump, tells at most which block was written last, and a block has about 1,000 slots
or 500 links. The server's own log and its backups have every state that a block ever had.

One transaction takes links and stores answers together: whatever ends, both are there or none.
Writers take turns by a lock of the database, so several servers may serve one survey.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from tightrope.errors import BadInput, SystemFailed
from tightrope.extras import require
from tightrope.ledger import address
from tightrope.samplers import token
from tightrope.surveys.survey_head import damaged

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine
    from sqlalchemy.engine import URL

TABLE: Final = "tightrope_survey_blocks"
POINTER: Final = b"tightrope survey store 1\n"
_BLOCK: Final = 1 << 15
"""Bytes of a row: 1,024 slots of a short survey, so that the last of them hides among many."""
_POSTGRESQL: Final = re.compile(r"postgresql(\+[a-z0-9]+)?://")
_CONNECTING: Final = 20
_SECRETS: Final = ("password", "sslpassword")
_DEFINITION: Final = f"""
    CREATE TABLE IF NOT EXISTS {TABLE} (
        survey text NOT NULL, place integer NOT NULL, content bytea NOT NULL,
        PRIMARY KEY (survey, place))"""


class RecordsDatabase:
    """The medium of a store in PostgreSQL: the blocks of one survey in a table."""

    in_database = True

    def __init__(self, url: str, survey: str) -> None:
        self._url, self._survey = database_address(url), survey
        self._engine = _engine(self._url)
        self._writer: _BlockPages | None = None

    @classmethod
    def create(cls, url: str, parts: Iterable[bytes]) -> RecordsDatabase:
        """A new store in this database."""
        made = cls(url, token())
        try:
            with _translating_errors(), made._engine.begin() as connection:
                _make_table(connection)
                made._fill(connection, parts)
        except BaseException:
            made.close()
            raise
        return made

    @property
    def name(self) -> str:
        """The address of the database, without a password."""
        return public_address(self._url)

    @property
    def pointer(self) -> bytes:
        """The file that names this store and holds no password."""
        content = {"url": public_address(self._url), "survey": self._survey}
        return POINTER + json.dumps(content).encode() + b"\n"

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @contextmanager
    def alone(self) -> Iterator[_BlockPages]:
        """Write as the only one; what was written is safe when the block ends well."""
        with _translating_errors(), self._engine.begin() as connection:
            connection.exec_driver_sql("SET LOCAL synchronous_commit = on")
            connection.exec_driver_sql(
                "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (self._survey,))
            pages = _BlockPages(connection, self._survey, self.name)
            self._writer = pages
            yield pages
            pages.flush()

    @contextmanager
    def looking(self) -> Iterator[_BlockPages]:
        """Read one state of the store, whoever writes."""
        with _translating_errors(), self._engine.begin() as connection:
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield _BlockPages(connection, self._survey, self.name)

    def replace(self, parts: Iterable[bytes]) -> None:
        """Put new blocks in the place of these, in the session of the writer."""
        assert self._writer is not None
        made = list(parts)  # they are read from the blocks that go
        connection = self._writer.connection
        connection.exec_driver_sql(f"DELETE FROM {TABLE} WHERE survey = %s", (self._survey,))
        self._fill(connection, made)

    def remove(self) -> None:
        """Take the blocks away."""
        with _translating_errors(), self._engine.begin() as connection:
            connection.exec_driver_sql(f"DELETE FROM {TABLE} WHERE survey = %s", (self._survey,))

    def _fill(self, connection: Connection, parts: Iterable[bytes]) -> None:
        for place, block in enumerate(_blocks(parts)):
            connection.exec_driver_sql(
                f"INSERT INTO {TABLE} (survey, place, content) VALUES (%s, %s, %s)",
                (self._survey, place, block))


class _BlockPages:
    """The bytes in all blocks of a survey, inside a transaction; blocks that change are kept."""

    def __init__(self, connection: Connection, survey: str, name: str) -> None:
        self.connection = connection
        self._survey, self._name = survey, name
        self._changed: dict[int, bytearray] = {}

    def read(self, offset: int, count: int) -> bytes:
        parts = []
        for place, start, stop in _pieces(offset, count):
            block = self._changed.get(place)
            parts.append(self._read_slots(place, start, stop) if block is None
                         else bytes(block[start:stop]))
        return b"".join(parts)

    def write(self, offset: int, content: bytes) -> None:
        done = 0
        for place, start, stop in _pieces(offset, len(content)):
            if place not in self._changed:
                self._changed[place] = bytearray(self._read_slots(place, 0, _BLOCK))
            self._changed[place][start:stop] = content[done : done + stop - start]
            done += stop - start

    def sync(self) -> None:
        """Nothing: a transaction is on the disk as a whole or not at all."""

    def flush(self) -> None:
        for place, block in sorted(self._changed.items()):
            self.connection.exec_driver_sql(
                f"UPDATE {TABLE} SET content = %s WHERE survey = %s AND place = %s",
                (bytes(block), self._survey, place))

    def size(self) -> int:
        return int(self._one("sum(length(content))", "") or 0)

    def _read_slots(self, place: int, start: int, stop: int) -> bytes:
        part = "content" if (start, stop) == (0, _BLOCK) else (
            f"substring(content FROM {start + 1} FOR {stop - start})")
        return bytes(self._one(part, f" AND place = {place}") or b"")

    def _one(self, what: str, where: str) -> Any:
        return self.connection.exec_driver_sql(
            f"SELECT {what} FROM {TABLE} WHERE survey = %s{where}", (self._survey,)).scalar()


def pointed(content: bytes, name: str) -> RecordsDatabase:
    """The store that the content of such a file names."""
    try:
        stated = json.loads(content.removeprefix(POINTER))
        url, survey = stated["url"], stated["survey"]
        if not isinstance(url, str) or not isinstance(survey, str):
            raise TypeError
    except (ValueError, TypeError, LookupError, RecursionError):
        raise damaged(name) from None
    return RecordsDatabase(url, survey)


def database_address(url: str) -> URL:
    """The address of a PostgreSQL database."""
    if not _POSTGRESQL.match(url):
        raise BadInput(
            "answers are kept in a file of their own or in PostgreSQL, such as "
            "postgresql://user@host/name; a SQLite file would show the order in which they came."
        )
    return address(url)


def public_address(url: URL) -> str:
    """The address without a password: the user's own means (PGPASSWORD, .pgpass) have it."""
    plain = url.difference_update_query(_SECRETS)._replace(password=None)  # `set` keeps it
    return plain.render_as_string(hide_password=False)


def _make_table(connection: Connection) -> None:
    """The table, if there is none: altering it would wait for every session of other surveys."""
    if connection.exec_driver_sql("SELECT to_regclass(%s)", (TABLE,)).scalar() is None:
        connection.exec_driver_sql(_DEFINITION)
        connection.exec_driver_sql(
            f"ALTER TABLE {TABLE} ALTER COLUMN content SET STORAGE EXTERNAL")


def _blocks(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes, cut into blocks."""
    waiting = bytearray()
    for part in parts:
        waiting += part
        while len(waiting) >= _BLOCK:
            yield bytes(waiting[:_BLOCK])
            del waiting[:_BLOCK]
    if waiting:
        yield bytes(waiting)


def _pieces(offset: int, count: int) -> Iterator[tuple[int, int, int]]:
    """The block, start and stop of each piece of some bytes."""
    end = offset + count
    while offset < end:
        place, start = divmod(offset, _BLOCK)
        stop = min(_BLOCK, start + end - offset)
        yield place, start, stop
        offset += stop - start


def _engine(url: URL) -> Engine:
    from sqlalchemy import create_engine

    require("postgres", "answers in PostgreSQL")
    return create_engine(url, hide_parameters=True, pool_pre_ping=True,
                         connect_args={"connect_timeout": _CONNECTING})


@contextmanager
def _translating_errors() -> Iterator[None]:
    """Turn what the database says into one of our errors, without a word of its own."""
    from sqlalchemy.exc import DatabaseError, OperationalError, SQLAlchemyError

    try:
        yield
    except OperationalError as error:
        reason = str(error.orig).lower()
        if any(word in reason for word in ("password", "authentication", "role")):
            raise BadInput(
                "the database of the answers refused this user or password; PGPASSWORD or the "
                "file ~/.pgpass may hold the password."
            ) from None
        raise SystemFailed("the database of the answers could not be reached.") from None
    except DatabaseError as error:
        if "does not exist" in str(error.orig).lower():
            raise BadInput("that database holds no answers of a survey.") from None
        raise SystemFailed("the database of the answers failed.") from None
    except SQLAlchemyError:
        raise SystemFailed("the database of the answers failed.") from None
