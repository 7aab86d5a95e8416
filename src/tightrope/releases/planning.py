"""Plans: the mechanism of a question and its error, from declarations alone.

Of all strategies the one with the least proved error is taken. Beside it
stands a bound that nobody beats: the least mean error that noise on one of the answers by itself
can have, at the whole level, were all others not asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from tightrope.characters import decimal_text
from tightrope.choices import Goal
from tightrope.declarations import (
    Code,
    Declaration,
    KeyTally,
    NumberColumn,
    Tally,
    TimeColumn,
    rules,
)
from tightrope.errors import BadInput, BadLevel, TooLarge
from tightrope.exact import Level, Number, stated
from tightrope.facts import Facts, card_of, lines_of
from tightrope.releases.accuracy import (
    Keyed,
    Ranks,
    Ratio,
    Spread,
    accuracy_text,
    sums_of_cells,
    width_of_all_cells,
)
from tightrope.releases.cuts import kept
from tightrope.releases.keys import Chance, chances
from tightrope.releases.optima import Target, space_of_range, target_of
from tightrope.releases.proving import PlannedSubquery, least_noise, prove
from tightrope.releases.questions import Question, question_of
from tightrope.releases.statistics import Statistic
from tightrope.releases.subqueries import Rows, Strategy, Subquery
from tightrope.spaces import Tallies, Totals

CONFIDENCE = Fraction(95, 100)
LEAST_LEVEL = float(Fraction(1, 10**12))
"""The least ε of a release: errors of less are beyond what doubles and frames hold."""
BOUND = "the least mean error of any additive noise on one answer alone"


@dataclass(frozen=True)
class QuestionPlan:
    """How a question is answered: mechanism, level and error, before any row is read.

    `error` is the expected absolute error of one answer, None where only the data could tell;
    `width` is how far an answer is off at most, with the confidence of the plan. Both are in
    `unit_of_error`.
    """

    question: Question
    declaration: Declaration
    level: Level
    subqueries: tuple[PlannedSubquery, ...]
    strategy: Strategy
    confidence: Fraction = CONFIDENCE

    @property
    def statistic(self) -> Statistic:
        """The statistic that is asked for."""
        return self.question.statistic

    @property
    def size(self) -> int | None:
        """The public number of units, where answers are divided by it."""
        return self.strategy.divisor

    @property
    def tally(self) -> Tally:
        """The tally that all subqueries are made from, by declared cells."""
        return self.subqueries[0].subquery.by_cells

    @property
    def keys(self) -> KeyTally | None:
        """The tally by keys that are not declared, if it is one."""
        tally = self.subqueries[0].subquery.tally
        return tally if isinstance(tally, KeyTally) else None

    @cached_property
    def chances(self) -> tuple[Chance, ...]:
        """The chances that keys of some numbers of units appear; none where cells are declared."""
        return () if self.keys is None else chances(self)

    @property
    def target(self) -> Target | None:
        """The error that is least, where an optimum was asked for."""
        return self.subqueries[0].subquery.target

    @cached_property
    def error(self) -> Fraction | None:
        """The expected absolute error of an answer, against the clamped and cut statistic.

        Of an optimum it is the average over the range.
        """
        return self.strategy.accuracy.error(self)

    @cached_property
    def worst_error(self) -> Fraction | None:
        """The expected absolute error for the worst input; noise has the same for all."""
        if self.target is None:
            return self.error
        worst = self.subqueries[0].worst_error
        return None if worst is None else worst / (self.size or 1)

    @cached_property
    def sums(self) -> tuple[Spread, ...]:
        """The errors of margins and totals."""
        return sums_of_cells(self)

    @cached_property
    def together(self) -> Fraction | None:
        """How far all cells are off at most, together, with the confidence of the plan."""
        return width_of_all_cells(self)

    @cached_property
    def width(self) -> Fraction | None:
        """How far an answer is off at most, with the confidence of the plan."""
        return self.strategy.accuracy.width(self)

    @cached_property
    def surer(self) -> QuestionPlan:
        """The plan at a confidence that misses half as often."""
        return replace(self, confidence=(1 + self.confidence) / 2)

    @cached_property
    def widths_of_ratio(self) -> tuple[Fraction, Fraction]:
        """Half-widths of the sums that an answer divides: of each, together, and of their sum."""
        sums, ratio = self.subqueries[0], self.strategy.accuracy
        assert isinstance(ratio, Ratio)
        each = sums.width(1 - (1 - self.confidence) / ratio.terms)
        return each, sums.width(self.confidence, ratio.terms)

    @cached_property
    def band(self) -> Fraction:
        """Half the height of a band that holds all counts up to a value, of one group.

        Of sums of ever more noises the largest is beyond a height at most twice as often as the
        last one (Lévy); counts of blocks are added up one by one.
        """
        tree = self.strategy.tree
        assert tree is not None
        missed = (1 - self.confidence) / (2 if tree.levels == 1 else tree.values)
        return self.subqueries[0].width(1 - missed, tree.terms)

    @property
    def unit_of_error(self) -> str:
        """The unit of errors."""
        return self.strategy.unit_of_error

    @cached_property
    def bound(self) -> Fraction | None:
        """The least mean error that noise on one answer alone can have; None if none is proved."""
        if self.error is None or self.strategy.tree is not None or self.keys is not None:
            return None
        planned, size = self.subqueries[0], self.size or 1
        if self.target is not None:
            least = planned.least_error
            return None if least is None else least / size
        space = planned.subquery.space
        if isinstance(space, Totals):
            alone = space.most
        else:
            assert isinstance(space, Tallies)
            rows = 1 if self.tally.people else self.declaration.unit.rows
            alone = space.change if space.cells == 1 else rows * planned.subquery.each
        return least_noise(alone, self.level) * planned.subquery.unit / size

    @property
    def bound_says(self) -> str | None:
        """The statement of the bound, with its proof."""
        if self.bound is None:
            return None
        if self.target is None:
            return BOUND
        change, proof = self.subqueries[0].change, "Ghosh and others, 2012"
        if self.subqueries[0].optimality is not None:
            proof = "proved by multipliers in its document"
        elif change > 1:
            proof += f", for numbers that are {change:,} apart"
        return f"no mechanism errs less {self.question.optimal_for}; {proof}"

    @property
    def bounded_error(self) -> Fraction | None:
        """The error that the bound is for."""
        worst = self.target is not None and self.target.goal is Goal.WORST
        return self.worst_error if worst else self.error

    @property
    def rules(self) -> dict[str, str]:
        """How the cells of each column are read, in words."""
        return rules((self.keys or self.tally).readings, (self.keys and self.keys.texts) or {})

    @property
    def half_step(self) -> Fraction | None:
        """Half a resolution, by which the numbers behind the answers may be rounded."""
        steps = [reading.column.step for reading in (self.keys or self.tally).readings
                 if isinstance(reading, Code) and isinstance(reading.column, NumberColumn)
                 and not isinstance(reading.column, TimeColumn)]
        return max(steps) / 2 if steps else None

    @property
    def rounding(self) -> str | None:
        """How far rounding alone may move an answer, in words."""
        if self.half_step is None:
            return None
        of = f" in {self.strategy.rounded}" if self.strategy.rounded else ""
        return f"± {decimal_text(self.half_step)}{of}, beside the noise"

    @property
    def base(self) -> str | None:
        """The rows that a mean or a share is of, in words."""
        return self.strategy.rows if self.size is None else f"all {self.size:,} rows"

    @property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """The names of the answers; none where they are keys that are not declared."""
        return () if self.keys is not None else self.statistic.cells(self)

    @property
    def mechanism(self) -> str:
        """The mechanisms in words."""
        words = list(dict.fromkeys(planned.words for planned in self.subqueries))
        tree = self.strategy.tree
        more = f" on {tree.levels} levels of blocks" if tree is not None and tree.levels > 1 else ""
        times = f"{len(self.subqueries)} times " if len(self.subqueries) > 1 else ""
        return times + " and ".join(words) + more

    @property
    def accuracy(self) -> str:
        """The error in words: of one cell, where there are several numbers."""
        return accuracy_text(self)

    @property
    def meaning(self) -> str | None:
        """The rank that an extreme value aims at, in words."""
        chosen, accuracy = self.subqueries[0], self.strategy.accuracy
        toward = chosen.subquery.score.toward
        if isinstance(accuracy, Ranks) and accuracy.beyond:
            return None
        verb = "exceed" if toward > 0 else "are below"
        return f"a value that about {chosen.rows_beyond:,} rows {verb}" if toward else None

    @property
    def kept(self) -> str | None:
        """Which of a person's rows are counted, or weighed, in words."""
        return kept(self)

    @property
    def title(self) -> str:
        """The question, what an extreme value stands for, and which rows are kept."""
        return ": ".join(filter(None, (self.question.title, self.meaning, self.kept)))

    @property
    def nearness(self) -> str | None:
        """How far from the bound the error is, in words."""
        if not self.bound or self.bounded_error is None:
            return None
        times = self.bounded_error / self.bound
        shown = f"{float(times):.4g}" if times < 10**300 else "over 1e+300"  # at huge levels
        words = f"this is {shown} times that"
        if words.startswith("this is 1 "):
            words = "attained" + ("" if times == 1 else f" up to {float(times - 1):.0e}")
        return f"{float(self.bound):.4g} ({self.bound_says}): {words}"

    def facts(self) -> Facts:
        """Mechanism, level and error, in words and numbers."""
        from tightrope.releases.descriptions import plan_facts

        return plan_facts(self)

    __repr__ = lines_of
    _repr_html_ = card_of


def plan_release(
    question: Question | str,
    declaration: Declaration,
    level: Level | Number,
    confidence: Number = CONFIDENCE,
    *,
    laws: Sequence[Mapping[str, Any]] = (),
) -> QuestionPlan:
    """The plan of a question at a level, with intervals of this confidence; no row is read.

    `laws` are documents of mechanisms that were drawn from: a table of probabilities in them is
    proved again instead of sought again.

    >>> fair = Declaration.of({"dataset": "fair", "columns": {
    ...     "age": {"type": "number", "low": 17, "high": 42}}})
    >>> plan_release(Question("count"), fair, "ln(2)").error
    Fraction(4, 3)
    """
    question = question_of(question)
    asked, sure = Level.positive(level), stated(confidence, "a confidence")
    if not 0 < sure < 1:
        raise BadInput("expected a confidence between 0 and 1.")
    if float(asked) < LEAST_LEVEL:
        raise BadLevel(str(asked), f"ε of at least {LEAST_LEVEL:g}: below, all is noise")
    law = laws[0] if laws else None  # a strategy with a table has no other subquery
    plans = []
    for strategy in strategies_of(question, declaration):
        _check_delta(asked, strategy, question)
        parts = len(strategy.subqueries)
        share = asked if parts == 1 else asked.scaled(Fraction(1, parts))
        proved = tuple(prove(subquery, share, sure, law) for subquery in strategy.subqueries)
        plans.append(QuestionPlan(question, declaration, asked, proved, strategy, sure))
    best = min(plans, key=lambda plan: plan.strategy.accuracy.loss(plan)) if len(plans) > 1 else (
        plans[0])
    if best.target is not None and best.worst_error is None:
        raise BadInput("the errors of this optimum cannot be told: the noise is too long or too "
                       "short beside the range; leave optimal out.")
    return best


def _check_delta(asked: Level, strategy: Strategy, question: Question) -> None:
    """Refuse a δ that nothing is drawn with, none where keys need one, and their adjusted counts.
    """
    keyed = isinstance(strategy.accuracy, Keyed)
    if asked.delta and not keyed:
        raise BadLevel(f"δ = {float(asked.delta):g}", "a level with δ = 0: only keys that are not "
                       "declared need one")
    if keyed and not asked.delta:
        raise BadLevel("δ = 0", "a δ above 0, such as 1e-9, since these keys are not declared")
    if keyed and question.adjusted:
        raise BadInput("counts of keys that are not declared are not adjusted: all are above 0.")


def strategies_of(question: Question, declaration: Declaration) -> tuple[Strategy, ...]:
    """All ways to answer a question: with unbiased noise, or the optimum that it asks for."""
    rows = Rows(declaration, tuple(question.by), question.where)
    strategies = question.statistic.strategies(rows)
    if question.optimal is None:
        return strategies
    return (replace(strategies[0],
                    subqueries=(_optimal(strategies[0].subqueries[0], question),)),)


def _optimal(subquery: Subquery, question: Question) -> Subquery:
    """The subquery of one number in a range, to be answered with the least error there."""
    if subquery.largest is None or not isinstance(subquery.space, Tallies):
        raise BadInput("optimal is for one number in a declared range; declare size or most, and "
                       "ask without groups.")
    target = target_of(question, subquery.largest)
    return replace(subquery, space=space_of_range(subquery.space.change, target) or subquery.space,
                   target=target)


def level_within(
    question: Question, declaration: Declaration, within: Number, confidence: Number = CONFIDENCE,
    delta: Number = 0,
) -> Level:
    """The least level, to three digits, at which an answer is within so much so surely."""
    wanted, sure = stated(within, "an error"), stated(confidence, "a confidence")
    if wanted <= 0 or not 0 < sure < 1:
        raise BadInput("expected an error above 0 and a confidence between 0 and 1.")

    def reaches(epsilon: Fraction) -> bool:
        try:
            width = plan_release(question, declaration, Level.epsilon(epsilon, delta), sure).width
        except TooLarge:  # the noise on keys that are not declared
            return False
        if width is None:
            raise BadInput(f"the error of this {question.ask} depends on the data; state "
                           "its level.")
        return width <= wanted

    low, high = 0, 1
    scale = Fraction(1, 1000)
    while not reaches(high * scale):
        low, high = high, 2 * high
        if high * scale > 1000:
            raise BadInput("no level reaches that accuracy; ask for less.")
    while high - low > max(1, high // 1000):
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle * scale) else (middle, high)
    return Level.epsilon(high * scale, delta)
