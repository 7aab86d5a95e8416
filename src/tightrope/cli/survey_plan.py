"""`tightrope survey plan`: which design, and how many respondents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import Confidence, Force, Json, PlotFile, flag, value
from tightrope.errors import BadInput
from tightrope.facts import data

if TYPE_CHECKING:
    from tightrope.surveys import Design, ExpectedMargins, SurveyPlan


NOT_OF_STUDIES = ("worth", "violation", "prevalence", "difference", "smallest_difference", "answer",
                  "scores", "left_out", "rows", "answers", "grid", "picture")
"""Fields that a plan of one question has and that of a study has not."""


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
    aim: Annotated[str | None, value(
        "--aim", "AIM", "The design that is proved best for an aim: shares, cumulative, mean, or "
        "weights of the answers with commas (1,0,-1). For up to 16 answers, at the shares of "
        "--prevalence, or equal ones.")] = None

    def shares(self) -> tuple[str, ...] | None:
        """The expected shares of all answers; of two, one may be given."""
        if self.prevalence is None:
            return None
        shares = _shares(self.prevalence)
        if not isinstance(shares, str):
            return shares
        from tightrope.surveys import all_shares

        return tuple(map(str, all_shares(shares)))

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
    study: Annotated[Path | None, value(
        "--study", "FILE", "All questions of a study at once: its total ε, and each question's "
        "margin or respondents.")] = None,
    answer: Annotated[str | None, value(
        "--answer", "NAME", "The answer whose share is to be within the margin; without it every "
        "one, each by itself.")] = None,
    scores: Annotated[str | None, value(
        "--scores", "NUMBERS", "Numbers that the answers stand for, with commas: the margin is "
        "that of their mean.")] = None,
    margin: Annotated[float | None, value(
        "--margin", "NUMBER", "Wanted margin of error; 0.05 if not given. With --aim in units of "
        "the aim; with --study a fraction of the range of an aim's scores.")] = None,
    respondents: Annotated[str | None, value(
        "--respondents", "NUMBER", "Instead of a margin: the people that there are, or two groups "
        "of them as 150:150. Prints the margin of each answer.")] = None,
    confidence: Confidence = 0.95,
    chebyshev: Annotated[bool, flag(
        "--chebyshev", "A size that needs no normal approximation.")] = False,
    difference: Annotated[str | None, value(
        "--difference", "A:B",
        "Also the size of each group to see shares A and B differ, or the power that groups have: "
        "0.1:0.15. With --aim, the shares of all answers: 0.6,0.3,0.1:0.2,0.3,0.5.")] = None,
    power: Annotated[float, value(
        "--power", "NUMBER", "Power for that difference, or for the smallest one.",
        default=True)] = 0.8,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Compare randomized-response designs at equal protection: respondents for a margin.

    With --respondents the other way round: the margins that so many people give, beside those of
    the question asked directly.

    Example: tightrope survey plan --epsilon 1 --prevalence 0.1 --margin 0.05
    """
    from tightrope import surveys
    from tightrope.cli.output import tell
    from tightrope.cli.targets import PictureTarget

    picture = PictureTarget(plot, force)
    if respondents is not None and margin is not None:
        raise BadInput("give --margin to plan the respondents, or --respondents to learn the "
                       "margin, not both.")
    bound = surveys.Bound.CHEBYSHEV if chebyshev else surveys.Bound.NORMAL
    people, groups = (None, None) if respondents is None else _people(respondents)
    if study is not None:
        alone = (violation, own.answers, own.matrix, own.prevalence, own.aim, answer, scores,
                 difference, groups, plot)
        if any(option is not None for option in alone):
            raise BadInput("--study states its questions: beside it stand a level, --margin or "
                           "--respondents NUMBER, --confidence and --chebyshev alone.")
        planned = surveys.plan_study(
            study, asked.if_any(), respondents=people, confidence=confidence, bound=bound,
            margin=0.05 if margin is None else margin)
        tell(planned.facts().also(*data(**dict.fromkeys(NOT_OF_STUDIES))), as_json=as_json)
        return
    if own.aim is not None:
        others = {"--violation": violation, "--matrix": own.matrix, "--answer": answer,
                  "--scores": scores, "--chebyshev": chebyshev}
        if given := [name for name, option in others.items() if option]:
            raise BadInput(f"--aim plans for one aim at a level: leave {', '.join(given)} out; "
                           "scores are an aim themselves, as in --aim 1,2,3.")
        if plot is not None and people is None:
            raise BadInput("the picture of an aim shows margins by respondents: add --respondents "
                           "300, for instance, in place of --margin.")
        best = surveys.plan_aim(
            surveys.answer_names(own.answers or "no/yes"), asked.level(),
            aim=own.aim, prior=own.shares(), groups=groups, power=power,
            difference=None if difference is None else _pair(difference),
            margin=0.05 if margin is None else margin, respondents=people, confidence=confidence)
        picture.draw(best.plot)
        tell(best.facts().also(picture.fact), as_json=as_json)
        return
    shared: dict[str, Any] = {
        "violation": violation,
        "prevalence": None if own.prevalence is None else _shares(own.prevalence),
        "answers": surveys.answer_names(own.answers or "no/yes") if own.matrix is None else (),
        "own": own.design(own.answers),
        "answer": answer,
        "scores": None if scores is None else scores.split(","),
        "confidence": confidence,
        "bound": bound,
        "difference": None if difference is None else _pair(difference),
        "power": power,
    }
    result: SurveyPlan | ExpectedMargins
    if people is None:
        result = surveys.plan_survey(
            asked.if_any(), margin=0.05 if margin is None else margin, **shared)
        other = data(direct_margin=None, worth=None, smallest_difference=None, answers=None,
                     grid=None, questions=None)
    else:
        result = surveys.expected_margins(people, asked.if_any(), groups=groups, **shared)
        other = data(direct_respondents=None, left_out=None, questions=None)
    picture.draw(result.plot)
    tell(result.facts().also(*other, picture.fact), as_json=as_json)


def _people(text: str) -> tuple[int, tuple[int, int] | None]:
    """A number of people, and the two groups that it was given as, if it was."""
    parts = [part.strip() for part in text.split(":")]
    if len(parts) > 2 or not all(part.isascii() and part.isdigit() and len(part) < 16
                                 for part in parts):
        raise BadInput("expected a number of people such as 1000, or two groups such as 200:100, "
                       f"found {text[:60]!r}.")
    sizes = [int(part) for part in parts]
    return sum(sizes), (sizes[0], sizes[1]) if len(sizes) > 1 else None


def _shares(text: str) -> str | tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(","))
    return parts[0] if len(parts) == 1 else parts


def _pair(text: str) -> tuple[str | tuple[str, ...], str | tuple[str, ...]]:
    first, colon, second = text.partition(":")
    if not colon:
        raise BadInput(f"expected two shares as 0.1:0.15, found {text!r}.")
    return _shares(first), _shares(second)
