"""Plans: the mechanism of a question and its error, from declarations alone.

Of all ways to answer that are offered the one with the least proved error is taken. Beside it
stands a bound that nobody beats: the least mean error that noise on one of the answers by itself
can have, at the whole level, were all others not asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from tightrope.characters import counted, few, label_text
from tightrope.choices import Goal
from tightrope.declarations import Declaration, rules
from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level, Number, stated
from tightrope.markup import lines
from tightrope.releases.accuracy import accuracy, error_facts, meaning
from tightrope.releases.cuts import kept, notes
from tightrope.releases.optima import Target
from tightrope.releases.parts import Offer, divides_by_size, offers_of
from tightrope.releases.planned import PlannedPart, least_noise, prove
from tightrope.releases.questions import CHOSEN, RANKED, Ask, Question, question_of
from tightrope.releases.reads import base, half_step, rounding
from tightrope.releases.spreads import Spread, sums_of_cells, width_of_all_cells
from tightrope.spaces import Tallies, Totals

CONFIDENCE = Fraction(95, 100)
BOUND = "no noise that is added to one of these numbers alone has a smaller mean error"


@dataclass(frozen=True)
class Plan:
    """How a question is answered: mechanism, level and error, before any row is read.

    `error` is the expected absolute error of one answer, None where only the data could tell;
    `width` is how far an answer is off at most, with the confidence of the plan, in `counted_in`.
    """

    question: Question
    declaration: Declaration
    level: Level
    parts: tuple[PlannedPart, ...]
    offer: Offer
    confidence: Fraction = CONFIDENCE

    @property
    def size(self) -> int | None:
        """The public number of units, where answers are divided by it."""
        return self.declaration.unit.size if divides_by_size(self.question, self.declaration) else (
            None)

    @property
    def target(self) -> Target | None:
        """The error that is least, where an optimum was asked for."""
        return self.parts[0].part.target

    @cached_property
    def error(self) -> Fraction | None:
        """The expected absolute error of an answer, against the clamped and cut statistic.

        Of an optimum it is the average over the range.
        """
        ask = self.question.ask
        if ask in RANKED or ask in CHOSEN or ask is Ask.VARIANCE:
            return None
        if ask in (Ask.MEAN, Ask.PROPORTION, Ask.DISTRIBUTION) and self.size is None:
            return None
        terms = self.offer.terms if ask is Ask.DISTRIBUTION else 1
        return self.parts[0].mean_error(terms) / (self.size or 1)

    @cached_property
    def worst_error(self) -> Fraction | None:
        """The expected absolute error for the worst input; noise has the same for all."""
        if self.target is None:
            return self.error
        worst = self.parts[0].worst_error
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
        ask = self.question.ask
        if ask in RANKED or ask in CHOSEN:
            return self._ranks
        if ask is Ask.VARIANCE or (ask in (Ask.MEAN, Ask.PROPORTION) and self.size is None):
            return None
        if ask is Ask.DISTRIBUTION:
            return self.band / self.size if self.size is not None else None
        return self.parts[0].width(self.confidence) / (self.size or 1)

    @cached_property
    def surer(self) -> Plan:
        """The plan at a confidence that misses half as often."""
        return replace(self, confidence=(1 + self.confidence) / 2)

    @cached_property
    def widths_of_ratio(self) -> tuple[Fraction, Fraction]:
        """Half-widths of the sums that an answer divides: of each, together, and of their sum."""
        terms = 3 if self.question.ask is Ask.VARIANCE else 2
        each = self.parts[0].width(1 - (1 - self.confidence) / terms)
        return each, self.parts[0].width(self.confidence, terms)

    @cached_property
    def band(self) -> Fraction:
        """Half the height of a band that holds all counts up to a value, of one group.

        Of sums of ever more noises the largest is beyond a height at most twice as often as the
        last one (Lévy); counts of blocks are added up one by one.
        """
        tree = self.offer.tree
        assert tree is not None
        missed = (1 - self.confidence) / (2 if tree.levels == 1 else tree.values)
        return self.parts[0].width(1 - missed, tree.terms)

    @property
    def _ranks(self) -> Fraction:
        """The most that ranks are off, or counts of a most frequent value, of one group."""
        tree = self.offer.tree
        if tree is not None:
            return self.band * (1 + max(self.question.probabilities))
        sure = 1 - (1 - self.confidence) / len(self.parts)
        return max(part.ranks(1 - (1 - sure) / self.question.picks) for part in self.parts)

    @property
    def counted_in(self) -> str:
        """The unit of errors."""
        match self.question.ask:
            case ask if ask in RANKED:
                return "ranks"
            case ask if ask in CHOSEN:
                return "rows short of the most frequent"
            case Ask.MEAN | Ask.SUM:
                return f"units of {self.question.columns[0]}"
            case Ask.VARIANCE:
                return f"squared units of {self.question.columns[0]}"
            case Ask.PROPORTION | Ask.DISTRIBUTION:
                return "shares"
            case Ask.PEOPLE:
                return "people"
            case _:
                return "rows" if self.declaration.unit.person is None else "kept rows"

    @cached_property
    def bound(self) -> Fraction | None:
        """The least mean error that noise on one answer alone can have; None if none is proved."""
        ask, size = self.question.ask, self.size
        if self.error is None or ask is Ask.DISTRIBUTION:
            return None
        if self.target is not None:
            least = self.parts[0].least_error
            return None if least is None else least / (size or 1)
        space = self.parts[0].part.space
        if isinstance(space, Totals):
            alone = space.most
        else:
            assert isinstance(space, Tallies)
            one = space.cells == 1
            rows = 1 if ask is Ask.PEOPLE else self.declaration.unit.rows
            alone = space.change if one else rows * _each(self)
        return least_noise(alone, self.level) * self.parts[0].part.unit / (size or 1)

    @property
    def bound_says(self) -> str | None:
        """What is proved of the bound."""
        if self.bound is None:
            return None
        if self.target is None:
            return BOUND
        change, proof = self.parts[0].change, "Ghosh and others, 2012"
        if self.parts[0].optimality is not None:
            proof = "proved by multipliers in its document"
        elif change > 1:
            proof += f", for numbers that are {change:,} apart"
        return f"no mechanism errs less {self.question.optimal_for} ({proof})"

    @property
    def _aimed(self) -> Fraction | None:
        """The error that the bound is for."""
        worst = self.target is not None and self.target.goal is Goal.WORST
        return self.worst_error if worst else self.error

    @property
    def rules(self) -> dict[str, str]:
        """How the cells of each column are read, in words."""
        return rules(self.parts[0].part.tally.readings)

    @property
    def rounding(self) -> str | None:
        """How far rounding alone may move an answer, in words."""
        return rounding(self)

    @property
    def base(self) -> str | None:
        """The rows that a mean or a share is of, in words."""
        return base(self)

    @property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """The names of the answers."""
        from tightrope.releases.names import cells_of

        return cells_of(self)

    @property
    def mechanism(self) -> str:
        """What is drawn, in words."""
        said = list(dict.fromkeys(part.words for part in self.parts))
        tree = self.offer.tree
        more = f" on {tree.levels} levels of blocks" if tree is not None and tree.levels > 1 else ""
        times = f"{len(self.parts)} times " if len(self.parts) > 1 else ""
        return times + " and ".join(said) + more

    def as_json(self) -> dict[str, Any]:
        """The plan as JSON has it."""
        bound, aimed = self.bound, self._aimed
        return {
            "question": self.question.title,
            **self.level.as_json(),
            "mechanism": self.mechanism,
            "cells": len(self.cells),
            "meaning": self.meaning,
            "kept": self.kept,
            "expected_error": _float(self.error),
            "worst_error": _float(self.worst_error),
            "within": _float(self.width),
            "within_together": _float(self.together),
            "sums": [spread.as_json() for spread in self.sums],
            "biased": self.target is not None,
            "error_unit": self.counted_in,
            "confidence": float(self.confidence),
            "bound": _float(bound),
            "bound_says": self.bound_says,
            "gap": None if not bound or aimed is None else float(aimed / bound - 1),
            "unit": self.declaration.unit.shown,
            "of": self.base,
            "rounding": _float(half_step(self)),
            "reads": self.rules,
        }

    @property
    def accuracy(self) -> str:
        """The error in words: of one cell, where there are several numbers."""
        return accuracy(self)

    @property
    def meaning(self) -> str | None:
        """The value that stands for an extreme one, in words."""
        return meaning(self)

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
        if not self.bound or self._aimed is None:
            return None
        times = self._aimed / self.bound
        said = f"{float(times):.4g} times that"
        if said.startswith("1 "):
            said = "as little as that" + ("" if times == 1 else f", up to {float(times - 1):.0e}")
        return f"{float(self.bound):.4g}: {self.bound_says}; this is {said}"

    def __repr__(self) -> str:
        return lines(
            f"Plan: {self.title}",
            [
                ("level", self.level),
                ("mechanism", self.mechanism),
                ("answers", counted(len(self.cells), "cell")),
                *error_facts(self),
                ("bound", self.nearness),
                ("protects", self.declaration.unit.shown),
                ("cut", " ".join(notes(self)) or None),
                *(("reads", f"{label_text(name)}: {rule}") for name, rule in self.rules.items()),
                ("cells", few([", ".join(cell) for cell in self.cells]) or None),
            ],
        )


def plan_release(
    question: Question | str,
    declaration: Declaration,
    level: Level | Number,
    confidence: Number = CONFIDENCE,
    *,
    laws: Sequence[Mapping[str, Any]] = (),
) -> Plan:
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
    if asked.delta:
        raise BadLevel(f"δ = {asked.delta}", "a level with δ = 0: answers are drawn at an ε")
    plans = [_planned(question, declaration, asked, sure, offer, laws)
             for offer in offers_of(question, declaration)]
    found = min(plans, key=_loss) if len(plans) > 1 else plans[0]
    if found.target is not None and found.worst_error is None:
        raise BadInput("the errors of this optimum cannot be told: the noise is too long or too "
                       "short beside the range; leave optimal out.")
    return found


def _loss(plan: Plan) -> Fraction:
    """What offers are compared by: the mean error, or else the width of all answers."""
    if plan.offer.tree is not None:
        return plan.band if plan.question.ask is Ask.DISTRIBUTION else plan._ranks
    if plan.error is not None:
        return plan.error
    assert plan.width is not None
    return plan.width


def _planned(
    question: Question,
    declaration: Declaration,
    level: Level,
    sure: Fraction,
    offer: Offer,
    laws: Sequence[Mapping[str, Any]],
) -> Plan:
    share = level.scaled(Fraction(1, len(offer.parts)))
    law = laws[0] if laws else None  # an offer with a table has no other part
    parts = tuple(prove(part, share, sure, law) for part in offer.parts)
    return Plan(question, declaration, level, parts, offer, sure)


def _each(plan: Plan) -> int:
    """What one row adds to an answer at most, in its unit."""
    if plan.question.ask is not Ask.SUM:
        return 1
    from tightrope.releases.parts import number_column

    column = number_column(plan.question, plan.declaration)
    return int(max(abs(column.low), abs(column.high)) / plan.parts[0].part.unit)


def level_within(
    question: Question, declaration: Declaration, within: Number, confidence: Number = CONFIDENCE
) -> Level:
    """The least level, to three digits, at which an answer is within so much so surely."""
    wanted, sure = stated(within, "an error"), stated(confidence, "a confidence")
    if wanted <= 0 or not 0 < sure < 1:
        raise BadInput("expected an error above 0 and a confidence between 0 and 1.")

    def reached(epsilon: Fraction) -> bool:
        width = plan_release(question, declaration, Level.epsilon(epsilon), sure).width
        if width is None:
            raise BadInput(f"the error of this {question.ask.value} depends on the data; state "
                           "its level.")
        return width <= wanted

    low, high = 0, 1
    scale = Fraction(1, 1000)
    while not reached(high * scale):
        low, high = high, 2 * high
        if high * scale > 1000:
            raise BadInput("no level reaches that accuracy; ask for less.")
    while high - low > max(1, high // 1000):
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle * scale) else (middle, high)
    return Level.epsilon(high * scale)


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
