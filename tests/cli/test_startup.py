"""A release of a small file imports what it needs: most of its time at a terminal is imports.

The interpreter's own log of imports is read, so that nothing of the library is trusted for it.
"""

import re
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tightrope.declarations import Declaration
from tightrope.ledger import Budget, Ledger

HEAVY = {"pandas", "polars", "narwhals", "scipy", "duckdb", "highspy", "matplotlib", "networkx",
         "pyspark", "sympy", "psycopg"}
MOST_MODULES, MOST_OF_OURS = 890, 270
DECLARATION = """dataset = "small"
[columns.vote]
type = "category"
values = ["no", "yes"]
[columns.age]
type = "number"
low = 0
high = 100
resolution = 1
"""


def files(folder):
    """A small table as text and as Parquet, its declaration, and a ledger with a budget."""
    (folder / "d.toml").write_text(DECLARATION)
    (folder / "t.csv").write_text("vote,age\nno,3\nyes,40\nno,50\n")
    pq.write_table(pa.table({"vote": ["no", "yes", "no"], "age": [3.0, 40.0, 50.0]}),
                   folder / "t.parquet")
    form = {"dataset": "small", "columns": {
        "vote": {"type": "category", "values": ["no", "yes"]},
        "age": {"type": "number", "low": 0, "high": 100, "resolution": 1}}}
    ledger = Ledger.create(folder / "books.sqlite")
    ledger.open_budget(Budget.of("2026", Declaration.of(form), epsilon=10))


def imports_of(folder, *words):
    """The modules that the interpreter logs while a command runs."""
    ended = subprocess.run([sys.executable, "-X", "importtime", "-m", "tightrope", *words],
                           cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    return re.findall(r"^import time: +\d+ \| +\d+ \| +([\w.]+)$", ended.stderr, re.M)


@pytest.mark.parametrize("table", ["t.csv", "t.parquet"])
@pytest.mark.parametrize("question", ["histogram of vote", "mean of age"])
def test_a_first_release_imports_nothing_heavy(tmp_path, table, question):
    files(tmp_path)
    modules = imports_of(tmp_path, "release", table, question, "--declaration", "d.toml",
                         "--epsilon", "1", "--ledger", "books.sqlite", "--budget", "2026")
    assert not HEAVY & {name.partition(".")[0] for name in modules}
    assert len(modules) <= MOST_MODULES
    assert sum(name.startswith("tightrope") for name in modules) <= MOST_OF_OURS
