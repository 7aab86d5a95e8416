"""Writes docs/reference/python, a page per room, and the stub of the root: `make reference`."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any

import tightrope

FOLDER = Path(__file__).with_name("python")
STUB = Path(__file__).parents[2] / "src" / "tightrope" / "__init__.pyi"

HEAD = """\
# The library

These pages are generated from the docstrings: change those, then run `make reference`.

`import tightrope as tr`; these {count} names stand at the top level. Others to build on are in
namespaces: `tr.spaces.path` is `path` of the room `spaces`. `help(tr.NAME)` shows each with an
example. Whatever else the rooms hold is for the library itself and may change.
Spaces are given as values or as text (`"path:0..49"`). A level is `epsilon`: a number (0.1 means
1/10), text (`"ln(2)"`) or a `tr.Level`; `ratio=2` in its place says that e^ε is 2. Priors, losses
and matrices are lists, arrays or frames.
The words are in the [glossary](../../concepts/glossary.md).

{top}

| namespace | holds | names |
|---|---|---|
"""


def pages() -> dict[str, str]:
    """The text of every page by its file name."""
    rooms = calls_of_rooms()
    top = [f"- {subject}: {', '.join(linked(room, name) for room, name in named(listed))}"
           for subject, listed in tightrope.TOP.items()]
    lines = [
        f"| [{room}]({room}.md) | {first_sentence(import_module(f'tightrope.{room}'))} "
        f"| {', '.join(f'`{name}`' for name in tightrope.ROOMS.get(room, '').split())} |"
        for room in rooms
    ]
    head = HEAD.format(count=len(tightrope.__all__), top="\n".join(top))
    return {"index.md": head + "\n".join([*lines, ""])} | {
        f"{room}.md": room_page(room, calls) for room, calls in rooms.items()
    }


def named(listed: dict[str, str]) -> list[tuple[str, str]]:
    """Rooms and names of a part of the table."""
    return [(room, name) for room, names in listed.items() for name in names.split()]


def linked(room: str, name: str) -> str:
    """A name of the top level, with a link to its page."""
    return f"[`{name}`]({room}.md)"


def calls_of_rooms() -> dict[str, list[str]]:
    """What is typed after `tr.` for the public names of each room; the top level comes first."""
    rooms: dict[str, list[str]] = {}
    for listed in tightrope.TOP.values():
        for room, name in named(listed):
            rooms.setdefault(room, []).append(name)
    for room, name in named(tightrope.ROOMS):
        rooms.setdefault(room, []).append(f"{room}.{name}")
    return dict(sorted(rooms.items()))


def room_page(room: str, calls: list[str]) -> str:
    """The page of one room: every public name with its docstring."""
    about = first_sentence(import_module(f"tightrope.{room}"))
    return "\n".join([f"# {room}", "", about, "", *(entry(call) for call in calls)])


def entry(call: str) -> str:
    """One name: how it is called, and its docstring; of a plain value what it stands for."""
    value = attrgetter(call)(tightrope)
    if not (inspect.isclass(value) or inspect.isroutine(value)):
        return f"## {call}\n\n`{value!r}`\n"
    shown = "" if inspect.isclass(value) else f"```text\ntr.{call}{arguments(value)}\n```\n\n"
    return f"## {call}\n\n{shown}{markdown(inspect.getdoc(value) or '')}\n"


def arguments(function: Any) -> str:
    """The arguments in brackets, as they are typed in; `…` stands for a default."""
    given: list[str] = []
    for argument in inspect.signature(function).parameters.values():
        if argument.kind is argument.KEYWORD_ONLY and "*" not in given:
            given.append("*")
        given.append(argument.name if argument.default is argument.empty else f"{argument.name}=…")
    return f"({', '.join(given)})"


def markdown(docstring: str) -> str:
    """A docstring with its examples and indented lines in fences, so that nothing is markup."""
    parts = re.split(r"\n\s*\n", docstring)
    return "\n\n".join(fenced(part) if is_verbatim(part) else escaped(part) for part in parts)


def is_verbatim(part: str) -> bool:
    """Whether a paragraph is an example, or is indented as formulas and tables are."""
    return part.lstrip().startswith(">>>") or part.startswith("    ")


def fenced(part: str) -> str:
    """A paragraph as it stands."""
    kind = "python" if ">>>" in part else "text"
    return f"```{kind}\n{inspect.cleandoc(part)}\n```"


def escaped(part: str) -> str:
    """Prose without accidental markup: only code in backticks keeps its meaning."""
    pieces = re.split(r"(`[^`]*`)", part)
    return "".join(
        piece if piece.startswith("`") else re.sub(r"([*_<\[\]])", r"\\\1", piece)
        for piece in pieces
    )


def first_sentence(value: Any) -> str:
    """The first paragraph of a docstring, up to its first full stop."""
    paragraph = " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split())
    sentence, dot, _ = paragraph.partition(". ")
    return escaped(sentence + "." if dot else paragraph).replace("|", "\\|")


def stub() -> str:
    """The names of the front door with their homes, for type checkers and editors."""
    lines = ["# Written by `make reference` from the table in __init__.py.", ""]
    for listed in tightrope.TOP.values():
        for room, name in named(listed):
            source = tightrope._NAMED_OTHERWISE.get(name, name)
            lines.append(f"from tightrope.{room} import {source} as {name}")
    lines += [f"from tightrope import {room} as {room}" for room in calls_of_rooms()]
    held = ["", "__version__: str", "TOP: dict[str, dict[str, str]]", "ROOMS: dict[str, str]",
            "__all__: list[str]", ""]
    return "\n".join([*lines[:2], *sorted(lines[2:]), *held])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.md"):
        old.unlink()
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    STUB.write_text(stub(), encoding="utf-8")
