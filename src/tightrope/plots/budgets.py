"""Budgets over time: what was spent of them, in all and by each person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from tightrope.plots.figures import COLOR, blank, shortened, unread

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Steps = Sequence[tuple[datetime, float]]

_MOST_PEOPLE = 12
"""People who have a line of their own; more could not be told apart."""


def spending_figure(
    whole: Steps, people: Mapping[str, Steps], budget: float, marked: Steps, title: str
) -> Figure:
    """ε spent as steps over time, below the budget; marked charges have no answer that stands."""
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    figure, (axes,) = blank(7.5, 4.2)
    end = max(whole[-1][0], whole[0][0] + timedelta(minutes=1))
    for name, steps in list(people.items())[:_MOST_PEOPLE]:
        times, sums = zip(*steps, (end, steps[-1][1]), strict=True)
        axes.step(times, sums, where="post", linewidth=1.4, zorder=3,
                  label=shortened(unread(name), 28))
    times, sums = zip(*whole, (end, whole[-1][1]), strict=True)
    axes.step(times, sums, where="post", color=COLOR, linewidth=2.4,
              label=f"in all, of {budget:g}")
    axes.axhline(budget, color=COLOR, linestyle=":", linewidth=1.2)
    if marked:
        places, heights = zip(*marked, strict=True)
        axes.plot(places, heights, "o", color=COLOR, markerfacecolor="white", markersize=6,
                  label="superseded or no answer")
    locator = AutoDateLocator()  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(
        ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]
    axes.set_ylabel("ε spent")
    axes.set_ylim(0, budget * 1.05)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
    axes.set_title(unread(title), wrap=True)
    return figure
