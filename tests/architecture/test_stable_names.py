"""The names to build on: listed once, documented, on a page, in the stub; nothing else is shown."""

import importlib.util
import inspect
import pydoc
from operator import attrgetter
from types import ModuleType

import pytest

import tightrope
from tests.architecture.source import ROOT

SCRIPT = ROOT / "docs" / "reference" / "generate_api.py"


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    found = importlib.util.spec_from_file_location("generate_api", SCRIPT)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


LISTED = [*tightrope.__all__, *(f"{room}.{name}" for room, names in tightrope.ROOMS.items()
                                for name in names.split())]


def documented(name: str) -> bool:
    """Whether a name is a class or function, which carries its own docstring."""
    value = attrgetter(name)(tightrope)
    return inspect.isclass(value) or inspect.isroutine(value)


def test_there_are_at_most_60_names_at_the_top_each_listed_once():
    listed = [
        name
        for rooms in tightrope.TOP.values()
        for names in rooms.values()
        for name in names.split()
    ]
    assert sorted(set(listed)) == sorted(listed) == tightrope.__all__
    assert 40 <= len(listed) <= 60
    assert len(set(LISTED)) == len(LISTED)


@pytest.mark.parametrize("room", sorted(tightrope.ROOMS))
def test_a_namespace_is_a_room_whose_door_has_what_is_listed(room):
    door = importlib.import_module(f"tightrope.{room}")
    assert getattr(tightrope, room) is door
    assert set(tightrope.ROOMS[room].split()) <= set(getattr(door, "__all__", vars(door)))


@pytest.mark.parametrize("name", [name for name in LISTED if documented(name)])
def test_a_stable_name_has_a_docstring_and_an_example_that_runs(name):
    # Examples in docstrings are run by the doctests of src.
    assert ">>>" in (attrgetter(name)(tightrope).__doc__ or "")


def test_completion_and_help_show_the_stable_names():
    assert sorted(dir(tightrope)) == sorted([*tightrope.__all__, *tightrope.ROOMS, "__version__"])
    shown = pydoc.plain(pydoc.render_doc(tightrope))
    assert [name for name in tightrope.__all__ if name not in shown] == []


def test_what_is_no_stable_name_is_no_attribute():
    with pytest.raises(AttributeError, match="no attribute 'desing'"):
        tightrope.desing  # noqa: B018
    with pytest.raises(AttributeError, match=r"'path'; take tr\.spaces\.path$"):
        tightrope.path  # noqa: B018


def test_the_pages_of_the_library_are_current(reference):
    written = {p.name: p.read_text(encoding="utf-8") for p in reference.FOLDER.glob("*.md")}
    assert written == reference.pages(), "run make reference"


def test_editors_read_the_same_names(reference):
    assert reference.STUB.read_text(encoding="utf-8") == reference.stub()
