"""Files are written whole or not at all, and never over another without being asked."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.files.examples import names_in, written
from tightrope.errors import BadInput, Refused, SystemFailed
from tightrope.files import (
    read_bytes,
    read_declaration,
    read_definition,
    refuse_existing,
    replacing,
    write_bytes,
)
from tightrope.files.files import extension, making_folder, private_folder, read_text, replacing_all


def test_a_new_file_has_its_content_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    write_bytes(tmp_path / "über.bin", b"content")
    assert read_bytes(tmp_path / "über.bin") == b"content"
    assert names_in(tmp_path) == {"über.bin"}


def test_an_existing_file_is_left_as_it_is_unless_forced(tmp_path: Path) -> None:
    path = written(tmp_path, "a.txt", "old")
    with pytest.raises(BadInput, match="exists and is left as it is"):
        write_bytes(path, b"new")
    assert path.read_text() == "old"
    write_bytes(path, b"new", force=True)
    assert path.read_text() == "new"
    assert names_in(tmp_path) == {"a.txt"}


def test_a_file_that_comes_up_while_writing_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"

    def both_write() -> None:
        with replacing(path) as unfinished:
            unfinished.write_text("mine")
            path.write_text("theirs")

    with pytest.raises(BadInput, match="exists and is left"):
        both_write()
    assert path.read_text() == "theirs"
    assert names_in(tmp_path) == {"a.txt"}


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, BadInput])
def test_a_failure_while_writing_leaves_everything_as_it_was(
    tmp_path: Path, kind: type[BaseException]
) -> None:
    path = written(tmp_path, "a.txt", "old")

    def write_half() -> None:
        with replacing(path, force=True) as unfinished:
            unfinished.write_text("half")
            raise kind("stop")

    with pytest.raises(kind):
        write_half()
    assert path.read_text() == "old"
    assert names_in(tmp_path) == {"a.txt"}


def test_a_disk_that_gives_up_is_a_failure_of_the_system(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with pytest.raises(SystemFailed, match="no space left"), replacing(path):
        raise OSError(28, "No space left on device")
    assert names_in(tmp_path) == set()


def test_a_forced_file_keeps_the_rights_of_the_one_it_replaces(tmp_path: Path) -> None:
    path = written(tmp_path, "a.txt", "old")
    path.chmod(0o640)
    write_bytes(path, b"new", force=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_the_rights_of_any_new_file(tmp_path: Path) -> None:
    write_bytes(tmp_path / "a", b"")
    plain = written(tmp_path, "b", "")
    assert (tmp_path / "a").stat().st_mode == plain.stat().st_mode


def test_a_link_is_written_through(tmp_path: Path) -> None:
    target = written(tmp_path, "real", "old")
    link = tmp_path / "link"
    link.symlink_to(target)
    with pytest.raises(BadInput, match="exists"):
        write_bytes(link, b"new")
    write_bytes(link, b"new", force=True)
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_an_unfinished_file_of_a_crash_is_no_obstacle(tmp_path: Path) -> None:
    written(tmp_path, ".a.part", "crashed and longer than what comes")
    write_bytes(tmp_path / "a", b"whole")
    assert read_bytes(tmp_path / "a") == b"whole"
    assert names_in(tmp_path) == {"a"}


def test_an_unfinished_file_is_its_owners_alone_and_gets_usual_rights_at_the_end(
    tmp_path: Path,
) -> None:
    before = os.umask(0o022)
    try:
        with replacing(tmp_path / "a") as unfinished:
            assert stat.S_IMODE(unfinished.stat().st_mode) == 0o600
        assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o644
        (tmp_path / "a").chmod(0o640)
        written(tmp_path, ".a.part", "crashed").chmod(0o666)
        with replacing(tmp_path / "a", force=True) as unfinished:
            assert stat.S_IMODE(unfinished.stat().st_mode) == 0o600
        assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640
    finally:
        os.umask(before)


def test_a_second_run_into_the_same_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with replacing(path) as unfinished:
        unfinished.write_text("first")
        with pytest.raises(Refused, match="another run is writing a"):
            write_bytes(path, b"second", force=True)
        with pytest.raises(Refused, match="another run is writing a"):
            refuse_existing(path, force=True)
        assert unfinished.read_text() == "first"
    assert path.read_text() == "first"


def test_an_unfinished_file_that_another_user_planted_is_not_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = written(tmp_path, ".a.part", "")
    monkeypatch.setattr(os, "geteuid", lambda: planted.stat().st_uid + 1)
    with pytest.raises(Refused, match="another user"):
        write_bytes(tmp_path / "a", b"secret")
    assert planted.read_bytes() == b""
    planted.unlink()
    planted.symlink_to(written(tmp_path, "elsewhere", ""))
    with pytest.raises(BadInput):
        write_bytes(tmp_path / "a", b"secret")
    assert (tmp_path / "elsewhere").read_bytes() == b""


def test_a_folder_is_made_in_private_and_appears_when_it_is_whole(tmp_path: Path) -> None:
    left = tmp_path / ".a.parts"
    left.mkdir(0o755)
    written(left, "crashed", "secret")
    with making_folder(tmp_path / "a") as made:
        assert made.parent == left
        assert stat.S_IMODE(left.stat().st_mode) == 0o700
        assert names_in(left) == set(), "what a killed run left is gone"
        made.mkdir()
        written(made, "part", "whole")
        assert not (tmp_path / "a").exists()
        with pytest.raises(Refused, match="another run is writing a"), making_folder(
            tmp_path / "a"
        ):
            pass
    assert (tmp_path / "a" / "part").read_text() == "whole"
    assert names_in(tmp_path) == {"a"}


def test_a_folder_that_fails_or_is_there_already_changes_nothing(tmp_path: Path) -> None:
    def make(then: Callable[[], object]) -> None:
        with making_folder(tmp_path / "a") as made:
            made.mkdir()
            written(made, "part", "unfinished")
            then()

    with pytest.raises(ZeroDivisionError):
        make(lambda: 1 // 0)
    assert names_in(tmp_path) == set()
    with pytest.raises(BadInput, match="exists already"):
        make((tmp_path / "a").mkdir)
    assert names_in(tmp_path) == {"a"}
    assert names_in(tmp_path / "a") == set()
    for taken in (tmp_path / "a", written(tmp_path, "b", "")):
        with pytest.raises(BadInput, match="exists already"), making_folder(taken):
            pass
    (tmp_path / "c").symlink_to(tmp_path / "nowhere")
    with pytest.raises(BadInput, match="exists already"), making_folder(tmp_path / "c"):
        pass
    with pytest.raises(BadInput, match="there is no folder"), making_folder(tmp_path / "d" / "e"):
        pass
    with pytest.raises(BadInput, match="not the name of a folder"), making_folder("a\0"):
        pass


def test_several_files_are_written_together_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / name for name in "abc"]

    def write() -> None:
        with replacing_all(paths) as unfinished:
            for place in unfinished:
                place.write_text("new")

    moved: list[Path] = []
    move = Path.replace

    def move_one(self: Path, target: Path) -> Path:
        if moved:
            raise OSError(28, "No space left on device")
        moved.append(target)
        return move(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", move_one)
        with pytest.raises(SystemFailed, match="no space left"):
            write()
    assert moved == paths[:1]
    assert names_in(tmp_path) == set()
    write()
    assert names_in(tmp_path) == {"a", "b", "c"}


def test_a_secret_file_is_its_owners_alone_from_the_start(tmp_path: Path) -> None:
    path = written(tmp_path, "old", "")
    path.chmod(0o644)
    before = os.umask(0)
    try:
        with replacing_all([path], secret=[path], force=True) as (unfinished,):
            assert stat.S_IMODE(unfinished.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    finally:
        os.umask(before)


def test_a_name_of_the_longest_length_can_be_written(tmp_path: Path) -> None:
    write_bytes(tmp_path / ("語" * 85), b"")  # 255 bytes
    assert names_in(tmp_path) == {"語" * 85}


def test_places_that_cannot_hold_a_file_are_refused(tmp_path: Path) -> None:
    file = written(tmp_path, "file", "")
    for path, sentence in [
        (tmp_path / ("x" * 300), "cannot be written to: file name too long"),
        (file / "a", "there is no folder"),
        (Path("/proc/a"), "/proc/a cannot be written to"),
        (tmp_path, "is a folder"),
        (tmp_path / "missing" / "a", "there is no folder"),
        (Path("/dev/null"), "no ordinary file"),
        (tmp_path / "a\0b", "is not a file name"),
    ]:
        with pytest.raises(BadInput, match=sentence):
            refuse_existing(path, force=True)


def test_what_cannot_be_read_is_said_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no file"):
        read_bytes(tmp_path / "missing")
    with pytest.raises(BadInput, match="is a folder"):
        read_bytes(tmp_path)
    with pytest.raises(BadInput, match="/dev/zero is a device"):  # it has no end
        read_bytes("/dev/zero")
    (tmp_path / "latin").write_bytes(b"\xe9")
    with pytest.raises(BadInput, match="is not UTF-8 text"):
        read_text(tmp_path / "latin")


def test_a_byte_order_mark_is_no_part_of_a_text(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfhello")
    assert read_text(tmp_path / "a") == "hello"


def test_the_extension_of_a_compressed_file_names_what_is_inside() -> None:
    assert extension("a.b.csv.gz") == ".csv.gz"
    assert extension("x.PARQUET") == ".parquet"
    assert extension("folder.d/x") == ""


def test_a_file_that_was_there_stays_where_another_cannot_be_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new, last = (tmp_path / name for name in ("old.csv", "new.csv", "last.csv"))
    old.write_text("old")
    plain = Path.replace

    def move(self: Path, target: Path) -> Path:
        if target.name == "last.csv":
            raise OSError(28, "no space left")
        return plain(self, target)

    def write() -> None:
        with replacing_all([old, new, last], force=True) as unfinished:
            for place in unfinished:
                place.write_text("made")

    monkeypatch.setattr(Path, "replace", move)
    with pytest.raises(SystemFailed):
        write()
    assert names_in(tmp_path) == {"old.csv"}


def test_parts_of_a_table_lie_in_a_folder_of_their_owners_alone(tmp_path: Path) -> None:
    with private_folder(tmp_path / "out.csv") as folder:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert names_in(tmp_path) == set()


def test_files_and_folders_are_written_where_users_have_no_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows has no `os.geteuid`."""
    monkeypatch.delattr(os, "geteuid")
    with private_folder(tmp_path / "out.csv") as folder:
        (folder / "part").write_bytes(b"x")
    with private_folder(tmp_path / "out.csv") as folder:
        assert list(folder.iterdir()) == []
    write_bytes(tmp_path / "out.csv", b"rows")
    assert read_bytes(tmp_path / "out.csv") == b"rows"


@pytest.mark.parametrize(("name", "text", "message"), [
    ("d.toml", "[unit]\nperson id\n", "not a TOML file: it goes wrong at line 2, column 8"),
    ("d.toml", "dataset = 'a'\ndataset = 'b'\n", "line 2"),
    ("d.json", '{"dataset": "a",', "not a JSON file.*line 1, column 17"),
    ("d.json", '{"dataset": "a", "dataset": "b"}', "key twice"),
])
def test_a_form_that_is_not_clear_is_refused_with_its_place(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(BadInput, match=message):
        read_declaration(tmp_path / name)
    with pytest.raises(BadInput, match=message):
        read_definition(tmp_path / name, "path:0..3")
