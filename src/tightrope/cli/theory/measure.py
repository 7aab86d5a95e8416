"""`tightrope theory measure`: the mechanism that tells most, by a measure without a loss."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import typer

from tightrope.choices import Measure
from tightrope.cli.asked import AskedLevel, prior_of
from tightrope.cli.options import (
    Force,
    Json,
    Normalize,
    OutputFile,
    PlotFile,
    PriorOption,
    SpaceArgument,
)


def measure(
    space: SpaceArgument,
    measure: Annotated[
        Measure,
        typer.Argument(metavar="MEASURE", show_default=False,
                       help=f"The measure to maximize: {', '.join(Measure)}."),
    ],
    *,
    asked: AskedLevel,
    prior: PriorOption = "uniform",
    normalize: Normalize = False,
    output: OutputFile = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Find the mechanism that tells most at a level, by a measure instead of a loss.

    Post-processing never raises any of these measures.

    Example: tightrope theory measure path:0..3 determinant --epsilon 1 -o m.json
    """
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.targets import DocumentTarget, PictureTarget
    from tightrope.facts import data
    from tightrope.files import read_space
    from tightrope.mechanisms import finite
    from tightrope.plots import mechanism_figure
    from tightrope.privacy import probability_table
    from tightrope.theory import max_measure_given_level

    document, picture = DocumentTarget(output, force), PictureTarget(plot, force)
    level, points = asked.level(), read_space(space)
    law = prior_of(prior, points, normalize=normalize)
    start = perf_counter()
    with working("designing and proving"):
        solution = max_measure_given_level(points, level, measure, prior=law)
    seconds = perf_counter() - start
    facts, mechanism = solution.facts(), solution.certified.mechanism
    picture.draw(lambda: mechanism_figure(finite(mechanism), facts.title))
    document.keep(solution.certified)
    tell(facts.also(*data(seconds=seconds), document.fact, picture.fact,
                    *probability_table(mechanism), sentences=document.advice), as_json=as_json)
