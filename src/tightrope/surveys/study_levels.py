"""The levels of the questions of a study: exact numbers that add up to its total, or less.

What is left of a total after fixed levels is exact where all are rational or all are logarithms.
Otherwise it is rounded down to six decimals, so that the sum stays below the total.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import exp, floor, lcm, prod, sqrt

from tightrope.errors import BadInput
from tightrope.exact import Level, lower_bound
from tightrope.privacy import sequential
from tightrope.surveys.protection import prove
from tightrope.surveys.quantities import quantities
from tightrope.surveys.study import Split, Study, StudyQuestion
from tightrope.surveys.study_designs import BEST, design_of, planned_aim
from tightrope.surveys.variance import shares_of
from tightrope.utility import Aim, divide

MOST_VALUES = 10
"""Values of a best design in a split by margins, which tries fifty levels: ten seconds."""
UNITS = 1000
"""Parts into which a split by margins cuts a level: a step is 1 % of a tenth of it."""
_DECIMALS = 10**6
_LONGEST = 4000
"""Bits of a product of bases that is worked out exactly."""


def question_levels(study: Study) -> tuple[Level | None, ...]:
    """The level of each question, None for a clear one.

    >>> fair = Study("Fair", (StudyQuestion("Ever?"), StudyQuestion("Often?")), Level.of(1))
    >>> question_levels(fair)
    (Level(ε = 0.5), Level(ε = 0.5))
    """
    fixed = [_fixed_level(question, study.total) for question in study.questions]
    open_ = [question for question, level in zip(study.questions, fixed, strict=True)
             if level is None and not question.clear]
    if study.total is None and open_:
        raise BadInput(f"{open_[0].key} has no level: state the total, such as epsilon = 2, or "
                       "epsilon for each question.")
    shared = iter(_share_rest(study, open_, [level for level in fixed if level is not None]))
    return tuple(level if level is not None or question.clear else next(shared)
                 for question, level in zip(study.questions, fixed, strict=True))


def _fixed_level(question: StudyQuestion, total: Level | None) -> Level | None:
    if question.own is not None and question.epsilon is None:  # its own smallest level
        return prove(question.own).certificate.level
    if question.share is None:
        return question.fixed
    if total is None:
        raise BadInput(f"{question.key} has a share of a total that is not stated: add, for "
                       "instance, epsilon = 2.")
    return total.scaled(question.share).with_delta(total.delta * question.share)


def _share_rest(
    study: Study, questions: Sequence[StudyQuestion], fixed: Sequence[Level]
) -> list[Level]:
    """The levels of questions that share what fixed ones leave."""
    if study.total is None:
        return []
    rest = _rest(study.total, fixed)
    if rest is None or (questions and rest.is_zero):
        spent = f"ε = {float(sequential(fixed)):.5g} and δ = {float(sequential(fixed).delta):.3g}"
        raise BadInput(
            f"the fixed levels come to {spent}, and the total is {study.total}: "
            + (f"nothing is left for {', '.join(q.key for q in questions)}. " if questions else "")
            + "Raise the total, or fix less; the level of a crosswise question falls as its "
            "prevalence nears 1/2."
        )
    parts = [question.weight for question in questions]
    if study.split is Split.MARGINS and len(questions) > 1:
        parts = _by_margins(questions, rest)
    whole = sum(parts, Fraction(0))
    return [rest.scaled(part / whole).with_delta(rest.delta * part / whole) for part in parts]


def _rest(total: Level, fixed: Sequence[Level]) -> Level | None:
    """The rest of a total after the fixed levels, None if they exceed it."""
    delta = total.delta - sum((level.delta for level in fixed), Fraction(0))
    rational = total.rational - sum((level.rational for level in fixed), Fraction(0))
    if delta < 0:
        return None
    levels = [total, *fixed]
    if not any(level.coefficient for level in levels):
        return Level.epsilon(rational, delta) if rational >= 0 else None
    scale = lcm(*(level.coefficient.denominator for level in levels))
    powers = [int(level.coefficient * scale) for level in levels]
    long = sum(power * level.base.numerator.bit_length()
               for level, power in zip(levels, powers, strict=True))
    if not any(level.rational for level in levels) and long <= _LONGEST:
        first, *others = (level.base**power for level, power in zip(levels, powers, strict=True))
        base = first / prod(others)
        return Level(Fraction(0), Fraction(1, scale), base, delta) if base >= 1 else None
    left = lower_bound(total.ball(128) - sum(level.ball(128) for level in fixed))
    rounded = Fraction(floor(left * _DECIMALS), _DECIMALS)
    return Level.epsilon(rounded, delta) if rounded >= 0 else None


def _by_margins(questions: Sequence[StudyQuestion], rest: Level) -> list[Fraction]:
    """Units of a level for each question, with the least largest margin among those tried.

    Units that no margin needs go, one by one, to the question with the largest one.
    """
    for question in questions:
        if question.design == BEST and len(question.values) > MOST_VALUES:
            raise BadInput(f"{question.key} has the best design of {len(question.values)} answers, "
                           f"and a split by margins tries many levels: at most {MOST_VALUES}. "
                           "Split evenly or by weights, or fix its epsilon.")
    curves = [cache(_Margin(question, rest)) for question in questions]
    units = list(divide(curves, UNITS, Aim.LARGEST).units)
    for _ in range(UNITS - sum(units)):
        margins = [curve(count) for curve, count in zip(curves, units, strict=True)]
        units[margins.index(max(margins))] += 1
    return [Fraction(count) for count in units]


@dataclass(frozen=True)
class _Margin:
    """The largest standard deviation of what a question is planned for, by units of a level.

    It is that of a share from one respondent, or of the aim of a best design, over its range.
    """

    question: StudyQuestion
    rest: Level

    def __call__(self, units: int) -> float:
        ratio = Fraction(exp(float(self.rest) * units / UNITS)).limit_denominator(_DECIMALS)
        least = 1 + Fraction(1, _DECIMALS)
        level = Level.ratio(max(ratio, least), self.rest.delta * units / UNITS)
        design, aim = design_of(self.question, level), planned_aim(self.question)
        rows = (None,) if aim is None else aim.rows
        expected = self.question.prevalence if aim is None else aim.shares
        shares = None if expected is None else shares_of(design, expected)
        return sqrt(max(quantity.variance(design, shares) for row in rows
                        for quantity in quantities(design, scores=row)))
