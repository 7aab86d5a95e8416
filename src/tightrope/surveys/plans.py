"""A survey planned: designs at equal protection, by the respondents that each needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from tightrope.characters import shorten
from tightrope.exact import Level, Number
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.privacy import Smallest
from tightrope.spellings import LEVEL, RESULT, spelled
from tightrope.surveys.comparison import Prevalence, designs_asked, shares_text
from tightrope.surveys.designs import NO_YES, Design, answer_list, direct_question
from tightrope.surveys.planning import (
    Bound,
    DifferencePlan,
    Plan,
    check_difference,
    check_power,
    plan_difference,
    plan_margin,
    smallest_plan,
)
from tightrope.surveys.protection import (
    Protection,
    privacy_violation,
    protection,
    prove,
    stated_level,
)
from tightrope.surveys.quantities import Quantity, quantities

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
        listed = quantities(design) if self.plan.scored is None else (
            *quantities(design), *self.plan.planned)
        return tuple(
            AnswerVariance(
                quantity.name,
                None if shares is None else quantity.variance(design, shares),
                quantity.variance(design),
            )
            for quantity in listed
        )


@dataclass(frozen=True)
class SurveyPlan:
    """Designs at a level or a degree of violation, the one with the fewest respondents first.

    `left_out` are those that would need more than 10^12; `difference` is the size of each of
    two groups, if it was asked for. `answer` is the one that was planned for, None for every one.
    `direct` is the number of respondents of the question asked directly.
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
    scores: tuple[Fraction, ...] | None
    direct: int

    @property
    def answers(self) -> tuple[str, ...]:
        """The true answers."""
        return self.rows[0].design.answers

    @property
    def several(self) -> bool:
        """Whether several quantities are planned that err differently."""
        return len(self.rows[0].plan.planned) > 2

    def facts(self) -> Facts:
        """The best design and its respondents, the protection, and all designs side by side."""
        best = self.rows[0]
        whose = whose_margin(best.plan.planned)
        known = self.prevalence or "not known: the worst counts"
        return Facts(
            "SurveyPlan",
            f"{shorten(best.design.name)}: {best.plan.respondents:,} respondents for a margin of "
            f"{self.margin:g} at {100 * self.confidence:.6g} % confidence",
            (
                *data(**({"epsilon": None, "delta": None} if self.level is None
                         else self.level.as_json())),
                Fact(None, "level", self.level, meaning="proved for each design"),
                Fact("direct_respondents", "asked directly", Shown(
                    self.direct, f"{self.direct:,} respondents, without any randomization"),
                    detail=True),
                Fact("violation", "violation", None if self.violation is None else Shown(
                    str(self.violation), f"P(sensitive answer | response) ≤ {self.violation}")),
                Fact("margin", "margin", Shown(self.margin, f"{self.margin:g} for {whose}")),
                Fact("prevalence", "prevalence", Shown(self.prevalence, known)),
                groups_fact(self.difference, self.differing),
                *data(respondents=best.plan.respondents, confidence=self.confidence,
                      answer=self.answer, scores=self.scores, bound=self.bound,
                      left_out=self.left_out),
                self._designs(),
                self._variances(),
            ),
            tuple(_remarks(self)),
        )

    __repr__ = lines_of
    _repr_html_ = card_of

    def plot(self, *, title: str = "") -> Figure:
        """The respondents against the true share of one answer, a line for each design."""
        from tightrope.surveys.plan_figures import sizes_figure

        return sizes_figure(self, title)

    def _designs(self) -> Table:
        """The designs, the one with the fewest respondents first."""
        columns = (
            Column("design", "design"), Column("respondents", "respondents"),
            Column("together", "all at once" if self.several else None),
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
        shown = slice(0 if len(self.rows[0].variances) > 2 else 1, None)
        columns = (Column(None, "design", words=True), Column(None, "answer", words=True),
                   Column(None, "variance", 4), Column(None, "largest", 4))
        return Table(None, "Variance of a share, from one respondent", columns, tuple(
            (row.design.name, part.answer, part.variance, part.largest)
            for row in self.rows for part in row.variances[shown]), listed=0)


@spelled(**LEVEL, **RESULT, respondents="tr.surveys.expected_margins(300, epsilon)",
         aim='tr.surveys.plan_aim(answers, 1, aim="mean")', prior="prevalence=0.1")
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
    scores: Sequence[Number] | None = None,
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
    scores
        Numbers that the answers stand for: then the mean is to be within the margin.
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
    check_power(power)
    check_difference(difference)
    asked = stated_level(epsilon, delta, ratio)
    names = answer_list(answers) if own is None else own.answers
    designs = designs_asked(asked, violation, prevalence, names, own)
    plans = smallest_plan(
        designs, margin, confidence=confidence, prevalence=prevalence, answer=answer,
        scores=scores, bound=bound,
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
        best.design, *difference, power=power, answer=answer, scores=scores)
    listed = {plan.design.name for plan in plans}
    return SurveyPlan(
        tuple(rows),
        tuple(sorted({design.name for design in designs} - listed)),
        asked,
        violation,
        margin,
        confidence,
        None if prevalence is None else shares_text(prevalence),
        best.bound,
        groups,
        None if difference is None else (shares_text(difference[0]), shares_text(difference[1])),
        answer,
        None if best.scored is None else best.scored.weights,
        plan_margin(
            direct_question(names), margin, confidence=confidence, prevalence=prevalence,
            answer=answer, scores=scores, bound=bound).respondents,
    )


def _remarks(plan: SurveyPlan) -> Iterator[str]:
    """Sentences on the sizes: their evidence, and designs that are not listed."""
    several, level = len(plan.answers) > 2, plan.level
    yield _evidence(plan)
    if plan.several:
        how = "the normal approximation" if plan.bound is Bound.NORMAL else "Chebyshev's inequality"
        yield (f"“All at once” holds every margin together, by {how}; respondents hold each by "
               "itself. To plan for one answer, name it (--answer).")
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
        where = " in every answer that differs" if plan.several else ""
        yield f"Group sizes rest on the normal approximation of a two-sided test{where}."


def _evidence(plan: SurveyPlan) -> str:
    """Whether the numbers of respondents are exact, proved to be enough, or approximate."""
    plans = [row.plan for row in plan.rows]
    if plan.bound is Bound.CHEBYSHEV:
        return "Respondents: enough for every law, by Chebyshev's inequality."
    exact = [part for part in plans if part.reached is not None]
    if not exact:
        return "Respondents: by the normal approximation."
    law = ("the least number from which on every larger one reaches the confidence, by the "
           "binomial law" if all(part.least for part in exact) else
           "every larger number reaches the confidence, by the binomial law; not always the least")
    normal = [f"“{part.design.name}”" for part in plans if part.reached is None]
    return f"Respondents: {law}" + (
        f"; for {', '.join(normal)} by the normal approximation." if normal else ".")


def groups_fact(plan: DifferencePlan | None, differing: tuple[str, str] | None) -> Fact:
    """The sizes of two groups whose difference is to be seen; no value without a plan."""
    shown = None
    if plan is not None and differing is not None:
        (first, second), size, power = differing, plan.per_group, plan.power
        shown = Shown(
            {"first": first, "second": second, "power": power, "per_group": size},
            f"{size:,} respondents to tell {first} from {second} with power {power:g}")
    return Fact("difference", "each group", shown)


def whose_margin(planned: Sequence[Quantity]) -> str:
    """The quantities that a margin is for, in words."""
    if len(planned) > 1:
        return "each answer"
    (only,) = planned
    return "the mean" if only.answer is None else f"the share of “{shorten(only.name)}”"
