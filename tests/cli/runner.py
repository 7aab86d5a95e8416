"""Runs the command line, in this process or in its own, and keeps what it said."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.documents.judges import checker_of
from tightrope.cli import main

SOURCE = Path(__file__).resolve().parents[2] / "src"


@dataclass(frozen=True)
class Answer:
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON object on standard output; anything beside it is an error here."""
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found

    @property
    def sentence(self) -> str:
        """The one sentence on standard error."""
        assert self.out == ""
        (line,) = self.err.splitlines()
        assert line.startswith("Error: ")
        return line.removeprefix("Error: ")


class Runner:
    """Calls commands in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: object) -> Answer:
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        out, err = self._capsys.readouterr()
        assert "Traceback" not in out + err
        return Answer(int(left.value.code or 0), out, err)


def outside(*command: object, **environment: str) -> Answer:
    """Run a command of the operating system, in a process of its own."""
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8", **environment},
        timeout=300,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


def tightrope_outside(*arguments: object, **environment: str) -> Answer:
    """`python -m tightrope` in a process of its own."""
    return outside(sys.executable, "-m", "tightrope", *arguments, **environment)


def receipt(file: object, *options: object) -> Answer:
    """The checker of a document as a skeptic runs it: the file itself, without the package."""
    checker = checker_of(Path(str(file)).read_bytes())
    return outside(sys.executable, checker, file, *options, PYTHONPATH="")
