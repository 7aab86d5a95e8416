"""`tightrope theory questions`: sanitize a table once, or perturb each answer, for counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import Force, Json, PlotFile

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console

    from tightrope.theory import SanitizedOrPerturbed


def questions(
    rows: Annotated[int, typer.Argument(metavar="ROWS", help="The number of rows of the table.")],
    values: Annotated[
        int, typer.Argument(metavar="VALUES", help="How many values a row may have.")
    ],
    *,
    asked: AskedLevel,
    times: Annotated[
        int, typer.Option("--times", metavar="NUMBER", help="How many counts are asked for.")
    ] = 1,
    counted: Annotated[
        int,
        typer.Option(
            "--counted", metavar="NUMBER", help="To how many of the values a count extends."
        ),
    ] = 1,
    count: Annotated[
        int | None,
        typer.Option(
            "--count",
            metavar="NUMBER",
            help="A true answer; the worst one if not given.",
            show_default=False,
        ),
    ] = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Compare a table that is sanitized once with answers that are perturbed one by one.

    All questions together have the level. No data are looked at: the errors are exact for the
    numbers that you give.

    Example: tightrope theory questions 1000 5 --epsilon 1 --times 20 --plot q.svg
    """
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget
    from tightrope.theory import sanitized_or_perturbed

    picture = PictureTarget(plot, force)
    found = sanitized_or_perturbed(
        rows, values, asked.level(), questions=times, counted=counted, count=count
    )
    picture.draw(lambda: _figure(found))
    answer = {**found.as_json(), "picture": picture.name}
    deliver(answer, lambda screen: _show(screen, found), as_json=as_json)


def _figure(found: SanitizedOrPerturbed) -> Figure:
    from math import sqrt

    from tightrope.plots import lines_figure
    from tightrope.theory import noise_variance

    last = max(found.questions, 2 * min(found.break_even or 1, 500), 2)
    asked = sorted({max(1, last * k // 60) for k in range(1, 61)})
    noisy = [sqrt(noise_variance(found.level, t)) for t in asked]
    flat = {"sanitized, estimated": found.estimated, "sanitized, counted": found.straight}
    lines = [("perturbed", [float(t) for t in asked], noisy)]
    lines += [(name, [1.0, float(last)], [sqrt(held)] * 2) for name, held in flat.items()]
    title = f"{found.rows:,} rows of {found.values:,} values, {found.level!s} in all"
    return lines_figure(lines, title, "counts asked for", "root mean squared error of each")


def _show(screen: Console, found: SanitizedOrPerturbed) -> None:
    from math import sqrt

    from tightrope.cli.report import facts, paragraph, table
    from tightrope.cli.wording import number

    about = "the worst answer" if found.count is None else f"a true answer of {found.count:,}"
    screen.print(
        facts(
            [
                ("table", f"{found.rows:,} rows of {found.values:,} values"),
                ("asked", f"{found.questions:,} counts, {found.level!s} for all together"),
                ("rows changed", f"{number(float(found.changed))} on average by sanitizing "
                 "(the identity query)"),
                ("break even", "beyond a million counts" if found.break_even is None else
                 f"from {found.break_even:,} counts on a sanitized table errs no more"),
            ]
        )
    )
    each = "" if found.questions == 1 else f"/{found.questions:,}"
    ways = (
        ("sanitized, estimated", found.estimated, "ε once, any number of questions"),
        ("sanitized, counted as it is", found.straight, "ε once, any number of questions"),
        ("perturbed", found.perturbed, f"ε{each} for each count"),
    )
    screen.print(
        table(
            ("way", "level", "error"),
            [(name, level, number(sqrt(held))) for name, held, level in ways],
            words=2,
        )
    )
    paragraph(
        screen,
        f"Errors are root mean squared errors of a count, for {about}. Sanitized: randomized "
        "response row by row (H16, Theorems 3.4, 3.5 and 4.6). Perturbed: two-sided geometric "
        "noise on each count, levels added up, as if one person could change all of them.",
    )
