"""`tightrope reproduce`: the figures and tables of the source papers, tried again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.options import Json

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.papers import Attempt, Contents, Reproduction


def reproduce(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="PAPER[/ITEM]",
            help="A paper, or one item of it; all of them without it.",
            show_default=False,
        ),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Another parameter than the paper's, for one item; may be repeated.",
            show_default=False,
        ),
    ] = None,
    only_list: Annotated[
        bool, typer.Option("--list", help="List the items and their parameters; run nothing.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Try published figures again: published, found, verdict, reason.

    A claim about all cases is tried on those that `found` names: confirmed
    says that it held there, not that it was proved again; corrected that it
    failed and ours held; else it is not reproducible. Exits with 1 if a
    verdict differs from the one on record; with other parameters than the
    paper's there is none on record.

    Example: tightrope reproduce h16
    """
    from tightrope import papers
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.errors import BadInput

    if only_list:
        if changes:
            raise BadInput("--list runs nothing, so there is nothing to --set.")
        listed = papers.contents(what)
        deliver(listed.as_json(), lambda screen: _list(screen, listed), as_json=as_json)
        return
    found = papers.reproduce(what, changes=changes or (), during=working)
    deliver(found.as_json(), lambda screen: _show(screen, found), as_json=as_json)
    if found.drifted:
        raise typer.Exit(1)


def _list(screen: Console, listed: Contents) -> None:
    from tightrope.papers import described

    for item in listed.items:
        screen.print(f"{item.key}: {item.title} ({item.recorded.value})")
        if item.parameters:
            screen.print(f"  {described(item.parameters)}")
    screen.print(f"{len(listed.items)} items.")


def _show(screen: Console, found: Reproduction) -> None:
    for attempt in found.attempts:
        _show_one(screen, attempt)
    if len(found.attempts) > 1:
        _summarize(screen, found)


def _show_one(screen: Console, attempt: Attempt) -> None:
    from tightrope.cli.report import facts
    from tightrope.papers import described

    item, finding = attempt.item, attempt.finding
    drift = f"; DRIFTED from the recorded verdict: {item.recorded.value}"
    parts: list[tuple[str, object]] = [
        ("  with", described(attempt.changed) or None),
        ("  published", finding.published),
        ("  found", finding.found),
        ("  verdict", finding.verdict.value + (drift if attempt.drifted else "")),
        ("  reason", finding.reason),
    ]
    screen.print(f"{item.key}: {item.title}")
    screen.print(facts(parts))
    screen.print()


def _summarize(screen: Console, found: Reproduction) -> None:
    from tightrope.cli.report import table
    from tightrope.papers import Verdict

    rows = [
        [*(counts[verdict] for verdict in Verdict), sum(counts.values())]
        for counts in found.summary.values()
    ]
    rows.append([sum(column) for column in zip(*rows, strict=True)])
    heads = ("paper", *(verdict.value for verdict in Verdict), "items")
    named = zip([*found.summary, "all"], rows, strict=True)
    screen.print(table(heads, [(name, *map(str, row)) for name, row in named]))
    count = len(found.attempts)
    screen.print(
        f"{count - found.drifted} of {count} verdicts are as recorded; each is about the cases "
        "named in found."
    )
