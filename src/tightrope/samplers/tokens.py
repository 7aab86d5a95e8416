"""Tokens and keys that cannot be guessed: random bytes, or letters that fit into a link."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import Final

from tightrope.samplers.sources import SYSTEM, Source

TOKEN_BYTES: Final = 18
KEY_BYTES: Final = 32


def token(source: Source = SYSTEM) -> str:
    """A new token of 24 letters, digits, - and _, from 144 random bits.

    >>> len(token()), token() == token()
    (24, False)
    """
    return urlsafe_b64encode(source.bytes(TOKEN_BYTES)).decode("ascii")


def fresh_key(source: Source = SYSTEM) -> bytes:
    """A new secret key of 256 random bits.

    >>> len(fresh_key()), fresh_key() == fresh_key()
    (32, False)
    """
    return source.bytes(KEY_BYTES)
