"""Whole folders: written whole or not at all, read with nothing in them overlooked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tightrope.errors import BadInput
from tightrope.files.files import StrPath, making_folder, reading

MOST_FILES, MOST_BYTES = 10_000, 2**28
"""Files of a folder, and their bytes together, that are read into memory at once."""


def write_folder(path: StrPath, contents: Mapping[str, bytes]) -> None:
    """Write a new folder with these files, by their names in it; `/` makes a folder inside."""
    with making_folder(path) as made:
        made.mkdir()
        for name, content in contents.items():
            place = made / name
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(content)


def read_folder(path: StrPath) -> dict[str, bytes]:
    """All files of a folder and of those inside, by name; hidden ones are not looked at.

    Links are refused: nobody can tell where they lead tomorrow.
    """
    root, contents, size = Path(path), dict[str, bytes](), 0
    with reading(path):
        if not root.is_dir():
            raise BadInput(f"{path} is no folder.", path=str(path))
        for place in sorted(root.rglob("*")):
            name = place.relative_to(root).as_posix()
            if any(part.startswith(".") for part in place.relative_to(root).parts):
                continue
            if place.is_symlink() or not (place.is_dir() or place.is_file()):
                raise BadInput(f"{place} is a link or no ordinary file.", path=str(place))
            if place.is_dir():
                continue
            size += place.stat().st_size
            if len(contents) == MOST_FILES or size > MOST_BYTES:
                raise BadInput(f"{path} holds more than {MOST_FILES:,} files or {MOST_BYTES:,} "
                               "bytes.", path=str(path))
            contents[name] = place.read_bytes()
    return contents
