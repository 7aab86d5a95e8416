"""`tightrope survey plan`: which design, and how many respondents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.characters import shorten
from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import Force, Json, PlotFile
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console

    from tightrope.surveys import Design, SurveyPlan


@dataclass(frozen=True)
class AskedDesign:
    """The true answers, how common they are expected to be, and a design of one's own."""

    answers: Annotated[
        str | None,
        typer.Option(
            "--answers",
            metavar="A/B/…",
            help="The answers, the harmless one first and all others sensitive; no/yes if not "
            "given. A star marks the sensitive one of two: yes/no*. A slash inside one is \\/.",
            show_default=False,
        ),
    ] = None
    matrix: Annotated[
        Path | None,
        typer.Option(
            "--matrix",
            metavar="FILE",
            help="A design of your own (.csv, .tsv, .parquet, .npy, .json): a row for each true "
            "answer, a column for each response, exact fractions or decimals.",
            show_default=False,
        ),
    ] = None
    prevalence: Annotated[
        str | None,
        typer.Option(
            "--prevalence",
            metavar="SHARE",
            help="The expected share of the last of two answers, or the shares of all with commas "
            "(0.7,0.2,0.1); without it the worst case counts.",
            show_default=False,
        ),
    ] = None

    def own(self, answers: str | None) -> Design | None:
        """The design in the file, for these answers if any; None if no file was given."""
        from tightrope.surveys import read_design

        return None if self.matrix is None else read_design(self.matrix, answers)


Confidence = Annotated[
    float, typer.Option("--confidence", metavar="NUMBER", help="Of the interval, from 0 to 1.")
]


def plan(
    *,
    asked: AskedLevel,
    violation: Annotated[
        str | None,
        typer.Option(
            "--violation",
            metavar="SHARE",
            help="Instead of a level: the largest P(sensitive answer | response), "
            "all answers but the first being sensitive.",
            show_default=False,
        ),
    ] = None,
    own: AskedDesign,
    answer: Annotated[
        str | None,
        typer.Option(
            "--answer",
            metavar="NAME",
            help="The answer whose share is to be within the margin; without it every one, each "
            "by itself.",
            show_default=False,
        ),
    ] = None,
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
    """Compare randomized-response designs at equal protection, by the respondents they need.

    Example: tightrope survey plan --epsilon 1 --prevalence 0.1 --margin 0.05
    """
    from tightrope import surveys
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget

    picture = PictureTarget(plot, force)
    found = surveys.plan_survey(
        asked.if_any(),
        violation=violation,
        prevalence=None if own.prevalence is None else _shares(own.prevalence),
        answers=surveys.answer_names(own.answers or "no/yes") if own.matrix is None else (),
        own=own.own(own.answers),
        answer=answer,
        margin=margin,
        confidence=confidence,
        bound=surveys.Bound.CHEBYSHEV if chebyshev else surveys.Bound.NORMAL,
        difference=None if difference is None else _pair(difference),
        power=power,
    )
    picture.draw(lambda: _figure(found))
    deliver({**found.as_json(), "picture": picture.name}, lambda screen: _show(screen, found),
            as_json=as_json)


def _shares(text: str) -> str | tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(","))
    return parts[0] if len(parts) == 1 else parts


def _pair(text: str) -> tuple[str | tuple[str, ...], str | tuple[str, ...]]:
    first, colon, second = text.partition(":")
    if not colon:
        raise BadInput(f"expected two shares as 0.1:0.15, found {text!r}.")
    return _shares(first), _shares(second)


def _figure(found: SurveyPlan) -> Figure:
    """Respondents against the share of one answer, the others having equal shares."""
    from fractions import Fraction

    from tightrope import surveys
    from tightrope.plots import lines_figure

    lines = []
    shares = [Fraction(k, 50) for k in range(51)]
    designs: dict[object, Design] = {}
    for row in found.rows:
        designs.setdefault(row.design.rows, row.design)
    shown = found.answers[-1] if found.answer is None else found.answer
    for design in designs.values():
        planned = surveys.planned_answers(design, found.answer)
        most = surveys.plan_margin(design, found.margin, confidence=found.confidence,
                                   answer=found.answer, bound=found.bound).respondents
        worst = max(surveys.worst_variance(design, v) for v in planned)
        sizes = []
        for share in shares:
            rest = (1 - share) / (len(found.answers) - 1)
            law = tuple(share if name == shown else rest for name in found.answers)
            largest = max(surveys.unit_variance(design, law, v) for v in planned)
            sizes.append(max(most * float(largest / worst), 1.0))
        lines.append((design.name, [float(share) for share in shares], sizes))
    title = f"Respondents for a margin of {found.margin:g}"
    return lines_figure(lines, title, f"true share of “{shorten(shown, 40)}”", "respondents")


def _show(screen: Console, found: SurveyPlan) -> None:
    from tightrope.cli.report import paragraph, table

    share = found.prevalence
    whose = "each answer's share" if found.answer is None else f"the share of “{found.answer}”"
    screen.print(
        f"{_equal(found)}, for a margin of {found.margin:g} of {whose} at confidence "
        f"{found.confidence:g}, " + (f"prevalence {share}" if share else "worst prevalence"),
    )
    several = found.answer is None and len(found.answers) > 2
    cells = []
    for row in found.rows:
        smallest, violation = row.smallest_epsilon, row.violation
        cells.append((
            row.design.name,
            f"{row.plan.respondents:,}",
            *([f"{row.plan.together:,}"] if several else []),
            f"{row.efficiency:.2f}",
            "no finite ε" if smallest is None else f"{smallest:.4g}",
            "" if violation is None else f"{violation:.3f}",
        ))
    columns = ("design", "respondents", *(["all at once"] if several else []), "efficiency",
               "own ε", "violation")
    screen.print(table(columns, cells))
    screen.print(table(("design", "answer", "variance", "largest"), _variances(found), words=2))
    paragraph(screen, *_remarks(found))


def _variances(found: SurveyPlan) -> list[tuple[str, ...]]:
    """The variances of each answer's share; those of two answers are the same."""
    return [
        (row.design.name, one.answer, "" if one.variance is None else f"{float(one.variance):.4g}",
         f"{float(one.largest):.4g}")
        for row in found.rows
        for one in row.variances[0 if len(found.answers) > 2 else 1 :]
    ]


def _equal(found: SurveyPlan) -> str:

    if found.level is not None:
        return f"Designs with {found.level!s}"
    if found.violation is not None:
        return f"Designs with a privacy violation of at most {found.violation}"
    return "This design"


def _remarks(found: SurveyPlan) -> list[str]:
    sentences = []
    if any(row.smallest_epsilon is None for row in found.rows):
        sentences.append(
            "“no finite ε”: a zero cell beside a non-zero one, so some response rules a true "
            "answer out; " + (
                "it is private only thanks to δ." if found.level is not None
                else "it has this violation, and is private at no level with δ = 0."
            )
        )
    many = len(found.answers) > 2
    if found.level is not None and many:
        sentences.append(
            "Super-binary Mangat is not listed: it has no finite ε, and with two sensitive "
            "answers δ = 1. Compare it at an equal violation: --violation."
        )
    elif found.level is not None and found.level.delta == 0:
        sentences.append(
            "Mangat's design is not listed: it has a zero cell, so it has no finite ε, and with "
            "δ = 0 it is private at no level."
        )
    if found.left_out:
        sentences.append(
            f"Not listed, as more than 10^12 respondents would be needed: "
            f"{', '.join(found.left_out)}."
        )
    if many and found.answer is None:
        sentences.append(
            "Respondents: enough for the margin of every answer, each by itself; all margins "
            "together hold less often. All at once: enough for all of them together. "
            "--answer plans for one answer."
        )
    sentences.append(
        "Variance: of the share of each answer as one respondent tells it, at the expected shares "
        "if there are any, and the largest over all shares; divide by the respondents."
    )
    sentences.append(_sizes(found))
    if found.prevalence:
        sentences.append("Violation: P(sensitive answer | response), at most (H16, Theorem 6.4).")
    if found.difference is not None and found.differing is not None:
        first, second = found.differing
        sentences.append(
            f"To see {first} differ from {second} with power {found.difference.power:g}"
            + (", in every answer that differs" if many and found.answer is None else "")
            + f": about {found.difference.per_group:,} respondents in each group (normal "
            "approximation)."
        )
    return sentences


def _sizes(found: SurveyPlan) -> str:
    """What the numbers of respondents are: exact, proved to be enough, or approximate."""
    plans = [row.plan for row in found.rows]
    if found.bound.value == "chebyshev":
        return "Respondents: enough for every law, by Chebyshev's inequality."
    if all(plan.least for plan in plans):
        return (
            "Respondents: the least number from which on every larger one reaches the confidence, "
            "by the binomial law; some smaller ones reach it too."
        )
    normal = [f"“{plan.design.name}”" for plan in plans if plan.reached is None]
    if not normal:
        return "Respondents: every larger number reaches the confidence; not always the least."
    if len(normal) == len(plans):
        return "Respondents: by the normal approximation."
    return (
        "Respondents: every larger number reaches the confidence, by the binomial law; for "
        f"{', '.join(normal)} by the normal approximation."
    )
