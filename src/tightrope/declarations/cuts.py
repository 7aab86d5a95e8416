"""Which rows and cells of a person count: those with the least hashes under a fresh key.

Every release has its own secret key. A row's hash covers the key, the person, all that the
release reads of the row, and its copy number among that person's equal rows. So for every key
the cut is a function of that person's rows alone, the same in every engine and for every order
of the table; over keys, each choice of so many rows is as likely as any other.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tightrope.errors import BadInput

KEY_BYTES = 32
"""Bytes of a key: 256 bits."""



@dataclass(frozen=True)
class CutKey:
    """The secret by which one release cuts people's rows; it is never shown or stored.

    >>> CutKey(bytes(32))
    CutKey(not shown)
    """

    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.secret) != KEY_BYTES:
            raise BadInput(f"the key of a cut has {KEY_BYTES} bytes.")

    def __repr__(self) -> str:
        return "CutKey(not shown)"

    @property
    def prefix(self) -> str:
        """The text before every hashed text."""
        return f"{self.secret.hex()},"

    def digest(self, text: bytes) -> bytes:
        """SHA-256 of a text behind the key."""
        return hashlib.sha256(self.prefix.encode("ascii") + text).digest()


def row_text(person: str, readings: str, copy: int) -> bytes:
    """The hashed text of a row: its copy number, from 1, its readings, and the person.

    >>> row_text("Ann", readings_text([3, None]), 1)
    b'1,3,-,Ann'
    """
    return f"{copy},{readings},{person}".encode("utf-8", "surrogatepass")


def cell_text(person: str, cell: int) -> bytes:
    """The hashed text of a cell."""
    return f"cell {cell},{person}".encode("utf-8", "surrogatepass")


def readings_text(readings: Iterable[int | None]) -> str:
    """All that a release reads of a row, as hashes cover it."""
    return ",".join("-" if reading is None else str(reading) for reading in readings)


def least_rows(
    key: CutKey, person: str, readings: Sequence[str], most: int
) -> list[int]:
    """The places of the rows of one person that count, where at most so many do."""
    copies: Counter[str] = Counter()
    hashes = []
    for text in readings:
        copies[text] += 1
        hashes.append(key.digest(row_text(person, text, copies[text])))
    return sorted(range(len(hashes)), key=hashes.__getitem__)[:most]


def least_cells(key: CutKey, person: str, cells: Iterable[int], most: int) -> set[int]:
    """The cells in which one person counts, where at most so many are."""
    return set(sorted({*cells}, key=lambda cell: key.digest(cell_text(person, cell)))[:most])
