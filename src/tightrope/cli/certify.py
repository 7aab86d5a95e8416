"""`tightrope certify`: repairs a matrix of probabilities, proves the result, states the cost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from tightrope.choices import Goal
from tightrope.cli.asked import AskedLevel, AskedObjective
from tightrope.cli.options import (
    Force,
    GoalOption,
    Json,
    Normalize,
    OutputFile,
    PriorOption,
    argument,
    complete_loss,
    complete_space,
)
from tightrope.errors import BadInput


def certify(
    file: Annotated[Path, argument(
        "FILE", "A matrix (.csv, .tsv, .parquet, .npy, .json); rows are inputs and add up to 1.")],
    space: Annotated[
        str,
        typer.Option(
            "--space",
            metavar="SPACE",
            help="The space of the inputs, as in `design`.",
            autocompletion=complete_space,
        ),
    ],
    normalize: Normalize = False,
    *,
    asked: AskedLevel,
    loss: Annotated[
        str | None,
        typer.Option(
            "--loss",
            metavar="NAME|FILE",
            help="State the loss before and after, and repair where it costs least.",
            autocompletion=complete_loss,
            show_default=False,
        ),
    ] = None,
    prior: PriorOption = "uniform",
    goal: GoalOption = Goal.AVERAGE,
    output: OutputFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Repair a matrix so that it has a level, prove it, and state the cost.

    Matrices from solvers have zeros beside non-zeros, or ratios slightly too
    large. The result says how far the repair moved them. A matrix that has
    the level is kept as it is.

    Example: tightrope certify lp.csv --space path:0..49 --epsilon 0.5 -o m.json
    """
    from shlex import quote

    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.targets import DocumentTarget
    from tightrope.facts import data
    from tightrope.files import is_definition, is_document, read_document, read_space, read_subject
    from tightrope.mechanisms import finite, written_out
    from tightrope.privacy import repair
    from tightrope.utility import Problem, repair_for

    document = DocumentTarget(output, force)
    level = asked.level()
    points = read_space(space)
    problem = Problem(points, level, **AskedObjective(prior, loss, goal, normalize).on(points))
    if is_document(file, True) and not is_definition(file):
        read_document(file)  # says so if it is a broken one
        raise BadInput(f"{file} is a document already; `tightrope verify` proves or refutes it.")
    start = perf_counter()
    with working("repairing and proving"):
        given = read_subject(file, space, normalize=normalize)
        matrix = written_out(finite(given.mechanism))
        repaired = repair(matrix, points, level) if loss is None else repair_for(problem, matrix)
    repaired = replace(repaired, row_error=given.row_error or 0.0)
    seconds = perf_counter() - start
    document.keep(repaired.certified)
    check = [] if document.name is None else ["Next:", f"  tightrope verify {quote(document.name)}"]
    tell(repaired.facts().also(*data(seconds=seconds), document.fact,
                            sentences=[*document.advice, *check]), as_json=as_json)
