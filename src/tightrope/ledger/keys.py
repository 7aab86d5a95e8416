"""The key of a ledger: 32 random bytes in a file for its owner alone, or in the environment.

Whoever holds both key and ledger can write the books anew. The key is never printed, and no
record holds it.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from tightrope.errors import BadInput, Refused
from tightrope.files import StrPath, read_bytes, replacing_all
from tightrope.ledger.store import file_of
from tightrope.samplers import SYSTEM

VARIABLE = "TIGHTROPE_LEDGER_KEY"
"""The environment variable that may hold the key in hexadecimal digits."""

_BYTES = 32
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def key_place(url: str | StrPath, key: StrPath | None) -> StrPath | None:
    """Where the key is: as named, or beside a SQLite file."""
    if key is not None:
        return key
    file = file_of(url)
    return None if file is None else file.with_name(file.name + ".key")


def held_outside() -> bool:
    """Whether the environment holds a key."""
    return VARIABLE in os.environ


def make_key(path: StrPath) -> bytes:
    """A new key, written to a file that only its owner can read; one that exists stays."""
    key = SYSTEM.bytes(_BYTES)
    with replacing_all([path], secret=[path]) as (unfinished,):
        unfinished.write_text(key.hex() + "\n", "ascii")
    return key


def read_key(path: StrPath | None) -> bytes:
    """The key from the environment, or else from a file that nobody else may read."""
    stated = os.environ.get(VARIABLE)
    if stated is not None:
        return _bytes(stated, f"the environment variable {VARIABLE}")
    if path is None:
        raise Refused(f"this ledger needs its key: name its file, or set {VARIABLE}.")
    text = read_bytes(path)
    if os.name == "posix":
        _refuse_others(Path(path))
    try:
        return _bytes(text.decode("ascii"), str(path))
    except UnicodeDecodeError:
        raise BadInput(f"{path} holds no key of a ledger.") from None


def _refuse_others(path: Path) -> None:
    """Refuse a key that others may read, or that another user put there and knows."""
    about = path.stat()
    if stat.S_IMODE(about.st_mode) & _OTHERS:
        raise Refused(f"others may read the key in {path}; make it the owner's alone (chmod 600).")
    if about.st_uid != os.geteuid():
        raise Refused(f"the key in {path} belongs to another user, who knows it; take ownership "
                      "(chown) only if you made it.")


def _bytes(text: str, where: str) -> bytes:
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""
    if len(key) != _BYTES:
        raise BadInput(f"{where} holds no key of a ledger: expected 64 hexadecimal digits.")
    return key
