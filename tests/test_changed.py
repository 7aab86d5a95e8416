"""`make check` runs the tests of what changed, in any state of the work."""

import subprocess
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGE
from tests.changed import ALWAYS, changed_files, selection

FILES = (
    "src/tightrope/spaces/text.py", "src/tightrope/doors.py", "src/tightrope/web/pages.py",
    "tests/spaces/test_text.py", "tests/spaces/samples.py", "tests/files/test_sheets.py",
    "tests/test_doors.py", "docs/limits.md", "docs/reference/python/spaces.md", "README.md",
    "docs/contribute/add-a-loss.md", "tests/contribute/performing.py",
)


def git(folder: Path, *words: str) -> None:
    named = ["git", "-c", "user.name=n", "-c", "user.email=e", *words]
    subprocess.run(named, cwd=folder, check=True, capture_output=True)


def write(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A branch that left main with one commit of its own; main went on by another one."""
    git(tmp_path, "init", "--initial-branch", "main")
    for name in FILES:
        write(tmp_path, name, "")
    write(tmp_path, ".gitignore", "*.pyc\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "Begin")
    git(tmp_path, "checkout", "-b", "work")
    write(tmp_path, "src/tightrope/doors.py", "# committed\n")
    git(tmp_path, "commit", "-am", "Change a module")
    git(tmp_path, "checkout", "main")
    write(tmp_path, "docs/limits.md", "by others\n")
    git(tmp_path, "commit", "-am", "Change a page")
    git(tmp_path, "checkout", "work")
    return tmp_path


def test_commits_of_the_branch_count_and_those_of_others_do_not(clone):
    assert changed_files(clone) == ["src/tightrope/doors.py"]


def test_uncommitted_staged_and_new_work_counts_and_what_git_ignores_does_not(clone):
    write(clone, "README.md", "edited\n")
    write(clone, "tests/files/test_sheets.py", "# staged\n")
    git(clone, "add", "tests/files/test_sheets.py")
    write(clone, "src/tightrope/spaces/née.py", "# new\n")
    write(clone, "src/tightrope/spaces/old.pyc", "")
    assert changed_files(clone) == ["README.md", "src/tightrope/doors.py",
                                    "src/tightrope/spaces/née.py", "tests/files/test_sheets.py"]


def test_a_file_that_moved_counts_under_both_names(clone):
    write(clone, "src/tightrope/web/pages.py", "# long enough to be known again\n" * 9)
    git(clone, "commit", "-am", "Fill a page")
    git(clone, "branch", "--force", "main", "work")
    git(clone, "mv", "src/tightrope/web/pages.py", "src/tightrope/spaces/pages.py")
    assert changed_files(clone) == ["src/tightrope/spaces/pages.py", "src/tightrope/web/pages.py"]


def test_the_branch_of_the_remote_comes_before_main(clone):
    git(clone, "update-ref", "refs/remotes/origin/main", "work")
    assert changed_files(clone) == []
    git(clone, "branch", "--delete", "--force", "main")
    assert changed_files(clone) == []


def test_without_any_main_uncommitted_work_counts(clone):
    git(clone, "branch", "--delete", "--force", "main")
    write(clone, "README.md", "edited\n")
    assert changed_files(clone) == ["README.md"]


@pytest.mark.parametrize(("changed", "expected"), [
    ([], []),
    (["src/tightrope/spaces/text.py"], ["src/tightrope/spaces/text.py", "tests/spaces"]),
    (["src/tightrope/spaces/text.py", "tests/spaces/test_text.py"],
     ["src/tightrope/spaces/text.py", "tests/spaces"]),
    (["tests/spaces/test_text.py"], ["tests/spaces/test_text.py"]),
    (["tests/spaces/samples.py"], ["tests/spaces"]),
    (["src/tightrope/doors.py"], ["src/tightrope/doors.py", "tests/test_doors.py"]),
    (["src/tightrope/web/pages.py"], ["src/tightrope/web/pages.py"]),
    (["src/tightrope/spaces/gone.py"], ["tests/spaces"]),
    (["docs/limits.md", "README.md", ".gitignore"], ["README.md", "docs/limits.md"]),
    (["docs/reference/python/spaces.md"], []),
    (["docs/contribute/add-a-loss.md"], ["tests/contribute"]),
    (["tests/files/gone.toml", "tests/nowhere/test_gone.py"], ["tests/files"]),
])
def test_a_module_runs_its_room_and_a_test_itself(clone, changed, expected):
    assert selection(changed, clone) == sorted([ALWAYS, *expected])


def test_every_room_has_selection_its_name():
    """Else a change there would run nothing; `web` is tried through those who serve."""
    rooms = {door.parent.name for door in PACKAGE.glob("*/__init__.py")}
    tested = {path.name for path in (PACKAGE.parents[1] / "tests").iterdir()}
    assert rooms - tested == {"web"}
