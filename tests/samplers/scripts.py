"""Sources that read from a script and remember what was read."""

from __future__ import annotations

from collections.abc import Iterable


class ScriptedSource:
    """Answers each request with the next piece of a script, which must have that length."""

    seeded = True

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self.pieces = list(pieces)
        self.requests: list[int] = []

    def bytes(self, count: int) -> bytes:
        """The next piece."""
        piece = self.pieces[len(self.requests)]
        self.requests.append(count)
        assert len(piece) == count
        return piece

    @property
    def finished(self) -> bool:
        """Whether the whole script was read."""
        return len(self.requests) == len(self.pieces)
