"""`tightrope theory`: the commands for research, one module each."""

from __future__ import annotations

from collections.abc import Callable

import typer

from tightrope.cli.once import OnceCommand
from tightrope.cli.signatures import flat
from tightrope.cli.theory.accuracy import accuracy
from tightrope.cli.theory.axioms import axioms
from tightrope.cli.theory.batch import batch
from tightrope.cli.theory.compatible import compatible
from tightrope.cli.theory.excess import excess
from tightrope.cli.theory.generality import generality
from tightrope.cli.theory.generalize import generalize
from tightrope.cli.theory.improve import improve
from tightrope.cli.theory.laplace import laplace
from tightrope.cli.theory.measure import measure
from tightrope.cli.theory.noise import noise
from tightrope.cli.theory.polytope import polytope
from tightrope.cli.theory.prior import prior
from tightrope.cli.theory.query import query
from tightrope.cli.theory.questions import questions
from tightrope.cli.theory.response import response
from tightrope.cli.theory.score import score
from tightrope.cli.theory.sets import sets
from tightrope.cli.theory.thresholds import thresholds

theory = typer.Typer(
    name="theory",
    help="Study privacy itself: limits on accuracy, extreme mechanisms, priors, axioms.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
PANELS: dict[str, tuple[Callable[..., None], ...]] = {
    "What a level allows": (accuracy, measure, thresholds, prior, compatible),
    "One mechanism": (improve, generality, generalize, excess, batch),
    "Numbers and queries": (noise, laplace, response, query, questions, score),
    "All mechanisms, all definitions": (polytope, axioms, sets),
}
for panel, commands in PANELS.items():
    for command in commands:
        theory.command(cls=OnceCommand, rich_help_panel=panel)(flat(command))
