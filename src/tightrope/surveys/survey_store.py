"""The answers of a survey, in a store from which the order of arrival cannot be read.

A link works once. It is taken first, by the hash of the receipt that came with the answer: a
random number that the page drew with its responses. The answer is stored second, and counts as
stored when it is on the disk. If the process ends in between, the same answer sent again is
stored then: the receipt tells that it is the same. An answer carries a mark of token and receipt,
which nobody finds from the hashes of the link, so nothing ties an answer to its link.

The order is never on the disk, whatever ends the process (see `survey_records`). Links and the
owner's token are kept as SHA-256 only; no time, address or browser is kept. The store is a file,
or rows of a database that a file names (see `records_database` for who can learn what there).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hmac import compare_digest

from tightrope.errors import BadDocument, BadInput
from tightrope.files import StrPath
from tightrope.surveys.records_database import POINTER, pointed
from tightrope.surveys.records_file import RecordsFile
from tightrope.surveys.survey_head import MARK_BYTES
from tightrope.surveys.survey_records import (
    OPEN,
    AnswerRecord,
    Records,
    SurveyRecords,
)


class LinkState(StrEnum):
    """The state of a link."""

    OPEN = "open"
    USED = "used"
    FULL = "full"  # the open link brought all the answers that it may
    UNKNOWN = "unknown"


class Outcome(StrEnum):
    """The outcome of submitting an answer."""

    STORED = "stored"
    RECEIVED = "received"  # this very answer was stored before
    REPLAYED = "replayed"  # another answer took the link
    FULL = "full"  # the open link takes no more
    UNKNOWN = "unknown"
    CLOSED = "closed"


@dataclass(frozen=True)
class Link:
    """A link as the store knows it: its state, the group of people it was made for, and whether
    the survey takes no more answers."""

    state: LinkState
    group: str
    closed: bool = False


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


_LONGEST_POINTER = 10_000


class SurveyStore:
    """An open store; close it, or use it in a `with` block."""

    def __init__(self, path: StrPath, digest: str) -> None:
        self._records = open_records(path)
        if self._records.head.survey != digest:
            self.close()
            raise BadDocument(f"{path} holds the answers of another survey.")

    def __enter__(self) -> SurveyStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, or the connections to the database."""
        self._records.close()

    @property
    def address(self) -> str:
        """Where the survey was made to be served: what its links start with."""
        return self._records.head.address

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of links that were made."""
        return self._records.head.groups

    @property
    def open(self) -> int:
        """How many answers the open link may bring; 0 if there is none."""
        return self._records.head.open

    @property
    def open_token(self) -> str | None:
        """The token of the open link; None if there is none."""
        return self._records.head.open_token if self.open else None

    @property
    def survey(self) -> str:
        """The digest of the survey when the store was last looked at; it changes with texts."""
        return self._records.head.survey

    @property
    def in_database(self) -> bool:
        """Whether the answers are in a database, whose log and backups show what came when."""
        return self._records.in_database

    @property
    def returns(self) -> str | None:
        """Where respondents go back to when they have answered."""
        return self._records.head.returns

    def accept(self, batch: Sequence[Submission]) -> list[Outcome]:
        """Store answers together; when this returns they are on the disk."""
        with self._records.alone() as records:
            arrival = _Arrival(records)
            outcomes = [arrival.take(submission) for submission in batch]
            arrival.store()
        return outcomes

    def link(self, token: str) -> Link:
        """The state and group of a link."""
        with self._records.looking() as records:
            head, closed = records.head, records.closed
            if head.open and token == head.open_token:
                full = records.opened >= head.open
                return Link(LinkState.FULL if full else LinkState.OPEN, OPEN, closed)
            place = records.find(hash_of(token))
            if place is None:
                return Link(LinkState.UNKNOWN, "", closed)
            link = records.link(place)
            state = LinkState.OPEN if link.mark is None else LinkState.USED
            return Link(state, head.groups[link.group], closed)

    def is_owner(self, candidate: str) -> bool:
        """Whether this is the owner's token."""
        return compare_digest(self._records.head.owner, hash_of(candidate).hex())

    @property
    def closed(self) -> bool:
        """Whether the survey takes no more answers."""
        with self._records.looking() as records:
            return records.closed

    def finish(self) -> None:
        """Close the survey: no further answer is stored."""
        with self._records.alone() as records:
            records.finish()

    def answers(self) -> list[StoredAnswer]:
        """Every stored answer, in an order that says nothing."""
        with self._records.alone() as records:
            groups, keys = records.head.groups, records.head.keys
            return [
                StoredAnswer(groups[answer.group], dict(zip(keys, answer.responses, strict=True)))
                for answer in records.answers()
            ]

    def links(self) -> dict[str, tuple[int, int]]:
        """For each group, how many links were made and how many were used.

        Of the open link, how many answers it may bring and how many it brought.
        """
        made: Counter[int] = Counter()
        used: Counter[int] = Counter()
        with self._records.alone() as records:
            head = records.head
            for link in records.links():
                made[link.group] += 1
                used[link.group] += link.mark is not None
            counts = {head.groups[i]: (made[i], used[i]) for i in made}
            if head.open:
                counts[OPEN] = head.open, records.opened
        return dict(sorted(counts.items()))

    def add_links(self, links: Mapping[str, str]) -> None:
        """More links, by their tokens with their groups; whoever serves the survey goes on."""
        with self._records.alone() as records:
            if records.closed:
                raise BadInput("the survey is closed and takes no more answers: no links are made.")
            places = {name: i for i, name in enumerate(records.head.groups)}
            hashes = {hash_of(token): places[group] for token, group in links.items()}
            self._records.replace(records.with_links(hashes))

    def rebind(self, digest: str) -> None:
        """Keep the answers for a survey with another digest, as its texts were changed."""
        with self._records.alone() as records:
            self._records.replace(records.for_survey(digest))


class _Arrival:
    """Answers that arrive together in one session: links are taken first, answers stored last."""

    def __init__(self, records: Records) -> None:
        self._records, self._closed = records, records.closed
        self._waiting: dict[bytes, AnswerRecord] = {}
        self._opened = 0

    def take(self, submission: Submission) -> Outcome:
        """Take the link of an answer, which joins those that wait to be stored."""
        records, mark = self._records, _answer_mark(submission)
        if records.head.open and submission.token == records.head.open_token:
            return self._take_open(submission, mark)
        place = records.find(hash_of(submission.token))
        if place is None:
            return Outcome.UNKNOWN
        link, taken = records.link(place), _link_mark(submission)
        if link.mark is not None and link.mark != taken:
            return Outcome.REPLAYED
        if link.mark is not None and self._holds(mark):
            return Outcome.RECEIVED
        if self._closed:
            return Outcome.CLOSED
        self._join(submission, mark, link.group)
        records.take(place, link, taken)
        return Outcome.STORED

    def store(self) -> None:
        """Store the answers that wait."""
        if not self._waiting:
            return
        self._records.sync()  # on the disk no answer is without the link that it took
        for answer in self._waiting.values():
            self._records.put(answer)
        if self._opened:
            self._records.count(self._opened)
        self._records.sync()

    def _take_open(self, submission: Submission, mark: bytes) -> Outcome:
        if self._holds(mark):
            return Outcome.RECEIVED
        if self._closed:
            return Outcome.CLOSED
        head = self._records.head
        if self._records.opened + self._opened >= head.open:
            return Outcome.FULL
        self._join(submission, mark, head.groups.index(OPEN))
        self._opened += 1
        return Outcome.STORED

    def _holds(self, mark: bytes) -> bool:
        return mark in self._waiting or self._records.holds(mark)

    def _join(self, submission: Submission, mark: bytes, group: int) -> None:
        codes = tuple(submission.responses[key] for key in self._records.head.keys)
        self._waiting[mark] = AnswerRecord(mark, group, codes)


def open_records(path: StrPath) -> SurveyRecords:
    """The records in a file, or in the database that it names."""
    file = RecordsFile(path)
    content = file.start(len(POINTER))
    if content != POINTER:
        return SurveyRecords(file)
    whole = file.start(_LONGEST_POINTER)
    file.close()
    return SurveyRecords(pointed(whole, str(path)))


def _link_mark(submission: Submission) -> bytes:
    """The mark on a link of the answer that took it: never zero bytes."""
    return hash_of(f"link {submission.receipt}")[:MARK_BYTES]


def _answer_mark(submission: Submission) -> bytes:
    """The mark of an answer; who does not know token and receipt cannot tell whose it is."""
    return hash_of(f"answer {submission.token} {submission.receipt}")[:MARK_BYTES]


def hash_of(text: str) -> bytes:
    """The SHA-256 of a token."""
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()
