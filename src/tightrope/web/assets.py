"""Scripts and styles that a page names with their hash, so a browser refuses any other bytes."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Asset:
    """The bytes of a script or style, their kind, and their SHA-256."""

    content: bytes
    kind: str

    @cached_property
    def sha256(self) -> str:
        """The hash in hexadecimal, as people compare it."""
        return hashlib.sha256(self.content).hexdigest()

    @cached_property
    def integrity(self) -> str:
        """The hash as the `integrity` attribute of a page has it.

        >>> code_asset("").integrity
        'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
        """
        return f"sha256-{b64encode(hashlib.sha256(self.content).digest()).decode('ascii')}"


def code_asset(text: str) -> Asset:
    """A script."""
    return Asset(text.encode(), "text/javascript; charset=utf-8")


def style_asset(text: str) -> Asset:
    """A style sheet."""
    return Asset(text.encode(), "text/css; charset=utf-8")
