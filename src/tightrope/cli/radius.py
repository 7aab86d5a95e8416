"""`tightrope tradeoff --radius --failure`: ε*, the smallest ε for a stated accuracy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.asked import exact_number
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.theory import Accuracy

_PANEL = "The smallest ε"


@dataclass(frozen=True)
class AskedAccuracy:
    """How accurate every answer must be, and how the smallest ε for that is shown."""

    radius: Annotated[
        str | None,
        typer.Option(
            "--radius", metavar="NUMBER", help="How far off an answer may be, taken exactly.",
            rich_help_panel=_PANEL, show_default=False,
        ),
    ] = None
    failure: Annotated[
        str | None,
        typer.Option(
            "--failure", metavar="NUMBER", help="How often an answer may be further off: 0.1.",
            rich_help_panel=_PANEL, show_default=False,
        ),
    ] = None
    open_balls: Annotated[
        bool,
        typer.Option(
            "--open", metavar="", help="Answers at exactly the radius count as too far off.",
            rich_help_panel=_PANEL,
        ),
    ] = False
    rows_for: Annotated[
        str | None,
        typer.Option(
            "--rows-for", metavar="EPSILON",
            help="Also the least number of rows N that gives this ε to a query that moves by 1/N.",
            rich_help_panel=_PANEL, show_default=False,
        ),
    ] = None


def smallest(space: str, asked: AskedAccuracy, *, as_json: bool) -> None:
    """Find ε* and show it between its bounds."""
    from tightrope import theory
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.data import read_space
    from tightrope.exact import Level

    if asked.radius is None or asked.failure is None:
        raise BadInput("give both --radius and --failure.")
    near = exact_number(asked.radius, "--radius as a number")
    rare = exact_number(asked.failure, "--failure as a number")
    level = None if asked.rows_for is None else Level.parse(asked.rows_for)
    points = read_space(space)
    with working("looking for the smallest ε"):
        found = theory.accuracy(points, near, rare, closed=not asked.open_balls, level=level)
    deliver(found.as_json(), lambda screen: _show(screen, found, asked.rows_for), as_json=as_json)


def _show(screen: Console, found: Accuracy, rows_for: str | None) -> None:
    from tightrope.cli.report import facts, paragraph, table
    from tightrope.cli.wording import number, space_text

    smallest, packed = found.smallest, found.packing
    screen.print(
        facts(
            [
                ("space", space_text(found.space.text)),
                ("asked for", f"within {smallest.radius} ({found.balls} balls), except with "
                 f"probability {smallest.failure}"),
                ("smallest ε", f"{smallest.epsilon_star:.11g}, proved between "
                 f"{smallest.lower:.13g} and {smallest.upper:.13g}"),
                ("packing", f"at least {number(packed.epsilon)} by {len(packed.points)} "
                 "disjoint balls"),
                ("rows", None if found.rows is None else
                 f"{found.rows:,} for ε = {rows_for}, if one row moves the query by 1/N"),
            ]
        )
    )
    if found.exponential:
        screen.print(
            table(
                ("exponential, base", "ε it needs", "ε by the theorem", "guarantee 2β"),
                [(row.base, number(row.attained), number(row.exact), number(row.guarantee))
                 for row in found.exponential],
            )
        )
    if smallest.upper == 0:
        paragraph(screen, "An answer that does not look at the data is already as accurate.")
