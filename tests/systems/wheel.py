"""Builds wheel and source distribution, and uses the wheel where nothing else is installed.

    python -m tests.systems.wheel [PYTHON …]

For each Python (this one if none is named) a fresh environment gets the wheel with its declared
dependencies, and does everyday jobs from a folder outside the clone: an example table, a design,
releases from CSV, Parquet and DuckDB charged to a ledger, a survey, positions, and a job whose
extra is missing. Needs the network, or what pip keeps of earlier downloads; CI runs it.
"""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[2]
LOCKED = ROOT / "requirements" / "dev.txt"
WRITE_TABLES = """
import duckdb, tightrope as tr
for ending in ("csv", "parquet", "toml"):
    people = tr.example("randhie", f"people.{ending}")
duckdb.connect("people.duckdb").execute("CREATE TABLE visitors AS SELECT * FROM people")
assert people.num_rows == 20190
"""
DESIGN = """
import tightrope as tr
solution = tr.design("path:0..9", 0.5, loss="absolute")
tr.save(solution, "m.json")
assert solution.certified.certificate.holds
assert 0 <= tr.draw(tr.load("m.json"), 7) <= 9
"""
SOURCES = ("people.csv", "people.parquet", "people.duckdb --table visitors")
BOOKED = "--declaration people.toml --epsilon 0.5 --ledger books.sqlite --budget 2026"
LINES = (
    "--help",
    "ledger open books.sqlite --budget 2026 --declaration people.toml --epsilon 2",
    *(f"release {source} 'mean of visits by health' {BOOKED} -o {place}.json"
      for place, source in enumerate(SOURCES)),
    *(f"ledger verify books.sqlite --release {place}.json" for place in range(len(SOURCES))),
    "survey new s.json --question Ever? --ratio 3 --links 5",
    "locate blur places.csv --region -4,40,-3,41 --within 200m --factor 2 -o blurred.csv",
)


def main(pythons: Sequence[str]) -> int:
    with TemporaryDirectory() as folder:
        wheel = build(Path(folder))
        for python in pythons or [sys.executable]:
            start = monotonic()
            use(wheel, python, Path(folder))
            version = run([python, "--version"], folder).stdout.strip()
            print(f"{wheel.name} does its jobs on {version} ({monotonic() - start:.0f} s)")
    return 0


def build(folder: Path) -> Path:
    """Wheel and source distribution of this tree; a wheel of the latter is the same one."""
    run([sys.executable, "-m", "hatchling", "build", "-d", str(folder)], ROOT)
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
         "--wheel-dir", "again", str(source)], folder)
    assert contents(folder / "again" / wheel.name) == contents(wheel)
    return wheel


def contents(wheel: Path) -> dict[str, int]:
    """Names and checksums of the files in a wheel."""
    return {item.filename: item.CRC for item in ZipFile(wheel).infolist()}


def use(wheel: Path, python: str, folder: Path) -> None:
    """Install the wheel into a fresh environment, and do the jobs there."""
    home = Path(folder, f"outside-{Path(python).name}")
    home.mkdir()
    run([python, "-m", "venv", "clean"], home)
    inside = str(home / "clean" / "bin" / "python")
    run([inside, "-m", "pip", "install", "--quiet", "--constraint", str(LOCKED), str(wheel)], home)
    where = run([inside, "-c", "import tightrope; print(tightrope.__file__)"], home).stdout.strip()
    assert where.startswith(str(home)), where
    run([inside, "-c", WRITE_TABLES], home)
    run([inside, "-c", DESIGN], home)
    checker = Path(where).with_name("receipt.py")
    assert "proved" in run([inside, "-I", str(checker), "m.json"], home).stdout
    (home / "places.csv").write_text("lon,lat\n-3.5,40.5\n")
    for line in LINES:
        typed(line, home)
    (budget,) = json.loads(typed("ledger show books.sqlite --json", home).stdout)["budgets"]
    assert (budget["charges"], budget["spent"]) == (len(SOURCES), 1.5), budget
    refused = typed("tradeoff path:0..2 --epsilons 1 --plot a.svg", home, 3)
    assert 'pip install "tightrope[plot]"' in " ".join(refused.stderr.split()), refused.stderr


def typed(line: str, home: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Type a command of the installed program."""
    return run([str(home / "clean" / "bin" / "tightrope"), *shlex.split(line)], home, code)


def run(
    words: Sequence[str], folder: Path | str, code: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run a program that must end with this exit code, with nothing of this tree on its path."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    ended = subprocess.run(words, cwd=folder, env=kept, capture_output=True, text=True)
    assert ended.returncode == code, (words, ended.returncode, ended.stdout, ended.stderr)
    return ended


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
