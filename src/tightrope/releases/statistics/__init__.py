"""Statistics: one frozen class each, with all that is particular to it.

A class says how it stands in a question (`phrase`), its subqueries with their sensitivity
and the unit of its error (`strategies`), its cells, its answers from drawn numbers, and its figure.
Nothing else asks which statistic it is. Fields of a class are the slots of its phrase, in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, get_args

from tightrope.releases.statistics.cells import Cross, Histogram, Keys
from tightrope.releases.statistics.choices import Frequent, Mode
from tightrope.releases.statistics.counts import Count, Counts, People, Proportion
from tightrope.releases.statistics.distribution import Distribution
from tightrope.releases.statistics.left_out import Cut, LeftOut
from tightrope.releases.statistics.ranks import (
    LowerBound,
    Maximum,
    Median,
    Minimum,
    Quantiles,
    UpperBound,
)
from tightrope.releases.statistics.sums import Mean, Sum, Variance

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.releases.answers import Answer, Drawn, Names
    from tightrope.releases.planning import QuestionPlan
    from tightrope.releases.subqueries import Rows, Strategy

Statistic = (
    Count | People | Sum | Mean | Variance | Median | Minimum | Maximum | Mode | Distribution
    | Histogram | Cross | Quantiles | Proportion | Counts | Frequent | Keys
    | LeftOut | Cut | UpperBound | LowerBound
)

STATISTICS: dict[str, type[Statistic]] = {
    statistic.name: statistic for statistic in get_args(Statistic)}
"""Every statistic by its name."""


class Answerable(Protocol):
    """All that a statistic says of itself; mypy holds every member of the union against it."""

    @property
    def name(self) -> str:
        """The name in documents and errors."""

    @property
    def phrase(self) -> str:
        """How it stands in a question; its slots are the fields of the class."""

    @property
    def adjustable(self) -> bool:
        """Whether answers are counts of cells that do not overlap, and may be adjusted."""

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """All ways to answer: subqueries with their sensitivity, how answers err, in which unit."""

    def cells(self, plan: QuestionPlan) -> Names:
        """The names of all answers, in order."""

    def answers(self, plan: QuestionPlan, drawn: Drawn) -> tuple[Answer, ...]:
        """The answers that drawn numbers stand for, one for each cell."""

    def figure(self, plan: QuestionPlan, answers: Sequence[Answer]) -> Figure:
        """A picture of the answers."""


def answerable(statistic: Statistic) -> Answerable:
    """The statistic; here the type checker names the member that lacks something."""
    return statistic
