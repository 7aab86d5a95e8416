"""Plans: several questions out of one total, each with its share, before any row is read.

The split makes the largest of error over wanted error as small as it can be, or the sum of these,
weighted. Where no error is wanted, the one at an equal share stands for it. Shares are decimals;
what they leave of the total stays in the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from math import floor, log10
from typing import TYPE_CHECKING, Any

from tightrope.declarations import Declaration
from tightrope.errors import BadInput, BadLevel, TooLarge
from tightrope.exact import Level, Number, stated_whole
from tightrope.facts import Facts, card_of, lines_of
from tightrope.files import StrPath, read_declaration
from tightrope.releases.accuracy import Band, Ratio
from tightrope.releases.agreement import families
from tightrope.releases.answers import answers, group_cells
from tightrope.releases.guidance import guided
from tightrope.releases.known import Known
from tightrope.releases.plan_terms import PlanTerms, Term, read_terms
from tightrope.releases.planning import LEAST_LEVEL, QuestionPlan, plan_release
from tightrope.utility import Division, divide

if TYPE_CHECKING:
    from tightrope.releases.planning import QuestionPlan
    from tightrope.releases.questions import Question

DIGITS = 3
"""Digits of a share, beside its first one: of 1,000 to 10,000 units a step is 1 % of a tenth."""

_ENDLESS = Fraction(2**40)
"""The error at a level at which nothing can be drawn."""
_KEPT = 256
"""Levels of one question whose plans are kept: more than a split tries."""


@dataclass(frozen=True)
class ErrorCurve:
    """The plans of a question at every level, and its 95 % error there, before any row is read.

    The error of counts, sums and quantiles follows from the declaration. That of means, shares,
    variances and distributions depends on how many rows there are. With a guess of that number
    (`rows`), in all groups alike, it is that of an interval where no noise was drawn and values
    lie in the middle: of a mean half way, of a variance as of even values.

    >>> votes = Declaration.of({"dataset": "votes", "columns": {
    ...     "age": {"type": "number", "low": 0, "high": 100}}})
    >>> from tightrope.releases import Question
    >>> mean = ErrorCurve.of(Question.read("mean of age"), votes, Fraction(95, 100), 10_000)
    >>> round(float(mean.error(Level.of(1))), 4), mean.is_guess  # half of a release's interval
    (0.0369, True)
    """

    at: Callable[[Level], QuestionPlan]
    rows: int | None = None
    is_guess: bool = False

    @classmethod
    def of(
        cls, question: Question, declaration: Declaration, confidence: Fraction,
        rows: int | None = None, delta: Fraction = Fraction(0),
    ) -> ErrorCurve:
        """The curve of a question, with its δ."""
        @lru_cache(maxsize=_KEPT)
        def at(level: Level) -> QuestionPlan:
            return plan_release(question, declaration, level, confidence)

        first = at(Level.epsilon(1, delta))
        return cls(at, rows, first.width is None and first.keys is None)

    def error(self, level: Level) -> Fraction | None:
        """The 95 % error at a level; None where it depends on the data and nothing is guessed."""
        plan = self.at(level)
        if plan.width is not None or self.rows is None or plan.keys is not None:
            return plan.width
        return guessed_error(plan, self.rows)


def guessed_error(plan: QuestionPlan, rows: int) -> Fraction:
    """The 95 % error of a ratio or a distribution, if so many rows are spread evenly."""
    accuracy: Any = plan.strategy.accuracy
    groups = len(group_cells(plan))
    each = max(rows // groups, 1)
    if isinstance(accuracy, Band):  # of a share of a half
        half = Fraction(1, 2)
        return half if plan.band >= each else min(
            (each * half + plan.band) / (each - plan.band) - half, half)
    assert isinstance(accuracy, Ratio)
    part = each * accuracy.row // accuracy.terms
    answer = answers(plan, [[part] * (accuracy.terms * groups)])[0]
    assert answer.low is not None
    assert answer.high is not None
    middle = answer.value if isinstance(answer.value, Fraction) else (answer.low + answer.high) / 2
    return max(answer.high - middle, middle - answer.low)


@dataclass(frozen=True)
class Share:
    """One question of a plan with its level and its errors there.

    `error` is its 95 % error and `alone` what that would be at the whole total; both are None where
    they depend on the data, and a guess (`is_guess`) where a number of rows was assumed.
    """

    term: Term
    plan: QuestionPlan
    error: Fraction | None
    alone: Fraction | None
    is_guess: bool = False


@dataclass(frozen=True)
class Plan:
    """Several questions out of one total; `shares` are in the order of the questions.

    `division` is the split, None if every share is fixed or equal. `assumed_rows` is a guess.
    """

    terms: PlanTerms
    declaration: Declaration
    shares: tuple[Share, ...]
    division: Division | None = None
    assumed_rows: int | None = None

    @property
    def name(self) -> str:
        """The name by which the plan is known to the ledger."""
        return self.terms.name

    @property
    def total(self) -> Level:
        """The most that the plan may spend."""
        return self.terms.total

    @property
    def confidence(self) -> Fraction:
        """The confidence of errors and intervals, 95 % unless the plan states another."""
        return self.terms.confidence

    @property
    def plans(self) -> tuple[QuestionPlan, ...]:
        """How each question is answered."""
        return tuple(share.plan for share in self.shares)

    @property
    def known(self) -> tuple[Known, ...]:
        """The counts that are stated as public."""
        return self.terms.known

    @cached_property
    def level(self) -> Level:
        """The level of all answers together, which is charged."""
        return reduce(Level.__add__, (plan.level for plan in self.plans))

    @property
    def left_over(self) -> Level:
        """The part of the total that is not spent."""
        return Level.epsilon(self.total.rational - self.level.rational,
                             self.total.delta - self.level.delta)

    def facts(self) -> Facts:
        """The table of questions with their shares and errors."""
        from tightrope.releases.plan_descriptions import dry_facts

        return dry_facts(self)

    __repr__ = lines_of
    _repr_html_ = card_of


_EXAMPLE = 'tr.plan(["count by sex", "mean of age"], "d.toml", epsilon=1, name="2026 spring")'
_INSTEAD = {"total": "epsilon and delta", "budget": "epsilon", "eps": "epsilon",
            "rows": "assume_rows", "weights": '{"ask": "count by sex", "weight": 2}',
            "weight": '{"ask": "count by sex", "weight": 2}',
            "within": '{"ask": "count by sex", "within": 50}',
            "share": '{"ask": "count by sex", "share": 0.25}',
            "confidence": '{"questions": […], "confidence": 0.9}',
            "known": '{"questions": […], "known": [{"ask": "count", "value": 500}]}'}
"""Names that people try for a parameter of `plan`, and ours."""


@guided(_EXAMPLE, _INSTEAD)
def plan(
    questions: StrPath | Mapping[str, Any] | Sequence[Any] | PlanTerms | Plan,
    declaration: StrPath | Mapping[str, Any] | Declaration | None = None,
    *,
    epsilon: Number | None = None,
    delta: Number | None = None,
    name: str | None = None,
    aim: str | None = None,
    assume_rows: int | None = None,
) -> Plan:
    """The split of one total among several questions; no row is read and nothing is spent.

    Parameters: `questions` is a TOML or JSON file, what would be in it, or a list of questions,
    with `epsilon` and `delta` (its total), `name` and `aim` beside it. `assume_rows` is a guess of
    the number of rows, by which errors of means, shares, variances and distributions are planned.

    Returns: a `Plan`; `tr.open(…).release_plan` answers it.

    Raises: `BadInput` for a question that cannot be planned, or shares beyond the total.

    >>> votes = {"dataset": "votes",
    ...          "columns": {"vote": {"type": "category", "values": ["no", "yes"]}}}
    >>> made = plan(["count", "histogram of vote"], votes, epsilon=1, name="votes")
    >>> [str(part.level) for part in made.plans], str(made.level)
    (['ε = 0.5', 'ε = 0.5'], 'ε = 1')
    """
    if isinstance(questions, Plan):
        return questions
    terms = stated_terms(questions, epsilon=epsilon, delta=delta, name=name, aim=aim)
    if declaration is None:
        raise BadInput('name the declaration: tr.plan("year.toml", "d.toml"); tr.declare(data) '
                       "drafts one.")
    return plan_terms(terms, read_declaration(declaration), assume_rows)


@guided(_EXAMPLE, _INSTEAD)
def stated_terms(
    questions: Any, *, epsilon: Number | None = None, delta: Number | None = None,
    name: str | None = None, aim: str | None = None,
) -> PlanTerms:
    """The terms of a plan, its file, or what `plan` takes."""
    if isinstance(questions, Plan):
        return questions.terms
    stated_total = {"epsilon": epsilon, "delta": delta}
    total = {part: number for part, number in stated_total.items() if number is not None}
    return read_terms(questions, total=total or None, name=name, aim=aim)


def plan_terms(
    terms: PlanTerms, declaration: Declaration, assume_rows: int | None = None,
    levels: Sequence[Level] | None = None,
) -> Plan:
    """The plan of these terms, with a guess of the number of rows if there is one.

    `levels` are those of an earlier charge, which stand for a split.
    """
    rows = None if assume_rows is None else stated_whole(assume_rows, "a number of rows")
    if rows is not None and rows < 1:
        raise BadInput("expected at least one row to be assumed.")
    curves = [_curve(term, place, declaration, terms.confidence, rows, levels is None)
              for place, term in enumerate(terms.terms, start=1)]
    division = None
    if levels is None:
        epsilons, division = _epsilons(terms, curves)
        levels = [Level.epsilon(epsilon, term.delta)
                  for term, epsilon in zip(terms.terms, epsilons, strict=True)]
    shares = []
    for place, (term, curve, level) in enumerate(zip(
            terms.terms, curves, levels, strict=True), start=1):
        guess = curve.is_guess and rows is not None
        try:
            shares.append(Share(term, curve.at(level), curve.error(level),
                                _alone(term, curve, terms.total), guess))
        except BadInput as wrong:
            raise BadInput(f"question {place}, at {level}: {wrong}") from None
    made = Plan(terms, declaration, tuple(shares), division, rows)
    families(made.plans, terms.known)
    spent = made.level
    if spent.rational > terms.total.rational or spent.delta > terms.total.delta:
        raise BadInput(f"the questions take {spent} together, more than the total, {terms.total}.")
    return made


def _curve(
    term: Term, place: int, declaration: Declaration, confidence: Fraction, rows: int | None,
    is_split: bool = True,
) -> ErrorCurve:
    try:
        curve = ErrorCurve.of(term.question, declaration, confidence, rows, term.delta)
    except BadLevel as wrong:
        own = "" if term.delta else ": in a plan the question states it, delta = 1e-9"
        raise BadInput(f"question {place}: {str(wrong).rstrip('.')}{own}.") from None
    except BadInput as wrong:
        raise BadInput(f"question {place}: {wrong}") from None
    if not is_split or not term.is_split:
        return curve
    if curve.is_guess and rows is None:
        raise BadInput(f"question {place}: the error of this {term.question.ask} depends on the "
                       "number of rows: guess it (assume-rows, in Python assume_rows=), or give "
                       "the question a share.")
    if curve.error(Level.epsilon(1, term.delta)) is None:
        raise BadInput(f"question {place}: keys have no counts, so no error to split by: give the "
                       "question a share.")
    return curve


def _alone(term: Term, curve: ErrorCurve, total: Level) -> Fraction | None:
    """The 95 % error at the whole total; of an optimum it is not sought."""
    if term.question.optimal is not None:
        return None
    return curve.error(Level.epsilon(total.rational, term.delta))


def _epsilons(
    terms: PlanTerms, curves: Sequence[ErrorCurve]
) -> tuple[list[Fraction], Division | None]:
    """The ε of every question: fixed, equal, or found by the split."""
    if terms.total.coefficient:
        raise BadInput(f"the total of a plan is a decimal, found {terms.total}.")
    fixed = sum((term.epsilon for term in terms.terms if term.epsilon is not None), Fraction(0))
    left = terms.total.rational - fixed
    others = [term for term in terms.terms if term.epsilon is None]
    if others and left <= 0:
        raise BadInput(f"fixed shares take all of the total, {terms.total}, and leave nothing for "
                       "the other questions.")
    if not others:
        return [term.epsilon for term in terms.terms if term.epsilon is not None], None
    if left / len(others) < LEAST_LEVEL:
        raise BadInput(f"an equal share of the total is below ε = {LEAST_LEVEL:g}, where all is "
                       "noise.")
    unit = Fraction(10) ** (floor(log10(left / len(others))) - DIGITS)
    even = left / len(others) // unit * unit
    sought = [(term, curve) for term, curve in zip(terms.terms, curves, strict=True)
              if term.is_split]
    units: Iterator[int] = iter(())
    division = None
    if sought:
        room = (left - even * (len(others) - len(sought))) // unit
        division = divide([_cost(term, curve, unit, even) for term, curve in sought], int(room),
                          terms.aim)
        units = iter(division.units)
    return [term.epsilon if term.epsilon is not None else next(units) * unit if term.is_split
            else even for term in terms.terms], division


def _cost(term: Term, curve: ErrorCurve, unit: Fraction, even: Fraction) -> Any:
    """The error over the wanted one, times its weight, as a function of units of ε."""
    def error(epsilon: Fraction) -> Fraction:
        try:
            at_level = curve.error(Level.epsilon(epsilon, term.delta))
        except TooLarge:  # keys that are not declared, at a level too small for them
            return _ENDLESS
        assert at_level is not None
        return at_level

    wanted = term.within if term.within is not None else error(even) or Fraction(1)
    factor = (Fraction(1) if term.weight is None else term.weight) / wanted
    return lambda units: float(factor * error(units * unit))
