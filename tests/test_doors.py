"""Front doors that import a name when it is first asked for."""

import importlib
import subprocess
import sys

import pytest

from tests.architecture.source import modules
from tightrope.doors import on_demand

LAZY = [m for m in modules() if m.is_door and "on_demand" in m.text]


@pytest.mark.parametrize("door", LAZY, ids=lambda door: door.unit)
def test_a_name_of_a_lazy_door_is_never_replaced_by_its_module(door):
    """Importing a module of the same name would put it where the name belongs."""
    room = ".".join(("tightrope", *door.parts))
    inside = {path.stem for path in door.path.parent.iterdir()}
    for name in inside & set(door.exported):
        module = importlib.import_module(f"{room}.{name}")
        assert getattr(importlib.import_module(room), name) is getattr(module, name, module)


def test_a_name_that_is_not_listed_is_an_attribute_error_with_the_nearest_name():
    with pytest.raises(AttributeError, match="has no attribute 'read_spaces'"):
        on_demand("tightrope.files")("read_spaces")


@pytest.mark.parametrize("door", LAZY, ids=lambda door: door.unit)
def test_completion_lists_the_names_of_a_lazy_door_before_they_are_imported(door):
    room = importlib.import_module(".".join(("tightrope", *door.parts)))
    listed = dir(room)
    assert set(door.exported) <= set(listed)
    assert not {"on_demand", "TYPE_CHECKING"} & set(listed)


def test_a_design_without_files_imports_neither_tables_nor_books():
    code = (
        "import sys; from tightrope.files import read_space\n"
        "from tightrope.constructions import design\n"
        "design(read_space('path:0..2'), 1)\n"
        "loaded = {'pyarrow', 'sqlite3', 'tightrope.ledger'} & set(sys.modules)\n"
        "assert not loaded, loaded"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
