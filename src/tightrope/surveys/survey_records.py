"""The records of a survey's answers: each of a fixed size, written once and in place.

A head says whose answers these are, and a sector whether the survey is closed. One record for
each link follows, in the order of their hashes, and twice as many slots as answers may come. An
answer goes to a slot that chance chooses among the free ones of a region, which a secret hash of
the answer names: where it lies says nothing about when it came. All bytes are there from the
start: nothing grows or moves, and there is no journal, log or free page. More links make new
content as a whole, in which chance places all answers again.

A record never crosses a sector of the disk, and carries a check of its own bytes.
"""

from __future__ import annotations

import hashlib
import struct
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from tightrope.errors import BadDocument
from tightrope.samplers import SYSTEM
from tightrope.surveys.survey_head import (
    CHECK_BYTES,
    HASH_BYTES,
    LINK,
    SECTOR,
    VERSION,
    Head,
    Medium,
    Pages,
    damaged,
    read_head,
)

OPEN: Final = "open"
"""The group of the answers that came by the open link."""
_STATE: Final = struct.Struct("<B7xQ")
_CHUNK: Final = 1 << 20
_WINDOW: Final = 32
"""Links read at once while one is looked for: two kilobytes."""
_TRIES: Final = 1000
"""Slots tried for one answer: half are free, so that none is met with chance 1 in 2^1000."""


@dataclass(frozen=True)
class LinkRecord:
    """A link: its hash, the position of its group, and the mark of what took it, if anything."""

    hash: bytes
    group: int
    mark: bytes | None


@dataclass(frozen=True)
class AnswerRecord:
    """An answer: its mark, the position of its group, and a response for each question."""

    mark: bytes
    group: int
    responses: tuple[int, ...]


def new_content(head: Head, links: Mapping[bytes, int]) -> Iterator[bytes]:
    """The content of a new store: hashes of links with positions of groups, and empty slots.

    Every byte is written, as a file with holes takes its blocks in the order of its answers.
    """
    records = (LinkRecord(key, links[key], None) for key in sorted(links))
    yield from _content(head, bytes(SECTOR), records)
    for start in range(0, head.slots * head.slot.size, _CHUNK):
        yield bytes(min(_CHUNK, head.slots * head.slot.size - start))


class Records:
    """The records of a store during one session."""

    def __init__(self, pages: Pages, head: Head, name: str) -> None:
        self.head, self._pages, self._name = head, pages, name

    @property
    def closed(self) -> bool:
        """Whether the survey takes no more answers."""
        return self._read(self.head.state_at, 1) != b"\0"

    @property
    def opened(self) -> int:
        """How many answers came by the open link."""
        return int(_STATE.unpack(self._read(self.head.state_at, _STATE.size))[1])

    def finish(self) -> None:
        """Write that the survey takes no more answers."""
        self._pages.write(self.head.state_at, b"\1")
        self._pages.sync()

    def find(self, key: bytes) -> int | None:
        """The position of the link with this hash: hashes are uniform, so it is guessed well."""
        low, high = 0, self.head.links
        below, above, value = 0, 1 << 8 * HASH_BYTES, int.from_bytes(key)
        while low < high:
            guess = low + (value - below) * (high - low) // (above - below)
            first = max(low, min(guess - _WINDOW // 2, high - _WINDOW))
            keys = self._keys(first, min(_WINDOW, high - first))
            if key < keys[0]:
                high, above = first, int.from_bytes(keys[0])
            elif key > keys[-1]:
                low, below = first + len(keys), int.from_bytes(keys[-1])
            else:
                place = bisect_left(keys, key)
                return first + place if keys[place] == key else None
        return None

    def link(self, place: int) -> LinkRecord:
        """The link at a position."""
        return self._link(self._read(self._link_at(place), LINK.size))

    def take(self, place: int, link: LinkRecord, mark: bytes) -> None:
        """Write into the record of a link what took it."""
        self._pages.write(self._link_at(place), _pack(replace(link, mark=mark)))

    def count(self, more: int) -> None:
        """Count answers of the open link."""
        closed, opened = _STATE.unpack(self._read(self.head.state_at, _STATE.size))
        self._pages.write(self.head.state_at, _STATE.pack(closed, opened + more))

    def holds(self, mark: bytes) -> bool:
        """Whether the answer with this mark was stored."""
        return any(answer.mark == mark for answer in self._answers(self.head.region(mark)))

    def put(self, answer: AnswerRecord) -> None:
        """Write an answer into a free slot of its region, any one with the same chance."""
        slot, region = self.head.slot, self.head.region(answer.mark)
        start = self.head.slots_at + region.start * slot.size
        place = _free_slot(self._read(start, len(region) * slot.size), slot.size)
        self._pages.write(start + place * slot.size, _fill(slot, answer))

    def sync(self) -> None:
        """Wait until all that was written is safe."""
        self._pages.sync()

    def links(self) -> Iterator[LinkRecord]:
        """All links, by hash."""
        parts = self._parts(self.head.links_at, self.head.links, LINK.size)
        return (self._link(part) for part in parts)

    def answers(self) -> Iterator[AnswerRecord]:
        """All answers, in the order of their slots, which chance made."""
        return self._answers(range(self.head.slots))

    def with_links(self, links: Mapping[bytes, int]) -> Iterator[bytes]:
        """The content with more links: all answers lie in slots that chance chose anew."""
        head = replace(self.head, links=self.head.links + len(links), version=VERSION)
        known = [*self.links(), *(LinkRecord(key, group, None) for key, group in links.items())]
        return self._move_answers(head, sorted(known, key=lambda link: link.hash))

    def for_survey(self, survey: str) -> Iterator[bytes]:
        """The content for a survey with another digest, all answers in slots chosen anew."""
        return self._move_answers(replace(self.head, survey=survey, version=VERSION), self.links())

    def _move_answers(self, head: Head, links: Iterable[LinkRecord]) -> Iterator[bytes]:
        state = self._read(self.head.state_at, SECTOR)
        yield from _content(head, state, links)
        size, slots = head.slot.size, bytearray(head.slots * head.slot.size)
        for answer in self.answers():
            region = head.region(answer.mark)
            part = slice(region.start * size, region.stop * size)
            start = (region.start + _free_slot(slots[part], size)) * size
            slots[start : start + size] = _fill(head.slot, answer)
        yield bytes(slots)

    def damage(self) -> BadDocument:
        """The error for what is no store of a survey."""
        return damaged(self._name)

    def _keys(self, first: int, count: int) -> list[bytes]:
        content = self._read(self._link_at(first), count * LINK.size)
        return [content[i : i + HASH_BYTES] for i in range(0, len(content), LINK.size)]

    def _link_at(self, place: int) -> int:
        return self.head.links_at + place * LINK.size

    def _link(self, part: bytes) -> LinkRecord:
        key, group, mark, check = LINK.unpack(part)
        if not any(mark) and not any(check):
            return LinkRecord(key, self._group(group), None)
        self._unpack(LINK, part)
        return LinkRecord(key, self._group(group), mark)

    def _answers(self, places: range) -> Iterator[AnswerRecord]:
        slot = self.head.slot
        empty, start = bytes(slot.size), self.head.slots_at + places.start * slot.size
        for part in self._parts(start, len(places), slot.size):
            if part != empty:
                mark, group, *responses = self._unpack(slot, part)
                yield AnswerRecord(mark, self._group(group), tuple(responses))

    def _group(self, place: int) -> int:
        if place >= len(self.head.groups):
            raise self.damage()
        return place

    def _unpack(self, record: struct.Struct, part: bytes) -> tuple[Any, ...]:
        *fields, _ = record.unpack(part)
        if _with_checksum(record, *fields) != part:
            raise self.damage()
        return tuple(fields)

    def _parts(self, start: int, count: int, size: int) -> Iterator[bytes]:
        most = _CHUNK // size
        for first in range(0, count, most):
            some = min(most, count - first)
            chunk = self._read(start + first * size, some * size)
            yield from (chunk[i : i + size] for i in range(0, some * size, size))

    def _read(self, offset: int, count: int) -> bytes:
        content = self._pages.read(offset, count)
        if len(content) != count:
            raise self.damage()
        return content


class SurveyRecords:
    """The records in a medium; each session reads the head that is there then."""

    def __init__(self, medium: Medium) -> None:
        self._medium = medium
        self._head: Head | None = None
        try:
            with self.looking():
                pass
        except BaseException:
            medium.close()
            raise

    @property
    def head(self) -> Head:
        """The head as it was last read."""
        assert self._head is not None
        return self._head

    @property
    def in_database(self) -> bool:
        """Whether the medium is a database."""
        return self._medium.in_database

    @contextmanager
    def alone(self) -> Iterator[Records]:
        """Write as the only one: other threads and other processes wait."""
        with self._medium.alone() as pages:
            yield self._records(pages)

    @contextmanager
    def looking(self) -> Iterator[Records]:
        """Read, whoever writes."""
        with self._medium.looking() as pages:
            yield self._records(pages)

    def replace(self, parts: Iterable[bytes]) -> None:
        """New content as a whole, in one step; inside a session of the only writer."""
        self._medium.replace(parts)

    def remove(self) -> None:
        """Take away what another store replaces."""
        self._medium.remove()

    def close(self) -> None:
        """Let go of the medium."""
        self._medium.close()

    def _records(self, pages: Pages) -> Records:
        known = self._head
        if known is None or pages.read(0, len(known.content)) != known.content:
            known = self._head = read_head(pages, self._medium.name)
        return Records(pages, known, self._medium.name)


def _content(head: Head, state: bytes, links: Iterable[LinkRecord]) -> Iterator[bytes]:
    """Everything before the slots."""
    yield head.content
    yield state
    for link in links:
        yield _pack(link)
    yield bytes(head.slots_at - head.links_at - head.links * LINK.size)


def _free_slot(region: bytes | bytearray, size: int) -> int:
    """A free slot of a region, any one with the same chance."""
    empty, count = bytes(size), len(region) // size
    for _ in range(_TRIES):
        place = int.from_bytes(SYSTEM.bytes(8)) % count
        if region[place * size : (place + 1) * size] == empty:
            return place
    raise BadDocument("the store of the survey is damaged: it has no room where it should.")


def _pack(link: LinkRecord) -> bytes:
    if link.mark is None:
        return LINK.pack(link.hash, link.group, b"", b"")
    return _with_checksum(LINK, link.hash, link.group, link.mark)


def _fill(slot: struct.Struct, answer: AnswerRecord) -> bytes:
    return _with_checksum(slot, answer.mark, answer.group, *answer.responses)


def _with_checksum(record: struct.Struct, *fields: Any) -> bytes:
    """A record with the check of its own bytes."""
    plain = record.pack(*fields, b"")
    return record.pack(*fields, hashlib.sha256(plain).digest()[:CHECK_BYTES])

