"""`tightrope thresholds`: the levels at which a tight-constraints mechanism exists, proved."""

from __future__ import annotations

from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.cli.asked import prior_of
from tightrope.cli.options import Json, PriorOption, SpaceArgument
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.console import Console


def thresholds(
    space: SpaceArgument,
    prior: PriorOption = "uniform",
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
    as_json: Json = False,
) -> None:
    """Find the levels at which a tight-constraints mechanism exists, proved on both sides.

    With a prior: the levels at which it is regular.

    Example: tightrope thresholds star:5
    """
    from tightrope import kernels
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.data import read_space
    from tightrope.exact import fraction_of

    if not 0 < time < inf:
        raise BadInput(f"expected --time above 0 and finite, found {time}.")
    least = fraction_of(lowest, "a least level above 0")
    points = read_space(space)
    law = prior_of(prior, points)
    start = perf_counter()
    with working("covering the levels"):
        found = kernels.thresholds(points, prior=law, lowest=least, seconds=time)
    left = [[float(least), float(found.lowest)]] if found.lowest > least else []
    answer = {
        "space": points.text,
        "prior": prior,
        "from": float(found.lowest),
        "intervals": [
            {"low": _end(interval.low), "high": _end(interval.high)}
            for interval in found.intervals
        ],
        "open": left + [[float(piece.low), float(piece.high or 0)] for piece in found.open],
        "finished": not left,
        "seconds": perf_counter() - start,
    }
    deliver(answer, lambda screen: _show(screen, answer), as_json=as_json)


def _end(edge: tuple[Fraction, Fraction] | None) -> dict[str, Any] | None:
    """An endpoint: the two proved levels around it, and the decimals on which they agree."""
    if edge is None:
        return None
    below, above = float(edge[0]), float(edge[1])
    digits = next((d for d in range(6, 0, -1) if above - below <= 10.0**-d), 0)
    return {"below": below, "above": above, "digits": digits}


def _show(screen: Console, answer: dict[str, Any]) -> None:
    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.wording import space_text

    def place(edge: dict[str, Any] | None, without: str) -> str:
        if edge is None:
            return without
        return f"{(edge['below'] + edge['above']) / 2:.{edge['digits']}f}"

    least = f"{answer['from']:g} (the least looked at)" if answer["from"] else "0"
    what = "exists" if answer["prior"] == "uniform" else "(the prior is regular)"
    rows: list[tuple[str, object]] = [
        (
            f"  {what}",
            f"ε from {place(i['low'], least)} "
            f"to {place(i['high'], 'infinity')}",
        )
        for i in answer["intervals"]
    ] or [("  nowhere", f"for any other ε from {answer['from']:g} on")]
    rows += [("  not decided", f"ε from {low:.7g} to {high:.7g}") for low, high in answer["open"]]
    screen.print(f"tight-constraints mechanisms on {space_text(answer['space'])}")
    screen.print(facts(rows))
    paragraph(
        screen,
        f"Proved for every {'other ' if answer['open'] else ''}level, except within one unit of "
        "the last decimal shown."
        + (f" Below ε = {answer['from']:g} nothing is claimed." if answer["from"] else "")
        + ("" if answer["finished"] else " More --time reaches further down."),
    )
