"""Commands with their options, and the options that a row types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from typer.main import get_command

from tests.golden.rows import Row
from tightrope.cli import application

Option = tuple[str, str]
"""Names of a command and of one of its options or arguments."""


def _commands(group: Any, before: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, (*before, name))
        else:
            yield (*before, name), command.params


COMMANDS: dict[tuple[str, ...], Any] = dict(_commands(get_command(application())))
"""Words of each command, and its parameters."""


def _name(param: Any) -> str:
    return param.name.upper() if param.param_type_name == "argument" else max(param.opts, key=len)


OPTIONS: frozenset[Option] = frozenset(
    (" ".join(words), _name(param)) for words, params in COMMANDS.items() for param in params
    if param.name != "help")
"""Options and arguments of all commands."""


def typed(row: Row) -> frozenset[Option]:
    """Options that a row types, and the arguments of its command."""
    command, pieces = _pieces(row)
    arguments = {_name(param) for param in COMMANDS[command]
                 if param.param_type_name == "argument"}
    options = {name for name, _ in pieces if name is not None}
    return frozenset((" ".join(command), name) for name in arguments | options)


def shortened(row: Row) -> Iterator[tuple[Option, Row]]:
    """Each option that a row types, and the row without it and its values."""
    command, pieces = _pieces(row)
    for dropped in dict.fromkeys(name for name, _ in pieces if name is not None):
        rest = [word for name, words in pieces if name != dropped for word in words]
        yield (" ".join(command), dropped), replace(row, words=(*command, *rest))


def _pieces(row: Row) -> tuple[tuple[str, ...], list[tuple[str | None, tuple[str, ...]]]]:
    """Words of the command; then options with their values, and other words without a name."""
    command = next(words for words in COMMANDS if row.words[: len(words)] == words)
    spelled = {text: param for param in COMMANDS[command] if param.param_type_name == "option"
               for text in (*param.opts, *param.secondary_opts)}
    pieces: list[tuple[str | None, tuple[str, ...]]] = []
    rest = row.words[len(command):]
    while rest:
        text, equals, _ = rest[0].partition("=")
        param = spelled.get(text)
        taken = 1 if param is None or param.is_flag or equals else 1 + param.nargs
        pieces.append((None if param is None else _name(param), rest[:taken]))
        rest = rest[taken:]
    return command, pieces
