"""The main job, end to end, on a real survey: declare, look, release, keep the books, prove.

The data are the answers of 6,366 women to a magazine survey on affairs (Fair, 1978), which
arrive with statsmodels. Everything is written to a folder of its own, demo/out.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from statsmodels.datasets import fair

HERE = Path(__file__).parent
OUT = HERE / "out"
CHECKERS = Path("..", "..", "src", "tightrope")
DECLARATION = """\
dataset = "fair"

[unit]                       # each row is a woman who answered; neighbors add or remove one
neighbors = "add-remove"

[columns.affair]
type = "category"
values = ["no", "yes"]

[columns.religious]          # from the code book: 1 = not, 4 = strongly
type = "category"
values = [1, 2, 3, 4]

[columns.age]
type = "number"
low = 17.5
high = 42
resolution = 0.5
bins = [17.5, 20, 25, 30, 35, 42]
"""
BOOKS = "--ledger books.sqlite --budget 2026"
ASK = "release fair.duckdb"
OF = "--table survey --declaration fair.toml"


def say(text: str) -> None:
    print(f"\n\033[1m{text}\033[0m" if sys.stdout.isatty() else f"\n== {text}", flush=True)


def run(command: str, program: tuple[str, ...] = ("-m", "tightrope"), code: int = 0) -> None:
    """Show a command as a person would type it, run it in the demo folder, expect its exit code."""
    shown = "tightrope" if program == ("-m", "tightrope") else f"python {program[0]}"
    print(f"$ {shown} {command}", flush=True)
    done = subprocess.run([sys.executable, *program, *shlex.split(command)], cwd=OUT, check=False)
    if done.returncode != code:
        sys.exit(f"expected the exit code {code}, found {done.returncode}")


def check(file: str, checker: str, code: int = 0) -> None:
    """Run the stand-alone checker of a document."""
    run(file, program=(str(CHECKERS / checker),), code=code)


def survey() -> dict[str, float]:
    """Write the survey to a database and return true figures, which only the curator knows."""
    answers = fair.load_pandas().data
    affair = ["yes" if value > 0 else "no" for value in answers["affairs"]]
    table = pa.table(
        {
            "affair": affair,
            "religious": [int(value) for value in answers["religious"]],
            "age": answers["age"].to_numpy(),
        }
    )
    with duckdb.connect(OUT / "fair.duckdb") as database:
        database.register("rows", table)
        database.execute("CREATE TABLE survey AS SELECT * FROM rows")
    pq.write_table(table, OUT / "fair.parquet")
    return {"affair": affair.count("yes") / len(affair), "age": float(answers["age"].mean()),
            "median": float(answers["age"].median())}


def main() -> None:
    started = time.monotonic()
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    truth = survey()

    say("1. What is known before anybody looks: a draft from names and types, then the code book")
    run("declare fair.duckdb --table survey")
    (OUT / "fair.toml").write_text(DECLARATION, encoding="utf-8")
    print(DECLARATION)

    say("2. A budget that nobody can overdraw, and a look at the error before anything is spent")
    run("ledger open books.sqlite --budget 2026 --declaration fair.toml --epsilon 3")
    run(f"{ASK} 'histogram of religious' {OF} --epsilon 0.5 --dry-run {BOOKS}")

    say("3. Five statistics; each is charged before it is drawn")
    run(f"{ASK} \"count where affair = 'yes'\" {OF} --epsilon 0.2 {BOOKS} -o count.json")
    run(f"{ASK} 'histogram of religious' {OF} --epsilon 0.5 {BOOKS}")
    run(f"{ASK} 'mean of age' {OF} --epsilon 0.5 {BOOKS} -o mean.json")
    run(f"{ASK} 'median of age' {OF} --epsilon 0.3 {BOOKS} -o median.json")
    run(f"{ASK} 'distribution of age' {OF} --epsilon 0.5 {BOOKS} -o distribution.json")
    print(f"(the truth, which only the curator knows: mean age {truth['age']:.3f}, median "
          f"{truth['median']:g})")

    say("4. The books; what is beyond the budget is refused")
    run("ledger show books.sqlite --budget 2026")
    run(f"{ASK} count {OF} --epsilon 2 {BOOKS}", code=3)

    say("5. A release is a document: strangers prove law, level and charge, the ledger the rest")
    run("verify mean.json")
    check("mean.json", "receipt_theorems.py", code=3)
    head = json.loads((OUT / "mean.json").read_text(encoding="utf-8"))["head"]
    run(f"ledger verify books.sqlite --head {head} --release count.json --release mean.json "
        "--release median.json --release distribution.json")

    say("6. Rows instead of answers: a sensitive column, randomized answer by answer, proved")
    run("sanitize fair.parquet --column affair --values no/yes --epsilon 1 -o private.parquet")
    check("private.parquet.affair.mechanism.json", "receipt.py")
    run("estimate private.parquet --column affair "
        "--mechanism private.parquet.affair.mechanism.json")
    print(f"(the truth, which only the curator knows: {truth['affair']:.4f} said yes)")

    say("7. The best mechanism for a question, with the proof that no other loses less")
    run("design path:0..50 --epsilon 0.5 --loss absolute -o best.json")

    say(f"Done in {time.monotonic() - started:.0f} s. What to type next:")
    print(
        "  . .venv/bin/activate\n"
        "  cd demo/out\n"
        f"  tightrope {ASK} 'histogram of age by religious' {OF} --epsilon 0.5 --dry-run\n"
        "  tightrope inspect mean.json\n"
        "  tightrope reproduce\n"
        "  tightrope --help"
    )


if __name__ == "__main__":
    main()
