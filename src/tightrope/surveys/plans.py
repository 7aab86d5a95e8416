"""A survey planned: designs at equal protection, by the respondents that each needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from tightrope.characters import shorten
from tightrope.errors import AnswerIsNo, BadInput
from tightrope.exact import Level, Number, told_apart
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
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

    def facts(self) -> Facts:
        """The best design and its respondents, the protection, and all designs side by side."""
        best, share = self.rows[0], self.answer
        whose = "each answer" if share is None else f"the share of “{shorten(share)}”"
        known = self.prevalence or "not known: the worst counts"
        return Facts(
            "SurveyPlan",
            f"{shorten(best.design.name)}: {best.plan.respondents:,} respondents for a margin of "
            f"{self.margin:g} at {100 * self.confidence:.6g} % confidence",
            (
                *data(**({"epsilon": None, "delta": None} if self.level is None
                         else self.level.as_json())),
                Fact(None, "level", self.level, meaning="proved for each design"),
                Fact("violation", "violation", None if self.violation is None else Shown(
                    str(self.violation), f"P(sensitive answer | response) ≤ {self.violation}")),
                Fact("margin", "margin", Shown(self.margin, f"{self.margin:g} for {whose}")),
                Fact("prevalence", "prevalence", Shown(self.prevalence, known)),
                Fact("difference", "each group", self._groups()),
                *data(confidence=self.confidence, answer=share, bound=self.bound,
                      left_out=self.left_out),
                self._designs(),
                self._variances(),
            ),
            tuple(_remarks(self)),
        )

    __repr__ = lines_of
    _repr_html_ = card_of

    def _groups(self) -> Shown | None:
        """The sizes of two groups whose difference is to be seen."""
        if self.difference is None or self.differing is None:
            return None
        (first, second), size = self.differing, self.difference.per_group
        power = self.difference.power
        return Shown(
            {"first": first, "second": second, "power": power, "per_group": size},
            f"{size:,} respondents to tell {first} from {second} with power {power:g}")

    def _designs(self) -> Table:
        """The designs, the one with the fewest respondents first."""
        several = self.answer is None and len(self.answers) > 2
        columns = (
            Column("design", "design"), Column("respondents", "respondents"),
            Column("together", "all at once" if several else None),
            Column("efficiency", "efficiency", 2), Column("smallest_epsilon", "own ε", 4),
            Column("violation", "violation", 3),
            *(Column(key, None) for key in (
                "reached", "least", "certified", "variances", "responses", "matrix")),
        )
        return Table("rows", "Designs", columns, tuple(
            (row.design.name, row.plan.respondents, row.plan.together, row.efficiency,
             Shown(None, "no finite ε") if row.smallest_epsilon is None else row.smallest_epsilon,
             row.violation, row.plan.reached, row.plan.least, row.proved,
             [{"answer": part.answer, "largest": float(part.largest),
               "variance": None if part.variance is None else float(part.variance)}
              for part in row.variances],
             row.design.responses,
             [[str(p) if len(str(p)) < 40 else float(p) for p in weights]
              for weights in row.design.rows])
            for row in self.rows), listed=0)

    def _variances(self) -> Table:
        """The variances of each answer's share from one respondent; two answers have the same."""
        shown = slice(0 if len(self.answers) > 2 else 1, None)
        columns = (Column(None, "design", words=True), Column(None, "answer", words=True),
                   Column(None, "variance", 4), Column(None, "largest", 4))
        return Table(None, "Variance of a share, from one respondent", columns, tuple(
            (row.design.name, part.answer, part.variance, part.largest)
            for row in self.rows for part in row.variances[shown]), listed=0)


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

    Returns
    -------
    SurveyPlan, whose `rows` are the designs, the one with the fewest respondents first.

    Raises
    ------
    BadInput
        if neither protection nor design is given, or a margin or confidence is not in (0, 1).
    NotPrivate
        if a design of one's own breaks the level.
    AnswerIsNo
        if it breaks the violation; `Infeasible` if the violation is not above the prevalence.

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
    designs = designs_at_violation(violation, prevalence, answers=names)
    most = privacy_violation(designs[0], shares_of(designs[0], prevalence))
    for design in brought:
        given = privacy_violation(design, shares_of(design, prevalence))
        if given > most:
            found_text, allowed = told_apart(given, most, 4)
            raise AnswerIsNo(
                f"the matrix has a privacy violation of {found_text}, more than {allowed}."
            )
    return (*designs, *brought)


def _remarks(plan: SurveyPlan) -> Iterator[str]:
    """Sentences on the sizes: their evidence, and designs that are not listed."""
    several, level = len(plan.answers) > 2, plan.level
    yield _evidence(plan)
    if several and plan.answer is None:
        yield ("Respondents hold each answer's margin by itself; “all at once” holds every margin "
               "together. To plan for one answer, name it (--answer).")
    if any(row.smallest_epsilon is None for row in plan.rows):
        yield ("“No finite ε”: some response rules a true answer out, so there is "
               + ("privacy only thanks to δ." if level is not None
                  else "no privacy at any level with δ = 0."))
    if level is not None and several:
        yield ("Not listed: super-binary Mangat, with no finite ε and δ = 1. Compare it at an "
               "equal violation (--violation).")
    elif level is not None and level.delta == 0:
        yield "Not listed: Mangat's design, which has a zero cell and so no finite ε."
    if plan.left_out:
        yield ("Not listed, as more than 10^12 respondents would be needed: "
               f"{', '.join(plan.left_out)}.")
    yield ("Efficiency: respondents of the best design for each of this one's. Variance: at the "
           "expected shares, and the largest; divide by the respondents.")
    if plan.difference is not None:
        where = " in every answer that differs" if several and plan.answer is None else ""
        yield f"Group sizes rest on the normal approximation of a two-sided test{where}."


def _evidence(plan: SurveyPlan) -> str:
    """Whether the numbers of respondents are exact, proved to be enough, or approximate."""
    plans = [row.plan for row in plan.rows]
    if plan.bound is Bound.CHEBYSHEV:
        return "Respondents: enough for every law, by Chebyshev's inequality."
    if all(part.least for part in plans):
        return ("Respondents: the least number from which on every larger one reaches the "
                "confidence, by the binomial law.")
    normal = [f"“{part.design.name}”" for part in plans if part.reached is None]
    if not normal:
        return "Respondents: every larger number reaches the confidence; not always the least."
    if len(normal) == len(plans):
        return "Respondents: by the normal approximation."
    return ("Respondents: every larger number reaches the confidence, by the binomial law; for "
            f"{', '.join(normal)} by the normal approximation.")
