"""Where randomness comes from: the operating system, or a seed.

A source is an argument of every draw, never a global. The system source is the generator of
the operating system, which is fit for cryptography. A seeded source repeats itself: it is
for tests and for papers, and a release refuses it.
"""

from __future__ import annotations

import hashlib
import os
from typing import Any, Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput

Bytes: TypeAlias = bytes

_BLOCK: Final = 1 << 16
_LARGEST: Final = 1 << 62


class Source(Protocol):
    """A stream of independent uniform bytes, which says whether it can be repeated."""

    @property
    def seeded(self) -> bool: ...
    def bytes(self, count: int) -> Bytes: ...


class SystemSource:
    """The generator of the operating system.

    >>> SystemSource().seeded, len(SystemSource().bytes(5))
    (False, 5)
    """

    seeded = False

    def bytes(self, count: int) -> Bytes:
        """The next bytes; no two calls ever share any."""
        return os.urandom(count)


class SeededSource:
    """The same stream for the same seed on every machine: SHAKE-128 of seed and block number.

    >>> SeededSource(7).bytes(4) == SeededSource(7).bytes(2) + SeededSource(7).bytes(4)[2:]
    True
    >>> SeededSource(7).bytes(4) == SeededSource(8).bytes(4)
    False
    """

    seeded = True

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._blocks = 0
        self._left = b""

    def bytes(self, count: int) -> Bytes:
        """The next bytes of the stream, however it is cut into calls."""
        parts, missing = [self._left[:count]], count - len(self._left)
        self._left = self._left[count:]
        while missing > 0:
            block = hashlib.shake_128(f"{self.seed} {self._blocks}".encode()).digest(_BLOCK)
            self._blocks += 1
            parts.append(block[:missing])
            self._left = block[missing:]
            missing -= _BLOCK
        return b"".join(parts)


SYSTEM: Final = SystemSource()
"""The source of every draw that names no other."""


def check_source(source: object) -> None:
    """Refuse what is no source of bytes, before anything is drawn."""
    if not callable(getattr(source, "bytes", None)) or not hasattr(source, "seeded"):
        raise BadInput(
            f"expected a source such as SeededSource(1), or none, found {type(source).__name__}."
        )


def uniform_below(size: int, source: Source) -> int:
    """A uniform whole number from 0 to size - 1, by rejection."""
    bits = (size - 1).bit_length()
    width = (bits + 7) // 8
    while True:
        number = int.from_bytes(source.bytes(width), "little") >> (8 * width - bits)
        if number < size:
            return number


def uniform_numbers(size: int, count: int, source: Source) -> NDArray[Any]:
    """So many uniform whole numbers from 0 to size - 1, each by rejection.

    They are 64-bit integers, or Python's where `size` leaves those no room.
    """
    if size > _LARGEST:
        return np.array([uniform_below(size, source) for _ in range(count)], dtype=object)
    shift = np.uint64(64 - max(1, (size - 1).bit_length()))
    numbers = np.zeros(count, dtype=np.int64)
    left = np.arange(count)
    while len(left):
        words = np.frombuffer(source.bytes(8 * len(left)), dtype="<u8") >> shift
        numbers[left] = words
        left = left[words >= size]
    return numbers
