"""Pictures about graphs: errors of answers, and released degrees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tightrope.plots.figures import COLOR, blank
from tightrope.plots.surveys import Line

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def network_error_figure(
    lines: Sequence[Line], *, chosen: tuple[float, float], title: str
) -> Figure:
    """Mean errors against ε on two logarithmic axes, and the point that was chosen."""
    figure, (axes,) = blank(6.5, 4.2)
    for i, (name, xs, ys) in enumerate(lines):
        axes.plot(xs, ys, ("-", "--", "-.", ":")[i % 4], label=name, linewidth=2)
    axes.plot(*chosen, "o", color="black", markersize=7, label="this answer")
    for axis, scale in ((axes.xaxis, axes.set_xscale), (axes.yaxis, axes.set_yscale)):
        scale("log")
        axis.set_major_formatter("{x:,g}")
        axis.set_minor_formatter("")
    across = [x for _, xs, _ in lines for x in xs]
    axes.set_xticks(sorted({x for x in across if x / chosen[0] in (0.125, 0.25, 0.5, 1, 2, 4, 8)}))
    axes.set_xlabel("ε")
    axes.set_ylabel("mean error at most, whatever the edges")
    axes.grid(alpha=0.3, which="both")
    axes.legend(frameon=False, fontsize=9)
    axes.set_title(title, wrap=True)
    return figure


def degree_figure(
    histogram: Sequence[int],
    intervals: Sequence[tuple[int, int]],
    at_least: Sequence[int],
    at_least_intervals: Sequence[tuple[int, int]],
    *,
    title: str,
) -> Figure:
    """Released degrees with their intervals, and how many nodes have as many edges or more."""
    figure, (axes, upper) = blank(9.0, 3.6, 2)
    from matplotlib.ticker import MaxNLocator

    places, degrees = range(len(histogram)), range(1, len(at_least) + 1)
    axes.bar(places, histogram, color=COLOR, alpha=0.6)
    axes.vlines(places, *zip(*intervals, strict=True), color="black", linewidth=1.0)
    axes.axhline(0.0, color="black", linewidth=0.6)
    axes.set_xlabel("edges at a node")
    axes.set_ylabel("nodes, released; 95 % intervals")
    upper.vlines(degrees, *zip(*at_least_intervals, strict=True), color="black", linewidth=1.0)
    upper.plot(degrees, at_least, "o", color=COLOR, markersize=4)
    upper.set_xlabel("so many edges or more")
    for panel in (axes, upper):
        panel.xaxis.set_major_locator(MaxNLocator(integer=True))
        panel.grid(axis="y", alpha=0.3)
    figure.suptitle(title, wrap=True)
    return figure
