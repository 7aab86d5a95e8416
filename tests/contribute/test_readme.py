"""The README is typed as it stands: its notebook cell by cell, its commands in order."""

import ast
import importlib.util
import json
import re
import shlex

import pytest

import tightrope
from tests.architecture.source import ROOT
from tests.contribute.performing import Performance

README = (ROOT / "README.md").read_text(encoding="utf-8")
NOTEBOOK = ROOT / "docs" / "start" / "readme.ipynb"
ELSEWHERE = ("pip ", "make ")  # CI runs these, the wheel's test and the demo


def test_the_notebook_is_that_of_the_readme():
    script = NOTEBOOK.with_name("generate_notebook.py")
    spec = importlib.util.spec_from_file_location("generate_notebook", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert NOTEBOOK.read_text(encoding="utf-8") == module.notebook(), "run make reference"


def cells():
    """The code of every cell."""
    content = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in content["cells"] if cell["cell_type"] == "code"]


def show(value):
    """What a notebook asks of the last value of a cell."""
    return next(made for name in ("_repr_html_", "__repr__")
                if hasattr(value, name) and (made := getattr(value, name)()) is not None)


def run(cell, names):
    """Run one cell as a notebook does, and show its last value."""
    tree = ast.parse(cell)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if last is not None:
        return show(eval(compile(ast.Expression(last.value), "cell", "eval"), names))
    return None


@pytest.mark.slow
def test_every_cell_of_the_notebook_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    shown = [run(cell, names) for cell in cells()]
    assert shown[-1] == "True"
    assert round(names["s"].value, 3) == round(names["s"].bound, 3) == 1.808


def commands():
    blocks = re.findall(r"(?ms)^```sh\n(.*?)^```", README)
    lines = "".join(blocks).replace("\\\n", "").splitlines()
    return [line.partition("  #")[0] for line in lines if not line.startswith(ELSEWHERE)]


@pytest.mark.slow
def test_every_command_of_the_readme_ends_well(tmp_path):
    performance = Performance(tmp_path)
    for name in ("randhie.parquet", "randhie.toml"):
        tightrope.example("randhie", tmp_path / name)
    (tmp_path / "trips.csv").write_text("lon,lat\n-3.70,40.42\n")
    printed = {}
    for line in commands():
        ended = performance.run(line)
        assert ended.returncode == 0, (line, ended.stderr)
        printed[shlex.split(line)[1]] = ended.stdout
    assert {*printed} == {"declare", "ledger", "release", "survey", "locate"}
    assert "1,573" in printed["survey"]
    assert "578 m" in printed["locate"]
    assert all(health in printed["release"] for health in ("excellent", "good", "fair", "poor"))


def test_a_cell_that_fails_is_noticed():
    assert run("a = 1\na + 1", {}) == "2"
    assert run("a = 1", {}) is None
    with pytest.raises(NameError):
        run("missing", {})
