"""`tightrope tradeoff`: loss against ε."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

from tightrope.cli.asked import AskedEffort, AskedObjective, exact_number
from tightrope.cli.asked_query import AskedQuery
from tightrope.cli.options import Delta, Force, Json, PlotFile, SpaceArgument, value
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.constructions import Tradeoff
    from tightrope.exact import Level

MOST_LEVELS = 1000


def tradeoff(
    space: SpaceArgument,
    *,
    epsilons: Annotated[
        str,
        value("--epsilons", "A:B:STEP", "The levels: from A to B in steps, as in 0.25:2:0.25."),
    ],
    delta: Delta = "0",
    aim: AskedObjective,
    question: AskedQuery,
    search: AskedEffort,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Show the loss of every construction over a range of ε, and the least possible.

    Example: tightrope tradeoff path:0..20 --epsilons 0.25:2:0.25 --loss absolute --plot t.svg
    """
    from tightrope import constructions
    from tightrope.cli.progress import counting
    from tightrope.cli.report import tell
    from tightrope.cli.targets import PictureTarget
    from tightrope.files import read_space

    picture = PictureTarget(plot, force)
    levels = levels_of(epsilons, delta)
    points = read_space(space)
    aimed, effort = question.aim(aim, points), search.effort()
    with counting("levels") as count:
        done = iter(range(1, len(levels) + 1))
        result = constructions.tradeoff(
            points, levels, **aimed, effort=effort, told=lambda _: count(next(done))
        )
    facts = result.facts()
    picture.draw(lambda: _figure(result, facts.title))
    tell(facts.also(picture.fact), as_json=as_json)


def levels_of(text: str, delta: str) -> list[Level]:
    """The levels of a range, each exact.

    >>> [level.text for level in levels_of("0.5:1.5:0.5", "0")]
    ['0.5', '1', '1.5']
    """
    from tightrope.exact import Level, short_text

    try:
        first, last, step = (exact_number(part, "a number") for part in text.split(":"))
    except (ValueError, BadInput):
        raise BadInput(
            f"expected --epsilons as A:B:STEP, such as 0.25:2:0.25, found {text!r}."
        ) from None
    if not (first >= 0 and step > 0 and last >= first):
        raise BadInput(f"expected --epsilons from 0 upwards in steps, found {text!r}.")
    count = (last - first) // step + 1
    if count > MOST_LEVELS:
        shown = count if count < MOST_LEVELS**4 else short_text(Fraction(count))
        raise BadInput(f"expected at most {MOST_LEVELS} levels, found {shown}; use a larger step.")
    return [Level.epsilon(first + k * step, delta).checked() for k in range(count)]


def _figure(result: Tradeoff, title: str) -> Figure:
    from tightrope.plots import tradeoff_figure

    curves: dict[str, list[tuple[float, float]]] = {}
    for at in result:
        for row in at.ranked:
            if row.solution is not None:
                point = (float(at.problem.level), row.solution.value)
                curves.setdefault(row.construction, []).append(point)
    bounds = [(float(at.problem.level), at.bound) for at in result if at.bound is not None]
    return tradeoff_figure(curves, sorted(bounds), title)
