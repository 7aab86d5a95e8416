"""The application: its name, its commands in the order of help, its version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from tightrope.cli.certify import certify
from tightrope.cli.compare import compare
from tightrope.cli.curve import curve
from tightrope.cli.declare import declare
from tightrope.cli.design import design
from tightrope.cli.draw import draw
from tightrope.cli.estimate import estimate
from tightrope.cli.inspect import inspect
from tightrope.cli.ledger import ledger
from tightrope.cli.locate import locate
from tightrope.cli.network import network
from tightrope.cli.once import OnceCommand
from tightrope.cli.release import release
from tightrope.cli.report import report
from tightrope.cli.reproduce import reproduce
from tightrope.cli.sanitize import sanitize
from tightrope.cli.signatures import flat
from tightrope.cli.survey import survey
from tightrope.cli.theory import theory
from tightrope.cli.tradeoff import tradeoff
from tightrope.cli.verify import verify

app = typer.Typer(
    name="tightrope",
    epilog="Exit codes: 0 it holds, 1 the answer is no, 2 bad input, 3 refused or not checkable, "
    "4 failed. Words such as level, unit or neighbors: docs/concepts/glossary.md.",
    add_completion=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from tightrope import __version__

        print(f"tightrope {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
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


_COMMANDS: dict[str, tuple[Callable[..., None] | typer.Typer, ...]] = {
    "Publish statistics": (declare, release, report, ledger, curve),
    "Ask and randomize": (survey, sanitize, estimate),
    "Places and graphs": (locate, network),
    "Mechanisms": (design, compare, tradeoff, draw),
    "Proof": (verify, inspect, certify),
    "Research": (reproduce, theory),
}
for panel, commands in _COMMANDS.items():
    for command in commands:
        if isinstance(command, typer.Typer):
            app.add_typer(command, rich_help_panel=panel)
        else:
            app.command(cls=OnceCommand, rich_help_panel=panel)(flat(command))
