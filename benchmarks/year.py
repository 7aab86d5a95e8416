"""A curator's year at the terminal: every command of the guide on visits, at five million rows.

The commands, files and law of the table are those of docs/guides/a-year-with-persons.md, typed
from top to bottom in an empty folder; each is a process of its own.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from reports import Report

PAGE = Path(__file__).resolve().parents[1] / "docs" / "guides" / "a-year-with-persons.md"
ROWS = 5_000_000
TINY = {"size": 30_000}
REFUSED = 3
"""Exit code of the plan that the budget does not pay for."""
_BLOCK = re.compile(r"(?ms)(?:^(?P<intro>[^\n]+)\n\n)?^```(?P<language>\w+)\n(?P<body>.*?)^```$")
_FILE = re.compile(r"New file `([^`]+)`:")
_COMMAND = re.compile(r"(?m)^\$ (.*)$")


def measure(size: int = ROWS) -> Report:
    """Perform the page, and measure every command."""
    rows, numbers = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for number, words in enumerate(commands(Path(folder), size), start=1):
            seconds, processor, megabytes, code = run(Path(folder), words)
            expected = REFUSED if "winter.toml" in words else 0
            assert code == expected, (Path(folder) / "printed.txt").read_text(encoding="utf-8")
            name = named(words)
            rows.append([f"{number}. {name}", f"{seconds:.1f}", f"{processor:.1f}",
                         f"{megabytes:,.0f}"])
            numbers[f"{number} {name} seconds"] = seconds
            numbers[f"{number} {name} processor seconds"] = processor
            numbers[f"{number} {name} MB"] = megabytes
    return Report(
        title="A year of visits at the terminal",
        question=f"{size:,} generated visits of {size // 3:,} people in Parquet, every command of "
                 "the guide `a-year-with-persons`, one run.",
        columns=["command", "seconds", "processor seconds", "MB at the peak"],
        rows=rows,
        remarks=[
            "Seven questions in spring, one of them by drugs that nobody lists; three in autumn. "
            "The plan of winter is refused for lack of budget, before a row is read.",
            "Each command is a process of its own, start included. Other work went on on the "
            "machine.",
        ],
        numbers=numbers,
    )


def commands(folder: Path, size: int) -> Iterator[list[str]]:
    """The commands of the page in their order; files are written when their turn comes."""
    for block in _BLOCK.finditer(PAGE.read_text(encoding="utf-8")):
        name = _FILE.search(block["intro"] or "")
        if name is not None:
            (folder / name[1]).write_text(block["body"], encoding="utf-8")
        elif block["language"] == "console":
            for line in _COMMAND.findall(block["body"].replace("\\\n", "")):
                yield [str(size) if word == str(ROWS) else word for word in shlex.split(line)]


def run(folder: Path, words: list[str]) -> tuple[float, float, float, int]:
    """Seconds, processor seconds, megabytes at the peak and exit code of one command."""
    program = [] if words[0] == "python" else ["-m", "tightrope"]
    started = perf_counter()
    with (folder / "printed.txt").open("wb") as printed:
        process = subprocess.Popen([sys.executable, *program, *words[1:]], cwd=folder,
                                   stdout=printed, stderr=printed)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return (perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024,
            process.returncode)


def named(words: list[str]) -> str:
    """A command in a few words."""
    plan = words[words.index("--plan") + 1].removesuffix(".toml") if "--plan" in words else ""
    dry = "dry run" if "--dry-run" in words else ""
    verb = " ".join(words[1:3]) if words[1] == "ledger" else words[1]
    files = "" if plan or words[1] == "ledger" else words[-1 if words[1] == "report" else 2]
    return " ".join(filter(None, (verb, plan, files, dry)))


if __name__ == "__main__":
    print(measure(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS))
