"""`tightrope theory compatible`: does one level serve all members of a family of spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.characters import label_text
from tightrope.cli.options import Force, Json, PlotFile

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.theory import FamilyVerdict

SHOWN = 4
"""Points of a witness that are shown."""


def compatible(
    family: Annotated[
        str,
        typer.Argument(
            metavar="FAMILY",
            help="Spaces with N in place of a number: categories:N, path:0..N, "
            "hamming:values=2,people=N, cube:N. Each is scaled to diameter 1.",
            show_default=False,
        ),
    ],
    radius: Annotated[
        str, typer.Option("--radius", metavar="NUMBER", help="How far off an answer may be.")
    ] = "1/8",
    failure: Annotated[
        str, typer.Option("--failure", metavar="NUMBER", help="How often it may be further off.")
    ] = "1/10",
    upto: Annotated[
        int, typer.Option("--upto", metavar="N", help="The largest member that is looked at.")
    ] = 64,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Say whether a family of spaces is privacy-compatible: one ε serves all members, or none.

    If not, points that stay apart while they become more and more are shown, with the ε that
    they force. Exits with 1 if the family is not compatible.

    Example: tightrope theory compatible star:N --plot f.svg
    """
    from tightrope import theory
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget
    from tightrope.theory import family_figure

    picture = PictureTarget(plot, force)
    with working("looking at the members"):
        found = theory.family_verdict(family, radius, failure, upto=upto)
    picture.draw(lambda: family_figure(found))
    answer = {**found.as_json(), "picture": picture.name}
    deliver(answer, lambda screen: _show(screen, found), as_json=as_json)
    if not found.compatible:
        raise typer.Exit(1)


def _show(screen: Console, found: FamilyVerdict) -> None:
    from tightrope.cli.report import facts, paragraph, table
    from tightrope.cli.wording import number

    rows: list[tuple[str, object]] = [
        ("family", f"{found.family}, scaled to diameter 1"),
        ("compatible", "yes" if found.compatible else "no"),
        ("because", found.reason),
        ("asked for", f"within {found.radius}, except with probability {found.failure}"),
        ("enough for all", None if found.enough is None else f"ε = {number(found.enough)}"),
    ]
    screen.print(facts(rows))
    screen.print(
        table(
            ("N", "points far apart", "ε at least", "such as"),
            [(str(m.number), f"{len(m.witness)} at {number(m.apart, 4)} or more",
              number(m.epsilon, 6),
              ", ".join(label_text(x) for x in m.witness[:SHOWN])
              + (", …" if len(m.witness) > SHOWN else ""))
             for m in found.members],
            words=4,
        )
    )
    if not found.compatible:
        paragraph(
            screen,
            "For every radius below half of that distance ε grows without bound with N: "
            "(n - 1)(1 - δ)/δ is the least ratio of n points that share no answer.",
        )
