"""Which rows and cells of a person count: those with the least hashes under a fresh key.

Every release has its own secret key. A row's hash covers the key, the person, all that the
release reads of the row, and its copy number among that person's equal rows. So for every key
the cut is a function of that person's rows alone, the same in every engine and for every order
of the table; over keys, each choice of so many rows is as likely as any other.
"""

from __future__ import annotations

import hashlib
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
