"""The file of a survey's answers: records of a fixed size, each written once and in place.

A head says whose answers these are. One record for each link follows, in the order of their
hashes, and twice as many slots for answers. An answer goes to a slot that chance chooses among
the free ones, so where it lies says nothing about when it came. All bytes are there from the
start: the file neither grows nor moves anything, and has no journal, log or free page.

A record never crosses a sector of the disk, and carries a check of its own bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Final

from tightrope.errors import BadDocument, BadInput, SystemFailed
from tightrope.files import StrPath, locked
from tightrope.samplers import SYSTEM

MAGIC: Final = b"tightrope survey answers 1\n"
SECTOR: Final = 512
HASH_BYTES: Final = 32
MARK_BYTES: Final = 16
_CHECK_BYTES: Final = 8
_LINK: Final = struct.Struct(f"<{HASH_BYTES}sI{MARK_BYTES}s{_CHECK_BYTES}s4x")
_LONGEST_HEAD: Final = 1 << 26
_CHUNK: Final = 1 << 20


@dataclass(frozen=True)
class Head:
    """Whose answers a file has: digests of the survey and of the owner's token, the address of
    the pages, groups of links, keys of questions, and the number of links."""

    survey: str
    owner: str
    address: str
    groups: tuple[str, ...]
    keys: tuple[str, ...]
    links: int

    @cached_property
    def content(self) -> bytes:
        """The head as it is written: its fields, their digest, zeros up to the next sector."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        line = json.dumps(fields, sort_keys=True).encode()
        written = b"%s%s\n%s\n" % (MAGIC, line, hashlib.sha256(line).hexdigest().encode())
        return written.ljust(_up(len(written), SECTOR), b"\0")

    @property
    def closed_at(self) -> int:
        """Where the byte lies that says whether the survey is closed: a sector of its own."""
        return len(self.content)

    @property
    def links_at(self) -> int:
        """Where the records of links begin."""
        return self.closed_at + SECTOR

    @property
    def slots_at(self) -> int:
        """Where the slots begin."""
        return self.links_at + _up(self.links * _LINK.size, SECTOR)

    @property
    def slots(self) -> int:
        """How many slots there are: at least half of them stay free, so one is found soon."""
        return 2 * self.links

    @cached_property
    def slot(self) -> struct.Struct:
        """A slot: the mark of an answer, its group, a response for each question, a check."""
        plain = struct.calcsize(f"<{MARK_BYTES}s{1 + len(self.keys)}I{_CHECK_BYTES}s")
        size = 1 << (plain - 1).bit_length()  # at most 256 bytes for 50 questions
        return struct.Struct(f"<{MARK_BYTES}s{1 + len(self.keys)}I{_CHECK_BYTES}s{size - plain}x")

    @property
    def size(self) -> int:
        """The size of the whole file."""
        return self.slots_at + self.slots * self.slot.size


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


def write_records(path: Path, head: Head, links: Mapping[bytes, int]) -> None:
    """Fill a new file: hashes of links with the positions of their groups, and empty slots.

    Every byte is written, as a file with holes takes its blocks in the order of its answers.
    """
    with path.open("wb") as file:
        file.write(head.content)
        file.write(bytes(SECTOR))
        for key in sorted(links):
            file.write(_LINK.pack(key, links[key], b"", b""))
        left = head.size - file.tell()
        while left:
            left -= file.write(bytes(min(left, _CHUNK)))


class SurveyRecords:
    """An open file of records; close it, or use it in a `with` block."""

    def __init__(self, path: StrPath) -> None:
        self._path = path
        self._turn, self._cursor = Lock(), Lock()
        try:
            self._file = Path(path).open("r+b", buffering=0)  # noqa: SIM115  # closed by `close`
        except FileNotFoundError:
            raise BadInput(f"there is no file {path}; `tightrope survey new` makes it.") from None
        except OSError as error:
            raise self._gave_up(error) from error
        try:
            self.head = self._read_head()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> SurveyRecords:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Write as the only one: other threads and other processes wait."""
        with self._turn, locked(self._path, self._file.fileno()):
            yield

    @property
    def closed(self) -> bool:
        """Whether the survey takes no more answers."""
        return self._read(self.head.closed_at, 1) != b"\0"

    def finish(self) -> None:
        """Write that the survey takes no more answers."""
        self._write(self.head.closed_at, b"\1")
        self.sync()

    def find(self, key: bytes) -> int | None:
        """The position of the link with this hash."""
        place = bisect_left(range(self.head.links), key, key=self._key)
        return place if place < self.head.links and self._key(place) == key else None

    def link(self, place: int) -> LinkRecord:
        """The link at a position."""
        return self._link(self._read(self._link_at(place), _LINK.size))

    def take(self, place: int, link: LinkRecord, mark: bytes) -> None:
        """Write into the record of a link what took it."""
        self._write(self._link_at(place), _with_checksum(_LINK, link.hash, link.group, mark))

    def put(self, answer: AnswerRecord) -> None:
        """Write an answer into a free slot, any one with the same chance."""
        slot, empty = self.head.slot, bytes(self.head.slot.size)
        while True:
            place = int.from_bytes(SYSTEM.bytes(8)) % self.head.slots
            offset = self.head.slots_at + place * slot.size
            if self._read(offset, slot.size) == empty:
                break
        self._write(offset, _with_checksum(slot, answer.mark, answer.group, *answer.responses))

    def sync(self) -> None:
        """Wait until all that was written is on the disk."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._gave_up(error) from error

    def links(self) -> Iterator[LinkRecord]:
        """All links, by hash."""
        parts = self._parts(self.head.links_at, self.head.links, _LINK.size)
        return (self._link(part) for part in parts)

    def answers(self) -> Iterator[AnswerRecord]:
        """All answers, in the order of their slots, which chance made."""
        slot = self.head.slot
        empty = bytes(slot.size)
        for part in self._parts(self.head.slots_at, self.head.slots, slot.size):
            if part != empty:
                mark, group, *responses = self._unpack(slot, part)
                yield AnswerRecord(mark, self._group(group), tuple(responses))

    def damage(self) -> BadDocument:
        """The error for a file that is no store of a survey."""
        return BadDocument(f"{self._path} is not the store of a survey, or is damaged.")

    def _read_head(self) -> Head:
        try:
            with Path(self._path).open("rb") as file:
                known = file.readline(len(MAGIC)) == MAGIC
                content = json.loads(file.readline(_LONGEST_HEAD)) if known else None
            head = _head_of(content)
        except OSError as error:
            raise self._gave_up(error) from error
        except (ValueError, TypeError, LookupError, RecursionError):
            raise self.damage() from None
        if self._read(0, len(head.content)) != head.content or self._size() != head.size:
            raise self.damage()
        return head

    def _size(self) -> int:
        return os.fstat(self._file.fileno()).st_size

    def _link_at(self, place: int) -> int:
        return self.head.links_at + place * _LINK.size

    def _key(self, place: int) -> bytes:
        return self._read(self._link_at(place), HASH_BYTES)

    def _link(self, part: bytes) -> LinkRecord:
        key, group, mark, check = _LINK.unpack(part)
        if not any(mark) and not any(check):
            return LinkRecord(key, self._group(group), None)
        self._unpack(_LINK, part)
        return LinkRecord(key, self._group(group), mark)

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
        try:
            with self._cursor:
                self._file.seek(offset)
                content = self._file.read(count)
        except OSError as error:
            raise self._gave_up(error) from error
        if content is None or len(content) != count:
            raise self.damage()
        return content

    def _write(self, offset: int, content: bytes) -> None:
        try:
            with self._cursor:
                self._file.seek(offset)
                self._file.write(content)
        except OSError as error:
            raise self._gave_up(error) from error

    def _gave_up(self, error: OSError) -> SystemFailed:
        reason = (error.strerror or str(error)).lower()
        return SystemFailed(f"{self._path} could not be used: {reason}.")


def _head_of(content: Any) -> Head:
    """The head that was read; its fields are compared with the file as a whole."""
    fields = {**content, "groups": tuple(content["groups"]), "keys": tuple(content["keys"])}
    head = Head(**fields)
    texts = (head.survey, head.owner, head.address, *head.groups, *head.keys)
    if not all(isinstance(text, str) for text in texts) or type(head.links) is not int:
        raise ValueError
    return head


def _with_checksum(record: struct.Struct, *fields: Any) -> bytes:
    """A record with the check of its own bytes."""
    plain = record.pack(*fields, b"")
    return record.pack(*fields, hashlib.sha256(plain).digest()[:_CHECK_BYTES])


def _up(size: int, step: int) -> int:
    return -(-size // step) * step
