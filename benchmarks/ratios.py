"""The cost of privacy in processor time: each statistic beside the same aggregate without it.

One run, one process: user and system seconds of the least of three tries. A table of generated
rows is a Parquet file, a DuckDB file and CSV text: a person in ten rows, an age in doubles, a vote
of four texts, a pay. A release at a terminal is a process of its own.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from releases import COLUMNS
from reports import Report

from tightrope.declarations import CutKey, Declaration, Tally, read_filter
from tightrope.ledger import Budget, Ledger
from tightrope.tables import open_source

ROWS = int(os.environ.get("TIGHTROPE_BENCH_RATIO_ROWS", 10_000_000))
TINY = {"size": 20_000}
TRIES = 3
KEY = CutKey(bytes(32))
COUNTED: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("histogram of texts", {"keys": ("vote",)}, "SELECT vote, count(*) FROM t GROUP BY vote"),
    ("mean of doubles", {"measures": ("age",)}, "SELECT avg(age) FROM t"),
    ("mean of whole numbers", {"measures": ("pay",)}, "SELECT avg(pay) FROM t"),
    ("sum by text", {"keys": ("vote",), "measures": ("pay",)},
     "SELECT vote, count(*), sum(pay) FROM t GROUP BY vote"),
    ("histogram of doubles", {"keys": ("age",)},
     "SELECT floor((age - 10) / 10)::INT AS bin, count(*) FROM t GROUP BY bin"),
)
WINDOW = ("SELECT vote, count(*) FROM (SELECT vote, row_number() OVER (PARTITION BY who ORDER BY "
          "hash(who, vote, age)) AS number FROM t) WHERE number <= 3 GROUP BY vote")
DECLARATION = """dataset = "d"
[columns.vote]
type = "category"
values = ["no", "yes", "maybe"]
"""


def spent(who: int = resource.RUSAGE_SELF) -> float:
    """Processor seconds of this process, or of its children."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def least(act: Callable[[], Any], who: int = resource.RUSAGE_SELF) -> float:
    """The fewest processor seconds of several tries."""
    tries = []
    for _ in range(TRIES):
        before = spent(who)
        act()
        tries.append(spent(who) - before)
    return min(tries)


def measure(size: int = ROWS) -> Report:
    """Every statistic beside its plain aggregate."""
    import duckdb

    found: list[tuple[str, str, int, float, float]] = []
    declared = Declaration.of({"dataset": "d", "columns": COLUMNS})
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder), size)
        parquet, text = f"{folder}/t.parquet", f"{folder}/t.csv"
        opened = duckdb.connect(f"{folder}/t.duckdb", read_only=True)
        for source, data in (("Parquet", parquet), ("DuckDB", opened.table("t"))):
            rows = open_source(data, declared)
            plain = opened.read_parquet(parquet) if source == "Parquet" else opened.table("t")
            for name, asked, query in COUNTED:
                tally = Tally(declared, **asked)
                found.append((source, name, size,
                              least(lambda t=tally, r=rows: r.tallies((t,), KEY)),
                              least(lambda q=query, p=plain: p.query("t", q).fetchall())))
        plan = twelve(declared)
        rows = open_source(parquet, declared)
        found.append(("Parquet", "plan of twelve questions", size,
                      least(lambda: rows.tallies(plan, KEY)),
                      least(lambda: [rows.tallies((tally,), KEY) for tally in plan])))
        lines = size // 10
        plain = opened.read_csv(text)
        for name, asked, query in COUNTED[:3]:
            tally = Tally(declared, **asked)
            found.append(("CSV", name, lines, least(lambda t=tally: open_source(
                text, declared).tallies((t,), KEY)),
                least(lambda q=query: plain.query("t", q).fetchall())))
        people = Declaration.of({"dataset": "d", "unit": {"person": "who", "rows": 3},
                                 "columns": COLUMNS})
        opened.execute(f"CREATE TEMP TABLE few AS SELECT * FROM t WHERE who < "
                       f"{max(1, lines // 10)}")
        few = opened.table("few")
        arrow = few.to_arrow_table()
        tally = Tally(people, ("vote",))
        window = least(lambda: few.query("t", WINDOW).fetchall())
        for source, data in (("DuckDB", few), ("Arrow", arrow), ("CSV", text)):
            found.append((source, "histogram of texts, people of ten rows",
                          lines, least(lambda d=data: open_source(d, people).tallies(
                              (tally,), KEY)), window))
        opened.close()
        found.append(("CSV", "release at a terminal, three rows", 3, terminal(Path(folder)),
                      least(lambda: subprocess.run([sys.executable, "-c", "import numpy"],
                                                   check=True), resource.RUSAGE_CHILDREN)))
    return report(size, found)


def report(size: int, found: list[tuple[str, str, int, float, float]]) -> Report:
    """The table of what was measured."""
    return Report(
        title="Privacy beside the plain aggregate",
        question=f"{size:,} generated rows: processor seconds of the exact statistic that noise is "
        "added to, and of the same aggregate by DuckDB without privacy, in one run.",
        columns=["rows in", "statistic", "rows", "Tightrope", "plain", "ratio"],
        rows=[[source, name, f"{rows:,}", f"{ours:.3f}", f"{plain:.3f}", f"{ours / plain:.1f}"]
              for source, name, rows, ours, plain in found],
        remarks=[
            "Plain is `GROUP BY`, `avg`, or `row_number()` over each person's rows in the order "
            "of a hash; of text, DuckDB's reader, which does not judge each line by itself.",
            "Of the plan, plain is each question asked by itself. Of the release, plain is a "
            "process that imports NumPy.",
            "People have ten rows on average, of which three count. Other work went on on the "
            "machine.",
        ],
        numbers={f"{source}: {name}": ours / plain for source, name, _, ours, plain in found},
    )


def fill(folder: Path, size: int) -> None:
    """The rows as a DuckDB file, as Parquet, and a tenth of them as text."""
    import duckdb

    with duckdb.connect(str(folder / "t.duckdb")) as made:
        made.execute(
            f"CREATE TABLE t AS SELECT (hash(range) % {max(1, size // 10)})::BIGINT AS who, "
            "(10 + hash(range + 1) % 8001 / 100)::DOUBLE AS age, "
            "['no', 'yes', 'maybe', 'other'][1 + (hash(range + 2) % 4)::INT] AS vote, "
            f"(hash(range + 3) % 1000000)::INT AS pay FROM range({size})")
        made.execute(f"COPY t TO '{folder}/t.parquet'")
        made.execute(f"COPY (SELECT * FROM t WHERE who < {max(1, size // 100)}) TO "
                     f"'{folder}/t.csv' (HEADER)")


def twelve(declared: Declaration) -> list[Tally]:
    """Twelve questions of one year."""
    old, paid, yes = (read_filter(text, declared.columns)
                      for text in ("age >= 20", "pay > 5", "vote = 'yes'"))
    return [Tally(declared, **asked) for asked in (
        {}, {"keys": ("vote",)}, {"keys": ("age",)}, {"measures": ("age",)},
        {"measures": ("pay",)}, {"keys": ("vote",), "measures": ("age",)},
        {"keys": ("vote",), "measures": ("pay",)}, {"keys": ("age",), "measures": ("pay",)},
        {"keys": ("vote", "age")}, {"where": old}, {"keys": ("vote",), "where": paid},
        {"keys": ("age",), "where": yes})]


def terminal(folder: Path) -> float:
    """Processor seconds of a release on a small file, from the command to its end."""
    (folder / "d.toml").write_text(DECLARATION, encoding="utf-8")
    (folder / "small.csv").write_text("vote\nno\nyes\nno\n", encoding="utf-8")
    declared = Declaration.of({"dataset": "d", "columns": {"vote": COLUMNS["vote"]}})
    Ledger.create(folder / "books.sqlite").open_budget(Budget.of("b", declared, epsilon=100))
    words = ["release", "small.csv", "histogram of vote", "--declaration", "d.toml", "--epsilon",
             "1", "--ledger", "books.sqlite", "--budget", "b"]
    # as installed: modules are compiled, at the first try
    around = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    around.pop("PYTHONDONTWRITEBYTECODE", None)
    return least(lambda: subprocess.run([sys.executable, "-m", "tightrope", *words], cwd=folder,
                                        env=around, capture_output=True, check=True),
                 resource.RUSAGE_CHILDREN)
