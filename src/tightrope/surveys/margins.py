"""From people to margins: how near a survey with so many respondents comes to the truth.

The margin of a quantity is the least m with P(|estimate - truth| <= m) >= c. Where shares are
known and responses count for two values, it is exact, by the binomial law of this very number of
respondents; else it is z √(Var/n), or √(Var/((1 - c) n)) by Chebyshev's inequality. Beside it
stands the question asked directly, without randomization: what privacy costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isqrt, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

from tightrope.characters import shorten
from tightrope.choices import member_of
from tightrope.errors import TooLarge
from tightrope.exact import Level, Number, sizes
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.spellings import LEVEL, PEOPLE, spelled
from tightrope.surveys.comparison import Prevalence, designs_asked, designs_at, shares_text
from tightrope.surveys.designs import NO_YES, Design, answer_list, direct_question
from tightrope.surveys.detection import Detection, detect, detection_facts
from tightrope.surveys.planning import (
    Bound,
    check_confidence,
    check_difference,
    check_groups,
    check_respondents,
)
from tightrope.surveys.plans import whose_margin
from tightrope.surveys.protection import prove, stated_level
from tightrope.surveys.quantities import Quantity, quantities
from tightrope.surveys.sizes import least_half
from tightrope.surveys.variance import Shares, shares_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STEPS = (Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4))
"""Multiples of ε and of the respondents that the table shows."""
LARGEST_MARGIN = 10**100
"""A margin beyond which nothing was learned; squares of larger ones are no doubles."""


@dataclass(frozen=True)
class QuantityMargin:
    """The margin of one quantity, and that of the same question asked directly.

    `worth` is how many direct answers tell as much as the randomized ones, by the variances.
    `exact` says that the binomial law decided.
    """

    quantity: Quantity
    margin: float
    direct: float
    worth: float
    exact: bool


@dataclass(frozen=True)
class DesignMargins:
    """A design and the margins of all planned quantities; `proved`: it has the level asked for."""

    design: Design
    margins: tuple[QuantityMargin, ...]
    proved: bool | None

    @property
    def largest(self) -> QuantityMargin:
        """The quantity with the largest margin."""
        return max(self.margins, key=lambda part: part.margin)


@dataclass(frozen=True)
class GridRow:
    """The least margins at one level, for each of the numbers of respondents.

    Without a level: of the best design that was asked for, or of the question asked directly.
    """

    name: str
    level: Level | None
    margins: tuple[float, ...]


@dataclass(frozen=True)
class ExpectedMargins:
    """The margins that a number of respondents gives; the design with the least comes first.

    `sizes` are the columns of the `grid`, `detection` is what a test between two groups of these
    respondents can see.
    """

    rows: tuple[DesignMargins, ...]
    respondents: int
    level: Level | None
    violation: Number | None
    confidence: float
    prevalence: str | None
    bound: Bound
    answer: str | None
    scores: tuple[Fraction, ...] | None
    sizes: tuple[int, ...]
    grid: tuple[GridRow, ...]
    detection: Detection | None

    def facts(self) -> Facts:
        """The margin of the best design, of each answer, of the direct question, and the grid."""
        best = self.rows[0]
        largest, n = best.largest, self.respondents
        whose = whose_margin([part.quantity for part in best.margins])
        known = self.prevalence or "not known: the worst counts"
        return Facts(
            "ExpectedMargins",
            f"{shorten(best.design.name)}: a margin of {largest.margin:.3g} with {n:,} "
            f"respondents at {100 * self.confidence:.6g} % confidence",
            (
                *data(**({"epsilon": None, "delta": None} if self.level is None
                         else self.level.as_json())),
                Fact("respondents", "respondents", n, detail=True),
                Fact("margin", "margin", Shown(
                    largest.margin, f"{largest.margin:.3g} for {whose}")),
                Fact("direct_margin", "asked directly", Shown(
                    largest.direct, f"{largest.direct:.3g}, without any randomization")),
                Fact("worth", "what privacy costs", Shown(largest.worth, (
                    f"{n:,} randomized answers tell as much as {largest.worth:,.3g} direct ones")),
                    detail=True),
                Fact(None, "level", self.level, meaning="proved for each design"),
                Fact("violation", "violation", None if self.violation is None else Shown(
                    str(self.violation), f"P(sensitive answer | response) ≤ {self.violation}")),
                Fact("prevalence", "prevalence", Shown(self.prevalence, known), detail=True),
                *detection_facts(self.detection),
                *data(confidence=self.confidence, bound=self.bound, answer=self.answer,
                      scores=self.scores),
                self._designs(), self._quantities(), *grid_facts(self.sizes, self.grid),
            ),
            tuple(_remarks(self)),
        )

    __repr__ = lines_of
    _repr_html_ = card_of

    def _designs(self) -> Table:
        """The designs, the one with the least margin first."""
        columns = (Column("design", "design"), Column("margin", "margin", 3),
                   Column("worth", "worth in direct answers", 3), Column("exact", None),
                   Column("certified", None))
        return Table("rows", "Designs", columns, tuple(
            (row.design.name, row.largest.margin, row.largest.worth,
             all(part.exact for part in row.margins), row.proved)
            for row in self.rows), listed=0)

    def _quantities(self) -> Table:
        """The margin of each quantity under the best design, beside the direct question."""
        columns = (Column("answer", "answer", words=True), Column("margin", "margin", 3),
                   Column("direct", "asked directly", 3), Column("worth", "worth", 3))
        return Table("answers", "Margin of each answer", columns, tuple(
            (part.quantity.name, part.margin, part.direct, part.worth)
            for part in self.rows[0].margins), listed=0)

    def plot(self, *, title: str = "") -> Figure:
        """The margins against the number of respondents, a line for each level."""
        from tightrope.surveys.plan_figures import margins_figure

        return margins_figure(self, title)


@spelled(**LEVEL, **PEOPLE, margin="tr.surveys.plan_survey(epsilon, margin=0.05)",
         aim='tr.surveys.plan_aim(answers, 1, aim="mean", respondents=300)',
         prior="prevalence=0.1")
def expected_margins(
    respondents: int,
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
    confidence: float = 0.95,
    bound: Bound | str = Bound.NORMAL,
    groups: tuple[int, int] | None = None,
    difference: tuple[Prevalence, Prevalence] | None = None,
    power: float = 0.8,
) -> ExpectedMargins:
    """The margins of error that a number of respondents gives, beside the direct question.

    Parameters
    ----------
    epsilon, ratio, violation, prevalence, answers, own, answer, scores
        As for `plan_survey`.
    groups
        The sizes of two groups of these respondents; halves if not given.
    difference
        Two prevalences: the power of a test that tells the groups apart.
    power
        For the smallest difference that the groups can show, if the prevalence is known.

    Returns
    -------
    ExpectedMargins, whose `rows` are the designs, the one with the least margin first.

    Raises
    ------
    BadInput
        if neither protection nor design is given, or groups do not add up to the respondents.

    >>> plan = expected_margins(300, ratio=3)
    >>> round(plan.rows[0].largest.margin, 4), round(plan.rows[0].largest.direct, 4)
    (0.1132, 0.0566)
    """
    bound, asked = member_of(Bound, bound), stated_level(epsilon, delta, ratio)
    check_confidence(confidence)
    respondents = check_respondents(respondents)
    check_difference(difference)
    halves = check_groups(groups, respondents)
    how = _How(confidence, bound, prevalence, answer, scores)
    names = answer_list(answers) if own is None else own.answers
    designs = designs_asked(asked, violation, prevalence, names, own)
    rows = sorted(
        (DesignMargins(design, how.margins(design, respondents),
                       None if asked is None else prove(design, asked).certificate.holds)
         for design in designs),
        key=lambda row: row.largest.margin,
    )
    sizes, grid = how.grid(asked, rows[0].design, respondents)
    detection = detect(
        rows[0].design, halves, prevalence=prevalence, difference=difference, power=power,
        answer=answer, scores=scores)
    return ExpectedMargins(
        tuple(rows), respondents, asked, violation, confidence,
        None if prevalence is None else shares_text(prevalence), bound, answer,
        None if scores is None else rows[0].largest.quantity.weights, sizes, grid, detection)


def grid_facts(numbers: Sequence[int], grid: Sequence[GridRow]) -> tuple[Table | Fact, ...]:
    """The margins by level and respondents, as a table and as data."""
    columns = (Column(None, "asked"), *(Column(None, f"{n:,}", 3) for n in numbers))
    return (
        Table(None, "Least margin by ε and respondents", columns, tuple(
            (row.name, *row.margins) for row in grid), listed=0),
        *data(grid=[
            {"asked": row.name, "epsilon": None if row.level is None else float(row.level),
             "respondents": n, "margin": margin}
            for row in grid for n, margin in zip(numbers, row.margins, strict=True)]),
    )


def numbers_around(n: int) -> tuple[int, ...]:
    """The numbers of respondents of a grid: a quarter of this one to four times as many."""
    return tuple(sorted({max(2, round(step * n)) for step in STEPS} | {n}))


def levels_around(level: Level) -> tuple[tuple[str, Level], ...]:
    """The levels of a grid with their names: a quarter of this one to four times as much."""
    levels = [level.scaled(step).with_delta(level.delta) for step in STEPS
              if step <= 1 or float(level) * step <= sizes.LARGEST_SURVEY_EPSILON]
    return tuple((f"ε = {float(at):.4g}", at) for at in levels)


def margin_of(
    design: Design, quantity: Quantity, shares: Shares | None, n: int, confidence: float,
    bound: Bound = Bound.NORMAL,
) -> tuple[float, bool]:
    """The margin of a quantity with n respondents, and whether it is exact.

    >>> from tightrope.surveys.designs import warner
    >>> margin_of(warner("3/4"), quantities(warner("3/4"))[1], None, 400, 0.75, Bound.CHEBYSHEV)
    (0.1, False)
    """
    law = None if shares is None else quantity.binomial(design, shares)
    if law is not None and bound is Bound.NORMAL:
        chance, slope = law
        half = least_half(chance, n, Fraction(str(confidence)))
        return float(half / slope), True
    factor = (1 / (1 - confidence) if bound is Bound.CHEBYSHEV
              else NormalDist().inv_cdf((1 - confidence) / 2) ** 2)
    square = Fraction(factor) * quantity.variance(design, shares) / n
    if square > LARGEST_MARGIN**2:
        raise TooLarge("the margin", isqrt(ceil(square)), LARGEST_MARGIN, "take a larger level")
    return sqrt(square), False


@dataclass(frozen=True)
class _How:
    """How margins are worked out."""

    confidence: float
    bound: Bound
    prevalence: Prevalence | None
    answer: str | None
    scores: Sequence[Number] | None

    def margins(self, design: Design, n: int) -> tuple[QuantityMargin, ...]:
        """The margins of all planned quantities of a design."""
        direct = direct_question(design.answers)
        shares = None if self.prevalence is None else shares_of(design, self.prevalence)
        parts = []
        for quantity in quantities(design, self.answer, self.scores):
            (margin, exact), (plain, _) = (
                margin_of(asked, quantity, shares, n, self.confidence, self.bound)
                for asked in (design, direct))
            worth = quantity.variance(direct, shares) / (quantity.variance(design, shares) or 1)
            parts.append(QuantityMargin(quantity, margin, plain, n * float(worth), exact))
        return tuple(parts)

    def least(self, designs: Sequence[Design], n: int) -> float:
        """The least margin of several designs, each with its largest over the quantities."""
        different = {design.rows: design for design in designs}.values()
        return min(
            max(margin_of(design, quantity, shares, n, self.confidence, self.bound)[0]
                for quantity in quantities(design, self.answer, self.scores))
            for design in different
            for shares in [None if self.prevalence is None
                           else shares_of(design, self.prevalence)])

    def grid(
        self, level: Level | None, best: Design, n: int
    ) -> tuple[tuple[int, ...], tuple[GridRow, ...]]:
        """The numbers of respondents around this one, and margins at levels around this one."""
        numbers = numbers_around(n)
        asked: list[tuple[str, Level | None, Sequence[Design]]] = [
            (name, at, designs_at(at, answers=best.answers))
            for name, at in (() if level is None else levels_around(level))]
        if level is None:
            asked.append((shorten(best.name), None, (best,)))
        asked.append(("directly", None, (direct_question(best.answers),)))
        return numbers, tuple(
            GridRow(name, at, tuple(self.least(designs, size) for size in numbers))
            for name, at, designs in asked)


def _remarks(plan: ExpectedMargins) -> Iterator[str]:
    """Sentences on the evidence for the margins."""
    parts = [part for row in plan.rows for part in row.margins]
    if plan.bound is Bound.CHEBYSHEV:
        yield "Margins: hold for every law, by Chebyshev's inequality."
    elif all(part.exact for part in parts):
        yield ("Margins: the least that hold for exactly this number of respondents, by the "
               "binomial law.")
    elif any(part.exact for part in parts):
        normal = [f"“{row.design.name}”" for row in plan.rows
                  if not all(part.exact for part in row.margins)]
        yield ("Margins: by the binomial law of exactly this number of respondents; for "
               f"{', '.join(normal)} by the normal approximation.")
    else:
        yield "Margins: by the normal approximation."
    if len(plan.rows[0].margins) > 2:
        yield "Each margin holds by itself, not all of them at once."
    if plan.rows[0].largest.margin >= 1 and plan.rows[0].largest.quantity.answer is not None:
        yield "A margin of 1 or more says nothing about a share: more respondents are needed."
    yield ("Worth: how many direct answers have the same variance, if people tell the truth "
           "either way.")
