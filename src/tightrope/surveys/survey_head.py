"""Where a survey's answers are kept, and the head that says whose they are.

A medium holds bytes: a file (`records_file`) or rows of a database (`records_database`). A head,
at their start, tells where every record lies (see `survey_records`).
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol

from tightrope.errors import BadDocument

MAGIC: Final = b"tightrope survey answers "
VERSION: Final = 2
SECTOR: Final = 512
HASH_BYTES: Final = 32
MARK_BYTES: Final = 16
CHECK_BYTES: Final = 8
LINK: Final = struct.Struct(f"<{HASH_BYTES}sI{MARK_BYTES}s{CHECK_BYTES}s4x")
_LONGEST_HEAD: Final = 1 << 26
_OPEN_DIGITS: Final = 8
"""Digits of the open link, short enough to be typed; it is public, so nothing rests on them."""
_REGION: Final = 1024
"""Slots of a region, half of them for answers: 512 ± 23 come to it, so it never fills."""


class Pages(Protocol):
    """The bytes of a store, as they are during one session."""

    def read(self, offset: int, count: int) -> bytes:
        """These bytes; fewer only where the content ends."""

    def write(self, offset: int, content: bytes) -> None:
        """Overwrite these bytes."""

    def sync(self) -> None:
        """Wait until what was written is safe, before anything else is written."""

    def size(self) -> int:
        """The number of bytes."""


class Medium(Protocol):
    """Where the bytes of a store are kept; its sessions may overlap, in threads and processes."""

    @property
    def name(self) -> str:
        """The name that people know it by, without any secret."""

    @property
    def in_database(self) -> bool:
        """Whether a database server keeps it, with a log and backups of its own."""

    def alone(self) -> AbstractContextManager[Pages]:
        """A session of the only writer: others wait; what it wrote is safe at its end."""

    def looking(self) -> AbstractContextManager[Pages]:
        """A session that only reads."""

    def replace(self, parts: Iterable[bytes]) -> None:
        """New content as a whole, in one step; inside a session of the only writer."""

    def remove(self) -> None:
        """Take the content away."""

    def close(self) -> None:
        """Let go."""


@dataclass(frozen=True)
class Head:
    """Whose answers a store has: digests of the survey and of the owner's token, the address of
    the pages, groups of links, keys of questions, and the number of links.

    `open` is how many answers the open link may bring, `returns` the address to which
    respondents go back, and `salt` the secret by which answers find their regions.
    """

    survey: str
    owner: str
    address: str
    groups: tuple[str, ...]
    keys: tuple[str, ...]
    links: int
    open: int = 0
    returns: str | None = None
    salt: str = ""
    version: int = VERSION

    @cached_property
    def content(self) -> bytes:
        """The head as it is written: its fields, their digest, zeros up to the next sector."""
        names = list(self.__dataclass_fields__)[:6 if self.version == 1 else -1]
        line = json.dumps({name: getattr(self, name) for name in names}, sort_keys=True).encode()
        parts = (b"%s%d" % (MAGIC, self.version), line, hashlib.sha256(line).hexdigest().encode())
        written = b"".join(part + b"\n" for part in parts)
        return written.ljust(_up(len(written), SECTOR), b"\0")

    @property
    def open_token(self) -> str:
        """The token of the open link; two surveys under one address have different ones."""
        drawn = hashlib.sha256(f"open link {self.salt}".encode()).hexdigest()
        return f"open-{drawn[:_OPEN_DIGITS]}"

    @property
    def state_at(self) -> int:
        """Where the sector lies that says whether the survey is closed."""
        return len(self.content)

    @property
    def links_at(self) -> int:
        """Where the records of links begin."""
        return self.state_at + SECTOR

    @property
    def slots_at(self) -> int:
        """Where the slots begin."""
        return self.links_at + _up(self.links * LINK.size, SECTOR)

    @property
    def slots(self) -> int:
        """How many slots there are: at least half of them stay free, so one is found soon."""
        return 2 * (self.links + self.open)

    def region(self, mark: bytes) -> range:
        """The slots among which chance places the answer with this mark."""
        count = 1 if self.version == 1 else max(1, self.slots // _REGION)
        drawn = hashlib.sha256(self.salt.encode() + mark).digest()
        place = int.from_bytes(drawn[:8]) % count
        return range(place * self.slots // count, (place + 1) * self.slots // count)

    @cached_property
    def slot(self) -> struct.Struct:
        """A slot: the mark of an answer, its group, a response for each question, a check."""
        plain = struct.calcsize(f"<{MARK_BYTES}s{1 + len(self.keys)}I{CHECK_BYTES}s")
        size = 1 << (plain - 1).bit_length()  # at most 256 bytes for 50 questions
        return struct.Struct(f"<{MARK_BYTES}s{1 + len(self.keys)}I{CHECK_BYTES}s{size - plain}x")

    @property
    def size(self) -> int:
        """The size of the whole content."""
        return self.slots_at + self.slots * self.slot.size

    def belongs_with(self, other: Head) -> bool:
        """Whether both are heads of one survey: of the same owner, who has one for each."""
        return (self.owner, self.salt) == (other.owner, other.salt)


def read_head(pages: Pages, name: str) -> Head:
    """The head of a store, compared with its content as a whole."""
    try:
        content, size = b"", pages.size()
        while content.count(b"\n") < 3 and len(content) < min(size, _LONGEST_HEAD):
            content = pages.read(0, min(size, max(SECTOR, 2 * len(content))))
            if not content.startswith(MAGIC):
                raise damaged(name)
        version, line, _ = content.split(b"\n", 2)
        head = _head_of(json.loads(line), int(version.removeprefix(MAGIC)))
    except (ValueError, TypeError, LookupError, RecursionError):
        raise damaged(name) from None
    if pages.read(0, len(head.content)) != head.content or size != head.size:
        raise damaged(name)
    return head


def damaged(name: str) -> BadDocument:
    """The error for what is no store of a survey."""
    return BadDocument(f"{name} is not the store of a survey, or is damaged.")


def _head_of(content: Any, version: int) -> Head:
    fields = {**content, "groups": tuple(content["groups"]), "keys": tuple(content["keys"])}
    head = Head(**fields, version=version)
    texts = (head.survey, head.owner, head.address, head.salt, head.returns or "", *head.groups,
             *head.keys)
    counts = (head.links, head.open)
    good = all(isinstance(text, str) for text in texts) and version in (1, VERSION)
    if not good or not all(type(count) is int and count >= 0 for count in counts):
        raise ValueError
    return head


def _up(size: int, step: int) -> int:
    return -(-size // step) * step
