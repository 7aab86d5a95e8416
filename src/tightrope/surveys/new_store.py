"""A new store beside its survey's file and the table of its links: all of them, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tightrope.errors import BadInput, TightropeError
from tightrope.files import StrPath, replacing_all
from tightrope.samplers import token
from tightrope.surveys.records_database import RecordsDatabase
from tightrope.surveys.survey_head import Head
from tightrope.surveys.survey_records import OPEN, Records, new_content
from tightrope.surveys.survey_store import hash_of, open_records
from tightrope.tables import fill_table


@dataclass(frozen=True)
class NewSurvey:
    """The content of the three files of a new survey; `links` has tokens and their groups,
    `keys` are those of its questions, `database` is the URL of a store that is no file."""

    content: bytes
    digest: str
    owner: str
    links: Mapping[str, str]
    address: str
    keys: tuple[str, ...]
    open: int = 0
    returns: str | None = None
    database: str | None = None

    @cached_property
    def head(self) -> Head:
        """The head of its store, made once: it holds a random number."""
        named = dict.fromkeys(self.links.values())
        groups = (*named, *([OPEN] if self.open else []))
        owner = hash_of(self.owner).hex()
        return Head(self.digest, owner, self.address, groups, self.keys, len(self.links),
                    self.open, self.returns, token())


def write_survey(
    file: StrPath, store: StrPath, listed: StrPath, new: NewSurvey, *, force: bool
) -> None:
    """Write the file of a survey, its empty store and the table of its links: all or none.

    Store and table hold secrets, so nobody but their owner can read them. Where `force` replaces
    a store, it has no answers, and whoever still serves it takes none any more.
    """
    head = new.head
    places = {name: i for i, name in enumerate(head.groups)}
    hashes = {hash_of(token): places[group] for token, group in new.links.items()}
    with (
        _retiring(store),
        _write_store(new.database, head, hashes) as content,
        replacing_all((file, store, listed), secret=(store, listed), force=force) as unfinished,
    ):
        unfinished[0].write_bytes(new.content)
        with unfinished[1].open("wb") as written:
            written.writelines(content)
        opened = {head.open_token: OPEN} if new.open else {}
        fill_table(unfinished[2], listed, link_columns(new.address, {**opened, **new.links}))


def replace_survey(file: StrPath, content: bytes, before: Callable[[], None]) -> None:
    """Put new content in the place of a survey's file; `before` is done when it is on the disk."""
    with replacing_all([file], force=True) as (unfinished,):
        unfinished.write_bytes(content)
        before()


def link_columns(address: str, links: Mapping[str, str]) -> dict[str, list[str]]:
    """The table of links, by their tokens with their groups."""
    return {"group": list(links.values()), "link": [f"{address}/r/{token}" for token in links]}


def refuse_answers(store: StrPath) -> None:
    """Raise `BadInput` if there is a store here that has answers, or cannot be read."""
    if Path(store).exists():
        old = open_records(store)
        try:
            with old.looking() as records:
                _refuse_answers(records, store)
        finally:
            old.close()


def discard_store(store: StrPath) -> None:
    """Take away what a new store has in a database; its file is left."""
    with suppress(TightropeError):
        old = open_records(store)
        old.remove()
        old.close()


@contextmanager
def _write_store(
    database: str | None, head: Head, hashes: Mapping[bytes, int]
) -> Iterator[Iterator[bytes]]:
    """The content of the file of a new store; rows of a database go if it is not written."""
    content = new_content(head, hashes)
    if database is None:
        yield content
        return
    medium = RecordsDatabase.create(database, content)
    try:
        yield iter([medium.pointer])
    except BaseException:
        medium.remove()
        raise
    finally:
        medium.close()


@contextmanager
def _retiring(store: StrPath) -> Iterator[None]:
    """Keep a store without answers still while it is replaced, and close it then."""
    if not Path(store).exists():
        yield
        return
    old = open_records(store)
    try:
        with old.alone() as records:
            _refuse_answers(records, store)
            yield
            records.finish()
        old.remove()
    finally:
        old.close()


def _refuse_answers(old: Records, store: StrPath) -> None:
    taken = any(link.mark is not None for link in old.links())
    if taken or any(True for _ in old.answers()):
        raise BadInput(
            f"{store} has answers, which nothing overwrites: give the new survey another file."
        )
