"""Names the tests of what changed since `origin/main`, uncommitted work included.

    python -m tests.changed

prints what `make check` gives to pytest. A changed module runs its own examples and the tests of
its room; a changed test, page or folder of tests runs itself. The architecture always runs.
Without `origin/main`, `main` is compared with; without both, the last commit.
"""

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
ALWAYS = "tests/architecture"
BASES = ("origin/main", "main")


def changed_files(root: Path = ROOT) -> list[str]:
    """Files that differ from where the branch left its base, and those that git does not know."""
    listed = _git(root, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes")
    base = next((name for name in BASES if name in listed), "HEAD")
    (fork,) = _git(root, "merge-base", base, "HEAD")
    return sorted({*_git(root, "diff", "--name-only", "--no-renames", fork),
                   *_git(root, "ls-files", "--others", "--exclude-standard")})


def _git(root: Path, *words: str) -> list[str]:
    quoted = ["git", "-c", "core.quotepath=off", *words]
    return subprocess.run(quoted, cwd=root, capture_output=True, text=True,
                          check=True).stdout.splitlines()


def selection(files: Iterable[str], root: Path = ROOT) -> list[str]:
    """Arguments for pytest, none inside another."""
    wanted = {ALWAYS}
    for file in files:
        wanted |= {name for name in _candidates(PurePosixPath(file)) if (root / name).exists()}
    return sorted(name for name in wanted
                  if wanted.isdisjoint(str(folder) for folder in PurePosixPath(name).parents))


def _candidates(path: PurePosixPath) -> Iterator[str]:
    match path.parts:
        case ("docs", "reference", "python", _):
            return  # written from docstrings, whose examples run where they stand
        case ("docs", "contribute", _) if path.match("add-*.md"):
            yield "tests/contribute"
            return  # performed there
        case ("src", "tightrope", room, _, *_):
            yield f"tests/{room}"
        case ("src", "tightrope", _):
            yield f"tests/test_{path.stem}.py"
        case ("tests", room, _, *_) if not path.match("test_*.py"):
            yield f"tests/{room}"
    ours = path.parts[0] == "src" and path.suffix == ".py"
    if ours or path.match("test_*.py") or path.suffix == ".md":
        yield str(path)


if __name__ == "__main__":
    print(*selection(changed_files()))
