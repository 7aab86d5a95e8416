"""The books through crashes and crowds, by whole commands: 300 killed at random, 200 at once.

    python benchmarks/books.py [KILLS] [CROWD]

`tightrope release` is run in children of this process, with a ledger in SQLite and in a real
PostgreSQL server, and is killed at random moments between request and answer. What was printed
is compared with the books. Then a crowd asks at once for a budget that suffices for a quarter.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.systems import postgres
from tightrope.cli import main
from tightrope.data import Budget, Ledger

DECLARED = {"dataset": "t", "columns": {"answer": {"type": "category", "values": ["no", "yes"]}}}
TOML = 'dataset = "t"\n[columns.answer]\ntype = "category"\nvalues = ["no", "yes"]\n'


def command(url: str, folder: Path, budget: str, out: Path) -> int:
    """Start a release of which everything that it prints goes to a file."""
    process = os.fork()
    if process:
        return process
    code = 70
    try:
        sys.stdout = sys.stderr = out.open("w", encoding="utf-8")
        main(["release", str(folder / "t.csv"), "--declaration", str(folder / "t.toml"),
              "--histogram", "answer", "--epsilon", "0.01", "--ledger", url, "--budget", budget,
              "--key", str(folder / "key"), "--json"])
    except SystemExit as left:
        code = int(left.code or 0)
    finally:
        sys.stdout.close()
        os._exit(code)


def shown(out: Path) -> dict[str, object] | None:
    """The answer that was printed whole, if any was."""
    try:
        found = json.loads(out.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if "answers" in found else None


def killed(url: str, folder: Path, times: int) -> str:
    """No answer without an entry, no entry lost, no second draw for one charge."""
    moments, printed, entries = random.Random(11), [], set()
    start = time.monotonic()
    os.waitpid(command(url, folder, "kills", folder / "first.json"), 0)
    usual = time.monotonic() - start
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
    assert {answer["ledger_entry"] for answer in printed} <= set(answers)
    assert len({answer["ledger_entry"] for answer in printed}) == len(printed)
    return f"{times} killed: {len(entries)} charged, {len(answers)} kept, {len(printed)} printed"


def crowd(url: str, folder: Path, size: int) -> str:
    """Exactly as many succeed as the budget allows, all others exit with 3."""
    outs = [folder / f"crowd{k}.json" for k in range(size)]
    processes = [command(url, folder, "crowd", out) for out in outs]
    codes = Counter(os.waitstatus_to_exitcode(os.waitpid(one, 0)[1]) for one in processes)
    assert codes == {0: size // 4, 3: size - size // 4}, codes
    assert sum(shown(out) is not None for out in outs) == size // 4
    return f"{size} at once for a budget of {size // 4}: {codes[0]} answered, {codes[3]} refused"


def tried(name: str, url: str, kills: int, size: int) -> None:
    with tempfile.TemporaryDirectory() as held:
        folder = Path(held)
        place = url or str(folder / "l.sqlite")
        (folder / "t.csv").write_text("answer\n" + "no\nyes\nyes\n" * 100, encoding="utf-8")
        (folder / "t.toml").write_text(TOML, encoding="utf-8")
        with Ledger.create(place, key=folder / "key") as ledger:
            ledger.open_budget(Budget.of("kills", DECLARED, epsilon=1000))
            ledger.open_budget(Budget.of("crowd", DECLARED, epsilon=f"{size // 4}/100"))
        for result in (killed(place, folder, kills), crowd(place, folder, size)):
            print(f"{name}: {result}", flush=True)


def run() -> None:
    kills, size = (int(word) for word in [*sys.argv[1:3], *("300", "200")[len(sys.argv) - 1:]][:2])
    tried("SQLite", "", kills, size)
    with postgres.server() as url:
        tried("PostgreSQL", url, kills, size)


if __name__ == "__main__":
    run()
