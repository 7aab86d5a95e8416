"""Charts drawn: every mark as it stands, with the color of its tint."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from textwrap import fill
from typing import TYPE_CHECKING, assert_never

import numpy as np

from tightrope.plots.charts import (
    Across,
    Chart,
    Contours,
    Dots,
    Heat,
    Line,
    Mark,
    Panel,
    Ribbon,
    Shape,
    Span,
    Stairs,
    Strokes,
    Tint,
    Words,
)
from tightrope.plots.figures import COLOR, blank_grid, unread

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TINT_COLORS = {
    Tint.MAIN: COLOR, Tint.SECOND: "#4f8f4f", Tint.THIRD: "#b8860b", Tint.FOURTH: "#8064a2",
    Tint.FAINT: "#808080", Tint.WRONG: "#c0392b",
}
_WIDTH, _HEIGHT, _ABREAST = 4.8, 3.8, 3
"""Inches of a panel, and how many stand side by side."""
_MARGIN = 0.2
"""Inches around what is drawn, in a panel that needs less than its height."""
_MOST_DOUBLINGS = 3.0
"""Rates beyond this many doublings have the color of the last one."""
_PER_INCH = 13
"""Characters of a small line in an inch."""


def chart_figure(chart: Chart, title: str = "") -> Figure:
    """All panels of a chart as one figure, with what is wrong in the published one below.

    Returns: a matplotlib figure; `picture` makes a file of it.

    >>> from tightrope.plots import Panel, line, picture
    >>> chart = Chart((Panel("squares", (line("n²", (0, 1, 2), (0, 1, 4)),)),))
    >>> picture(chart_figure(chart), "png")[1:4]
    b'PNG'
    """
    count = len(chart.panels)
    columns = 2 if count == 4 else min(count, _ABREAST)
    rows = ceil(count / columns)
    wide, extra = columns * _WIDTH, 0.5 * bool(title) + 0.5 * bool(chart.wrong)
    figure, axes = blank_grid(wide, rows * _HEIGHT + extra, rows, columns)
    _draw(figure, axes, chart, chart.panels)
    if title:
        figure.suptitle(unread(fill(title, round(0.8 * wide * _PER_INCH))))
    if chart.wrong:
        words = fill(f"Wrong in print: {chart.wrong}", round(wide * _PER_INCH))
        figure.supxlabel(unread(words), color=TINT_COLORS[Tint.WRONG], fontsize="small")
    return figure


def panel_figures(chart: Chart) -> list[Figure]:
    """Each panel as a figure of its own, for pages that are as narrow as a phone."""
    figures = []
    for panel in chart.panels:
        figure, axes = blank_grid(_WIDTH, _HEIGHT, 1, 1)
        _draw(figure, axes, chart, (panel,))
        figure.set_figheight(min(_HEIGHT, figure.get_tightbbox().height + _MARGIN))
        figure.draw_without_rendering()
        figures.append(figure)
    return figures


def _draw(
    figure: Figure, axes: Sequence[Axes], chart: Chart, panels: Sequence[Panel]
) -> None:
    """The panels on their axes; colors of rates mean the same in the whole chart."""
    logs = [float(np.abs(np.log2(mark.values)).max())
            for panel in chart.panels for mark in panel.marks if isinstance(mark, Heat)]
    reach = min(max(logs, default=1.0), _MOST_DOUBLINGS)
    beyond = max(logs, default=0.0) > _MOST_DOUBLINGS
    for panel, plot in zip(panels, axes, strict=False):
        for mark in panel.marks:
            _draw_mark(figure, plot, mark, reach, beyond)
        _frame(plot, panel)
    for plot in axes[len(panels):]:
        plot.set_visible(False)
    figure.draw_without_rendering()  # lays out legends beside panels of equal scales


def _draw_mark(figure: Figure, plot: Axes, mark: Mark, reach: float, beyond: bool) -> None:
    match mark:
        case Line():
            _line(plot, mark)
        case Dots():
            _dots(plot, mark)
        case Strokes():
            for place, points in enumerate(mark.lines):
                plot.plot(*_split(points), color=TINT_COLORS[mark.tint],
                          linewidth=4.0 if mark.thick else 0.9, solid_capstyle="butt",
                          linestyle="--" if mark.tint is Tint.WRONG else "-",
                          label=_label(mark.name if not place else ""))
        case Shape():
            color, faint = TINT_COLORS[mark.tint], mark.tint is Tint.FAINT
            plot.fill(*_split(mark.corners), facecolor="none" if faint else color,
                      alpha=None if faint else 0.18, linewidth=0)
            plot.plot(*_split((*mark.corners, mark.corners[0])), color=color,
                      linewidth=1.0 if faint else 1.5, label=_label(mark.name))
        case Stairs():
            color = TINT_COLORS[mark.tint]
            if mark.filled:
                plot.stairs(mark.heights, mark.edges, color=color, fill=True, alpha=0.2,
                            linewidth=0)
            plot.stairs(mark.heights, mark.edges, color=color, linewidth=1.2,
                        linestyle="--" if mark.tint is Tint.WRONG else "-",
                        label=_label(mark.name))
        case Ribbon():
            plot.fill_between(list(mark.places), list(mark.lower), list(mark.upper),
                              color=TINT_COLORS[mark.tint], alpha=0.2, linewidth=0,
                              label=_label(mark.name))
        case Span():
            color = TINT_COLORS[mark.tint]
            plot.axvspan(mark.low, mark.high, color=color, alpha=0.1, linewidth=0)
            plot.annotate(unread(mark.words), (mark.high, 1.0), (-4, -4), ha="right", va="top",
                          xycoords=plot.get_xaxis_transform(), textcoords="offset points",
                          color=color, fontsize=8)
        case Across():
            plot.axhline(mark.height, color=TINT_COLORS[mark.tint], linestyle=":", linewidth=1.0)
            plot.annotate(unread(mark.words), (1.0, mark.height), (-3, 2), fontsize=8, ha="right",
                          xycoords=plot.get_yaxis_transform(), textcoords="offset points",
                          color=TINT_COLORS[mark.tint])
        case Heat():
            _heat(figure, plot, mark, reach, beyond)
        case Contours():
            _contours(plot, mark)
        case Words():
            plot.text(*mark.at, unread(mark.text), color=TINT_COLORS[mark.tint], fontsize=8,
                      ha="center", va="center")
        case _:
            assert_never(mark)


def _line(plot: Axes, mark: Line) -> None:
    wrong = mark.tint is Tint.WRONG
    plot.plot(*_split(mark.points), color=TINT_COLORS[mark.tint], linestyle="--" if wrong else "-",
              linewidth=1.0 if mark.thin else 1.8, marker="o" if mark.dots else "", markersize=3.5,
              label=_label(mark.name), zorder=3 if wrong else 2)


def _dots(plot: Axes, mark: Dots) -> None:
    color = TINT_COLORS[mark.tint]
    plot.plot(*_split(mark.points), "o", color=color, label=_label(mark.name), zorder=4,
              markersize=5, markerfacecolor="none" if mark.hollow else color)
    for (across, up), words in zip(mark.points, mark.labels, strict=False):
        plot.annotate(unread(words), (across, up), (4, 4), textcoords="offset points", fontsize=8,
                      color=color)


def _heat(figure: Figure, plot: Axes, mark: Heat, reach: float, beyond: bool) -> None:
    from matplotlib.colors import CenteredNorm

    image = plot.pcolormesh(
        np.asarray(mark.columns), np.asarray(mark.rows), np.log2(mark.values),
        norm=CenteredNorm(0.0, reach), cmap="RdBu_r", shading="nearest", rasterized=True)
    bar = figure.colorbar(image, ax=plot, extend="both" if beyond else "neither")
    ticks = [t for t in range(-3, 4) if abs(t) <= reach]
    bar.set_ticks(ticks, labels=[f"{2.0**t:g}" for t in ticks])
    bar.set_label("rate (below 1: better)")


def _contours(plot: Axes, mark: Contours) -> None:
    drawn = plot.contour(mark.columns, mark.rows, mark.values, levels=list(mark.levels),
                         colors=COLOR)
    middles = [np.asarray(path.vertices)[len(path) // 2] for path in drawn.get_paths() if len(path)]
    plot.clabel(drawn, fmt="%.2g", fontsize=9, manual=middles)


def _frame(plot: Axes, panel: Panel) -> None:
    """Axes, limits, names and the legend of a panel."""
    if panel.logarithmic:
        plot.set_yscale("log")
        plot.yaxis.set_major_formatter("{x:g}")  # text; a formula has no place in a page
        plot.yaxis.set_minor_formatter("")
    if panel.limits is not None:
        plot.set_xlim(*panel.limits)
    if panel.heights is not None:
        plot.set_ylim(*panel.heights)
    if panel.equal:
        plot.set_aspect("equal")
    plot.locator_params(axis="x", nbins=7, steps=[1, 2, 5, 10])
    if panel.ticks:
        plot.set_xticks([at for at, _ in panel.ticks], [unread(name) for _, name in panel.ticks])
    if not panel.framed:
        plot.set_axis_off()
        plot.margins(0.1)
    plot.set_xlabel(unread(panel.across))
    plot.set_ylabel(unread(panel.upward))
    plot.set_title(unread(fill(panel.title, round(_WIDTH * _PER_INCH * 0.75))))
    if plot.get_legend_handles_labels()[1]:
        legend = plot.legend(frameon=False, fontsize="small")
        if panel.equal and panel.framed:  # such a panel leaves room beside it
            legend.set_loc("upper left")
            legend.set_bbox_to_anchor((1.0, 1.0))


def _label(name: str) -> str:
    """A name in the legend; none where it is empty."""
    return unread(name) if name else "_"


def _split(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    """Points as their coordinates apart."""
    return [across for across, _ in points], [up for _, up in points]
