"""The answers of a survey, in one file from which the order of arrival cannot be read.

A link works once. It is taken first, by the hash of the receipt that came with the answer: a
random number that the page drew with its responses. The answer is stored second, and counts as
stored when it is on the disk. If the process ends in between, the same answer sent again is
stored then: the receipt tells that it is the same. An answer carries a mark of token and receipt,
which nobody finds from the hashes of the link, so nothing ties an answer to its link.

The order is never on the disk, whatever ends the process (see `survey_records`). Links and the
owner's token are kept as SHA-256 only; no time, address or browser is kept.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from hmac import compare_digest
from pathlib import Path

from tightrope.errors import BadDocument, BadInput
from tightrope.files import StrPath, replacing_all
from tightrope.surveys.survey_records import (
    MARK_BYTES,
    AnswerRecord,
    Head,
    SurveyRecords,
    write_records,
)
from tightrope.tables import fill_table


class LinkState(StrEnum):
    """The state of a link."""

    OPEN = "open"
    USED = "used"
    UNKNOWN = "unknown"


class Outcome(StrEnum):
    """The outcome of submitting an answer."""

    STORED = "stored"
    RECEIVED = "received"  # this very answer was stored before
    REPLAYED = "replayed"  # another answer took the link
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
        self._records = SurveyRecords(path)
        if self._records.head.survey != digest:
            self.close()
            raise BadDocument(f"{path} holds the answers of another survey.")

    def __enter__(self) -> SurveyStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._records.close()

    @property
    def address(self) -> str:
        """Where the survey was made to be served: what its links start with."""
        return self._records.head.address

    def accept(self, batch: Sequence[Submission]) -> list[Outcome]:
        """Store answers together; when this returns they are on the disk."""
        waiting: dict[bytes, AnswerRecord] = {}
        with self._records.alone():
            closed = self._records.closed
            outcomes = [self._take(submission, closed, waiting) for submission in batch]
            if waiting:
                self._records.sync()  # on the disk no answer is without the link that it took
                for answer in waiting.values():
                    self._records.put(answer)
                self._records.sync()
        return outcomes

    def _take(
        self, submission: Submission, closed: bool, waiting: dict[bytes, AnswerRecord]
    ) -> Outcome:
        """Take the link of an answer, which joins those that wait to be stored."""
        place = self._records.find(_hash(submission.token))
        if place is None:
            return Outcome.UNKNOWN
        link, taken = self._records.link(place), _link_mark(submission)
        if link.mark is not None and link.mark != taken:
            return Outcome.REPLAYED
        mark = _answer_mark(submission)
        if link.mark is not None and (mark in waiting or self._holds(mark)):
            return Outcome.RECEIVED
        if closed:
            return Outcome.CLOSED
        codes = tuple(submission.responses[key] for key in self._records.head.keys)
        waiting[mark] = AnswerRecord(mark, link.group, codes)
        self._records.take(place, link, taken)
        return Outcome.STORED

    def _holds(self, mark: bytes) -> bool:
        """Whether the answer with this mark was stored, and not only its link taken."""
        return any(answer.mark == mark for answer in self._records.answers())

    def link(self, token: str) -> Link:
        """The state and group of a link."""
        place = self._records.find(_hash(token))
        if place is None:
            return Link(LinkState.UNKNOWN, "")
        link = self._records.link(place)
        state = LinkState.OPEN if link.mark is None else LinkState.USED
        return Link(state, self._records.head.groups[link.group])

    def is_owner(self, candidate: str) -> bool:
        """Whether this is the owner's token."""
        return compare_digest(self._records.head.owner, _hash(candidate).hex())

    @property
    def closed(self) -> bool:
        """Whether the survey takes no more answers."""
        return self._records.closed

    def finish(self) -> None:
        """Close the survey: no further answer is stored."""
        with self._records.alone():
            self._records.finish()

    def answers(self) -> list[StoredAnswer]:
        """Every stored answer, in an order that says nothing."""
        head = self._records.head
        with self._records.alone():
            return [
                StoredAnswer(head.groups[record.group],
                             dict(zip(head.keys, record.responses, strict=True)))
                for record in self._records.answers()
            ]

    def links(self) -> dict[str, tuple[int, int]]:
        """For each group, how many links were made and how many were used."""
        groups = self._records.head.groups
        made: Counter[int] = Counter()
        used: Counter[int] = Counter()
        with self._records.alone():
            for link in self._records.links():
                made[link.group] += 1
                used[link.group] += link.mark is not None
        return {groups[i]: (made[i], used[i]) for i in sorted(made, key=groups.__getitem__)}


@dataclass(frozen=True)
class NewSurvey:
    """The content of the three files of a new survey; `links` has tokens and their groups,
    `keys` are those of its questions."""

    content: bytes
    digest: str
    owner: str
    links: Mapping[str, str]
    address: str
    keys: tuple[str, ...]

    @property
    def head(self) -> Head:
        """The head of its store."""
        groups = tuple(dict.fromkeys(self.links.values()))
        owner = _hash(self.owner).hex()
        return Head(self.digest, owner, self.address, groups, self.keys, len(self.links))


def write_survey(
    file: StrPath, store: StrPath, listed: StrPath, new: NewSurvey, *, force: bool
) -> None:
    """Write the file of a survey, its empty store and the table of its links: all or none.

    Store and table hold secrets, so nobody but their owner can read them. Where `force` replaces
    a store, it has no answers, and whoever still serves it takes none any more.
    """
    columns = {
        "group": list(new.links.values()),
        "link": [f"{new.address}/r/{token}" for token in new.links],
    }
    places = {name: i for i, name in enumerate(new.head.groups)}
    hashes = {_hash(token): places[group] for token, group in new.links.items()}
    with (
        _retiring(store),
        replacing_all((file, store, listed), secret=(store, listed), force=force) as unfinished,
    ):
        unfinished[0].write_bytes(new.content)
        write_records(unfinished[1], new.head, hashes)
        fill_table(unfinished[2], listed, columns)


def refuse_answers(store: StrPath) -> None:
    """Raise `BadInput` if there is a store here that has answers, or cannot be read."""
    if Path(store).exists():
        with SurveyRecords(store) as old, old.alone():
            _refuse_answers(old, store)


@contextmanager
def _retiring(store: StrPath) -> Iterator[None]:
    """Keep a store without answers still while it is replaced, and close it then."""
    if not Path(store).exists():
        yield
        return
    with SurveyRecords(store) as old, old.alone():
        _refuse_answers(old, store)
        yield
        old.finish()


def _refuse_answers(old: SurveyRecords, store: StrPath) -> None:
    taken = any(link.mark is not None for link in old.links())
    if taken or any(True for _ in old.answers()):
        raise BadInput(
            f"{store} has answers, which nothing overwrites: give the new survey another file."
        )


def _link_mark(submission: Submission) -> bytes:
    """The mark on a link of the answer that took it: never zero bytes."""
    return _hash(f"link {submission.receipt}")[:MARK_BYTES]


def _answer_mark(submission: Submission) -> bytes:
    """The mark of an answer; who does not know token and receipt cannot tell whose it is."""
    return _hash(f"answer {submission.token} {submission.receipt}")[:MARK_BYTES]


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()
