"""A survey's records in a file, which is made whole and then only overwritten in place.

More links make a new file that takes the place of the old one. Whoever has the old one open
notices at the next session, by the name of the file, and goes on with the new one; a file of
another survey under that name is left alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from tightrope.errors import BadDocument, BadInput, SystemFailed
from tightrope.files import StrPath, locked, replacing_all
from tightrope.surveys.survey_head import read_head


class RecordsFile:
    """The medium of an embedded store."""

    in_database = False

    def __init__(self, path: StrPath) -> None:
        self._path, self._turn = Path(path), Lock()
        try:
            self._pages = _FilePages(self._path)
        except FileNotFoundError:
            raise BadInput(f"there is no file {path}; `tightrope survey new` makes it.") from None
        except OSError as error:
            raise gave_up(self._path, error) from error
        self._old: list[_FilePages] = []

    @property
    def name(self) -> str:
        """The name of the file."""
        return str(self._path)

    def start(self, count: int) -> bytes:
        """The first bytes of the file."""
        return self._pages.read(0, count)

    def close(self) -> None:
        """Close the file."""
        for pages in (*self._old, self._pages):
            pages.close()

    @contextmanager
    def alone(self) -> Iterator[_FilePages]:
        """Write as the only one: other threads and other processes wait."""
        with self._turn:
            while True:
                pages = self._newest()
                with locked(self._path, pages.descriptor):
                    if self._newest() is pages:
                        yield pages
                        return

    @contextmanager
    def looking(self) -> Iterator[_FilePages]:
        """Read, whoever writes."""
        yield self._newest()

    def replace(self, parts: Iterable[bytes]) -> None:
        """Put a new file in the place of this one."""
        path = self._path
        with (
            replacing_all([path], secret=[path], force=True) as (unfinished,),
            unfinished.open("wb") as file,
        ):
            file.writelines(parts)

    def remove(self) -> None:
        """Nothing: a file goes when another takes its place."""

    def _newest(self) -> _FilePages:
        """The file under this name, if it is still of the same survey."""
        if self._pages.is_at(self._path):
            return self._pages
        try:
            newer = _FilePages(self._path)
        except OSError:
            return self._pages
        try:
            both = [read_head(pages, self.name) for pages in (newer, self._pages)]
        except BadDocument:
            both = []
        if not both or not both[0].belongs_with(both[1]):
            newer.close()
            return self._pages
        self._old.append(self._pages)  # another thread may still read it
        self._pages = newer
        return newer


class _FilePages:
    """The bytes of an open file."""

    def __init__(self, path: Path) -> None:
        self._path, self._cursor = path, Lock()
        self._file = path.open("r+b", buffering=0)

    @property
    def descriptor(self) -> int:
        return self._file.fileno()

    def close(self) -> None:
        self._file.close()

    def is_at(self, path: Path) -> bool:
        """Whether this file is, or was at last, the one under this name."""
        try:
            there, here = path.stat(), os.fstat(self.descriptor)
        except OSError:
            return True
        return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)

    def read(self, offset: int, count: int) -> bytes:
        try:
            with self._cursor:
                self._file.seek(offset)
                return self._file.read(count) or b""
        except OSError as error:
            raise gave_up(self._path, error) from error

    def write(self, offset: int, content: bytes) -> None:
        try:
            with self._cursor:
                self._file.seek(offset)
                self._file.write(content)
        except OSError as error:
            raise gave_up(self._path, error) from error

    def sync(self) -> None:
        try:
            os.fsync(self.descriptor)
        except OSError as error:
            raise gave_up(self._path, error) from error

    def size(self) -> int:
        return os.fstat(self.descriptor).st_size


def gave_up(path: Path, error: OSError) -> SystemFailed:
    """The error for a file that the system does not let us use."""
    reason = (error.strerror or str(error)).lower()
    return SystemFailed(f"{path} could not be used: {reason}.")
