"""`tightrope theory thresholds`: levels with a tight-constraints mechanism, proved."""

from __future__ import annotations

from math import inf
from time import perf_counter
from typing import Annotated

from tightrope.cli.asked import prior_of
from tightrope.cli.options import (
    Force,
    Json,
    Normalize,
    PlotFile,
    PriorOption,
    SpaceArgument,
    value,
)
from tightrope.errors import BadInput


def thresholds(
    space: SpaceArgument,
    prior: PriorOption = "uniform",
    normalize: Normalize = False,
    lowest: Annotated[str, value(
        "--from", "NUMBER", "The least level ε to look at; below it nothing is claimed, unless a "
        "closed form settles all levels above 0 (trees, products of "
        "paths).", default=True)] = "1/16",
    time: Annotated[float, value(
        "--time", "SECONDS", "How long the levels are covered, from above; below the last one "
        "reached nothing is claimed.", default=True)] = 60.0,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Find the levels at which a tight-constraints mechanism exists, proved on both sides.

    With a prior: the levels at which it is regular.

    Example: tightrope theory thresholds star:5
    """
    from tightrope import theory
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.targets import PictureTarget
    from tightrope.facts import data
    from tightrope.files import read_space
    from tightrope.theory import thresholds_figure

    picture = PictureTarget(plot, force)
    if not 0 < time < inf:
        raise BadInput(f"expected --time above 0 and finite, found {time}.")
    points = read_space(space)
    law = prior_of(prior, points, normalize=normalize)
    start = perf_counter()
    with working("covering the levels"):
        levels = theory.thresholds(points, prior=law, lowest=lowest, seconds=time)
    seconds = perf_counter() - start
    facts = levels.facts()
    picture.draw(lambda: thresholds_figure(levels, facts.title))
    tell(facts.also(*data(prior=prior, seconds=seconds), picture.fact), as_json=as_json)
