"""The tool plants what it says, mends it again, and prints what no test notices."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.faults import faults


@pytest.mark.parametrize(("line", "planted"), [
    ("return a < b", {"a <= b"}),
    ("return a // b", {"a * b", "-(-a // b)"}),
    ("return a and b", {"a or b", "a", "b"}),
    ("return not a", {"a"}),
    ("return a[b:c]", {"a[:c]", "a[b:]"}),
    ("return floor(2)", {"ceil(2)", "floor(3)", "floor(1)"}),
    ("return [i for i in a if b]", {"[i for i in a]"}),
    ("raise E(1)", {"pass"}),
    ("return f'{a + b}'", set()),
    ("return zip(a, strict=True)", set()),
])
def test_small_faults_are_planted_and_mended(line, planted):
    tree = ast.parse(f"def f(a, b, c):\n    {line}")
    before = ast.unparse(tree)
    found = {ast.unparse(tree).splitlines()[-1].strip().removeprefix("return ")
             for _ in faults(tree)}
    assert found == planted
    assert ast.unparse(tree) == before


def test_messages_and_representations_are_left_alone():
    tree = ast.parse("class A:\n    def __repr__(self):\n        return 1\n    def f(self):\n"
                     "        return 2\nB = 3")
    assert [fault.text for fault in faults(tree)] == ["2 → 3", "2 → 1"]


def test_what_no_test_notices_is_printed(tmp_path):
    """One boundary is tested, the other is not, a function never runs, and a loop never ends."""
    (tmp_path / "law.py").write_text(
        "def low(a):\n    return a < 7\n\n\ndef high(a):\n    return a > 7\n\n\n"
        "def never(a):\n    return not a\n\n\ndef ends(a):\n    while a:\n        a = not a\n"
        "    return a\n")
    (tmp_path / "test_law.py").write_text(
        "from law import ends, high, low\n\n\ndef test_law():\n"
        "    assert not low(7) and low(6) and not high(6) and high(8) and ends(9) is False\n")
    root = Path(__file__).parents[2]
    told = {"FILES": "law.py", "TESTS": "test_law.py", "SECONDS": "0.1",
            "PYTHONPATH": f"{root}{os.pathsep}{tmp_path}"}
    done = subprocess.run([sys.executable, root / "tests" / "mutation" / "run.py"], cwd=tmp_path,
                          env={**os.environ, **told}, capture_output=True, text=True, check=False)
    said = [line for line in done.stdout.splitlines() if line.startswith("law.py")]
    assert said == [
        "law.py:6: a > 7 → a >= 7",
        "law.py:6: 7 → 6",
        "law.py:10: not a → a (not run)",
        "law.py {'noticed': 5, 'survived': 2, 'not run': 1, 'endless': 1}",
    ]
