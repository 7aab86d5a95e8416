"""Writes docs/reference/api.md and the stub of the front door from its table: `make reference`."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import tightrope

PAGE = Path(__file__).with_name("api.md")
STUB = Path(__file__).parents[2] / "src" / "tightrope" / "__init__.pyi"

HEAD = """\
# The library

This page is generated from the docstrings: change those, then run `make reference`.

`import tightrope as tr`; these {count} names are the ones to build on, and `help(tr.NAME)` shows
each with an example. Whatever else the folders hold is for the library itself and may change.
Spaces are given as values or as text (`"path:0..49"`), levels as numbers (0.1 means 1/10), as text
(`"ln(2)"`) or as `tr.Level`; priors, losses and matrices as lists, arrays or frames.
"""


def first_sentence(value: Any) -> str:
    """The first paragraph of a docstring, up to its first full stop or colon."""
    paragraph = " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split())
    sentence, dot, _ = paragraph.partition(". ")
    return (sentence + "." if dot else paragraph).replace("|", "\\|")


def called(name: str, value: Any) -> str:
    """The name with its arguments, as they are typed in."""
    if not inspect.isroutine(value):
        return f"`{name}`"
    given: list[str] = []
    for argument in inspect.signature(value).parameters.values():
        if argument.kind is argument.KEYWORD_ONLY and "*" not in given:
            given.append("*")
        given.append(argument.name if argument.default is argument.empty else f"{argument.name}=…")
    return f"`{name}({', '.join(given)})`"


def page() -> str:
    """The page, by subject."""
    parts = [HEAD.format(count=len(tightrope.__all__))]
    for subject, rooms in tightrope.STABLE.items():
        names = [(name, room) for room, listed in rooms.items() for name in listed.split()]
        lines = [f"## {subject[0].upper()}{subject[1:]}", "", "| name | what it is |", "|---|---|"]
        for name, _ in names:
            value = getattr(tightrope, name)
            lines.append(f"| {called(name, value)} | {told(value)} |")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def told(value: Any) -> str:
    """What a name is: its docstring's first sentence, or the value that it stands for."""
    documented = inspect.isclass(value) or inspect.isroutine(value)
    return first_sentence(value) if documented else f"`{value!r}`"


def stub() -> str:
    """What type checkers and editors read of the front door."""
    lines = ["# Written by `make reference` from the table in __init__.py.", ""]
    for rooms in tightrope.STABLE.values():
        for room, names in rooms.items():
            for name in names.split():
                source = tightrope._NAMED_OTHERWISE.get(name, name)
                lines.append(f"from tightrope.{room} import {source} as {name}")
    rooms = sorted({r for rooms in tightrope.STABLE.values() for r in rooms if "." not in r})
    lines += [f"from tightrope import {room} as {room}" for room in rooms]
    held = ["", "__version__: str", "STABLE: dict[str, dict[str, str]]", "__all__: list[str]", ""]
    return "\n".join([*lines[:2], *sorted(lines[2:]), *held])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    STUB.write_text(stub(), encoding="utf-8")
