"""`tightrope reproduce`: the figures and tables of the source papers, tried again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.options import Json

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.papers import Reproduction


def reproduce(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="PAPER[/ITEM]",
            help="A paper, or one item of it; all of them without it.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Try published figures again: published, found, verdict, reason.

    A claim about all cases is tried on those that `found` names: confirmed
    says that these agree, not that the claim was proved again. Exits with
    1 if a verdict differs from the one on record.

    Example: tightrope reproduce h16
    """
    from tightrope import papers
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver

    found = papers.reproduce(what, during=working)
    deliver(found.as_json(), lambda screen: _show(screen, found), as_json=as_json)
    if found.drifted:
        raise typer.Exit(1)


def _show(screen: Console, found: Reproduction) -> None:
    from tightrope.cli.report import facts

    for attempt in found.attempts:
        item, finding = attempt.item, attempt.finding
        screen.print(f"{item.paper}/{item.name}: {item.title}")
        drift = f"; DRIFTED from the recorded verdict: {item.recorded.value}"
        parts: list[tuple[str, object]] = [
            ("  published", finding.published),
            ("  found", finding.found),
            ("  verdict", finding.verdict.value + (drift if attempt.drifted else "")),
            ("  reason", finding.reason),
        ]
        screen.print(facts(parts))
        screen.print()
    count = len(found.attempts)
    screen.print(
        f"{count - found.drifted} of {count} verdicts are as recorded; each is about the cases "
        "named in found."
    )
