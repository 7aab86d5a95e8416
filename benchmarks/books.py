"""The books through crashes and crowds, by whole commands: 300 killed at random, 200 at once.

    python benchmarks/books.py [KILLS] [CROWD], or run.py books

`tightrope release` is run in children of this process, which has loaded what they need, with a
ledger in SQLite and in a real PostgreSQL server, and is killed at random moments between request
and answer. What was printed
is compared with the books. Then a crowd asks at once for a budget that suffices for a quarter.
"""

from __future__ import annotations

import io
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median

from reports import Report

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.systems import postgres
from tightrope.cli import main
from tightrope.ledger import Budget, Ledger
from tightrope.releases import open_books

DECLARED = {"dataset": "t", "columns": {"answer": {"type": "category", "values": ["no", "yes"]}}}
TOML = 'dataset = "t"\n[columns.answer]\ntype = "category"\nvalues = ["no", "yes"]\n'
KILLS, CROWD = 300, 200
TINY = {"kills": 2, "size": 4}


def command(url: str, folder: Path, budget: str, out: Path) -> int:
    """Start a release that is written to a file."""
    process = os.fork()
    if process:
        return process
    code = 70
    try:
        sys.stdout = sys.stderr = io.StringIO()
        main(["release", str(folder / "t.csv"), "histogram of answer", "--declaration",
              str(folder / "t.toml"), "--epsilon", "0.01", "--ledger", url, "--budget", budget,
              "--key", str(folder / "key"), "-o", str(out)])
    except SystemExit as left:
        code = int(left.code or 0)
    finally:
        sys.stdout.close()
        os._exit(code)


def shown(out: Path) -> dict[str, object] | None:
    """The release that was written, if one was."""
    try:
        found = json.loads(out.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if "answers" in found else None


def killed(url: str, folder: Path, times: int) -> list[int]:
    """No answer without an entry, no entry lost, no second draw for one charge."""
    moments, printed, entries = random.Random(11), [], set()
    taken = []
    for k in range(5):
        start = time.monotonic()
        os.waitpid(command(url, folder, "kills", folder / f"first{k}.json"), 0)
        taken.append(time.monotonic() - start)
    usual = median(taken)
    for k in range(times):
        out = folder / f"{k}.json"
        process = command(url, folder, "kills", out)
        time.sleep(moments.uniform(0, 1.5 * usual))
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        printed += [answer] if (answer := shown(out)) else []
        now = {r.number for r in Ledger(url, key=folder / "key").records() if r.kind == "charge"}
        assert entries <= now, "an entry was lost"
        entries = now
    with Ledger(url, key=folder / "key") as ledger:
        records = ledger.records()
        report = ledger.verify(releases=printed)
        assert report.holds, report.reason
        answers = [r.body["entry"] for r in records if r.kind == "answer"]
    assert len(answers) == len(set(answers)), "an entry was answered twice"
    assert {answer["entry"]["number"] for answer in printed} <= set(answers)
    assert len({answer["entry"]["number"] for answer in printed}) == len(printed)
    return [times, len(entries), len(answers), len(printed)]


def crowd(url: str, folder: Path, size: int) -> list[int]:
    """Exactly as many succeed as the budget allows, all others exit with 3."""
    outs = [folder / f"crowd{k}.json" for k in range(size)]
    processes = [command(url, folder, "crowd", out) for out in outs]
    codes = Counter(os.waitstatus_to_exitcode(os.waitpid(one, 0)[1]) for one in processes)
    assert codes == {0: size // 4, 3: size - size // 4}, codes
    assert sum(shown(out) is not None for out in outs) == size // 4
    return [size, codes[0], codes[3]]


def tried(url: str, kills: int, size: int) -> list[int]:
    """How many were killed, charged, kept and printed; how many came, were answered and refused."""
    with tempfile.TemporaryDirectory() as held:
        folder = Path(held)
        place = url or str(folder / "l.sqlite")
        (folder / "t.csv").write_text("answer\n" + "no\nyes\nyes\n" * 100, encoding="utf-8")
        (folder / "t.toml").write_text(TOML, encoding="utf-8")
        with Ledger.create(place, key=folder / "key") as ledger:
            ledger.open_budget(Budget.of("kills", DECLARED, epsilon=1000))
            ledger.open_budget(Budget.of("crowd", DECLARED, epsilon=f"{size // 4}/100"))
        open_books(folder / "t.csv", folder / "t.toml", ledger=place, budget="kills",
                   key=folder / "key").histogram("answer", "0.01")  # everything is loaded now
        return [*killed(place, folder, kills), *crowd(place, folder, size)]


def measure(kills: int = KILLS, size: int = CROWD) -> Report:
    """Kill and crowd, with both kinds of ledger; stops at the first thing that is not so."""
    found = {"SQLite": tried("", kills, size)}
    with postgres.server() as url:
        found["PostgreSQL"] = tried(url, kills, size)
    return reported(found)


def reported(found: dict[str, list[int]]) -> Report:
    """The counts as a page."""
    return Report(
        title="The books through crashes and crowds",
        question="Whole commands of tightrope release, killed at random moments, and many at once "
                 "for a budget that suffices for a quarter.",
        columns=["ledger", "killed", "charged", "answers kept", "printed", "at once", "answered",
                 "refused, exit 3"],
        rows=[[name, *(f"{number:,}" for number in numbers)] for name, numbers in found.items()],
        remarks=[
            "After every kill: no entry was lost. In the end: no answer was printed without an "
            "entry, no entry has two answers, none was printed that the ledger does not hold, and "
            "the chain holds with all that was printed.",
            "Six commands before are among those charged; the others were killed before their "
            "charge.",
        ],
        numbers={f"{name} {what}": float(number) for name, numbers in found.items()
                 for what, number in zip(("killed", "charged", "kept", "printed", "at once",
                                          "answered", "refused"), numbers, strict=True)},
    )


if __name__ == "__main__":
    asked = [int(word) for word in sys.argv[1:3]]
    print("\n".join(", ".join(row) for row in measure(*asked).rows))
