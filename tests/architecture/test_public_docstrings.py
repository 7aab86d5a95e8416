"""Every public function says what it returns, what it raises, and shows a call."""

import inspect

import pytest

import tightrope as tr

PUBLIC = {name: getattr(tr, name) for name in tr.__all__} | {
    f"{room}.{name}": getattr(getattr(tr, room), name)
    for room, names in tr.ROOMS.items() for name in names.split()}
FUNCTIONS = sorted(name for name, value in PUBLIC.items() if inspect.isroutine(value))


def lacking(text: str) -> list[str]:
    return [word for word in ("Returns", "Raises", ">>>") if word not in text]


def test_there_are_functions_to_look_at():
    assert len(FUNCTIONS) > 100
    assert {"design", "mean", "spaces.path"} <= {*FUNCTIONS}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_says_what_it_returns_and_raises_and_shows_a_call(name):
    assert lacking(inspect.getdoc(PUBLIC[name]) or "") == []


def test_a_docstring_without_a_part_is_found():
    assert lacking("Add.\n\nReturns: a sum.\n\n>>> 1") == ["Raises"]
