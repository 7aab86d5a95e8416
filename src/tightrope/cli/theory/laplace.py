"""`tightrope theory laplace`: the exact (ε, δ) of Laplace noise of a scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import Force, Json, PlotFile

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.theory import LaplaceNoise


def laplace(
    diameter: Annotated[
        str,
        typer.Argument(
            metavar="DIAMETER",
            help="By how much two protected numbers can differ: 1 for numbers from 0 to 1.",
        ),
    ],
    *,
    asked: AskedLevel,
    scale: Annotated[
        str | None,
        typer.Option(
            "--scale",
            metavar="NUMBER",
            help="The scale b of noise that you have; the least one at the level if not given.",
            show_default=False,
        ),
    ] = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Tell the least scale of Laplace noise at a level, or the δ and ε of a scale, exactly.

    Exits with 1 if the scale that you give is too small for the level.

    Example: tightrope theory laplace 1 --epsilon 0.5 --scale 1.5
    """
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget
    from tightrope.plots import delta_figure
    from tightrope.theory import laplace_curve, laplace_noise

    picture = PictureTarget(plot, force)
    found = laplace_noise(diameter, asked.level(), scale=scale)
    apart = f"for numbers {float(found.diameter):g} apart"
    title = f"Laplace noise of scale {float(found.scale):g} {apart}"
    point = float(found.level), float(found.level.delta)
    picture.draw(
        lambda: delta_figure(laplace_curve(found.diameter, found.scale), point, title, "ε")
    )
    answer = {**found.as_json(), "picture": picture.name}
    deliver(answer, lambda screen: _show(screen, found), as_json=as_json)
    if not found.holds:
        raise typer.Exit(1)


def _show(screen: Console, found: LaplaceNoise) -> None:
    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.wording import number

    level = found.level
    screen.print(
        facts(
            [
                ("scale", f"{number(float(found.scale))}, also the mean error"),
                ("level", f"{level!s}: {'holds' if found.holds else 'does not hold'}"),
                ("δ needed", f"{number(found.delta[1])} at ε = {level.text}"),
                ("ε needed", f"{number(found.epsilon[1])} at δ = {float(level.delta):g}"),
                ("least scale", f"{number(found.least_scale)} at {level!s}"),
                ("published", f"{number(found.published_scale)} (H16, Example 3.6: enough, "
                 "not needed)" if level.delta else None),
            ]
        )
    )
    paragraph(
        screen,
        "Each number of a table gets its own noise; the level is for one row. It is that of noise "
        "on the real line. What a computer draws is rounded: `tightrope theory noise` proves "
        "and draws noise on a grid.",
    )
