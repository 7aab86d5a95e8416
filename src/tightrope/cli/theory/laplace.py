"""`tightrope theory laplace`: the exact (ε, δ) of Laplace noise of a scale."""

from __future__ import annotations

from typing import Annotated

import typer

from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import Force, Json, PlotFile, argument, value
from tightrope.errors import BadInput


def laplace(
    diameter: Annotated[str, argument(
        "DIAMETER", "By how much two protected numbers can differ: 1 for numbers from 0 to 1. For "
        "vectors: the largest sum of the differences of their coordinates.")],
    *,
    asked: AskedLevel,
    scale: Annotated[str | None, value(
        "--scale", "NUMBER",
        "The scale b of noise that you have; the least one at the level if not given.")] = None,
    dimension: Annotated[int, value(
        "--dimension", "N", "How many numbers a vector has, each with its own noise; decided at "
        "δ = 0.", default=True, min=1)] = 1,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Tell the least scale of Laplace noise at a level, or the δ and ε of a scale, exactly.

    Exits with 1 if the scale that you give is too small for the level.

    Example: tightrope theory laplace 1 --epsilon 0.5 --scale 1.5
    """
    from tightrope.cli.output import tell
    from tightrope.cli.targets import PictureTarget
    from tightrope.plots import delta_figure
    from tightrope.theory import laplace_curve, laplace_noise

    picture = PictureTarget(plot, force)
    if plot is not None and dimension > 1:
        raise BadInput("δ against ε is drawn for one number: leave out --dimension or --plot.")
    noise = laplace_noise(diameter, asked.level(), scale=scale, dimension=dimension)
    facts, point = noise.facts(), (float(noise.level), float(noise.level.delta))
    picture.draw(lambda: delta_figure(
        laplace_curve(noise.diameter, noise.scale), point, facts.title, "ε"))
    tell(facts.also(picture.fact), as_json=as_json)
    if not noise.holds:
        raise typer.Exit(1)
