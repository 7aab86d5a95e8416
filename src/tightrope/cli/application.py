"""The application: its name, its commands in the order of help, its version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from tightrope.cli.account import account
from tightrope.cli.axioms import axioms
from tightrope.cli.batch import batch
from tightrope.cli.certify import certify
from tightrope.cli.compare import compare
from tightrope.cli.compatible import compatible
from tightrope.cli.curve import curve
from tightrope.cli.declare import declare
from tightrope.cli.design import design
from tightrope.cli.draw import draw
from tightrope.cli.estimate import estimate
from tightrope.cli.excess import excess
from tightrope.cli.generality import generality
from tightrope.cli.generalize import generalize
from tightrope.cli.heatmap import heatmap
from tightrope.cli.improve import improve
from tightrope.cli.inspect import inspect
from tightrope.cli.laplace import laplace
from tightrope.cli.ledger import ledger
from tightrope.cli.locate import locate
from tightrope.cli.network import network
from tightrope.cli.noise import noise
from tightrope.cli.once import OnceCommand
from tightrope.cli.polytope import polytope
from tightrope.cli.prior import prior
from tightrope.cli.query import query
from tightrope.cli.questions import questions
from tightrope.cli.release import release
from tightrope.cli.reproduce import reproduce
from tightrope.cli.response import response
from tightrope.cli.sanitize import sanitize
from tightrope.cli.signatures import flat
from tightrope.cli.survey import survey
from tightrope.cli.thresholds import thresholds
from tightrope.cli.tradeoff import tradeoff
from tightrope.cli.verify import verify

app = typer.Typer(
    name="tightrope",
    epilog="Exit codes: 0 it holds, 1 the answer is no, 2 bad input, 3 refused or not checkable, "
    "4 failed.",
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


_COMMANDS: dict[str, tuple[Callable[..., None], ...]] = {
    "Make a mechanism": (
        design, compare, tradeoff, thresholds, noise, laplace, response, improve, generalize,
        certify, batch,
    ),
    "Check one": (
        verify, inspect, excess, prior, compatible, generality, query, polytope, axioms,
        reproduce,
    ),
    "Use it on data": (draw, sanitize, estimate, questions, locate, heatmap, network, curve),
    "Keep the books": (declare, release, account),
}
for panel, commands in _COMMANDS.items():
    for command in commands:
        app.command(cls=OnceCommand, rich_help_panel=panel)(flat(command))
app.add_typer(survey, rich_help_panel="Use it on data")
app.add_typer(ledger, rich_help_panel="Keep the books")
