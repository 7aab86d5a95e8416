"""Values of a rank: medians, quantiles, and values or bounds that few rows are beyond.

A value is chosen by its rank, or read off noisy counts of blocks of values. Its error is known in
ranks: in rows between it and the value that was asked for.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING

from tightrope.characters import label_text
from tightrope.declarations import NumberColumn, Once, Tally, TimeColumn
from tightrope.errors import BadInput
from tightrope.releases.accuracy import Ranks
from tightrope.releases.answers import (
    Answer,
    Drawn,
    Names,
    answers_without_intervals,
    cells_within,
    group_cells,
    in_order,
)
from tightrope.releases.figures import by_group
from tightrope.releases.subqueries import (
    MOST_VALUES,
    Rows,
    Score,
    Strategy,
    choose_values,
    number_column,
    ordered_column,
    tree_subquery,
)
from tightrope.releases.trees import trees

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.releases.planning import QuestionPlan



LEAST_STEPS = 1000
"""Least steps of a column without a declared resolution: ranks err more, the more values."""


def value_tally(rows: Rows, column: str, statistic: str) -> Tally:
    """How often each value of a column of numbers occurs, in every group."""
    ordered_column(rows.declaration, column, statistic)
    return rows.with_steps(column, LEAST_STEPS).tally(column, fine=1)


def quantile_strategies(
    tally: Tally, probabilities: tuple[Fraction, ...]
) -> tuple[Strategy, ...]:
    """A choice by rank for each probability, or all of them read off one tree of counts."""
    accuracy = Ranks(probabilities)
    choices = tuple(choose_values(tally, Score(p.denominator - p.numerator, p.numerator))
                    for p in probabilities)
    strategies = [Strategy(choices, "ranks", accuracy)]
    if len(choices) > 1 and tally.size <= MOST_VALUES:
        strategies += [Strategy((tree_subquery(tally, tree),), "ranks", accuracy, tree)
                       for tree in trees(tally.shape[-1])]
    return tuple(strategies)


def rank_values(plan: QuestionPlan, drawn: Drawn) -> list[list[Fraction]]:
    """The values of each group in order; each of a code, or the least of several."""
    tally, tree, accuracy = plan.tally, plan.strategy.tree, plan.strategy.accuracy
    column = tally.declaration.column(tally.keys[-1])
    assert isinstance(column, NumberColumn)
    assert isinstance(accuracy, Ranks)
    if tree is None:
        places = [sorted(group) for group in zip(*drawn, strict=True)]
    else:
        places = []
        for start in range(0, len(drawn[0]), tree.nodes):
            upto = in_order(tree.upto(drawn[0][start : start + tree.nodes]))
            places.append([min(bisect_left(upto, p * max(upto[-1], Fraction(0))), len(upto) - 1)
                           for p in accuracy.probabilities])
    return [[column.value(min(place * tally.fine, column.steps)) for place in group]
            for group in places]


def rank_answers(plan: QuestionPlan, drawn: Drawn) -> tuple[Answer, ...]:
    """The values of each group in order, dates and times as their texts."""
    values = list(chain(*rank_values(plan, drawn)))
    column = plan.declaration.column(plan.question.columns[0])
    if isinstance(column, TimeColumn):
        return answers_without_intervals(plan, [column.text(value) for value in values])
    return answers_without_intervals(plan, values)


def rank_figure(
    plan: QuestionPlan, answers: Sequence[Answer], probabilities: Sequence[float] = ()
) -> Figure:
    """The values of every group on a line."""
    from tightrope import plots

    name = plan.question.columns[0]
    column = plan.declaration.column(name)
    times = column if isinstance(column, TimeColumn) else None
    values = {group: [answer.value for answer in drawn]
              for group, drawn in by_group(plan, answers, times).items()}
    return plots.quantiles_figure(probabilities, values, f"{plan.title}\n{plan.accuracy}", name,
                                  axis_text=None if times is None else times.text)


@dataclass(frozen=True)
class Median:
    """The value in the middle of a column."""

    column: str
    name, phrase, adjustable = "median", "median of COLUMN", False
    cells = staticmethod(group_cells)
    answers = staticmethod(rank_answers)
    figure = staticmethod(rank_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """The choice of a value with as many rows below as above."""
        tally = value_tally(rows, self.column, self.name)
        return quantile_strategies(tally, (Fraction(1, 2),))


@dataclass(frozen=True)
class Quantiles:
    """Values of a column at some probabilities."""

    probabilities: tuple[Fraction, ...]
    column: str
    name, phrase, adjustable = "quantiles", "quantiles PROBABILITIES of COLUMN", False
    answers = staticmethod(rank_answers)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """A choice for each probability, or all of them read off one tree of counts."""
        tally = value_tally(rows, self.column, self.name)
        return quantile_strategies(tally, self.probabilities)

    def cells(self, plan: QuestionPlan) -> Names:
        """The probabilities in each group."""
        return cells_within(plan, [f"{float(p):g}" for p in self.probabilities])

    def figure(self, plan: QuestionPlan, answers: Sequence[Answer]) -> Figure:
        """The values of every group on a line, with their probabilities."""
        return rank_figure(plan, answers, [float(p) for p in self.probabilities])


@dataclass(frozen=True)
class Minimum:
    """A value that few rows are below, of a rank as low as can be hit."""

    column: str
    name, phrase, adjustable = "minimum", "minimum of COLUMN", False
    cells = staticmethod(group_cells)
    answers = staticmethod(rank_answers)
    figure = staticmethod(rank_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """The choice of a value by the rows below it."""
        tally = value_tally(rows, self.column, self.name)
        return (Strategy((choose_values(tally, Score(1, 0, -1)),), "ranks", Ranks()),)


@dataclass(frozen=True)
class Maximum:
    """A value that few rows are above, of a rank as high as can be hit."""

    column: str
    name, phrase, adjustable = "maximum", "maximum of COLUMN", False
    cells = staticmethod(group_cells)
    answers = staticmethod(rank_answers)
    figure = staticmethod(rank_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """The choice of a value by the rows above it."""
        tally = value_tally(rows, self.column, self.name)
        return (Strategy((choose_values(tally, Score(0, 1, 1)),), "ranks", Ranks()),)


@dataclass(frozen=True)
class UpperBound:
    """The edge of a bin that few rows, or people's largest rows, are above."""

    column: str
    name, phrase, adjustable = "upper_bound", "upper bound of COLUMN", False
    cells = staticmethod(group_cells)
    figure = staticmethod(rank_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """The choice of a bin by the rows above it."""
        return bound_strategies(rows, self.column, "upper bound", Score(0, 1, 1), Once.HIGHEST)

    def answers(self, plan: QuestionPlan, drawn: Drawn) -> tuple[Answer, ...]:
        """The upper edge of the bin, within the widest bounds."""
        column = number_column(plan.declaration, self.column, "bound")
        return answers_without_intervals(plan, [min(_edge(plan, drawn, 1), column.high)])


@dataclass(frozen=True)
class LowerBound:
    """The edge of a bin that few rows, or people's smallest rows, are below."""

    column: str
    name, phrase, adjustable = "lower_bound", "lower bound of COLUMN", False
    cells = staticmethod(group_cells)
    figure = staticmethod(rank_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """The choice of a bin by the rows below it."""
        return bound_strategies(rows, self.column, "lower bound", Score(1, 0, -1), Once.LOWEST)

    def answers(self, plan: QuestionPlan, drawn: Drawn) -> tuple[Answer, ...]:
        """The lower edge of the bin, within the widest bounds."""
        column = number_column(plan.declaration, self.column, "bound")
        return answers_without_intervals(plan, [max(_edge(plan, drawn, 0), column.low)])


def bound_strategies(
    rows: Rows, name: str, statistic: str, score: Score, once: Once
) -> tuple[Strategy, ...]:
    """The choice of one bin of the column, for the whole table, as an extreme value is chosen.

    The bins are the declared grid of magnitudes. Where a column names people, each counts once,
    in the bin of their outermost row.
    """
    unit, column = rows.declaration.unit, number_column(rows.declaration, name, statistic)
    if rows.by:
        raise BadInput(f"a column has one {statistic} for all groups: leave by out.")
    if not column.bins:
        raise BadInput(f"declare the grid that the {statistic} is chosen from as bins of the "
                       f"column {label_text(name)!r}, such as bins = [0, 1000, 10000, 100000].")
    tally = rows.tally(name, once=None if unit.person is None else once)
    return (Strategy((choose_values(tally, score),), f"{unit.nouns} beyond it",
                     Ranks(beyond=True)),)


def _edge(plan: QuestionPlan, drawn: Drawn, side: int) -> Fraction:
    """An edge of the chosen bin."""
    column, place = plan.question.columns[0], int(drawn[0][0])
    return number_column(plan.declaration, column, "bound").bins[place + side]
