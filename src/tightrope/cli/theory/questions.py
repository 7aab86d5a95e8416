"""`tightrope theory questions`: sanitize a table once, or perturb each answer, for counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import Force, Json, PlotFile, argument, value

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.theory import SanitizedOrPerturbed


def questions(
    rows: Annotated[int, argument("ROWS", "The number of rows of the table.")],
    values: Annotated[int, argument("VALUES", "How many values a row may have.")],
    *,
    asked: AskedLevel,
    times: Annotated[int, value(
        "--times", "NUMBER", "How many counts are asked for.", default=True)] = 1,
    counted: Annotated[int, value(
        "--counted", "NUMBER", "To how many of the values a count extends.", default=True)] = 1,
    count: Annotated[int | None, value(
        "--count", "NUMBER", "A true answer; the worst one if not given.")] = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Compare a table that is sanitized once with answers that are perturbed one by one.

    All questions together have the level. No data are looked at: the errors are exact for the
    numbers that you give.

    Example: tightrope theory questions 1000 5 --epsilon 1 --times 20 --plot q.svg
    """
    from tightrope.cli.output import tell
    from tightrope.cli.targets import PictureTarget
    from tightrope.theory import sanitized_or_perturbed

    picture = PictureTarget(plot, force)
    result = sanitized_or_perturbed(
        rows, values, asked.level(), questions=times, counted=counted, count=count
    )
    picture.draw(lambda: _figure(result))
    tell(result.facts().also(picture.fact), as_json=as_json)


def _figure(result: SanitizedOrPerturbed) -> Figure:
    from math import sqrt

    from tightrope.plots import lines_figure
    from tightrope.theory import noise_variance

    last = max(result.questions, 2 * min(result.break_even or 1, 500), 2)
    asked = sorted({max(1, last * k // 60) for k in range(1, 61)})
    noisy = [sqrt(noise_variance(result.level, t)) for t in asked]
    flat = {"sanitized, estimated": result.estimated, "sanitized, counted": result.straight}
    lines = [("perturbed", [float(t) for t in asked], noisy)]
    lines += [(name, [1.0, float(last)], [sqrt(variance)] * 2) for name, variance in flat.items()]
    title = result.facts().title
    return lines_figure(lines, title, "counts asked for", "root mean squared error of each")
