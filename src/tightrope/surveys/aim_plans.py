"""A survey planned for what it wants to know: the best design beside protocols that fix no aim.

The margin is that of one estimate: with m estimates in the aim it is the root of their mean
square, so n = z² Var/(m margin²) respondents are enough, by the normal approximation. The bound
of the best design says how many any private design needs. Given the respondents, it is solved
for the margin instead. Beside them stands the question asked directly, at the same shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

from tightrope.characters import counted
from tightrope.constructions import protocol_variances
from tightrope.errors import BadInput, TooLarge
from tightrope.exact import Level, Number
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.privacy import level_of
from tightrope.spellings import LEVEL, PEOPLE, spelled
from tightrope.surveys.best_designs import Aim, BestDesign, best_design
from tightrope.surveys.comparison import Prevalence, shares_text
from tightrope.surveys.designs import direct_question
from tightrope.surveys.detection import Detection, detect_aim, detection_facts
from tightrope.surveys.margins import GridRow, grid_facts, levels_around, numbers_around
from tightrope.surveys.planning import (
    MOST_RESPONDENTS,
    DifferencePlan,
    check_confidence,
    check_difference,
    check_groups,
    check_margin,
    check_power,
    check_respondents,
    plan_difference,
)
from tightrope.surveys.plans import groups_fact
from tightrope.surveys.quantities import MEAN, Quantity
from tightrope.surveys.variance import shares_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NAMES = {
    "randomized-response": "k-ary", "subset-selection": "subsets of {size}",
    "symmetric-unary-encoding": "unary, symmetric",
    "optimized-unary-encoding": "unary, optimized",
}


@dataclass(frozen=True)
class AimRow:
    """A design in a plan: its number of responses, its variance, its respondents and margin."""

    design: str
    responses: int
    variance: float
    respondents: int
    margin: float


@dataclass(frozen=True, repr=False)
class AimPlan:
    """The best design for an aim, beside protocols that are fixed before anybody states one.

    `rows` have the fewest respondents first, or the least margin if the respondents were given;
    `least` is the bound that no private design falls below, `direct` the question asked directly.
    `difference` is the size of each of two groups, `detection` what two groups can show.
    """

    best: BestDesign
    rows: tuple[AimRow, ...]
    least: AimRow
    direct: AimRow
    confidence: float
    given_respondents: bool
    aim: Aim
    differing: tuple[str, str] | None
    difference: DifferencePlan | None
    detection: Detection | None

    @property
    def row(self) -> AimRow:
        """The best design."""
        name = self.best.design.name
        return next(row for row in self.rows if row.design == name)

    @property
    def respondents(self) -> int:
        """The respondents of the best design."""
        return self.row.respondents

    @property
    def margin(self) -> float:
        """The margin of the best design."""
        return self.row.margin

    @property
    def fewest(self) -> int:
        """The respondents that every private design needs."""
        return self.least.respondents

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of respondents in the grid; none if a margin was given."""
        return numbers_around(self.respondents) if self.given_respondents else ()

    @cached_property
    def grid(self) -> tuple[GridRow, ...]:
        """The margins of the best designs at levels around this one, and of the direct question."""
        if not self.given_respondents:
            return ()
        made = self.best.randomizer
        level, names = made.certified.certificate.level, self.best.design.answers
        variances = [(name, at, float((self.best if at == level else best_design(
            names, at, aim=self.aim, prior=made.prior)).value))
            for name, at in levels_around(level)]
        known = self.row
        return tuple(
            GridRow(name, at, tuple(
                known.margin * sqrt(variance / known.variance * known.respondents / n)
                for n in self.sizes))
            for name, at, variance in (*variances, ("directly", None, self.direct.variance)))

    def plot(self, *, title: str = "") -> Figure:
        """The margins against the number of respondents, a line for each level."""
        if not self.given_respondents:
            raise BadInput("the picture of an aim shows margins by respondents: give the "
                           "respondents, such as 300, in place of a margin.")
        from tightrope.surveys.plan_figures import margins_figure

        return margins_figure(self, title)

    def facts(self) -> Facts:
        """The respondents of the best design, the bound, and all designs side by side."""
        made = self.best.randomizer
        given, best, least, direct = (
            self.given_respondents, self.row, self.least, self.direct)
        columns = (Column("design", "design"), Column("responses", "responses"),
                   Column("variance", "variance", 4),
                   Column("respondents", None if given else "respondents"),
                   Column("margin", "margin" if given else None, 3),
                   Column("more", "respondents beside the best" if given else "beside the best"))
        rows = tuple((row.design, row.responses, row.variance, row.respondents, row.margin,
                      _beside(row.variance / best.variance - 1)) for row in self.rows)
        title = (f"a margin of {best.margin:.3g} with {best.respondents:,} respondents" if given
                 else f"{best.respondents:,} respondents for a margin of {best.margin:g}")
        return Facts(
            "AimPlan",
            f"{best.design}: {title} at {100 * self.confidence:.6g} % confidence",
            (
                Fact(None, "level", made.certified.certificate.level,
                     meaning="proved for the best design"),
                Fact(None, "at least", f"{least.margin:.3g}" if given else least.respondents,
                     "" if given else "respondents", meaning="for every private design"),
                Fact(None, "asked directly",
                     f"{direct.margin:.3g}" if given else direct.respondents,
                     "" if given else "respondents", meaning="without any randomization"),
                Fact("gap", "gap", self.best.gap),
                *(detection_facts(self.detection) if given
                  else (groups_fact(self.difference, self.differing),)),
                *data(fewest=least.respondents, least_margin=least.margin,
                      direct_respondents=direct.respondents, direct_margin=direct.margin,
                      level=made.certified.certificate.level, margin=best.margin,
                      confidence=self.confidence, estimates=len(made.workload.rows),
                      respondents=best.respondents),
                Table("rows", "Designs", columns, rows, listed=0),
                *(grid_facts(self.sizes, self.grid) if given else ()),
            ),
            (f"{'Margins' if given else 'Respondents'}: by the normal approximation, for the root "
             f"of the mean square over {counted(len(made.workload.rows), 'estimate')}, each the "
             "best unbiased one at the expected shares.",
             "The best design has few responses, and tells every share; “gap” includes what that "
             "costs.",
             "Groups: a two-sided test at 0.05, by the normal approximation"
             + ("; the smallest difference is for the expected shares in both." if given else "."),
             )[: 2 + (self.difference is not None or self.detection is not None)],
        )

    __repr__ = lines_of
    _repr_html_ = card_of


@spelled(**LEVEL, **PEOPLE, scores="aim=[1, 2, 3]", prevalence="prior=[…]")
def plan_aim(
    answers: Sequence[str],
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    aim: Aim = "shares",
    prior: Sequence[Number] | None = None,
    margin: float = 0.05,
    respondents: int | None = None,
    confidence: float = 0.95,
    groups: tuple[int, int] | None = None,
    difference: tuple[Prevalence, Prevalence] | None = None,
    power: float = 0.8,
) -> AimPlan:
    """The best design for an aim, and how many respondents it and others need.

    Parameters
    ----------
    aim, prior
        As of `best_design`: what is to be estimated, and the expected shares.
    margin
        Of one estimate, in units of the aim: steps of the scale for a mean.
    respondents
        The people that there are, instead of a margin.
    groups, difference, power
        As for `expected_margins`, the difference as the shares of all answers in both groups: for
        an aim of one estimate.

    Returns
    -------
    AimPlan, whose `rows` are the best design, k-ary response, subsets and unary encodings.

    Raises
    ------
    BadInput
        for more than 16 answers, an aim that does not fit them, a margin not above 0, or groups
        for an aim of several estimates.

    >>> plan = plan_aim(["1", "2", "3", "4", "5", "6"], 1, aim="mean", margin=0.5)
    >>> plan.respondents < plan.rows[1].respondents, plan.fewest <= plan.respondents
    (True, True)
    """
    check_margin(margin)
    check_confidence(confidence)
    check_power(power)
    check_difference(difference)
    if groups is not None and respondents is None:
        raise BadInput("groups are of the respondents: give their number, too.")
    if respondents is not None:
        respondents = check_respondents(respondents)
    halves = None if respondents is None else check_groups(groups, respondents)
    level = level_of(epsilon, ratio=ratio)
    best = best_design(answers, level, aim=aim, prior=prior)
    made = best.randomizer
    first, *others = made.workload.rows
    if others and (groups, difference) != (None, None):
        raise BadInput(f"groups are compared in one estimate, and this aim has {1 + len(others)}: "
                       "take the mean, or weights such as 1,0,-1.")
    detection = None if others or halves is None else detect_aim(
        best.design, first, float(best.value), halves, difference=difference, power=power)
    per_group = None if difference is None or halves is not None else plan_difference(
        best.design, *difference, power=power, scores=first)
    per = NormalDist().inv_cdf((1 - confidence) / 2) ** 2 / len(made.workload.rows)

    def row(name: str, responses: int, variance: float) -> AimRow:
        if respondents is None:
            return AimRow(name, responses, variance, _size(per * variance / margin**2), margin)
        return AimRow(name, responses, variance, respondents, sqrt(per * variance / respondents))

    known = protocol_variances(len(answers), level, workload=made.workload, prior=prior)
    best_row = row(best.design.name, len(best.design.responses), float(best.value))
    rows = [best_row, *(row(_NAMES[other.protocol.value].format(size=other.size), other.outputs,
                            other.variance) for other in known)]
    rows.sort(key=lambda row: float(f"{row.variance:.6g}"))  # the best design before its equals
    direct = direct_question(best.design.answers)
    shares = tuple(Fraction(1, len(answers)) for _ in answers) if prior is None else shares_of(
        direct, tuple(prior))
    plain = sum(Quantity(MEAN, tuple(map(Fraction, weights)), None).variance(direct, shares)
                for weights in made.workload.rows)
    return AimPlan(
        best, tuple(rows), row("", 0, float(best.bound)),
        row(direct.name, len(answers), float(plain)), confidence, respondents is not None,
        aim, None if difference is None else (shares_text(difference[0]),
                                              shares_text(difference[1])), per_group, detection)


def _beside(more: float) -> Shown:
    """How many respondents more than those of the best design, in percent; nothing if as many."""
    text = f"{100 * more:+.1f} %"
    return Shown(more, "" if text[1:] == "0.0 %" else text)


def _size(respondents: float) -> int:
    if respondents > MOST_RESPONDENTS:
        raise TooLarge("the number of respondents", ceil(min(respondents, 1e300)),
                       MOST_RESPONDENTS, "allow a wider margin or a larger level")
    return max(1, ceil(respondents))
