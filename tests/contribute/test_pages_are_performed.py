"""The pages on adding something are followed to the letter, and what they add then works."""

import re
import subprocess
import sys

import pytest

from tests.architecture.rules import MODULE_RULES, modules_are_short
from tests.architecture.source import ROOT, Module
from tests.contribute.performing import BLOCK, Performance

PAGES = ROOT / "docs" / "contribute"
ELSEWHERE = {"add-a-statistic"}  # has a test of its own

# The most source files that each takes; the stand-alone checkers count like all others.
MOST_FILES = {"add-a-loss": 2, "add-a-construction": 2, "add-an-option": 2, "add-a-space": 3,
              "add-a-form": 6}

RULES = [rule for rule in MODULE_RULES if rule is not modules_are_short]
"""A file may be as long as it may get; who adds something then makes room."""


@pytest.mark.slow
@pytest.mark.parametrize("name", MOST_FILES)
def test_a_page_followed_to_the_letter_adds_what_it_says(name, tmp_path):
    performance = Performance.prepare(tmp_path)
    performance.perform((PAGES / f"{name}.md").read_text(encoding="utf-8"))
    assert 1 <= len(performance.sources) <= MOST_FILES[name], performance.sources
    typed = performance.typed
    assert any("pytest" in line for line in typed)
    assert any(line.startswith("tightrope") for line in typed)
    python = [path for path in {*performance.touched} if path.endswith(".py")]
    checked = subprocess.run([sys.executable, "-m", "ruff", "check", "--no-cache", *python],
                             cwd=tmp_path, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
    package = tmp_path / "src" / "tightrope"
    modules = [Module(tmp_path / path, package) for path in performance.sources]
    assert [broken for rule in RULES for module in modules for broken in rule(module)] == []


@pytest.mark.parametrize("name", MOST_FILES)
def test_a_page_shows_a_test_that_fails_before_it_passes(name):
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    sessions = [block["body"] for block in BLOCK.finditer(text) if block["language"] == "console"]
    outcomes = re.findall(r"[\d.]+ (failed|error|passed)", "".join(sessions))
    assert outcomes[0] in ("failed", "error")
    assert outcomes[-1] == "passed"


def test_every_page_is_performed():
    assert {path.stem for path in PAGES.glob("add-*.md")} - ELSEWHERE == {*MOST_FILES}


def test_a_step_that_does_not_fit_is_noticed(tmp_path):
    (tmp_path / "a.py").write_text("one = 1\ntwo = 2\n")
    performance = Performance(tmp_path)
    with pytest.raises(AssertionError, match="0 lines have"):
        performance.perform("In `a.py`, after `three`:\n\n```python\nfour = 4\n```\n")
    with pytest.raises(AssertionError, match="2 lines have"):
        performance.perform("In `a.py`, after `=`:\n\n```python\nfour = 4\n```\n")
    with pytest.raises(AssertionError, match="no step"):
        performance.perform("Somewhere:\n\n```python\nfour = 4\n```\n")
    with pytest.raises(AssertionError, match="exists"):
        performance.perform("New file `a.py`:\n\n```python\nfour = 4\n```\n")
    performance.perform("1. In `a.py`, after `one`:\n\n```python\nhalf = 1.5\n```\n")
    performance.perform("In `a.py`, in place of `two`:\n\n```python\ntwo = 2.0\n```\n")
    assert (tmp_path / "a.py").read_text() == "one = 1\nhalf = 1.5\ntwo = 2.0\n"


def test_a_command_that_ends_otherwise_is_noticed(tmp_path):
    performance = Performance(tmp_path)
    performance.type("$ .venv/bin/python -c 'print(1, 2, 3)'\n1 ... 3\n")
    with pytest.raises(AssertionError, match="expected '4'"):
        performance.type("$ .venv/bin/python -c 'print(1)'\n4\n")
    with pytest.raises(AssertionError, match="exit"):
        performance.type("$ .venv/bin/python -c 'exit(1)'\n")
    with pytest.raises(AssertionError, match="print"):
        performance.type("$ .venv/bin/python -c 'print(\"1 failed\")'\n1 failed\n")
