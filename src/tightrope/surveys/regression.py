"""How an answer depends on groups and clear questions, though it is only seen randomized.

A question with two answers has a logistic model (see `logistic`). The mean of a scale or number,
and the share of one answer (`q1=often`), have a linear one (see `linear`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from math import exp
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tightrope.characters import counted, meant, shorten
from tightrope.errors import BadInput
from tightrope.facts import Column, Facts, Table, card_of, data, lines_of
from tightrope.surveys.designs import Design
from tightrope.surveys.formulas import Covariates, Formula, covariates
from tightrope.surveys.group_differences import adjust
from tightrope.surveys.linear import fit_linear
from tightrope.surveys.logistic import fit_logistic
from tightrope.surveys.means import Numbers
from tightrope.surveys.questions import Question
from tightrope.surveys.respondents import check_results

if TYPE_CHECKING:
    from tightrope.surveys.findings import Report


class Model(StrEnum):
    """The model of a regression."""

    LOGISTIC = "logistic"
    LINEAR = "linear"


@dataclass(frozen=True)
class Coefficient:
    """A coefficient with its standard error, interval and p-value; `adjusted` is Holm's.

    An end of an interval may be infinite. The intercept is not among the adjusted ones.
    """

    name: str
    estimate: float
    error: float
    low: float
    high: float
    p_value: float
    adjusted: float | None = None


@dataclass(frozen=True)
class Regression:
    """A fitted formula: its coefficients, from `n` people; `left_out` lack a term or an answer.

    `rare` are coefficients that fewer than 30 people tell about.
    """

    formula: Formula
    model: Model
    outcome: str
    rows: tuple[Coefficient, ...]
    n: int
    left_out: int
    confidence: float
    references: tuple[str, ...]
    log_likelihood: float | None
    span: bool
    rare: tuple[str, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences that a reader of the coefficients must know."""
        logistic = self.model is Model.LOGISTIC
        tested, references = len(self.rows) - 1, ", ".join(map(shorten, self.references))
        compared = f" Compared with {references}." if references else ""
        return (
            f"Outcome: {self.outcome}.{compared}",
            "Estimates are log-odds of most likelihood under the design, intervals those of the "
            "profile likelihood, p of likelihood ratio tests." if logistic else
            "Estimating equations that are unbiased under the design; errors HC3 (sandwich). "
            "Intervals and p are of score tests corrected for skewness.",
            *([f"“p, all” is adjusted for {counted(tested, 'coefficient')} (Holm)."]
              if tested else []),
            *([f"{counted(self.left_out, 'answer')} without a number for a term left out."]
              if self.left_out else []),
            *([f"Fewer than 30 people tell about {', '.join(map(shorten, self.rare))}: intervals "
               "and p rest on laws for many, and may hold less often."] if self.rare else []),
            *(["The second question's share of yes is the same for all people here. Intervals "
               "span the fits at both ends and the middle of its interval."] if self.span else []),
        )

    def facts(self) -> Facts:
        """The coefficients with their intervals and p-values, and what they rest on."""
        columns = (Column(None, "term", words=True), Column("estimate", "estimate", 3),
                   Column("error", "error", 3), Column("low", "from", 3),
                   Column("high", "to", 3), Column("p_value", "p", 2),
                   Column("adjusted", "p, all", 2), Column("odds_ratio", None),
                   Column("term", None))
        rows = tuple((shorten(row.name), row.estimate, row.error, row.low, row.high, row.p_value,
                      row.adjusted, exp(row.estimate) if self.model is Model.LOGISTIC else None,
                      row.name) for row in self.rows)
        formula = shorten(str(self.formula))
        return Facts(
            "Regression", f"{formula}, {self.model}, {counted(self.n, 'answer')}",
            (Table("rows", formula, columns, rows, listed=3),
             *data(formula=str(self.formula), model=self.model, outcome=self.outcome, n=self.n,
                   left_out=self.left_out, confidence=self.confidence,
                   references=self.references, rare=self.rare,
                   log_likelihood=self.log_likelihood)),
            self.sentences,
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def regress(report: Report, formula: str | Formula) -> Regression:
    """The coefficients of a formula, with the randomization of its outcome taken out.

    Parameters
    ----------
    formula
        `q1 ~ group + q3`: a question, or `q1=often` for the share of an answer, then the groups of
        links and clear questions with + between; `q1 ~ 1` has none.

    Returns
    -------
    Regression
        Its `rows` have a coefficient with error, interval and p-values for each column.

    Raises
    ------
    BadInput
        If the formula does not fit the survey, a term is randomized or follows from others, or
        answers have weights.
    Infeasible
        If the likelihood of a logistic model has no maximum.
    SolverFailed
        If the search for it did not end.

    >>> import tightrope as tr
    >>> made = tr.surveys.create_survey("s.json", [("Ever?", tr.surveys.warner("3/4"))], links=3)
    >>> try:
    ...     tr.surveys.regress(tr.surveys.results("s.json"), "q1 ~ q1")
    ... except tr.errors.BadInput as error:
    ...     print(str(error)[:39])
    expected different terms with + between
    """
    check_results(report)
    asked = formula if isinstance(formula, Formula) else Formula.of(formula)
    people, how = report.people, report.how
    question = people.question(asked.outcome)
    model, numbers, outcome = _model(question, asked)
    if people.weights or not how.sampling:
        raise BadInput("a regression is of a population and takes no weights; leave them and the "
                       "census out.")
    if not len(people):
        raise BadInput("there are no answers yet.")
    columns = covariates(asked.terms, people)
    codes = people.codes(question)[np.array(columns.kept)]
    designs = (question.middle, *(question.ends if len(question.ends) > 1 else ()))
    fits = [_fit(model, design, numbers, columns, codes, how.confidence) for design in designs]
    (rows, value), *ends = fits
    spanned = [_spanning(row, [end[j] for end, _ in ends]) for j, row in enumerate(rows)]
    adjusted = adjust([row.p_value for row in spanned[1:]])
    return Regression(
        asked, model, outcome,
        (spanned[0], *(replace(row, adjusted=p)
                       for row, p in zip(spanned[1:], adjusted, strict=True))),
        len(codes), len(people) - len(codes), how.confidence, columns.references, value,
        bool(ends), columns.rare)


Fit = tuple[list[Coefficient], float | None]


def _model(question: Question, formula: Formula) -> tuple[Model, Numbers, str]:
    """The model of an outcome, the numbers of its answers, and what it is in words."""
    answers = question.answers
    if formula.answer is not None:
        if formula.answer not in answers:
            known = ", ".join(map(shorten, answers))
            raise BadInput(f"{question.key} has no answer {shorten(formula.answer)!r}; its answers "
                           f"are {known}{meant(formula.answer, answers)}.")
        share = [Fraction(name == formula.answer) for name in answers]
        return Model.LINEAR, share, f"the share of “{shorten(formula.answer)}” among everybody"
    if question.scores is not None:
        among = " among those who say" if None in question.scores else ""
        return Model.LINEAR, question.scores, f"the mean of {question.key}{among}"
    if len(answers) == 2:
        outcome = f"the log-odds of “{shorten(answers[1])}”"
        return Model.LOGISTIC, [Fraction(0), Fraction(1)], outcome
    raise BadInput(f"{question.key} has {len(answers)} answers without numbers; name one of them, "
                   f"as in {question.key}={answers[1]} ~ {' + '.join(formula.terms) or '1'}.")


def _fit(
    model: Model, design: Design, numbers: Numbers, columns: Covariates,
    codes: NDArray[np.intp], confidence: float,
) -> Fit:
    if model is Model.LINEAR:
        linear = fit_linear(columns.matrix, codes, design, numbers, confidence)
        return [Coefficient(*row) for row in zip(columns.names, *linear, strict=True)], None
    rows = np.array([[float(p) for p in row] for row in design.rows])
    fit = fit_logistic(columns.matrix, codes, rows, confidence, columns.names)
    return [Coefficient(*row) for row in zip(
        columns.names, fit.coefficients, fit.errors, fit.low, fit.high, fit.p_values,
        strict=True)], fit.log_likelihood


def _spanning(row: Coefficient, ends: list[Coefficient]) -> Coefficient:
    """A coefficient whose interval and p-value span those of the ends."""
    every = (row, *ends)
    if len({each.estimate > 0 for each in every}) > 1:
        row = replace(row, p_value=1.0)
        every = (row, *ends)
    return replace(row, low=min(each.low for each in every), high=max(each.high for each in every),
                   p_value=max(each.p_value for each in every))

