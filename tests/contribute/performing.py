"""Performs a page of docs/contribute to the letter, in a copy of the tree.

A page is followed from top to bottom:

- "New file `PATH`:" and a block of code makes the file;
- "In `PATH`, after `TEXT`:" (or "before", or "in place of") and a block puts it there; the text
  occurs once, and whole lines are meant: the block follows the line that has the text;
- a `console` block types the commands after `$` and expects the lines below them in what is
  printed, `...` for anything. A command fails where a line says "failed", "error" or "Error".
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.architecture.source import ROOT

COPIED = ("src", "tests", "docs", "conftest.py", "pyproject.toml", "README.md", "CHANGELOG.md")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.png", "*.parquet.gz")
BLOCK = re.compile(
    r"(?ms)(?:^(?P<intro>[^\n]+)\n\n)?^```(?P<language>\w+)\n(?P<body>.*?)^```$")
NEW = re.compile(r"(?:.*\s)?New file `([^`]+)`:")
EDIT = re.compile(r"(?:.*\s)?In `([^`]+)`, (after|before|in place of) `([^`]+)`:")


@dataclass
class Performance:
    """A folder, and what a page has changed and typed in it so far.

    The package is that of the folder where the page changes it, else the tree's own.
    """

    root: Path
    package: Path = ROOT / "src"
    touched: list[str] = field(default_factory=list)
    typed: list[str] = field(default_factory=list)

    @classmethod
    def prepare(cls, root: Path) -> Performance:
        """Copy what a contributor has."""
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, root / name, ignore=LEFT_OUT)
            else:
                shutil.copy(source, root / name)
        return cls(root, root / "src")

    def perform(self, page: str) -> None:
        """Follow every block of the page that is a step."""
        for block in BLOCK.finditer(page):
            intro, body = block["intro"] or "", block["body"]
            if block["language"] == "console":
                self.type(body)
            elif new := NEW.fullmatch(intro):
                self.make(new[1], body)
            elif edit := EDIT.fullmatch(intro):
                self.edit(edit[1], edit[2], edit[3], body)
            else:
                raise AssertionError(f"no step says where this block goes: {intro!r}")

    def make(self, name: str, body: str) -> None:
        """Make a file that does not exist yet."""
        path = self.root / name
        assert not path.exists(), f"{name} exists"
        path.write_text(body, encoding="utf-8")
        self.touched.append(name)

    def edit(self, name: str, where: str, anchor: str, body: str) -> None:
        """Put a block beside, or in place of, the one line that has the anchor."""
        path = self.root / name
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        places = [place for place, line in enumerate(lines) if anchor in line]
        assert len(places) == 1, f"{name}: {len(places)} lines have {anchor!r}"
        start = places[0] + (where == "after")
        lines[start:start + (where == "in place of")] = [body]
        path.write_text("".join(lines), encoding="utf-8")
        self.touched.append(name)

    def type(self, session: str) -> None:
        """Type commands, and compare what they print with what the page shows."""
        for part in re.split(r"(?m)^\$ ", session.replace("\\\n", ""))[1:]:
            line, _, shown = part.partition("\n")
            ended = self.run(line.partition("  #")[0])
            printed = ended.stdout + ended.stderr
            expected = bool(re.search(r"\b(failed|[Ee]rror)\b", shown))
            assert (ended.returncode != 0) == expected, f"$ {line}\n{printed}"
            place = 0
            for wanted in filter(None, map(str.strip, shown.splitlines())):
                pattern = r"\s+".join(map(re.escape, wanted.split())).replace(r"\.\.\.", ".*?")
                match = re.compile(pattern).search(printed, place)
                assert match, f"$ {line}\nexpected {wanted!r} in\n{printed}"
                place = match.end()
            self.typed.append(line)

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        """Type one command in the folder, with the package on the path."""
        words = shlex.split(line)
        program = {"python": [sys.executable], ".venv/bin/python": [sys.executable],
                   "tightrope": [sys.executable, "-m", "tightrope"]}[words[0]]
        env = os.environ | {"PYTHONPATH": str(self.package), "COLUMNS": "100",
                            "PYTEST_ADDOPTS": "-p no:cacheprovider"}
        return subprocess.run([*program, *words[1:]], cwd=self.root, env=env, capture_output=True,
                              text=True)

    @property
    def sources(self) -> set[str]:
        """Source files that the page touches."""
        return {name for name in self.touched if name.startswith("src/")}
