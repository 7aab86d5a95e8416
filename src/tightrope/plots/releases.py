"""Released statistics: answers with their intervals, cross-tables, distributions, quantiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np

from tightrope.plots.figures import (
    COLOR,
    blank,
    blank_grid,
    named_positions,
    shortened,
    unread,
    write_numbers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_LISTED = 400
"""Answers that are drawn one below the other."""

_MOST_WRITTEN = 15
"""Rows and columns of a cross-table whose numbers are written into it."""

_TITLE_CHARACTERS = 9
"""Characters of a title to an inch."""

_MOST_PANELS = 24
"""Groups that have a panel of their own; twelve rows of two are a page."""


@dataclass(frozen=True)
class Drawn:
    """An answer as it is drawn: value and interval, NaN where there is none; marked or not.

    A second, `other` interval is a thin line.
    """

    value: float
    low: float
    high: float
    marked: bool = False
    other: tuple[float, float] | None = None

    @property
    def withheld(self) -> bool:
        """Whether there is an interval alone."""
        return isnan(self.value) and not isnan(self.low)


def answers_figure(
    names: Sequence[str], answers: Sequence[Drawn], title: str, unit: str, mark: str | None = None
) -> Figure:
    """One line for each answer: its interval, and its value, hollow where it is marked."""
    shown = answers[:_MOST_LISTED]
    names = [shortened(name, 28) + (" (withheld)" if answer.withheld else "")
             for name, answer in zip(names, shown, strict=False)]
    figure, (axes,) = blank(6.5, min(14.0, 1.6 + 0.28 * len(names)))
    places = np.arange(len(names))
    axes.hlines(places, [answer.low for answer in shown], [answer.high for answer in shown],
                color=COLOR, linewidth=2, alpha=0.6)
    others = [(place, *answer.other) for place, answer in enumerate(shown) if answer.other]
    for place, low, high in others:
        axes.hlines(place, low, high, color=COLOR, linewidth=0.8)
    for marked, face in ((False, COLOR), (True, "white")):
        drawn = [place for place in places.tolist() if shown[place].marked is marked]
        axes.plot([shown[place].value for place in drawn], drawn, "o", color=COLOR, markersize=5,
                  markerfacecolor=face)
    named = named_positions(names) if len(names) > 40 else places.tolist()
    axes.set_yticks(named, [names[i] for i in named])
    axes.set_ylim(max(len(names), 1) - 0.5, -0.5)
    marks = any(answer.marked and not answer.withheld for answer in shown)
    hollow = f" (hollow: {mark})" if marks else ""
    axes.set_xlabel(unread(unit) + hollow)
    write_numbers(axes, [end for answer in shown
                         for end in (answer.low, answer.value, answer.high)])
    axes.grid(axis="x", alpha=0.3)
    left = f"\nthe first {len(shown):,} of {len(answers):,} answers" if len(answers) > len(
        shown) else ""
    axes.set_title(wrap_title(title + left, figure))
    return figure


@dataclass(frozen=True)
class ChanceCurves:
    """Chances that a key appears, at some numbers of units in their order; one line a name."""

    title: str
    unit: str
    units: Sequence[int]
    curves: Mapping[str, Sequence[float]]


def chance_figure(panels: Sequence[ChanceCurves]) -> Figure:
    """Chances that a key appears over its units, one question below the other."""
    figure, places = blank_grid(6.5, 4.0 * len(panels), len(panels), 1)
    for axes, panel in zip(places, panels, strict=True):
        every = panel.units[-1] - panel.units[0] < len(panel.units)
        for (name, chances), style in zip(panel.curves.items(), ("-", "--"), strict=False):
            axes.plot(panel.units, chances, style, color=COLOR, label=unread(name),
                      drawstyle="steps-mid" if every else "default")
        axes.set_ylim(-0.02, 1.02)
        axes.set_xlabel(unread(f"{panel.unit} with the key"))
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.set_ylabel("chance that it appears")
        axes.grid(alpha=0.3)
        axes.legend(loc="lower right")
        axes.set_title(wrap_title(panel.title, figure))
    return figure


def crossed_figure(
    rows: Sequence[str],
    columns: Sequence[str],
    answers: Sequence[Drawn],
    title: str,
    axis_names: tuple[str, str],
    unit: str,
    mark: str | None = None,
) -> Figure:
    """A cross-table as a heat map: its numbers where they are few, marked ones in parentheses.

    In larger tables marked cells have a dot.
    """
    values = np.array([answer.value for answer in answers]).reshape(len(rows), len(columns))
    marked = np.array([answer.marked for answer in answers]).reshape(values.shape)
    size = (min(12.0, 2.2 + 0.7 * len(columns)), min(12.0, 1.6 + 0.45 * len(rows)))
    figure, (axes,) = blank(*size)
    image = axes.imshow(values, cmap="Blues", aspect="auto", vmin=0,
                        vmax=max(float(np.max(values)), 1.0))
    for place, names in zip((axes.set_yticks, axes.set_xticks), (rows, columns), strict=True):
        shown = named_positions(names)
        place(shown, [shortened(names[i]) for i in shown])
    if max(len(shortened(name)) for name in columns) > 6:
        axes.tick_params(axis="x", rotation=30)
    axes.set_ylabel(unread(axis_names[0]))
    few = max(len(rows), len(columns)) <= _MOST_WRITTEN
    sign = "in parentheses" if few else "with a dot"
    axes.set_xlabel(unread(axis_names[1]) + (f" ({sign}: {mark})" if marked.any() else ""))
    if few:
        middle = float(np.max(values)) / 2
        for (i, j), value in np.ndenumerate(values):
            text = f"({value:,.0f})" if marked[i, j] else f"{value:,.0f}"
            axes.text(j, i, text, ha="center", va="center", fontsize="small",
                      color="white" if value > middle else "black")
    else:
        figure.colorbar(image, ax=axes, label=unread(unit))
        across, along = np.nonzero(marked)
        axes.plot(along, across, ".", color="#777777", markersize=2)
    axes.set_title(wrap_title(title, figure))
    return figure


def distribution_figure(
    points: Sequence[float],
    groups: Mapping[str, Sequence[Drawn]],
    title: str,
    unit: str,
    *,
    start: float,
    every_value: bool,
    axis_text: Callable[[float], str] | None = None,
) -> Figure:
    """Distribution functions with their bands, each group in a panel of its own.

    Where the points are all values, they are steps. Else intervals stand at the points; between
    two of them is only what monotonicity allows, from the lower end of the first to the upper
    end of the second.
    """
    shown = list(groups.items())[:_MOST_PANELS]
    columns = min(len(shown), 2)
    figure, panels = _panels(len(shown), columns)
    for axes, (name, answers) in zip(panels, shown, strict=True):
        _draw_distribution(axes, points, answers, start, every_value)
        axes.set_ylim(-0.02, 1.02)
        axes.grid(alpha=0.3)
        _write_axis(axes, axis_text, 3)
        if name:
            alone = ": withheld, intervals alone" if answers[0].withheld else ""
            axes.set_title(shortened(name, 28) + alone, fontsize="small")
    share = "share of rows up to it" if every_value else "share of rows below it (last: up to it)"
    figure.supxlabel(unread(unit), fontsize="medium")
    figure.supylabel(share, fontsize="medium")
    left = f"\nthe first {len(shown):,} of {len(groups):,} groups" if len(groups) > len(
        shown) else ""
    figure.suptitle(wrap_title(title + left, figure), fontsize="medium")
    return figure


def _panels(count: int, columns: int) -> tuple[Figure, Sequence[Axes]]:
    """One panel for each group on shared scales, numbers below the last of each column."""
    rows = -(-count // columns)
    height = 4.2 if count == 1 else 1.0 + 1.9 * rows
    figure, panels = blank_grid(6.5, height, rows, columns, shared=True)
    for axes in panels[count:]:
        axes.remove()
    for axes in panels[max(count - columns, 0):count]:
        axes.tick_params(labelbottom=True)
    return figure, panels[:count]


def _draw_distribution(
    axes: Axes, points: Sequence[float], answers: Sequence[Drawn], start: float, every_value: bool
) -> None:
    """One distribution function with its band."""
    values, lows, highs = (np.array([getattr(answer, end) for answer in answers])
                           for end in ("value", "low", "high"))
    if every_value:
        axes.fill_between(points, lows, highs, step="post", color=COLOR, alpha=0.2, linewidth=0)
        axes.step(points, values, where="post", color=COLOR)
        return
    axes.fill_between(np.repeat([start, *points], 2)[1:-1],
                      np.repeat([0.0, *lows[:-1]], 2), np.repeat(highs, 2),
                      color=COLOR, alpha=0.15, linewidth=0)
    axes.vlines(points, lows, highs, color=COLOR, linewidth=2.5, alpha=0.7)
    axes.plot(points, values, "o", color=COLOR, markersize=5)


def quantiles_figure(
    probabilities: Sequence[float], groups: Mapping[str, Sequence[float]], title: str, unit: str,
    axis_text: Callable[[float], str] | None = None,
) -> Figure:
    """Quantiles of every group on one line; their probabilities beside the marks."""
    names = [shortened(name, 28) for name in groups]
    figure, (axes,) = blank(6.5, min(12.0, 1.7 + 0.4 * len(names)))
    for place, values in enumerate(groups.values()):
        axes.plot([min(values), max(values)], [place, place], color=COLOR, alpha=0.4)
        axes.plot(values, [place] * len(values), "o", color=COLOR, markersize=5)
        if 0 < len(probabilities) <= 9:
            for p, value in zip(probabilities, values, strict=True):
                axes.annotate(f"{p:g}", (value, place), xytext=(0, 6), ha="center",
                              textcoords="offset points", fontsize="x-small")
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.7)
    axes.set_xlabel(unread(unit))
    write_numbers(axes, [value for values in groups.values() for value in values])
    _write_axis(axes, axis_text, 4)
    axes.grid(axis="x", alpha=0.3)
    axes.set_title(wrap_title(title, figure))
    return figure


def _write_axis(axes: Axes, text: Callable[[float], str] | None, most: int) -> None:
    """Write whole numbers below an axis by their texts, such as dates, at most so many."""
    if text is None:
        return
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(most, integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda number, _: text(number)))


def wrap_title(title: str, figure: Figure) -> str:
    """A title whose lines are as long as the figure is wide."""
    most = int(figure.get_figwidth() * _TITLE_CHARACTERS)
    return "\n".join(unread(part) for line in title.splitlines() for part in wrap(line, most))

