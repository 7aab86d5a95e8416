"""`tightrope theory thresholds`: levels with a tight-constraints mechanism, proved."""

from __future__ import annotations

from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.characters import shorten
from tightrope.cli.asked import prior_of
from tightrope.cli.options import Force, Json, Normalize, PlotFile, PriorOption, SpaceArgument
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.theory import Endpoint, Thresholds


def thresholds(
    space: SpaceArgument,
    prior: PriorOption = "uniform",
    normalize: Normalize = False,
    lowest: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="NUMBER",
            help="The least level ε to look at; below it nothing is claimed, unless a closed form "
            "settles all levels above 0 (trees, products of paths).",
        ),
    ] = "1/16",
    time: Annotated[
        float,
        typer.Option(
            "--time",
            metavar="SECONDS",
            help="How long the levels are covered, from above; below the last one reached nothing "
            "is claimed.",
        ),
    ] = 60.0,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Find the levels at which a tight-constraints mechanism exists, proved on both sides.

    With a prior: the levels at which it is regular.

    Example: tightrope theory thresholds star:5
    """
    from tightrope import theory
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget
    from tightrope.files import read_space
    from tightrope.theory import thresholds_figure

    picture = PictureTarget(plot, force)
    if not 0 < time < inf:
        raise BadInput(f"expected --time above 0 and finite, found {time}.")
    points = read_space(space)
    law = prior_of(prior, points, normalize=normalize)
    start = perf_counter()
    with working("covering the levels"):
        found = theory.thresholds(points, prior=law, lowest=lowest, seconds=time)
    seconds = perf_counter() - start
    what = "tight constraints" if found.prior.weights is None else "the prior is regular"
    title = f"{what}: {shorten(points.text)}"
    picture.draw(lambda: thresholds_figure(found, title))
    answer = {
        **found.as_json(), "prior": prior, "seconds": seconds, "picture": picture.name
    }
    deliver(answer, lambda screen: _show(screen, found), as_json=as_json)


def _show(screen: Console, found: Thresholds) -> None:
    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.wording import space_text

    def place(end: Endpoint | None, without: str) -> str:
        if end is None:
            return without
        return f"{(float(end.below) + float(end.above)) / 2:.{end.digits}f}"

    lowest = float(found.lowest)
    least = f"{lowest:g} (the least looked at)" if lowest else "0"
    what = "exists" if found.prior.weights is None else "(the prior is regular)"
    rows: list[tuple[str, object]] = [
        (f"  {what}", f"ε from {place(i.low, least)} to {place(i.high, 'infinity')}")
        for i in found.intervals
    ] or [("  nowhere", f"for any other ε from {lowest:g} on")]
    rows += [("  not decided", f"ε from {low:.7g} to {high:.7g}") for low, high in found.undecided]
    screen.print(f"tight-constraints mechanisms on {space_text(found.space.text)}")
    screen.print(facts(rows))
    paragraph(
        screen,
        f"Proved for every {'other ' if found.undecided else ''}level, except within one unit of "
        "the last decimal shown."
        + (f" Below ε = {lowest:g} nothing is claimed." if lowest else "")
        + ("" if found.finished else " More --time reaches further down."),
    )
