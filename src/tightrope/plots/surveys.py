"""Pictures about surveys: estimates with intervals, and sample sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tightrope.plots.figures import COLOR, blank, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Line = tuple[str, Sequence[float], Sequence[float]]


def intervals_figure(
    bars: Sequence[tuple[str, float, float, float]], title: str
) -> Figure:
    """One line for each (name, unbiased estimate, low, high), as percentages.

    Narrow enough for a phone: names stand above their lines, estimates beside them. The axis
    goes from 0 to 100, and further where an estimate leaves that.
    """
    figure, (axes,) = blank(3.6, 0.75 + 0.42 * len(bars) + (0.4 if title else 0))
    places = range(len(bars))
    least, most = (100 * pick(middle for _, middle, _, _ in bars) for pick in (min, max))
    start, end = least - 5 if least < 0 else 0, most + 5 if most > 100 else 100
    axes.hlines(places, [100 * low for _, _, low, _ in bars], [100 * high for *_, high in bars],
                color=COLOR, linewidth=4, alpha=0.55)
    axes.plot([100 * middle for _, middle, _, _ in bars], list(places), "o", color=COLOR,
              clip_on=False, zorder=3)
    for place, (name, middle, _, _) in zip(places, bars, strict=True):
        axes.annotate(shortened(name, 44), (start, place), (0, 7), textcoords="offset points",
                      fontsize=9)
        axes.annotate(f"{100 * middle:.0f} %", (1, place), (4, -3),
                      xycoords=axes.get_yaxis_transform(), textcoords="offset points", fontsize=9)
    axes.set_yticks([])
    axes.set_ylim(len(bars) - 0.6, -0.8)
    axes.set_xlim(start, end)
    axes.set_xlabel("people whose true answer it is, percent", fontsize=9)
    axes.grid(axis="x", alpha=0.3)
    if title:
        axes.set_title(shortened(title, 70), wrap=True)
    return figure


def lines_figure(
    lines: Sequence[Line], title: str, across: str, upward: str, *, ticks: Sequence[float] = ()
) -> Figure:
    """Named lines over one axis, the upward one logarithmic; with `ticks` both are, and dotted."""
    from matplotlib.ticker import LogLocator

    figure, (axes,) = blank(6.5, 4.2)
    styles = ("-", "--", "-.", ":")
    for i, (name, xs, ys) in enumerate(lines):
        axes.plot(xs, ys, styles[i % 4], label=shortened(name, 40), linewidth=2,
                  marker="o" if ticks else "", markersize=4)
    axes.set_yscale("log")
    if ticks:
        axes.set_xscale("log")
        axes.set_xticks(list(ticks), [f"{tick:,g}" for tick in ticks])
        axes.set_xticks([], minor=True)
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:,g}")  # 2,000 rather than 2 × 10³
    heights = [y for _, _, ys in lines for y in ys]
    few = max(heights, default=1) < 20 * min(heights, default=1)
    axes.yaxis.set_minor_formatter("{x:,g}" if few and not ticks else "")
    axes.set_xlabel(across)
    axes.set_ylabel(upward)
    axes.grid(alpha=0.3, which="both")
    if ticks:  # lines fall from one corner to the other and leave no room for a legend
        axes.legend(frameon=False, fontsize=9, loc="center left", bbox_to_anchor=(1.0, 0.5))
    else:
        axes.legend(frameon=False, fontsize=9)
    axes.set_title(title, wrap=True)
    return figure
