"""Questions at a terminal: prompts on standard error, answers from standard input."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import typer

from tightrope.characters import escape
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from tightrope.cli.targets import Target


def declare_by_answers(
    data: str, table: str | None, schema: Mapping[str, str | None],
    known: Mapping[str, Mapping[str, Any]], target: Target, *, as_json: bool,
) -> None:
    """Ask for a declaration, write it, and tell the command that comes next."""
    from tightrope.cli.output import tell
    from tightrope.tables import Interview

    name = table or (Path(data).name.partition(".")[0] if "://" not in data else "table")
    draft = Interview(schema, ask, say, known).declaration(name)
    while target.path is None:
        target = _file(f"{name}.toml", target.force)
    target.write(lambda: draft.text.encode())
    file = quote(str(target.path))
    tell(draft.facts().also(target.fact, sentences=(
        "Next, open a budget:",
        f" tightrope ledger open books.sqlite --budget 2026 --declaration {file} --epsilon 1",
    )), as_json=as_json)


def _file(default: str, force: bool) -> Target:
    """The file that is named; of one that exists, another name is asked for."""
    from tightrope.cli.targets import Target

    try:
        return Target(Path(ask(f"file to write ({default}): ").strip() or default), force)
    except BadInput as wrong:
        say(str(wrong))
        return Target(None, force)


def ask(question: str) -> str:
    """The answer to a question; `BadInput` if the answers end before."""
    typer.echo(escape(question), nl=False, err=True)
    try:
        line = sys.stdin.readline() if sys.stdin is not None else ""
    except OSError:
        line = ""
    if not line:
        raise BadInput("the answers ended before the declaration was whole; nothing was written.")
    return line


def say(line: str) -> None:
    """A line for whoever answers."""
    typer.echo(escape(line), err=True)
