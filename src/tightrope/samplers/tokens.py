"""Tokens that cannot be guessed: random bytes as letters that fit into a link."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import Final

from tightrope.samplers.sources import SYSTEM, Source

TOKEN_BYTES: Final = 18


def token(source: Source = SYSTEM) -> str:
    """A new token of 24 letters, digits, - and _, from 144 random bits.

    >>> len(token()), token() == token()
    (24, False)
    """
    return urlsafe_b64encode(source.bytes(TOKEN_BYTES)).decode("ascii")
