"""The application: its name, its commands in the order of help, its version."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated

import typer

from tightrope.cli.once import OnceCommand
from tightrope.cli.signatures import flat

_COMMANDS = {
    "Publish statistics": ("declare", "release", "report", "ledger", "curve"),
    "Ask and randomize": ("survey", "sanitize", "estimate"),
    "Places and graphs": ("locate", "network"),
    "Mechanisms": ("design", "compare", "tradeoff", "draw"),
    "Proof": ("verify", "inspect", "certify"),
    "Research": ("reproduce", "theory"),
}
"""Panels of help with their commands: each is named as its module and what that holds."""

NAMES = frozenset(name for names in _COMMANDS.values() for name in names)


def application(only: str | None = None) -> typer.Typer:
    """All commands, or the only one that is called: loading the others takes a while."""
    app = typer.Typer(
        name="tightrope",
        epilog="Exit codes: 0 it holds, 1 the answer is no, 2 bad input, 3 refused or not "
        "checkable, 4 failed. Words such as level, unit or neighbors: docs/concepts/glossary.md.",
        add_completion=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(tightrope)
    for panel, names in _COMMANDS.items():
        for name in names:
            if only not in (None, name):
                continue
            command = getattr(import_module(f"tightrope.cli.{name}"), name)
            if isinstance(command, typer.Typer):
                app.add_typer(command, rich_help_panel=panel)
            else:
                app.command(cls=OnceCommand, rich_help_panel=panel)(flat(command))
    return app


def _version(asked: bool) -> None:
    if asked:
        from tightrope import __version__

        print(f"tightrope {__version__}")
        raise typer.Exit


def tightrope(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", metavar="", help="Show the version.", callback=_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Find, prove and run the most useful mechanism that a privacy budget allows."""
    if context.invoked_subcommand is None:
        print(context.get_help())

