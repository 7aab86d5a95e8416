"""`tightrope theory query`: sensitivities of a query, and sets of answers around datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.characters import label_text, shorten
from tightrope.cli.asked_query import AskedQuery
from tightrope.cli.options import Json, SpaceArgument
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.constructions import QueryProfile

MOST_ROWS = 20


def query(
    space: SpaceArgument,
    *,
    question: AskedQuery,
    sets: Annotated[
        str | None,
        typer.Option(
            "--sets",
            metavar="NAME",
            help="Also the sets of answers of this construction, such as inverse-sensitivity or "
            "privacy-first:radius=1.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what a query on datasets is like: its global and local sensitivities, its sets.

    Example: tightrope theory query graphs:5 --query triangles --sets inverse-sensitivity
    """
    from tightrope import constructions
    from tightrope.cli.asked import AskedObjective
    from tightrope.cli.report import deliver
    from tightrope.files import read_space

    asked = question.aim(AskedObjective(), read_space(space))["query"]
    if asked is None:
        raise BadInput("a query is missing: give --query FILE, or a name such as sum.")
    found = constructions.profile(asked, sets)
    deliver(found.as_json(), lambda screen: _show(screen, found), as_json=as_json)


def _show(screen: Console, found: QueryProfile) -> None:
    from tightrope.cli.report import facts, paragraph, table
    from tightrope.cli.wording import space_text

    asked, steepest, uneven = found.query, found.steepest, found.query.uneven
    size, points, values = asked.datasets.size, asked.datasets.points, asked.codomain.points
    between = "" if steepest is None else (
        f", between {label_text(steepest[0])} and {label_text(steepest[1])}")
    screen.print(facts([
        ("datasets", f"{space_text(asked.datasets.text)}: {size:,}"),
        ("values", f"{asked.codomain.size:,}, at most {asked.lengths[-1]} apart"),
        ("sensitivity", f"{asked.global_sensitivity}{between}"),
        ("kind", ", ".join(found.kinds) or "neither linear nor monotone"),
        ("not linear", None if uneven is None else
         f"one step from {label_text(uneven[0])} changes the value by other amounts than one "
         f"from {label_text(uneven[1])}"),
        ("sets", None if found.construction is None else found.construction),
    ]))
    rows = []
    for x in range(min(size, MOST_ROWS)):
        rows.append((
            label_text(points[x]),
            label_text(values[asked.values[x]]),
            " ".join(found.local(x)),
            *([] if found.sets is None else [shorten("  ".join(
                f"{step}: {' '.join(map(label_text, answers))}"
                for step, answers in found.sets_of(x)))]),
        ))
    named = ("dataset", "value", "local sensitivity at 0, 1, …")
    screen.print()
    screen.print(table((*named, *([] if found.sets is None else ["sets"])), rows, words=4))
    if size > MOST_ROWS:
        paragraph(screen, f"{size - MOST_ROWS:,} other datasets: --json lists them all.")
