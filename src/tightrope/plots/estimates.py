"""Estimated proportions with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.plots.figures import COLOR, blank, named_positions, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.utility import Estimate


def estimate_figure(estimate: Estimate, column: str) -> Figure:
    """One line for each value: its unbiased estimate and interval, and the adjusted proportion."""
    rows = estimate.rows
    names = [shortened(row.value, 24) for row in rows]
    height = min(12.0, 1.6 + 0.28 * len(rows))
    figure, (axes,) = blank(6.5, height)
    places = list(range(len(rows)))
    middle = [100 * row.estimate for row in rows]
    axes.hlines(places, [100 * row.low for row in rows], [100 * row.high for row in rows],
                color=COLOR, linewidth=2, alpha=0.6)
    axes.plot(middle, places, "o", color=COLOR, markersize=5, label="unbiased, with its interval")
    axes.plot([100 * row.adjusted for row in rows], places, "|", color="black", markersize=9,
              label=f"{estimate.estimator.value}, biased")
    axes.legend(frameon=False, fontsize=8, loc="best")
    shown = named_positions(names) if len(rows) > 40 else places
    axes.set_yticks(shown, [names[i] for i in shown])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(min(0.0, 1.1 * min(middle)), None)
    axes.set_xlabel("estimated true proportion, percent")
    axes.grid(axis="x", alpha=0.3)
    whom = "the population" if estimate.sampling else "these rows"
    axes.set_title(
        f"{shortened(column, 30)}: from {estimate.n:,} randomized rows\n"
        f"{100 * estimate.confidence:g}% intervals for {whom}"
    )
    return figure
