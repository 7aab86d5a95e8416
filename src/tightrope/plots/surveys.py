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

    The axis goes from 0 to 100, and further where an estimate leaves that.
    """
    figure, (axes,) = blank(6.0, 1.2 + 0.36 * len(bars))
    places = range(len(bars))
    axes.hlines(places, [100 * low for _, _, low, _ in bars], [100 * high for *_, high in bars],
                color=COLOR, linewidth=3, alpha=0.55)
    axes.plot([100 * middle for _, middle, _, _ in bars], list(places), "o", color=COLOR,
              clip_on=False, zorder=3)
    for place, (_, middle, _, _) in zip(places, bars, strict=True):
        axes.annotate(f"{100 * middle:.0f}%", (100 * middle, place), (0, 6),
                      textcoords="offset points", ha="center", fontsize=9)
    axes.set_yticks(list(places), [shortened(name, 28) for name, *_ in bars])
    axes.set_ylim(len(bars) - 0.4, -0.7)
    least, most = (100 * pick(middle for _, middle, _, _ in bars) for pick in (min, max))
    axes.set_xlim(least - 5 if least < 0 else 0, most + 5 if most > 100 else 100)
    axes.set_xlabel("people whose true answer it is, percent")
    axes.grid(axis="x", alpha=0.3)
    if title:
        axes.set_title(shortened(title, 70), wrap=True)
    return figure


def lines_figure(lines: Sequence[Line], title: str, across: str, upward: str) -> Figure:
    """Named lines over one axis, the upward one logarithmic."""
    figure, (axes,) = blank(6.5, 4.2)
    styles = ("-", "--", "-.", ":")
    for i, (name, xs, ys) in enumerate(lines):
        axes.plot(xs, ys, styles[i % 4], label=name, linewidth=2)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:,g}")  # 2,000 rather than 2 × 10³
    heights = [y for _, _, ys in lines for y in ys]
    few = max(heights, default=1) < 20 * min(heights, default=1)
    axes.yaxis.set_minor_formatter("{x:,g}" if few else "")
    axes.set_xlabel(across)
    axes.set_ylabel(upward)
    axes.grid(alpha=0.3, which="both")
    axes.legend(frameon=False, fontsize=9)
    axes.set_title(title, wrap=True)
    return figure
