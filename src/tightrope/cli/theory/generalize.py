"""`tightrope theory generalize`: the same level, and all that this mechanism tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import (
    Force,
    Json,
    MechanismFile,
    Normalize,
    OutputFile,
    SpaceOption,
)
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.theory import Generalized


def generalize(
    file: MechanismFile,
    space: SpaceOption = None,
    normalize: Normalize = False,
    *,
    asked: AskedLevel,
    output: OutputFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Make a mechanism maximally general: the same level, and this one is made from its answers.

    The level is the one that the document claims; a bare matrix needs
    --epsilon or --ratio. Every output of the new mechanism is as telling as
    the level allows: no mechanism at the level tells more.

    Example: tightrope theory generalize m.json -o general.json
    """
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import DocumentTarget
    from tightrope.files import load, read_subject
    from tightrope.mechanisms import finite
    from tightrope.theory import generalize as generalized

    document = DocumentTarget(output, force)
    level = asked.if_any()
    given = read_subject(file, space, normalize=normalize)
    if given.intact is False:
        load(file)  # says how the digest fails
    level = given.claim if level is None else level
    if level is None:
        raise BadInput("a bare matrix claims no level: give --epsilon 0.5, or --ratio 2.")
    if level.delta:
        raise BadInput("a mechanism is generalized at δ = 0: give a level without a δ.")
    with working("splitting outputs and proving"):
        found = generalized(finite(given.mechanism), level)
    document.keep(found.certified)
    answer = {**found.as_json(), "row_error": given.row_error, "file": document.name}

    def show(screen: Console) -> None:
        _show(screen, found, given.row_error, document.name)

    deliver(answer, show, as_json=as_json)


def _show(
    screen: Console, found: Generalized, row_error: float | None, file: str | None
) -> None:
    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.wording import probability_table, row_totals

    before, after = found.outputs
    certificate = found.certified.certificate
    rows: list[tuple[str, object]] = [
        ("done", "nothing: it was maximally general" if found.unchanged else
         f"{before:,} outputs became {after:,}, each with a connected row graph"),
        ("level", str(certificate.level)),
        ("proof", f"{certificate.evidence.value}: {certificate.statement}"),
        ("back", "the channel in --json makes the original again, exactly"),
        ("row totals", row_totals(row_error)),
        ("file", file),
    ]
    screen.print(facts(rows))
    if (small := probability_table(found.certified.mechanism)) is not None:
        screen.print()
        screen.print(small)
    if file is None:
        paragraph(screen, "Nothing was written; add -o FILE to keep this mechanism.")
