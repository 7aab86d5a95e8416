"""One writer at a time: a lock on an open file, which ends with its process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tightrope.files.files import StrPath

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_BEYOND: Final = 1 << 40
"""A byte that no file has: Windows lets nobody read what is locked."""


@contextmanager
def locked(path: StrPath, descriptor: int) -> Iterator[None]:
    """Hold the only lock of an open file; wait for it as long as somebody else has it."""
    if sys.platform == "win32":  # a lock lies at the position of its own opening
        own = os.open(path, os.O_RDWR)
        try:
            os.lseek(own, _BEYOND, os.SEEK_SET)
            while True:
                try:
                    msvcrt.locking(own, msvcrt.LK_LOCK, 1)
                    break
                except OSError:
                    continue  # it waits ten seconds at most
            yield
        finally:
            os.close(own)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(descriptor, fcntl.LOCK_UN)
