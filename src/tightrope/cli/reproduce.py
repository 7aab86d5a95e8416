"""`tightrope reproduce`: the figures and tables of the source papers, tried again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.cli.options import Json
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.papers import Item


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
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver

    rows = []
    for item in _chosen(what):
        with working(f"{item.paper}/{item.name}"):
            finding = item.run()
        rows.append(
            {
                "paper": item.paper,
                "item": item.name,
                "title": item.title,
                "published": finding.published,
                "found": finding.found,
                "verdict": finding.verdict.value,
                "recorded": item.recorded.value,
                "reason": finding.reason,
            }
        )
    drifted = [row for row in rows if row["verdict"] != row["recorded"]]
    answer = {"rows": rows, "drifted": len(drifted)}
    deliver(answer, lambda screen: _show(screen, rows), as_json=as_json)
    if drifted:
        raise typer.Exit(1)


def _chosen(what: str | None) -> list[Item]:
    from tightrope.papers import items

    known = items()
    if what is None:
        return list(known)
    paper, _, name = what.partition("/")
    found = [item for item in known if item.paper == paper and name in ("", item.name)]
    if not found:
        listed = ", ".join(f"{item.paper}/{item.name}" for item in known)
        raise BadInput(f"there is no item {what!r}; the known ones are {listed}.")
    return found


def _show(screen: Console, rows: list[dict[str, Any]]) -> None:
    from tightrope.cli.report import facts

    for row in rows:
        screen.print(f"{row['paper']}/{row['item']}: {row['title']}")
        verdict = row["verdict"]
        if verdict != row["recorded"]:
            verdict = f"{verdict}; DRIFTED from the recorded verdict: {row['recorded']}"
        parts: list[tuple[str, object]] = [
            ("  published", row["published"]),
            ("  found", row["found"]),
            ("  verdict", verdict),
            ("  reason", row["reason"]),
        ]
        screen.print(facts(parts))
        screen.print()
    agreed = sum(row["verdict"] == row["recorded"] for row in rows)
    screen.print(
        f"{agreed} of {len(rows)} verdicts are as recorded; each is about the cases named in found."
    )
