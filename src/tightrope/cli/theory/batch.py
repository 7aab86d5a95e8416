"""`tightrope theory batch`: several mechanisms on one dataset, as one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.options import Force, Json, OutputFile

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.theory import Batch


def batch(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE FILE …", help="Documents of mechanisms on the same space."),
    ],
    *,
    output: OutputFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Run several mechanisms on the same input, as one mechanism whose answers are pairs.

    Levels add up; the level that is proved of the batch itself stands beside the sum.

    Example: tightrope theory batch sums.json medians.json -o both.json
    """
    from tightrope import theory
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import DocumentTarget
    from tightrope.files import load

    document = DocumentTarget(output, force)
    found = theory.batch([load(file) for file in files])
    document.keep(found.certified)
    answer = {**found.as_json(), "file": document.name}
    deliver(answer, lambda screen: _show(screen, found, document.name), as_json=as_json)


def _show(screen: Console, found: Batch, file: str | None) -> None:
    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.wording import protection, smallest_text, space_text
    from tightrope.mechanisms import finite
    from tightrope.privacy import promise

    certificate, mechanism = found.certified.certificate, finite(found.certified.mechanism)
    smallest = certificate.smallest
    rows: list[tuple[str, object]] = [
        ("space", f"{space_text(mechanism.space.text)}: {mechanism.space.size:,} inputs, "
                  f"{len(mechanism.outputs):,} outputs"),
        ("levels", ", ".join(str(level) for level in found.levels)),
        ("together", f"{certificate.level}, the sum"),
        ("level proved", None if smallest is None else smallest_text(smallest)),
        ("proof", f"{certificate.evidence.value}: {certificate.statement}"),
        ("file", file),
    ]
    screen.print(facts(rows))
    level = certificate.level
    paragraph(screen, promise(level, mechanism.space), protection(mechanism, level))
    if file is None:
        paragraph(screen, "Nothing was written; add -o FILE to keep this mechanism.")
