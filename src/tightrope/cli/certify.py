"""`tightrope certify`: repairs a matrix of probabilities, proves the result, states the cost."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.cli.asked import AskedLevel, AskedObjective
from tightrope.cli.options import (
    Force,
    GoalOption,
    Json,
    OutputFile,
    PriorOption,
    complete_loss,
    complete_space,
)
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.exact import Level
    from tightrope.mechanisms import Mechanism
    from tightrope.privacy import Certified, Repair
    from tightrope.utility import Problem


def certify(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A matrix (.csv, .tsv, .parquet, .npy, .json); rows are inputs and add up to 1.",
        ),
    ],
    space: Annotated[
        str,
        typer.Option(
            "--space",
            metavar="SPACE",
            help="The space of the inputs, as in `design`.",
            autocompletion=complete_space,
        ),
    ],
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
    goal: GoalOption = "average",
    output: OutputFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Repair a matrix so that it has a level, prove it, and state the cost.

    Matrices from solvers have zeros beside non-zeros, or ratios a hair too
    large. How far the repair moves them is told. A matrix that has the level
    is kept as it is.

    Example: tightrope certify lp.csv --space path:0..49 --epsilon 0.5 -o m.json
    """
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import DocumentTarget
    from tightrope.data import is_document, read_document, read_space, read_subject
    from tightrope.utility import Problem

    document = DocumentTarget(output, force)
    level = asked.level()
    points = read_space(space)
    problem = Problem(points, level, **AskedObjective(prior, loss, goal).on(points))
    objective = None if loss is None else problem
    if is_document(file, True):
        read_document(file)  # says so if it is a broken one
        raise BadInput(f"{file} is a document already; `tightrope verify` proves or refutes it.")
    start = perf_counter()
    with working("repairing and proving"):
        given = read_subject(file, space)
        done = _repair(given.mechanism, level, objective)
    certificate = done.certified.certificate
    answer = {
        "certified": certificate.holds,
        "moved": done.moved,
        "changed": done.moved > 0,
        "value_before": None if objective is None else objective.value(given.mechanism),
        "value_after": None if objective is None else objective.value(done.certified.mechanism),
        **level.as_json(),
        "proved": None if certificate.smallest is None else certificate.smallest.as_json(),
        "evidence": certificate.evidence.value,
        "checked": certificate.checked,
        "space": points.text,
        "row_error": given.row_error,
        "seconds": perf_counter() - start,
        "file": document.name,
    }
    document.keep(done.certified)
    deliver(answer, lambda screen: _show(screen, done.certified, answer), as_json=as_json)


def _repair(given: Mechanism, level: Level, objective: Problem | None) -> Repair:
    """The given mechanism itself if it has the level, else its repair."""
    from tightrope.mechanisms import MatrixMechanism
    from tightrope.privacy import Certificate, Certified, Repair, repair, verify
    from tightrope.utility import probabilities

    assert isinstance(given, MatrixMechanism)
    found = verify(given, given.space, level)
    if isinstance(found, Certificate):
        return Repair(Certified(given, found), 0.0, 0.0)
    costs = None
    if objective is not None:
        losses = objective.loss.matrix(given.space, given.outputs)
        costs = objective.prior.on(given.space)[:, None] * losses
    return repair(probabilities(given), given.space, level, outputs=given.outputs, costs=costs)


def _show(screen: Console, certified: Certified, answer: dict[str, Any]) -> None:
    from shlex import quote

    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.wording import number, protection, row_totals, smallest_text
    from tightrope.privacy import promise

    mechanism, certificate = certified.mechanism, certified.certificate
    level = certificate.level
    before, after = answer["value_before"], answer["value_after"]
    smallest = certificate.smallest
    rows: list[tuple[str, object]] = [
        ("proved", f"private at {level}"),
        ("smallest level", None if smallest is None else smallest_text(smallest)),
        ("moved", "nothing; the matrix has the level as it is" if not answer["changed"]
         else f"{number(answer['moved'], 3)} (largest total variation of a row)"),
        ("loss", None if before is None else _change(before, after)),
        ("proof", f"{certificate.evidence.value}: {certificate.statement}"),
        ("row totals", row_totals(answer["row_error"])),
        ("file", answer["file"]),
    ]
    screen.print(facts(rows))
    paragraph(screen, promise(level, mechanism.space), protection(mechanism, level))
    if answer["file"] is None:
        paragraph(screen, "Nothing was written; add -o FILE to keep the certified mechanism.")
    else:
        paragraph(screen, "Next:", f"  tightrope verify {quote(answer['file'])}")


def _change(before: float, after: float) -> str:
    from tightrope.cli.wording import number

    shown = f"{number(before, 10)} before, {number(after, 10)} after"
    if before > 0 and after != before:
        shown += f" ({(after - before) / before:+.2g} relative)"
    return shown
