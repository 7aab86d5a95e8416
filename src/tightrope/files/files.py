"""Files: read whole, written whole or not at all.

A new file is written under another name in the folder of its target and takes its place
in one step at the end. Whatever goes wrong before that, the target is as it was and the
unfinished file is gone; several files can be written together, all or none. Nothing is
overwritten unless that was asked for. An unfinished file is for its owner alone from the first
byte on and locked while it is written: a second run into the same target is refused, and what a
killed run left behind is removed by the next one. What holds secrets stays its owner's alone.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import time_ns

from tightrope.errors import BadInput, Refused, SystemFailed

StrPath = str | os.PathLike[str]

_OURS, _EVERYBODYS = 0o600, 0o666  # rights of a file, unfinished and in its place
_LONGEST_NAME = 240  # bytes of a name that others are made from
_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM})
"""Errors of the system that are no fault of the name."""


def read_bytes(path: StrPath) -> bytes:
    """The content of a file; `BadInput` if there is no such file to read, or it has no end."""
    with reading(path):
        kind = Path(path).stat().st_mode
        if stat.S_ISCHR(kind) or stat.S_ISBLK(kind):
            raise BadInput(f"{path} is a device, expected a file.", path=str(path))
        return Path(path).read_bytes()


def read_text(path: StrPath) -> str:
    """The content of a file of UTF-8 text, without a byte order mark."""
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not UTF-8 text.", path=str(path)) from None


def extension(path: StrPath) -> str:
    """The end of the file name that says its format, in lower case.

    >>> extension("m.json.gz"), extension("Table.CSV"), extension("v1.2/table")
    ('.json.gz', '.csv', '')
    """
    check_name_of_file(path)
    endings = [ending.lower() for ending in Path(path).suffixes]
    if endings and endings[-1] in (".gz", ".bz2", ".xz", ".zst", ".zip"):
        return "".join(endings[-2:])
    return endings[-1] if endings else ""


def check_name_of_file(path: object) -> None:
    """Refuse what cannot be the name of a file."""
    if not isinstance(path, str | os.PathLike) or not isinstance(os.fspath(path), str):
        raise BadInput(f"expected the name of a file, found {type(path).__name__}.")


@contextmanager
def reading(path: StrPath) -> Iterator[None]:
    """Turn what the operating system says about a file to read into one of our errors."""
    check_name_of_file(path)
    try:
        yield
    except FileNotFoundError:
        raise BadInput(f"there is no file {path}.", path=str(path)) from None
    except IsADirectoryError:
        raise BadInput(f"{path} is a folder, expected a file.", path=str(path)) from None
    except PermissionError:
        raise BadInput(f"{path} may not be read by this user.", path=str(path)) from None
    except ValueError as error:
        if "embedded null" in str(error):  # a zero character in the name
            raise BadInput(f"{str(path)!r} is not a file name.", path=str(path)) from None
        raise
    except OSError as error:
        if error.errno in (errno.ENAMETOOLONG, errno.ENOTDIR, errno.ELOOP):
            raise BadInput(f"{path} is no file: {_reason(error)}.", path=str(path)) from None
        raise SystemFailed(f"{path} could not be read: {_reason(error)}.") from error


def write_bytes(path: StrPath, content: bytes, *, force: bool = False) -> None:
    """Write a whole file; an existing one only if `force`."""
    with replacing(path, force=force) as unfinished:
        unfinished.write_bytes(content)


@contextmanager
def replacing(path: StrPath, *, force: bool = False) -> Iterator[Path]:
    """A path to write to, which takes the place of `path` if the block ends well.

    Raises
    ------
    BadInput
        If `path` exists and `force` was not given, or cannot be a file.
    SystemFailed
        If the disk gives up while writing.
    """
    with replacing_all([path], force=force) as (unfinished,):
        yield unfinished


@contextmanager
def replacing_all(
    paths: Sequence[StrPath], *, secret: Collection[StrPath] = (), force: bool = False
) -> Iterator[tuple[Path, ...]]:
    """As `replacing` for several files: all are on the disk before the first takes its place.

    Those in `secret` can be read by their owner alone, also where they replace others.
    """
    targets = [_target(path, force) for path in paths]
    with ExitStack() as locks:
        unfinished = [locks.enter_context(_unfinished_file(target)) for target in targets]
        try:
            yield tuple(unfinished)
            for path, made, target in zip(paths, unfinished, targets, strict=True):
                _settle(made, None if path in secret else target)
            for path in paths:
                _target(path, force)  # a file that came up meanwhile is not overwritten either
            _move(unfinished, targets)
        except OSError as error:
            named = ", ".join(map(str, paths))
            raise SystemFailed(f"{named} could not be written: {_reason(error)}.") from error


@contextmanager
def private_folder(target: StrPath) -> Iterator[Path]:
    """A folder beside a target for its owner alone, for as long as the target is written.

    Whoever writes the target holds its lock: what lies there was left by a run that was killed.
    On Windows it has the rights of the folder that it is in, and no lock.
    """
    place = unfinished_beside(Path(os.path.realpath(target))).with_suffix(".parts")
    if place.is_symlink() or (place.exists() and _is_foreign(place.lstat())):
        raise Refused(f"{place} belongs to another user; nothing was written to it.")
    shutil.rmtree(place, ignore_errors=True)
    try:
        place.mkdir(0o700)
        yield place
    except OSError as error:
        raise SystemFailed(f"{target} could not be written: {_reason(error)}.") from error
    finally:
        shutil.rmtree(place, ignore_errors=True)


def refuse_existing(path: StrPath, *, force: bool) -> None:
    """Raise what `replacing` would raise at its start, before any work is done."""
    with _unfinished_file(_target(path, force)):
        pass


def refuse_existing_folder(path: StrPath) -> None:
    """Raise what `making_folder` would raise at its start, before any work is done."""
    with _unfinished_file(_new_folder(path)):
        pass


def _target(path: StrPath, force: bool) -> Path:
    """Where the finished file goes, links followed."""
    try:
        target = Path(os.path.realpath(path))
        exists = target.exists()
    except ValueError:
        raise BadInput(f"{str(path)!r} is not a file name.", path=str(path)) from None
    except OSError as error:
        raise _unwritable(path, error) from None
    if exists and not target.is_file():
        kind = "a folder" if target.is_dir() else "no ordinary file"
        raise BadInput(f"{path} is {kind}, expected the name of a file.", path=str(path))
    if exists and not force:
        raise BadInput(
            f"{path} exists and is left as it is; choose another name or ask to overwrite it "
            "(force).",
            path=str(path),
        )
    if not target.parent.is_dir():
        raise BadInput(f"there is no folder {target.parent} to write to.", path=str(path))
    return target


@contextmanager
def making_folder(path: StrPath) -> Iterator[Path]:
    """Where to make a folder, which becomes `path` if the block ends well.

    It lies in a private folder, under a name of this run: what a killed run may still be writing
    gets into no other folder.
    """
    target = _new_folder(path)
    with _unfinished_file(target), private_folder(target) as private:
        made = private / f"{os.getpid()}-{time_ns()}"
        yield made
        _new_folder(path)  # one that came up meanwhile is not replaced, were it empty
        made.rename(target)


def _new_folder(path: StrPath) -> Path:
    """Where a new folder goes; refused if anything is there."""
    try:
        target = Path(os.path.realpath(path))
        exists = os.path.lexists(path) or target.exists()
    except ValueError:
        raise BadInput(f"{str(path)!r} is not the name of a folder.", path=str(path)) from None
    except OSError as error:
        raise _unwritable(path, error) from None
    if exists:
        raise BadInput(f"{path} exists already; name a new folder.", path=str(path))
    if not target.parent.is_dir():
        raise BadInput(f"there is no folder {target.parent} to write to.", path=str(path))
    return target


def unfinished_beside(target: Path) -> Path:
    """Where a file is written until it is whole; left there only by a run that was killed.

    >>> unfinished_beside(Path("out/table.csv")).as_posix()
    'out/.table.csv.part'
    """
    name = target.name
    if len(os.fsencode(name)) > _LONGEST_NAME:
        name = hashlib.sha256(os.fsencode(name)).hexdigest()
    return target.with_name(f".{name}.part")


@contextmanager
def _unfinished_file(target: Path) -> Iterator[Path]:
    """A new empty file beside the target, locked; it is removed unless it was moved away."""
    place = unfinished_beside(target)
    lock = _open_locked(place, target)
    try:
        os.ftruncate(lock, 0)  # what a killed run left
        yield place
    finally:
        with suppress(OSError):
            if _is_at(lock, place):
                place.unlink()
        os.close(lock)


def _open_locked(place: Path, target: Path) -> int:
    """The unfinished file, opened and locked until it is closed or the process ends."""
    while True:
        try:
            lock = os.open(place, os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), _OURS)
        except PermissionError:
            raise BadInput(f"{target.parent} may not be written to by this user.") from None
        except OSError as error:
            raise _unwritable(target, error) from None
        try:
            _lock(lock, place, target)
        except BaseException:
            os.close(lock)
            raise
        if _is_at(lock, place):
            return lock
        os.close(lock)  # moved into its place by another run between opening and locking


def _lock(lock: int, place: Path, target: Path) -> None:
    """Lock an unfinished file for this run, if it is this user's and no other run's."""
    if os.name != "posix":
        return
    import fcntl

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise Refused(f"another run is writing {target.name}; nothing was done here.") from None
    if _is_foreign(os.fstat(lock)):
        raise Refused(f"{place} belongs to another user; nothing was written to it.")
    os.fchmod(lock, _OURS)


def _is_foreign(about: os.stat_result) -> bool:
    """Whether a file is another user's; Windows does not number users, and tells nothing here."""
    return hasattr(os, "geteuid") and about.st_uid != os.geteuid()


def _is_at(descriptor: int, place: Path) -> bool:
    try:
        there, here = place.lstat(), os.fstat(descriptor)
    except FileNotFoundError:
        return False
    return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)


def _unwritable(path: StrPath, error: OSError) -> BadInput | SystemFailed:
    """A name that cannot be written to is bad input; a disk that gives up is not."""
    if error.errno in _DISK:
        return SystemFailed(f"{path} could not be written: {_reason(error)}.")
    return BadInput(f"{path} cannot be written to: {_reason(error)}.", path=str(path))


def _settle(unfinished: Path, replaced: Path | None) -> None:
    """Bring the file to the disk, with the rights of the one it replaces, or usual ones."""
    if replaced is not None:
        exists = replaced.exists()
        unfinished.chmod(stat.S_IMODE(replaced.stat().st_mode) if exists else
                         _EVERYBODYS & ~_umask())
    descriptor = os.open(unfinished, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _move(unfinished: Sequence[Path], targets: Sequence[Path]) -> None:
    """Put every file in its place; if one cannot be, those that are new are taken away again."""
    new = [target for target in targets if not target.exists()]
    try:
        for made, target in zip(unfinished, targets, strict=True):
            made.replace(target)
    except OSError:
        for target in new:
            target.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
