"""Every benchmark runs at tiny size, and RESULTS.md is made from results of all of them."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.systems import postgres, spark

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks"


sys.path.append(str(FOLDER))  # where the benchmarks import each other
bench = importlib.import_module("run")
NEEDS = {"clusters": spark.needed, "books": postgres.programs}


def run(*words):
    return subprocess.run(
        [sys.executable, FOLDER / "run.py", *map(str, words)],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "SPARK_LOCAL_IP": "127.0.0.1",
             "PYSPARK_PYTHON": sys.executable, "OMP_NUM_THREADS": "1"},
    )


def pages(text):
    """The title, rows of the table and remarks of each page of RESULTS.md."""
    for part in text.split("\n## ")[1:]:
        lines = part.splitlines()
        table = [line.strip("|").split("|") for line in lines if line.startswith("|")]
        yield lines[0], table, [line for line in lines if line.startswith("- ")]


def assert_whole(page):
    title, table, remarks = page
    assert title
    assert len(table) > 2, "a head, a rule and at least a row"
    assert {len(row) for row in table} == {len(table[0])}, "a cell for each column"
    assert {cell.strip("-:") for cell in table[1]} == {""}
    assert all(row[0].strip() for row in table)
    assert remarks[-1].startswith("- Machine: processor ")


@pytest.mark.slow
@pytest.mark.parametrize("name", bench.NAMES)
def test_a_tiny_run_ends_and_is_a_page(name, tmp_path):
    NEEDS.get(name, lambda: None)()
    ended = run("--tiny", "--into", tmp_path, name)
    assert ended.returncode == 0, ended.stderr[-3000:]
    [page] = pages((tmp_path / "RESULTS.md").read_text(encoding="utf-8"))
    assert_whole(page)
    assert "other libraries are left out" in page[2][0]
    if name == "reach":  # a problem that ends in an error is a row without a loss
        assert all(row[-1].strip() for row in page[1])


def test_results_are_there_for_every_benchmark_and_make_the_page():
    """A name without results would be missing in RESULTS.md, and nobody would see it."""
    assert {path.stem for path in (FOLDER / "results").iterdir()} == {*bench.NAMES}
    text = (FOLDER / "RESULTS.md").read_text(encoding="utf-8")
    assert text == bench.render_markdown(bench.reports(FOLDER))
    for page in pages(text):
        assert_whole(page)


def test_a_tiny_run_replaces_no_results():
    path = FOLDER / "results" / "small_levels.json"
    before = path.read_bytes()
    assert run("--tiny", "small_levels").returncode == 0
    assert path.read_bytes() == before


def test_an_unknown_name_is_told_with_the_known_ones():
    ended = run("grid")
    assert ended.returncode == 2
    assert "no benchmark is called grid; there are: draws," in ended.stderr
