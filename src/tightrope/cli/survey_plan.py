"""`tightrope survey plan`: which design, and how many respondents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.cli.options import Delta, Epsilon, Force, Json, PlotFile, Ratio, check_plot, level_of
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.applications.surveys import Plan
    from tightrope.exact import Level

Answers = Annotated[
    str, typer.Option("--answers", metavar="A/B/…", help="The answers, the harmless one first.")
]
Prevalence = Annotated[
    str | None,
    typer.Option(
        "--prevalence",
        metavar="SHARE",
        help="The expected share of the last answer; without it the worst case counts.",
        show_default=False,
    ),
]
Confidence = Annotated[
    float, typer.Option("--confidence", metavar="NUMBER", help="Of the interval, from 0 to 1.")
]


def plan(
    epsilon: Epsilon = None,
    ratio: Ratio = None,
    delta: Delta = "0",
    answers: Answers = "no/yes",
    prevalence: Prevalence = None,
    margin: Annotated[
        float, typer.Option("--margin", metavar="NUMBER", help="Wanted margin of error: 0.05.")
    ] = 0.05,
    confidence: Confidence = 0.95,
    chebyshev: Annotated[
        bool,
        typer.Option("--chebyshev", metavar="", help="A size that needs no normal approximation."),
    ] = False,
    difference: Annotated[
        str | None,
        typer.Option(
            "--difference",
            metavar="A:B",
            help="Also the size of each group to see shares A and B differ: 0.1:0.15.",
            show_default=False,
        ),
    ] = None,
    power: Annotated[
        float, typer.Option("--power", metavar="NUMBER", help="To see that difference.")
    ] = 0.8,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Compare randomized-response designs at a level, by the respondents they need.

    Example: tightrope survey plan --epsilon 1 --prevalence 0.1 --margin 0.05
    """
    from tightrope.applications import surveys
    from tightrope.cli.report import deliver
    from tightrope.cli.wording import level_json

    check_plot(plot, force=force)
    level, names = level_of(epsilon, ratio, delta), tuple(answers.split("/"))
    if len(names) > 2 and prevalence is not None:
        raise BadInput("--prevalence is for two answers; for more, the worst case is planned.")
    bound = surveys.Bound.CHEBYSHEV if chebyshev else surveys.Bound.NORMAL
    plans = surveys.smallest_plan(
        surveys.designs_at(level, answers=names),
        margin,
        confidence=confidence,
        prevalence=prevalence,
        bound=bound,
    )
    groups = None
    if difference is not None:
        first, _, second = difference.partition(":")
        found = surveys.plan_difference(plans[0].design, first, second, power=power)
        groups = {"first": first, "second": second, "power": power, "per_group": found.per_group}
    if plot is not None:
        _draw(plot, level, names, margin, confidence, force)
    answer = {
        "rows": [_row(one, plans[0], level) for one in plans],
        **level_json(level),
        "margin": margin,
        "confidence": confidence,
        "prevalence": prevalence,
        "bound": bound.value,
        "difference": groups,
        "picture": None if plot is None else str(plot),
    }
    deliver(answer, lambda screen: _show(screen, answer, level), as_json=as_json)


def _row(one: Plan, best: Plan, level: Level) -> dict[str, Any]:
    from tightrope.applications import surveys

    certificate = surveys.prove(one.design, level).certificate
    guarded = surveys.protection(one.design)
    violation = (
        None if one.prevalence is None
        else float(surveys.privacy_violation(one.design, one.prevalence))
    )
    return {
        "design": one.design.name,
        "respondents": one.respondents,
        "efficiency": best.respondents / one.respondents,
        "reached": one.reached,
        "violation": violation,
        "certified": certificate.holds,
        "smallest_epsilon": guarded.level.upper if guarded.finite else None,  # type: ignore[union-attr]
        "responses": list(one.design.responses),
        "matrix": [[str(p) if len(str(p)) < 40 else float(p) for p in row]
                   for row in one.design.rows],
    }


def _draw(
    plot: Path, level: Level, names: tuple[str, ...], margin: float, confidence: float, force: bool
) -> None:
    from tightrope.applications import surveys
    from tightrope.data import write_bytes
    from tightrope.plots import lines_figure, picture

    lines = []
    shares = [k / 50 for k in range(51)]
    seen = set()
    for design in surveys.designs_at(level, answers=names):
        if not design.binary or design.rows in seen:
            continue
        seen.add(design.rows)
        z = surveys.plan_margin(design, margin, confidence=confidence)
        worst = float(surveys.worst_variance(design, 1))
        sizes = [
            z.respondents * float(surveys.unit_variance(
                design, surveys.shares_of(design, str(share)), 1)) / worst
            for share in shares
        ]
        lines.append((design.name, shares, [max(size, 1.0) for size in sizes]))
    if not lines:
        raise BadInput("the picture is about two answers.")
    title = f"Respondents for a margin of {margin:g} at ε = {float(level):.3g}"
    figure = lines_figure(lines, title, "true share of the last answer", "respondents")
    write_bytes(plot, picture(figure, plot.suffix.lower().lstrip(".")), force=force)


def _show(screen: Console, answer: dict[str, Any], level: Level) -> None:
    from tightrope.cli.report import paragraph, table
    from tightrope.cli.wording import level_text

    share = answer["prevalence"]
    screen.print(
        f"Designs with {level_text(level)}, for a margin of {answer['margin']:g} at confidence "
        f"{answer['confidence']:g}, " + (f"prevalence {share}" if share else "worst prevalence"),
        markup=False,
    )
    cells = []
    for row in answer["rows"]:
        smallest = row["smallest_epsilon"]
        cells.append((
            row["design"],
            f"{row['respondents']:,}",
            f"{row['efficiency']:.2f}",
            "none finite" if smallest is None else f"{smallest:.4g}",
            "" if row["violation"] is None else f"{row['violation']:.3f}",
        ))
    screen.print(table(("design", "respondents", "efficiency", "own ε", "violation"), cells))
    sentences = []
    if any(row["smallest_epsilon"] is None for row in answer["rows"]):
        sentences.append(
            "“none finite”: a zero cell beside a non-zero one, so some response proves the true "
            "answer; it is private only thanks to δ."
        )
    if level.delta == 0:
        sentences.append(
            "Mangat's design is not listed: it has a zero cell, so it has no finite ε, and with "
            "δ = 0 it is private at no level."
        )
    if share:
        sentences.append("Violation: P(sensitive answer | response), at most (H16, Theorem 6.4).")
    if answer["difference"]:
        found = answer["difference"]
        sentences.append(
            f"To see {found['first']} differ from {found['second']} with power "
            f"{found['power']:g}: {found['per_group']:,} respondents in each group."
        )
    paragraph(screen, *sentences)
