"""A survey planned: designs at equal protection, by the respondents that each needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from tightrope.characters import counted, shorten
from tightrope.errors import AnswerIsNo, BadInput
from tightrope.exact import Level, Number, told_apart
from tightrope.markup import lines
from tightrope.privacy import Smallest
from tightrope.surveys.comparison import designs_at, designs_at_violation
from tightrope.surveys.designs import NO_YES, Design
from tightrope.surveys.planning import Bound, DifferencePlan, Plan, plan_difference, smallest_plan
from tightrope.surveys.protection import (
    Protection,
    privacy_violation,
    protection,
    prove,
    stated_level,
)
from tightrope.surveys.variance import shares_of, unit_variance, worst_variance

Prevalence = Number | Sequence[Number]


@dataclass(frozen=True)
class AnswerVariance:
    """The variance of the unbiased estimate of one answer's share from one respondent.

    At the expected shares, if there are any, and the largest over all shares; n respondents have
    an n-th of it.
    """

    answer: str
    variance: Fraction | None
    largest: Fraction

    def as_json(self) -> dict[str, Any]:
        """The row as JSON has it."""
        return {
            "answer": self.answer,
            "variance": None if self.variance is None else float(self.variance),
            "largest": float(self.largest),
        }


@dataclass(frozen=True)
class PlannedDesign:
    """A design in a plan: its respondents, and how many the best one needs for each of them.

    `proved` says that it was proved to have the level of the plan, None if there is none;
    `violation` is P(sensitive answer | response), at most, all answers but the first being
    sensitive: known where the prevalence is.
    """

    plan: Plan
    efficiency: float
    proved: bool | None

    @property
    def design(self) -> Design:
        """The design itself."""
        return self.plan.design

    @cached_property
    def protection(self) -> Protection:
        """Its own exact protection."""
        return protection(self.design)

    @property
    def smallest_epsilon(self) -> float | None:
        """Its own smallest ε, None if none is finite."""
        level = self.protection.level
        return level.upper if isinstance(level, Smallest) else None

    @cached_property
    def violation(self) -> float | None:
        """The degree of privacy violation."""
        if self.plan.prevalence is None:
            return None
        names = self.design.answers
        return float(privacy_violation(self.design.asking(names, names[1:]), self.plan.prevalence))

    @cached_property
    def variances(self) -> tuple[AnswerVariance, ...]:
        """How far off one respondent's word is for the share of each answer (H16, 6.5 to 6.9)."""
        design, shares = self.design, self.plan.prevalence
        return tuple(
            AnswerVariance(
                name,
                None if shares is None else unit_variance(design, shares, place),
                worst_variance(design, place),
            )
            for place, name in enumerate(design.answers)
        )

    def as_json(self) -> dict[str, Any]:
        """The row as JSON has it."""
        return {
            "design": self.design.name,
            "respondents": self.plan.respondents,
            "together": self.plan.together,
            "efficiency": self.efficiency,
            "reached": self.plan.reached,
            "least": self.plan.least,
            "violation": self.violation,
            "variances": [row.as_json() for row in self.variances],
            "certified": self.proved,
            "smallest_epsilon": self.smallest_epsilon,
            "responses": list(self.design.responses),
            "matrix": [[str(p) if len(str(p)) < 40 else float(p) for p in row]
                       for row in self.design.rows],
        }


@dataclass(frozen=True)
class SurveyPlan:
    """Designs at a level or a degree of violation, the one with the fewest respondents first.

    `left_out` are those that would need more than 10^12; `difference` is the size of each of
    two groups, if it was asked for. `answer` is the one that was planned for, None for every one.
    """

    rows: tuple[PlannedDesign, ...]
    left_out: tuple[str, ...]
    level: Level | None
    violation: Number | None
    margin: float
    confidence: float
    prevalence: str | None
    bound: Bound
    difference: DifferencePlan | None
    differing: tuple[str, str] | None
    answer: str | None

    @property
    def answers(self) -> tuple[str, ...]:
        """The true answers."""
        return self.rows[0].design.answers

    def as_json(self) -> dict[str, Any]:
        """The plan as JSON has it."""
        level = {"epsilon": None, "delta": None} if self.level is None else self.level.as_json()
        groups = None
        if self.difference is not None and self.differing is not None:
            first, second = self.differing
            groups = {"first": first, "second": second, "power": self.difference.power,
                      "per_group": self.difference.per_group}
        return {
            "rows": [row.as_json() for row in self.rows],
            "left_out": list(self.left_out),
            **level,
            "violation": None if self.violation is None else str(self.violation),
            "margin": self.margin,
            "confidence": self.confidence,
            "prevalence": self.prevalence,
            "answer": self.answer,
            "bound": self.bound.value,
            "difference": groups,
        }

    def __repr__(self) -> str:
        best, others = self.rows[0], len(self.rows) - 1
        proved = all(row.proved for row in self.rows)
        groups = self.difference
        return lines(
            f"SurveyPlan: {shorten(best.design.name)}, {best.plan.respondents:,} respondents"
            + (f"; {counted(others, 'design')} with no fewer" if others else ""),
            [
                ("level", self.level and f"{self.level}{' proved for each' if proved else ''}"),
                ("violation", None if self.violation is None else f"at most {self.violation}"),
                ("margin", f"{self.margin:g} at {100 * self.confidence:.6g} % confidence, for "
                 + ("each answer" if self.answer is None else shorten(self.answer))),
                ("all at once", f"{best.plan.together:,} respondents"
                 if best.plan.together > best.plan.respondents else None),
                ("each group", groups and f"{groups.per_group:,} respondents"),
            ],
        )


def plan_survey(
    epsilon: Level | Number | None = None,
    *,
    delta: Number | None = None,
    ratio: Number | None = None,
    violation: Number | None = None,
    prevalence: Prevalence | None = None,
    answers: Sequence[str] = NO_YES,
    own: Design | None = None,
    answer: str | None = None,
    margin: float = 0.05,
    confidence: float = 0.95,
    bound: Bound | str = Bound.NORMAL,
    difference: tuple[Prevalence, Prevalence] | None = None,
    power: float = 0.8,
) -> SurveyPlan:
    """Designs at equal protection, by the respondents they need for a margin of error.

    Parameters
    ----------
    epsilon, ratio, violation
        Which protection: ε, e^ε, or the largest P(sensitive answer | response).
    prevalence
        The expected share of the last of two answers, or those of all; the worst if not given.
    answers
        The true ones, the harmless one first.
    own
        A design of one's own, planned beside the others, or alone without a protection.
    answer
        The one whose share is to be within the margin; every one, each by itself, if not given.
    difference
        Two prevalences that a test is to tell apart, with this power.

    >>> plan = plan_survey(Level.ratio(3), prevalence="0.1")
    >>> plan.rows[0].design.name, plan.rows[0].plan.respondents
    ('warner', 1314)
    """
    asked = stated_level(epsilon, delta, ratio)
    names = tuple(answers) if own is None else own.answers
    designs = _designs(asked, violation, prevalence, names, own)
    plans = smallest_plan(
        designs, margin, confidence=confidence, prevalence=prevalence, answer=answer, bound=bound
    )
    best = plans[0]
    rows = [
        PlannedDesign(
            plan,
            best.respondents / plan.respondents,
            None if asked is None else prove(plan.design, asked).certificate.holds,
        )
        for plan in plans
    ]
    groups = None if difference is None else plan_difference(
        best.design, *difference, power=power, answer=answer)
    listed = {plan.design.name for plan in plans}
    return SurveyPlan(
        tuple(rows),
        tuple(sorted({design.name for design in designs} - listed)),
        asked,
        violation,
        margin,
        confidence,
        None if prevalence is None else _text(prevalence),
        best.bound,
        groups,
        None if difference is None else (_text(difference[0]), _text(difference[1])),
        answer,
    )


def _text(shares: Prevalence) -> str:
    if isinstance(shares, Sequence) and not isinstance(shares, str):
        return ",".join(map(str, shares))
    return str(shares)


def _designs(
    level: Level | None,
    violation: Number | None,
    prevalence: Prevalence | None,
    names: tuple[str, ...],
    own: Design | None,
) -> tuple[Design, ...]:
    """The designs to compare: at a level, at a degree of violation, or one's own alone."""
    brought = () if own is None else (own,)
    if prevalence is not None and len(names) > 2 and "," not in _text(prevalence):
        raise BadInput(
            f"expected the shares of all {len(names)} answers with commas, found {prevalence!r}."
        )
    if violation is None:
        if level is None and own is None:
            raise BadInput("a level is missing: give an epsilon, such as 1, or a violation, "
                           "such as 0.3.")
        return brought if level is None else (*designs_at(level, answers=names), *brought)
    if level is not None or prevalence is None:
        raise BadInput("a violation is instead of a level, and needs the prevalence.")
    found = designs_at_violation(violation, prevalence, answers=names)
    most = privacy_violation(found[0], shares_of(found[0], prevalence))
    for design in brought:
        given = privacy_violation(design, shares_of(design, prevalence))
        if given > most:
            found_text, allowed = told_apart(given, most, 4)
            raise AnswerIsNo(
                f"the matrix has a privacy violation of {found_text}, more than {allowed}."
            )
    return (*found, *brought)
