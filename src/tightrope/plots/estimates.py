"""Estimated proportions, means and cumulative shares with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tightrope.plots.figures import COLOR, blank, named_positions, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.utility import Estimate, QueryEstimates


def estimate_figure(estimate: Estimate, column: str) -> Figure:
    """One line for each value: its unbiased estimate and interval, and the adjusted proportion."""
    rows = estimate.rows
    middle = [100 * row.estimate for row in rows]
    figure, axes = _lines([row.value for row in rows], middle,
                          [(100 * row.low, 100 * row.high) for row in rows])
    axes.plot([100 * row.adjusted for row in rows], range(len(rows)), "|", color="black",
              markersize=9, label=f"{estimate.estimator.value}, biased")
    axes.legend(frameon=False, fontsize=8, loc="best")
    axes.set_xlim(min(0.0, 1.1 * min(middle)), None)
    axes.set_xlabel("estimated true proportion, percent")
    _title(axes, estimate, column)
    return figure


def queries_figure(estimates: QueryEstimates, column: str) -> Figure:
    """One line for each query: its unbiased estimate and interval.

    Cumulative shares are in percent. A mean is in the units of its scores, over their range.
    """
    scores = [score for _, score in estimates.scores]
    unit = 1 if scores else 100
    rows = estimates.rows
    middle = [unit * row.estimate for row in rows]
    figure, axes = _lines([row.name for row in rows], middle,
                          [(unit * row.low, unit * row.high) for row in rows])
    least, most = (min(scores), max(scores)) if scores else (0.0, 100.0)
    axes.set_xlim(min(least, *middle), max(most, *middle))
    axes.set_xlabel("estimated mean of the scores" if scores else "estimated true share, percent")
    _title(axes, estimates, column)
    return figure


def _lines(
    values: Sequence[Any], middle: Sequence[float], ends: Sequence[tuple[float, float]]
) -> tuple[Figure, Any]:
    """A line with a dot for each name, from top to bottom."""
    names = [shortened(value, 24) for value in values]
    figure, (axes,) = blank(6.5, max(2.2, min(12.0, 1.6 + 0.28 * len(names))))
    places = list(range(len(names)))
    axes.hlines(places, [low for low, _ in ends], [high for _, high in ends], color=COLOR,
                linewidth=2, alpha=0.6)
    axes.plot(middle, places, "o", color=COLOR, markersize=5, label="unbiased, with its interval")
    shown = named_positions(names) if len(names) > 40 else places
    axes.set_yticks(shown, [names[i] for i in shown])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="x", alpha=0.3)
    return figure, axes


def _title(axes: Any, estimate: Estimate | QueryEstimates, column: str) -> None:
    whom = "the population" if estimate.sampling else "these rows"
    axes.set_title(
        f"{shortened(column, 30)}: from {estimate.n:,} randomized rows\n"
        f"{100 * estimate.confidence:g}% intervals for {whom}"
    )
