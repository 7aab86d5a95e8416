"""`tightrope theory accuracy`: ε*, the smallest ε for a stated accuracy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tightrope.cli.asked import AskedEffort, AskedObjective, exact_number
from tightrope.cli.asked_query import AskedQuery
from tightrope.cli.options import Force, Json, PlotFile, SpaceArgument, TimeOption, flag, value
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.spaces import MetricQuery, Space
    from tightrope.theory import Accuracy, BodyAccuracy


def accuracy(
    space: SpaceArgument,
    *,
    radius: Annotated[str, value(
        "--radius", "NUMBER", "How far off an answer may be, taken exactly.")],
    failure: Annotated[str, value(
        "--failure", "NUMBER", "How often an answer may be further off: 0.1.")],
    open_balls: Annotated[bool, flag(
        "--open", "Answers at exactly the radius count as too far off.")] = False,
    cover: Annotated[Path | None, value(
        "--cover", "FILE", "Points with one of them within half the radius of every answer: the "
        "base measure that is even on them.")] = None,
    lipschitz: Annotated[str | None, value(
        "--lipschitz", "NUMBER",
        "Also for queries onto the space whose values move at most this much per step.")] = None,
    rows_for: Annotated[str | None, value(
        "--rows-for", "EPSILON", "Also the least number of rows N that gives this ε to a query "
        "that moves by 1/N (or by --lipschitz over N).")] = None,
    question: AskedQuery,
    time: TimeOption = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Find the smallest ε for a stated accuracy, proved from both sides.

    At that ε every answer is within the radius except with the stated probability, whatever
    the input; δ is 0.

    Example: tightrope theory accuracy path:0..20 --radius 2 --failure 0.1
    """
    from tightrope import theory
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.targets import PictureTarget
    from tightrope.exact import Level
    from tightrope.files import read_measure, read_outputs, read_space

    picture = PictureTarget(plot, force)
    near = exact_number(radius, "--radius as a number")
    rare = exact_number(failure, "--failure as a number")
    level = None if rows_for is None else Level.parse(rows_for)
    times = None if lipschitz is None else exact_number(lipschitz, "--lipschitz as a number")
    seconds = AskedEffort(time=time).effort().seconds
    if (body := theory.Body.parse(space)) is not None:
        if question != AskedQuery() or (cover, level, times) != (None, None, None):
            raise BadInput(
                "on a body --query, --values, --measure, --cover, --lipschitz and --rows-for "
                "have no meaning here; give a finite space for them."
            )
        with working("looking for the smallest ε"):
            bounded = theory.body_accuracy(
                body, near, rare, closed=not open_balls, seconds=seconds)
        picture.draw(lambda: _body_figure(bounded))
        tell(bounded.facts().also(picture.fact), as_json=as_json)
        return
    points = read_space(space)
    inquiry, answers = _asked_about(points, question)
    weights = None if question.measure is None else read_measure(question.measure, answers)
    base = None if weights is None else [weights.get(z, 0) for z in answers.points]
    covering = None if cover is None else read_outputs(cover, answers)
    with working("looking for the smallest ε"):
        smallest = theory.accuracy(
            inquiry, near, rare, closed=not open_balls, epsilon=level, base=base, cover=covering,
            times=times, seconds=seconds,
        )
    picture.draw(lambda: _figure(smallest))
    tell(smallest.facts().also(picture.fact), as_json=as_json)


def _body_figure(accuracy: BodyAccuracy) -> Figure:
    from tightrope.theory import level_ladder_figure

    rows = [(b.name, b.epsilon, "lower" if b.lower else "upper") for b in accuracy.bounds]
    return level_ladder_figure(rows, accuracy.facts().title)


def _asked_about(points: Space, question: AskedQuery) -> tuple[Space | MetricQuery, Space]:
    """The space, or the query on it, and the space of the answers."""
    if question.query is None:
        if question.values is not None:
            raise BadInput("--values goes with --query.")
        return points, points
    query = replace(question, measure=None).aim(AskedObjective(), points).get("query")
    assert query is not None
    return query, query.codomain


def _figure(accuracy: Accuracy) -> Figure:
    from tightrope.theory import level_ladder_figure

    best = accuracy.smallest
    known = best.epsilon_star is not None
    rows: list[tuple[str, float | None, str]] = [
        ("disjoint balls", accuracy.packing.epsilon, "lower"),
        ("the smallest ε" if known else "proved to be enough",
         best.epsilon_star if known else best.upper, "star"),
    ]
    for row in accuracy.exponential:
        rows.append((f"exponential, {row.base} base", row.attained, "upper"))
        rows.append((f"its β by the theorem, {row.base}", row.exact, "upper"))
        rows.append((f"guarantee 2Cβ, {row.base}", row.guarantee, "theorem"))
    return level_ladder_figure(rows, accuracy.facts().title)
