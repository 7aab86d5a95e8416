"""`tightrope survey plan`: which design, and how many respondents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tightrope.characters import shorten
from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import Confidence, Force, Json, PlotFile, flag, value
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.surveys import Design, SurveyPlan


@dataclass(frozen=True)
class AskedDesign:
    """The true answers, how common they are expected to be, and a design of one's own."""

    answers: Annotated[str | None, value(
        "--answers", "A/B/…", "The answers, the harmless one first and all others sensitive; "
        "no/yes if not given. A star marks the sensitive one of two: yes/no*. A slash inside one "
        "is \\/.")] = None
    matrix: Annotated[Path | None, value(
        "--matrix", "FILE", "A design of your own (.csv, .tsv, .parquet, .npy, .json): a row for "
        "each true answer, a column for each response, exact fractions or decimals.")] = None
    prevalence: Annotated[str | None, value(
        "--prevalence", "SHARE", "The expected share of the last of two answers, or the shares of "
        "all with commas (0.7,0.2,0.1); without it the worst case counts.")] = None

    def design(self, answers: str | None) -> Design | None:
        """The design in the file, for these answers if any; None if no file was given."""
        from tightrope.surveys import read_design

        return None if self.matrix is None else read_design(self.matrix, answers)


def plan(
    *,
    asked: AskedLevel,
    violation: Annotated[str | None, value(
        "--violation", "SHARE", "Instead of a level: the largest P(sensitive answer | response), "
        "all answers but the first being sensitive.")] = None,
    own: AskedDesign,
    answer: Annotated[str | None, value(
        "--answer", "NAME", "The answer whose share is to be within the margin; without it every "
        "one, each by itself.")] = None,
    margin: Annotated[float, value(
        "--margin", "NUMBER", "Wanted margin of error: 0.05.", default=True)] = 0.05,
    confidence: Confidence = 0.95,
    chebyshev: Annotated[bool, flag(
        "--chebyshev", "A size that needs no normal approximation.")] = False,
    difference: Annotated[str | None, value(
        "--difference", "A:B",
        "Also the size of each group to see shares A and B differ: 0.1:0.15.")] = None,
    power: Annotated[float, value(
        "--power", "NUMBER", "To see that difference.", default=True)] = 0.8,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Compare randomized-response designs at equal protection, by the respondents they need.

    Example: tightrope survey plan --epsilon 1 --prevalence 0.1 --margin 0.05
    """
    from tightrope import surveys
    from tightrope.cli.output import tell
    from tightrope.cli.targets import PictureTarget

    picture = PictureTarget(plot, force)
    result = surveys.plan_survey(
        asked.if_any(),
        violation=violation,
        prevalence=None if own.prevalence is None else _shares(own.prevalence),
        answers=surveys.answer_names(own.answers or "no/yes") if own.matrix is None else (),
        own=own.design(own.answers),
        answer=answer,
        margin=margin,
        confidence=confidence,
        bound=surveys.Bound.CHEBYSHEV if chebyshev else surveys.Bound.NORMAL,
        difference=None if difference is None else _pair(difference),
        power=power,
    )
    picture.draw(lambda: _figure(result))
    tell(result.facts().also(picture.fact), as_json=as_json)


def _shares(text: str) -> str | tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(","))
    return parts[0] if len(parts) == 1 else parts


def _pair(text: str) -> tuple[str | tuple[str, ...], str | tuple[str, ...]]:
    first, colon, second = text.partition(":")
    if not colon:
        raise BadInput(f"expected two shares as 0.1:0.15, found {text!r}.")
    return _shares(first), _shares(second)


def _figure(result: SurveyPlan) -> Figure:
    """Respondents against the share of one answer, the others having equal shares."""
    from fractions import Fraction

    from tightrope import surveys
    from tightrope.plots import lines_figure

    lines = []
    shares = [Fraction(k, 50) for k in range(51)]
    designs: dict[object, Design] = {}
    for row in result.rows:
        designs.setdefault(row.design.rows, row.design)
    shown = result.answers[-1] if result.answer is None else result.answer
    for design in designs.values():
        planned = surveys.planned_answers(design, result.answer)
        most = surveys.plan_margin(design, result.margin, confidence=result.confidence,
                                   answer=result.answer, bound=result.bound).respondents
        worst = max(surveys.worst_variance(design, v) for v in planned)
        sizes = []
        for share in shares:
            rest = (1 - share) / (len(result.answers) - 1)
            law = tuple(share if name == shown else rest for name in result.answers)
            largest = max(surveys.unit_variance(design, law, v) for v in planned)
            sizes.append(max(most * float(largest / worst), 1.0))
        lines.append((design.name, [float(share) for share in shares], sizes))
    title = f"Respondents for a margin of {result.margin:g}"
    return lines_figure(lines, title, f"true share of “{shorten(shown, 40)}”", "respondents")
