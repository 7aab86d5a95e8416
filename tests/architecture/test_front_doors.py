"""What only running the code shows: public names are documented, help is light."""

import importlib
import inspect
import os
import subprocess
import sys
from types import ModuleType

import pytest

from tests.architecture.source import PACKAGE, modules

DOORS = [m for m in modules() if m.is_door and ".".join(m.parts) == m.unit]
HEAVY = {"numpy", "scipy", "pyarrow", "highspy", "flint"}
SHOW_ALL_HELP = """
import sys
from tightrope.cli import application, main
for command in [None, *(c.name or c.callback.__name__ for c in application().registered_commands)]:
    sys.argv = ["tightrope", *([command] if command else []), "--help"]
    try:
        main()
    except SystemExit as stop:
        assert not stop.code, (command, stop.code)
"""


def undocumented(door: ModuleType) -> list[str]:
    """Public classes, functions and modules of a front door without a docstring of their own."""
    return [name for name in door.__all__ if not _has_docstring(getattr(door, name))]


def _has_docstring(value: object) -> bool:
    if inspect.isclass(value):
        text = vars(value).get("__doc__") or ""
        return bool(text) and not text.startswith(f"{value.__name__}(")  # a dataclass makes these
    if inspect.isroutine(value) or inspect.ismodule(value):
        return bool(value.__doc__)
    return True  # a constant or an alias of types has none


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.unit or "root")
def test_every_public_name_exists_and_has_a_docstring(door):
    assert undocumented(importlib.import_module(".".join(("tightrope", *door.parts)))) == []


def test_public_names_without_docstring_are_found():
    door = ModuleType("door")
    exec(
        "from dataclasses import dataclass\n"
        "@dataclass\nclass Bare: x: int\n"
        "@dataclass\nclass Told:\n    'Says so.'\n    x: int\n"
        "def bare(): ...\n"
        "def told(): 'Says so.'\n"
        "LIMIT = 3\n"
        "__all__ = ['Bare', 'LIMIT', 'Told', 'bare', 'told']\n",
        vars(door),
    )
    assert undocumented(door) == ["Bare", "bare"]


def heavy_imports_of(program: str) -> set[str]:
    """The heavy packages that a new Python has imported after a program."""
    run = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys\nprint('\\nimported:', *sys.modules)"],
        env=os.environ | {"PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return HEAVY & set(run.stdout.rpartition("imported:")[2].split())


def test_help_of_the_program_and_of_each_command_imports_nothing_heavy():
    assert heavy_imports_of(SHOW_ALL_HELP) == set()


def test_a_heavy_import_is_noticed():
    assert heavy_imports_of("import numpy") == {"numpy"}
