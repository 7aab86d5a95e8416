"""`tightrope reproduce`: the figures and tables of the source papers, tried again."""

from __future__ import annotations

from typing import Annotated

import typer

from tightrope.cli.options import Json, choice, option


def reproduce(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="PAPER[/ITEM]",
            help="A paper, or one item of it; all of them without it.",
            show_default=False,
        ),
    ] = None,
    changes: Annotated[list[str] | None, option(
        "--set", "NAME=VALUE",
        "Another parameter than the paper's, for one item; may be repeated.")] = None,
    only_list: Annotated[
        bool,
        choice("--list", "List the items and their parameters; run nothing.", default=True),
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
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.errors import BadInput

    if only_list:
        if changes:
            raise BadInput("--list runs nothing, so there is nothing to --set.")
        tell(papers.contents(what).facts(), as_json=as_json)
        return
    reproduction = papers.reproduce(what, changes=changes or (), during=working)
    tell(reproduction.facts(), as_json=as_json)
    if reproduction.drifted:
        raise typer.Exit(1)
