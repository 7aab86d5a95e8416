"""docs/contribute/add-a-statistic.md, followed to the letter in a copy of the source."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "contribute" / "add-a-statistic.md").read_text(encoding="utf-8")
NEW = "src/tightrope/releases/statistics/quartiles.py"
UNION = "src/tightrope/releases/statistics/__init__.py"
USE = "src/tightrope/releases/answers.py"
UNION_BEGINS = "Count | People"

RELEASE = """
import json, sys
from pathlib import Path
from tightrope.declarations import Declaration
from tightrope.ledger import Budget, Ledger, Scope
from tightrope.plots import picture
from tightrope.files import document_bytes
from tightrope.releases import open_books, read_release, release_figure

folder, text = Path(sys.argv[1]), sys.argv[2]
form = {"dataset": "d", "columns": {
    "age": {"type": "number", "low": 0, "high": 99, "resolution": 1},
    "sex": {"type": "category", "values": ["f", "m"]}}}
rows = {"age": [k % 100 for k in range(40_000)], "sex": ["fm"[k % 2] for k in range(40_000)]}
ledger = Ledger.create(folder / "books.sqlite")
ledger.open_budget(Budget("now", Scope.of(Declaration.of(form)), "9"))
books = open_books(rows, form, ledger=ledger, budget="now")
plan = books.dry_run(text, "1")
release = books.ask(text, "1")
(folder / "r.json").write_bytes(document_bytes(release, folder / "r.json"))
read = read_release(folder / "r.json")
print(json.dumps({
    "text": plan.question.text, "unit": plan.unit_of_error, "width": float(plan.width),
    "cells": [answer.cell for answer in release.answers],
    "values": [float(answer.value) for answer in release.answers],
    "svg": "<svg" in picture(release_figure(release.plan, release.answers), "svg").decode(),
    "holds": read.holds is not False, "again": read.answers == release.answers,
    "card": "interquartile" in release._repr_html_(),
}))
"""


def block(language, number):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)[number]


def applied(text, change):
    """A text with a change as `diff` writes it."""
    lines = change.splitlines()
    old, new = ("".join(f"{line[1:]}\n" for line in lines if line[0] in marks)
                for marks in (" -", " +"))
    assert text.count(old) == 1, f"the page changes what is not there:\n{old}"
    return text.replace(old, new)


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The source with the two files of the page."""
    tree = tmp_path_factory.mktemp("tree")
    shutil.copytree(ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("__pycache__"))
    assert not (tree / NEW).exists()
    (tree / NEW).write_text(block("python", 0), encoding="utf-8")
    union = (tree / UNION).read_text(encoding="utf-8")
    for number in (0, 1):
        union = applied(union, block("diff", number))
    (tree / UNION).write_text(union, encoding="utf-8")
    return tree


def run(tree, *words):
    return subprocess.run(
        [sys.executable, *words], env={**os.environ, "PYTHONPATH": str(tree / "src")},
        cwd=tree, capture_output=True, text=True, timeout=300, check=False)


def test_the_page_names_the_two_files_that_it_changes():
    assert f"`{NEW.replace('quartiles', 'NAME')}`" in PAGE
    assert "`quartiles.py`" in PAGE
    assert f"`{UNION}`" in PAGE


def test_a_new_statistic_is_planned_charged_answered_drawn_and_verified(copy, tmp_path):
    ended = run(copy, "-c", RELEASE, str(tmp_path), "Interquartile RANGE of age by sex")
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    assert told["text"] == "interquartile range of age by sex"
    assert told["unit"] == "ranks"
    assert told["cells"] == [["f"], ["m"]]
    assert told["svg"]
    assert told["holds"]
    assert told["again"]
    assert told["card"]
    # of 200 rows a value and group, quartiles are 50 apart; both are off by the width in ranks
    steps = told["width"] / 400 + 1
    assert all(abs(value - 50) <= 2 * steps for value in told["values"])
    assert steps < 3


def test_a_mistake_names_the_new_statistic(copy):
    asked = "from tightrope.releases import Question; Question.read('interquartile of age')"
    ended = run(copy, "-c", asked)
    assert "after 'interquartile' comes 'range of' and a column" in ended.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("left_out", "named"), [("answers", True), (None, False)])
def test_the_type_checker_asks_for_what_a_statistic_lacks(copy, tmp_path, left_out, named):
    """Without its answers the class is refused; as the page has it, it passes."""
    text = (copy / NEW).read_text(encoding="utf-8")
    tree = tmp_path / "tree"
    shutil.copytree(copy, tree)
    shutil.copy(ROOT / "pyproject.toml", tree)
    if left_out is not None:
        (tree / NEW).write_text(text.replace(f"def {left_out}(", "def other("), encoding="utf-8")
    ended = run(tree, "-m", "mypy", "--no-incremental", NEW, UNION, USE)
    lacks = f'"InterquartileRange" of "{UNION_BEGINS}' in ended.stdout
    assert lacks is named, ended.stdout
    assert ("Answerable" in ended.stdout) is named
    assert (ended.returncode != 0) is named
