"""The main job, end to end, on a real survey: design, compare, verify, sanitize, estimate.

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

import pyarrow as pa
import pyarrow.parquet as pq
from statsmodels.datasets import fair

HERE = Path(__file__).parent
OUT = HERE / "out"
CHECKERS = Path("..", "..", "src", "tightrope")


def say(text: str) -> None:
    print(f"\n\033[1m{text}\033[0m" if sys.stdout.isatty() else f"\n== {text}", flush=True)


def run(command: str, program: tuple[str, ...] = ("-m", "tightrope")) -> None:
    """Show a command as a person would type it, and run it in the demo folder."""
    shown = "tightrope" if program == ("-m", "tightrope") else f"python {program[0]}"
    print(f"$ {shown} {command}", flush=True)
    subprocess.run([sys.executable, *program, *shlex.split(command)], cwd=OUT, check=True)


def check(file: str) -> None:
    """Run the stand-alone checker of a document, which depends on the form of its mechanism."""
    form = json.loads((OUT / file).read_text(encoding="utf-8"))["mechanism"]
    written = form.get("base", form)["form"] == "matrix"
    run(file, program=(str(CHECKERS / ("receipt.py" if written else "receipt_kernels.py")),))


def survey() -> dict[str, float]:
    """Write the survey as a table and return the true shares, which only the curator knows."""
    answers = fair.load_pandas().data
    affair = ["yes" if value > 0 else "no" for value in answers["affairs"]]
    table = pa.table(
        {
            "affair": affair,
            "religious": [str(int(value)) for value in answers["religious"]],
            "age": answers["age"].to_numpy(),
        }
    )
    pq.write_table(table, OUT / "survey.parquet")
    return {value: affair.count(value) / len(affair) for value in ("no", "yes")}


def main() -> None:
    started = time.monotonic()
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)

    say("1. A mechanism for a count between 0 and 50, at ε = 0.5, that loses little")
    run("compare path:0..50 --epsilon 0.5 --loss absolute")
    run("design path:0..50 --epsilon 0.5 --loss absolute -o count.json")

    say("2. The proof, checked again, and by a stand-alone program that shares no code with us")
    run("verify count.json")
    check("count.json")

    say("3. A sensitive column of a real survey, randomized answer by answer")
    truth = survey()
    run("sanitize survey.parquet --column affair --values no/yes --epsilon 1 -o private.parquet")
    check("private.affair.mechanism.json")

    say("4. What the survey says, from the randomized answers alone")
    run("estimate private.parquet --column affair --mechanism private.affair.mechanism.json")
    print(f"(the truth, which only the curator knows: {truth['yes']:.4f} said yes)")

    say(f"Done in {time.monotonic() - started:.0f} s. What to type next:")
    print(
        "  . .venv/bin/activate\n"
        "  tightrope design categories:red/green/blue --ratio 3 --loss binary -o mine.json\n"
        "  tightrope inspect demo/out/count.json --plot count.png\n"
        "  tightrope reproduce\n"
        "  tightrope --help"
    )


if __name__ == "__main__":
    main()
