"""Plans: the mechanism of a question and its error, from declarations alone.

Of all ways to answer that are offered the one with the least proved error is taken. Beside it
stands a bound that nobody beats: the least mean error that noise on one of the answers by itself
can have, at the whole level, were all others not asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from tightrope.characters import counted, few
from tightrope.data.releases.parts import Offer, Part, divides_by_size, offers_of, range_of
from tightrope.data.releases.questions import CHOSEN, RANKED, Ask, Question
from tightrope.declarations import Declaration
from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level, Number, stated
from tightrope.markup import lines
from tightrope.mechanisms import (
    FrequentMechanism,
    Mechanism,
    NoiseSum,
    RankMechanism,
    TallyNoise,
)
from tightrope.privacy import Certified
from tightrope.spaces import Tallies, Totals

CONFIDENCE = Fraction(95, 100)
BOUND = "no noise that is added to one of these numbers alone has a smaller mean error"


@dataclass(frozen=True)
class PlannedPart:
    """Whole numbers, and the proved mechanism that answers for them."""

    part: Part
    certified: Certified

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism."""
        return self.certified.mechanism

    @property
    def noise(self) -> TallyNoise:
        """The noise of each number, where each has its own."""
        held = self.certified.mechanism
        assert isinstance(held, TallyNoise)
        return held

    @property
    def level(self) -> Level:
        """Its level."""
        return self.certified.certificate.level

    def width(self, confidence: Fraction, terms: int = 1) -> Fraction:
        """Half the length of an interval that holds a number, or a sum of some, so surely."""
        held: Any = self.certified.mechanism
        if isinstance(self.part.space, Totals):  # all of them together
            return int(held.noise.radius(confidence)) * self.part.unit
        return NoiseSum(self.noise, terms).reach(confidence) * self.part.unit


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

    @cached_property
    def error(self) -> Fraction | None:
        """The expected absolute error of an answer, against the clamped and cut statistic."""
        ask = self.question.ask
        if ask in RANKED or ask in CHOSEN or ask is Ask.VARIANCE:
            return None
        if ask in (Ask.MEAN, Ask.PROPORTION, Ask.DISTRIBUTION) and self.size is None:
            return None
        if isinstance(self.parts[0].part.space, Totals):
            from tightrope.constructions import box_error

            held: Any = self.parts[0].mechanism
            return Fraction(box_error(held.noise))
        noise, most = self.parts[0].noise, range_of(self.question, self.declaration)
        if most is not None:
            from tightrope.data.releases.ranges import mean_in_range

            return Fraction(mean_in_range(noise, most))
        terms = self.offer.terms if ask is Ask.DISTRIBUTION else 1
        mean = noise.mean_error if terms == 1 else Fraction(NoiseSum(noise, terms).mean_error)
        return mean * self.parts[0].part.unit / (self.size or 1)

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

    @property
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
        return max(_ranks(part, 1 - (1 - sure) / self.question.picks) for part in self.parts)

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
                return "rows"

    @cached_property
    def bound(self) -> Fraction | None:
        """The least mean error that noise on one answer alone can have; None if none is proved."""
        ask, size = self.question.ask, self.size
        if self.error is None or ask is Ask.DISTRIBUTION:
            return None
        if range_of(self.question, self.declaration) is not None and self.parts[0].noise.step == 1:
            return self.error
        from tightrope.constructions import tally_noise

        space = self.parts[0].part.space
        if isinstance(space, Totals):
            alone = space.most
        else:
            assert isinstance(space, Tallies)
            one = space.cells == 1
            rows = 1 if ask is Ask.PEOPLE else self.declaration.unit.rows
            alone = space.change if one else rows * _each(self)
        held = tally_noise(Tallies(1, 1, alone), self.level).mechanism
        assert isinstance(held, TallyNoise)
        return held.mean_error * self.parts[0].part.unit / (size or 1)

    @property
    def bound_says(self) -> str | None:
        """What is proved of the bound."""
        if self.bound is None:
            return None
        if range_of(self.question, self.declaration) is not None and self.parts[0].noise.step == 1:
            return ("no mechanism at all errs less on average over all counts in the declared "
                    "range (Ghosh, Roughgarden and Sundararajan)")
        return BOUND

    @property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """The names of the answers."""
        from tightrope.data.releases.names import cells_of

        return cells_of(self)

    @property
    def mechanism(self) -> str:
        """What is drawn, in words."""
        said = list(dict.fromkeys(_words(part.mechanism) for part in self.parts))
        tree = self.offer.tree
        more = f" on {tree.levels} levels of blocks" if tree is not None and tree.levels > 1 else ""
        times = f"{len(self.parts)} times " if len(self.parts) > 1 else ""
        return times + " and ".join(said) + more

    def as_json(self) -> dict[str, Any]:
        """The plan as JSON has it."""
        bound, error = self.bound, self.error
        return {
            "question": self.question.text,
            **self.level.as_json(),
            "mechanism": self.mechanism,
            "cells": len(self.cells),
            "expected_error": _float(error),
            "within": _float(self.width),
            "error_unit": self.counted_in,
            "confidence": float(self.confidence),
            "bound": _float(bound),
            "bound_says": self.bound_says,
            "gap": None if bound is None or error is None else float(error / bound - 1),
            "unit": self.declaration.unit.shown,
        }

    @property
    def accuracy(self) -> str:
        """The error in words."""
        said = "depends on the data" if self.error is None else (
            f"{float(self.error):.4g} {self.counted_in} on average")
        if self.width is None:
            return said
        most = (f"at most {float(self.width):.4g} {self.counted_in} with confidence "
                f"{float(self.confidence):g}")
        return most if self.error is None else f"{said}, {most}"

    @property
    def nearness(self) -> str | None:
        """How far from the bound the error is, in words."""
        if self.bound is None or self.error is None:
            return None
        times = self.error / self.bound
        said = "as little as that" if times == 1 else f"{float(times):.4g} times that"
        return f"{float(self.bound):.4g}: {self.bound_says}; this is {said}"

    def __repr__(self) -> str:
        return lines(
            f"Plan: {self.question.text}",
            [
                ("level", self.level),
                ("mechanism", self.mechanism),
                ("answers", counted(len(self.cells), "cell")),
                ("error", self.accuracy),
                ("bound", self.nearness),
                ("protects", self.declaration.unit.shown),
                ("cells", few([", ".join(cell) for cell in self.cells]) or None),
            ],
        )


def plan_release(
    question: Question,
    declaration: Declaration,
    level: Level | Number,
    confidence: Number = CONFIDENCE,
) -> Plan:
    """The plan of a question at a level, with intervals of this confidence; no row is read.

    >>> fair = Declaration.of({"dataset": "fair", "columns": {
    ...     "age": {"type": "number", "low": 17, "high": 42}}})
    >>> plan_release(Question("count"), fair, "ln(2)").error
    Fraction(4, 3)
    """
    asked, sure = Level.of(level), stated(confidence, "a confidence")
    if not 0 < sure < 1:
        raise BadInput("expected a confidence between 0 and 1.")
    if asked.delta:
        raise BadLevel(f"δ = {asked.delta}", "a level with δ = 0: answers are drawn at an ε")
    plans = [_planned(question, declaration, asked, sure, offer)
             for offer in offers_of(question, declaration)]
    return min(plans, key=_loss) if len(plans) > 1 else plans[0]


def _loss(plan: Plan) -> Fraction:
    """What offers are compared by: the mean error, or else the width of all answers."""
    if plan.offer.tree is not None:
        return plan.band if plan.question.ask is Ask.DISTRIBUTION else plan._ranks
    if plan.error is not None:
        return plan.error
    assert plan.width is not None
    return plan.width


def _planned(
    question: Question, declaration: Declaration, level: Level, sure: Fraction, offer: Offer
) -> Plan:
    share = level.scaled(Fraction(1, len(offer.parts)))
    parts = tuple(PlannedPart(part, _proved(part, share, sure)) for part in offer.parts)
    return Plan(question, declaration, level, parts, offer, sure)


def _proved(part: Part, level: Level, sure: Fraction) -> Certified:
    from tightrope.constructions import (  # slow to load, and not for reading a document
        box_noise,
        frequent_choice,
        rank_choice,
        tally_noise,
    )

    space, aim = part.space, part.aim
    if isinstance(space, Tallies):
        return tally_noise(space, level)
    if isinstance(space, Totals):
        return box_noise(space, level)
    if aim.picks:
        return frequent_choice(space, level, aim.picks)
    found = rank_choice(space, level, aim.below, aim.above)
    if not aim.toward:
        return found
    held = found.mechanism
    assert isinstance(held, RankMechanism)
    return rank_choice(space, level, aim.below, aim.above,
                       aim.toward * (held.shortfall(sure) + 1))


def _ranks(part: PlannedPart, sure: Fraction) -> Fraction:
    """How far the rank of a chosen value is off, or how much rarer it is, so surely at most."""
    held, aim = part.mechanism, part.part.aim
    assert isinstance(held, RankMechanism | FrequentMechanism)
    beyond = held.shortfall(sure)
    if isinstance(held, FrequentMechanism):
        return Fraction(beyond)
    return Fraction(beyond + abs(held.shift), aim.below + aim.above)


def _each(plan: Plan) -> int:
    """What one row adds to an answer at most, in its unit."""
    if plan.question.ask is not Ask.SUM:
        return 1
    from tightrope.data.releases.parts import number_column

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


def _words(held: Mechanism) -> str:
    match held:
        case RankMechanism() | FrequentMechanism():
            return "permute-and-flip by rank" if isinstance(held, RankMechanism) else (
                "permute-and-flip by count")
        case TallyNoise() if held.step > 1:
            return f"staircase noise in steps of {held.step:,}"
        case TallyNoise():
            return "two-sided geometric noise"
        case _:
            return "noise in boxes"


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
