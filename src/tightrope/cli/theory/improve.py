"""`tightrope theory improve`: a mechanism at least as good as that in a file, same level."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.asked import AskedEffort, AskedLevel, AskedObjective
from tightrope.cli.asked_query import AskedQuery
from tightrope.cli.options import Force, Json, OutputFile, SpaceOption
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.constructions import Improvement


def improve(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A mechanism document, or a matrix with --space."),
    ],
    space: SpaceOption = None,
    *,
    asked: AskedLevel,
    aim: AskedObjective,
    question: AskedQuery,
    output: OutputFile = None,
    search: AskedEffort,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Improve a mechanism: answer better from its outputs, or put a better one in its place.

    The level is the one that the document claims; a bare matrix needs --epsilon or --ratio.
    Nothing gets worse: a mechanism that is as good as the best is kept.

    Example: tightrope theory improve m.json --loss absolute -o better.json
    """
    from tightrope import constructions
    from tightrope.cli.progress import closing
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import DocumentTarget
    from tightrope.files import load, read_subject
    from tightrope.mechanisms import finite

    document = DocumentTarget(output, force)
    level = asked.if_any()
    given = read_subject(file, space, normalize=aim.normalize)
    if given.intact is False:
        load(file)  # says how the digest fails
    level = given.claim if level is None else level
    if level is None:
        raise BadInput("a bare matrix claims no level: give --epsilon 0.5, or --ratio 2.")
    mechanism = finite(given.mechanism)
    with closing("improving and proving", search.gap) as watch:
        found = constructions.improve(
            mechanism, level, **question.aim(aim, given.space), effort=search.effort(watch)
        )
    document.keep(found.after)
    answer = {**found.as_json(), "row_error": given.row_error, "file": document.name}

    def show(screen: Console) -> None:
        _show(screen, found, given.row_error, document.name)

    deliver(answer, show, as_json=as_json)


def _show(
    screen: Console, found: Improvement, row_error: float | None, file: str | None
) -> None:
    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.wording import number, row_totals
    from tightrope.constructions import Change

    done = {
        Change.KEPT: "nothing: it is as good as the best that was found",
        Change.REMAPPED: "each output was replaced by the answer that loses least given it",
        Change.REPLACED: f"{found.after.construction} took its place",
    }
    rows: list[tuple[str, object]] = [
        ("loss before", number(found.before, 10)),
        ("loss after", number(found.after.value, 10)),
        ("done", done[found.change]),
        ("best possible", None if found.after.bound is None else
         f"{number(found.after.bound, 10)} or more, proved"),
        ("level", str(found.after.certified.certificate.level)),
        ("row totals", row_totals(row_error)),
        ("file", file),
    ]
    screen.print(facts(rows))
    if file is None:
        paragraph(screen, "Nothing was written; add -o FILE to keep the better mechanism.")
