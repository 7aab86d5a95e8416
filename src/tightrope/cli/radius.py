"""`tightrope tradeoff --radius --failure`: ε*, the smallest ε for a stated accuracy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.cli.asked import exact_number
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.theory import ExponentialBound

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
    closed = not asked.open_balls
    points = read_space(space)
    with working("looking for the smallest ε"):
        found = theory.smallest_level_for(points, near, rare, closed=closed)
        packed = theory.packing_bound(points, near, rare, closed=closed)
        bounds: tuple[ExponentialBound, ...] = ()
        if found.upper > 0:
            bounds = theory.exponential_bounds(points, near, rare, closed=closed)
    answer = {
        "epsilon_star": found.epsilon_star,
        "lower": found.lower,
        "upper": found.upper,
        "radius": str(near),
        "failure": str(rare),
        "balls": "closed" if closed else "open",
        "space": points.text,
        "packing": {"epsilon": packed.epsilon, "points": len(packed.points)},
        "exponential": [
            {"base": row.base, "least_ball": float(row.least_ball), "guarantee": row.guarantee,
             "exact": row.exact, "beta": row.beta, "attained": row.attained}
            for row in bounds
        ],
        "rows": None if level is None else theory.sample_size(found, level),
    }
    deliver(answer, lambda screen: _show(screen, answer, asked.rows_for), as_json=as_json)


def _show(screen: Console, answer: dict[str, Any], rows_for: str | None) -> None:
    from tightrope.cli.report import facts, paragraph, table
    from tightrope.cli.wording import number, space_text

    packed = answer["packing"]
    screen.print(
        facts(
            [
                ("space", space_text(answer["space"])),
                ("asked for", f"within {answer['radius']} ({answer['balls']} balls), except with "
                 f"probability {answer['failure']}"),
                ("smallest ε", f"{answer['epsilon_star']:.11g}, proved between "
                 f"{answer['lower']:.13g} and {answer['upper']:.13g}"),
                ("packing", f"at least {number(packed['epsilon'])} by {packed['points']} "
                 "disjoint balls"),
                ("rows", None if answer["rows"] is None else
                 f"{answer['rows']:,} for ε = {rows_for}, if one row moves the query by 1/N"),
            ]
        )
    )
    if answer["exponential"]:
        screen.print(
            table(
                ("exponential, base", "ε it needs", "ε by the theorem", "guarantee 2β"),
                [(row["base"], number(row["attained"]), number(row["exact"]),
                  number(row["guarantee"])) for row in answer["exponential"]],
            )
        )
    if answer["upper"] == 0:
        paragraph(screen, "An answer that does not look at the data is already as accurate.")
