"""A study planned: every question at its level, with its margin or the respondents it needs.

One total level is divided over the questions, so that each errs more than it would alone. Beside
every question stands the same one asked directly. Where a second question randomizes, the end of
its prevalence that is worse counts; shares are the worst ones unless the study states them.

A question whose best design has an aim is planned for that: its margin is a fraction of the range
of the weights. A share has the range 1, a mean of scores from 1 to 4 has 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

from tightrope.characters import shorten
from tightrope.choices import member_of
from tightrope.exact import Level, Number
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.surveys.creation import survey_at
from tightrope.surveys.designs import Design, direct_question
from tightrope.surveys.margins import margin_of
from tightrope.surveys.planning import (
    Bound,
    check_confidence,
    check_margin,
    check_respondents,
    plan_margin,
)
from tightrope.surveys.protection import stated_level
from tightrope.surveys.quantities import MEAN, Quantity, quantities
from tightrope.surveys.questions import Question
from tightrope.surveys.study import Study, StudyQuestion
from tightrope.surveys.study_designs import planned_aim
from tightrope.surveys.study_file import read_study
from tightrope.surveys.survey_file import Survey
from tightrope.surveys.variance import shares_of


@dataclass(frozen=True)
class PlannedQuestion:
    """A question with its margin: the largest over the answers' shares, or that of its aim.

    That of an aim is a fraction of the range of its weights; `aim_margin` is in their units, and
    `share_margin` is the largest of a share. `mean` is the margin of the mean of scores, of all
    values. Respondents are those that were asked for, or else those that the margin needs.
    """

    question: Question
    respondents: int
    margin: float
    mean: float | None
    aim: str | None
    aim_margin: float | None
    share_margin: float
    direct_respondents: int
    direct_margin: float


@dataclass(frozen=True)
class StudyPlan:
    """The plan of all questions; `respondents` are enough for each margin, by itself."""

    survey: Survey
    rows: tuple[PlannedQuestion, ...]
    respondents: int
    margin: float
    confidence: float
    bound: Bound
    asked_respondents: bool

    def facts(self) -> Facts:
        """The respondents or the largest margin, the total level, and every question."""
        total, n = self.survey.total, self.respondents
        direct = max(self.rows, key=lambda row: (row.direct_respondents, row.direct_margin))
        plain = (f"{direct.direct_margin:.3g}" if self.asked_respondents
                 else f"{direct.direct_respondents:,} respondents")
        return Facts(
            "StudyPlan",
            f"{shorten(self.survey.title)}: "
            + (f"a margin of {self.margin:.3g} with {n:,} respondents" if self.asked_respondents
               else f"{n:,} respondents for a margin of {self.margin:g}")
            + f" at {100 * self.confidence:.6g} % confidence",
            (
                *data(**total.as_json()),
                Fact(None, "level", total, meaning="of one person's answers together"),
                *data(respondents=n, margin=self.margin,
                      direct_respondents=direct.direct_respondents,
                      direct_margin=direct.direct_margin),
                Fact(None, "asked directly", f"{plain}, without any randomization"),
                *data(confidence=self.confidence, bound=self.bound),
                self._questions(),
            ),
            tuple(_remarks(self.rows)),
        )

    __repr__ = lines_of
    _repr_html_ = card_of

    def _questions(self) -> Table:
        """Every question with its design, its level, and what it needs."""
        wanted, aims = not self.asked_respondents, any(row.aim for row in self.rows)
        columns = (
            Column("key", "key"), Column("question", "question", words=True),
            Column("design", "design", words=True), Column("epsilon", "ε", 4),
            Column("respondents", "respondents" if wanted else None),
            Column("direct_respondents", "asked directly" if wanted else None),
            Column("aim", "aim" if aims else None),
            Column("aim_margin", "margin of the aim" if aims else None, 3),
            Column("margin", None if wanted else "margin", 3),
            Column("direct_margin", None if wanted else "asked directly", 3),
            Column("share_margin", "margin of a share" if aims else None, 3),
            Column("mean_margin",
                   "margin of the mean" if any(row.mean for row in self.rows if not row.aim)
                   else None, 3),
        )
        none = Shown(None, "")
        return Table("questions", "Questions", columns, tuple(
            (row.question.key, row.question.text,
             row.question.design_name,
             Shown(None, "clear") if row.question.level is None else float(row.question.level),
             row.respondents, row.direct_respondents, row.aim or none,
             none if row.aim_margin is None else row.aim_margin,
             Shown(row.margin, f"{row.margin:.3g} of the range") if row.aim else row.margin,
             row.direct_margin, row.share_margin if row.aim else Shown(row.share_margin, ""),
             none if row.mean is None else Shown(row.mean, "") if row.aim else row.mean)
            for row in self.rows), listed=0)


def plan_study(
    study: Study | str | PathLike[str] | Mapping[str, Any],
    epsilon: Level | Number | None = None,
    *,
    delta: Number | None = None,
    ratio: Number | None = None,
    respondents: int | None = None,
    margin: float = 0.05,
    confidence: float = 0.95,
    bound: Bound | str = Bound.NORMAL,
) -> StudyPlan:
    """The margins of all questions of a study, or the respondents for one margin.

    Parameters
    ----------
    study
        As for `create_survey`: a `Study`, the name of its file, or its fields as a mapping.
    epsilon, delta, ratio
        The total, if the study states none.
    respondents
        The people that there are; without them, how many the margin needs.
    margin
        Of a share; of the aim of a best design, as a fraction of the range of its weights.

    Returns
    -------
    StudyPlan, with a row for every question.

    Raises
    ------
    BadInput
        if the study states no total and none is given, or states one and another is given.

    >>> two = Study("Work", (StudyQuestion("Late?"), StudyQuestion("Often late?")))
    >>> [round(row.margin, 3) for row in plan_study(two, ratio=9, respondents=400).rows]
    [0.098, 0.098]
    """
    bound = member_of(Bound, bound)
    check_confidence(confidence)
    check_margin(margin, 1)
    if respondents is not None:
        respondents = check_respondents(respondents)
    stated = read_study(study).with_total(stated_level(epsilon, delta, ratio))
    survey = survey_at(stated)
    rows = tuple(
        _plan_question(question, asked, respondents, margin, confidence, bound)
        for question, asked in zip(survey.questions, stated.questions, strict=True))
    if respondents is None:
        return StudyPlan(survey, rows, max(row.respondents for row in rows), margin, confidence,
                         bound, False)
    return StudyPlan(survey, rows, respondents, max(row.margin for row in rows), confidence,
                     bound, True)


def _remarks(rows: Iterable[PlannedQuestion]) -> Iterator[str]:
    """Sentences on what the margins are of."""
    yield ("Margins: the largest over a question's answers, each by itself; of all respondents, "
           "also where some are not asked. Shares: the worst ones, unless the study states them.")
    aimed = [row for row in rows if row.aim is not None]
    if aimed:
        yield ("A design for an aim: its margin is a fraction of the range of the scores or "
               "weights; 0.05 of a scale from 1 to 4 is 0.15.")
    if any(row.question.scores and None in row.question.scores for row in aimed):
        yield ("A mean where some values have no score: among the others, to first order, at the "
               "expected shares or at equal ones.")
    if any(row.question.second is not None for row in rows):
        yield ("A second question: the worse end of its prevalence. That the prevalence is not "
               "known exactly comes on top.")


def _plan_question(
    question: Question, asked: StudyQuestion, respondents: int | None, margin: float,
    confidence: float, bound: Bound,
) -> PlannedQuestion:
    """One question: the worse end of a second question's prevalence counts."""
    direct, scores, wanted = direct_question(question.answers), question.scores, planned_aim(asked)
    prevalence = asked.prevalence if wanted is None else wanted.shares
    rows = (None,) if wanted is None else wanted.rows

    def sizes(design: Design) -> int:
        return respondents or max(plan_margin(
            design, margin, confidence=confidence, prevalence=prevalence, scores=row, bound=bound,
        ).respondents for row in rows)

    n, plain = max(map(sizes, question.ends)), sizes(direct)

    def largest(design: Design, size: int, planned: Iterable[Quantity]) -> float:
        shares = None if prevalence is None else shares_of(design, prevalence)
        return max(margin_of(design, quantity, shares, size, confidence, bound)[0]
                   for quantity in planned)

    each = quantities(direct)
    planned = [quantity for row in rows for quantity in quantities(direct, scores=row)]
    own = max(largest(end, n, planned) for end in question.ends)
    mean = None
    if asked.aim == MEAN and wanted is not None:
        mean = own * float(wanted.unit)
    elif scores is not None and None not in scores and len(set(scores)) > 1:
        scored = quantities(direct, scores=[score for score in scores if score is not None])
        mean = max(largest(end, n, scored) for end in question.ends)
    return PlannedQuestion(
        question, n, own, mean, None if wanted is None else wanted.name,
        None if wanted is None else own * float(wanted.unit),
        max(largest(end, n, each) for end in question.ends), plain,
        largest(direct, plain, planned))
