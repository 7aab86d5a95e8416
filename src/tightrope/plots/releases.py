"""Released statistics: answers with their intervals, cross-tables, distributions, quantiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tightrope.plots.figures import COLOR, blank, named_positions, shortened, unread

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.exact import FloatArray

_MOST_LISTED = 400
"""Answers that are drawn one below the other."""

_MOST_WRITTEN = 15
"""Rows and columns of a cross-table whose numbers are written into it."""

_COLORS = (COLOR, "#c05a1c", "#3c7a3c", "#8a3c8a", "#7a6a1c", "#5a5a5a")


def answers_figure(
    names: Sequence[str], ends: Sequence[tuple[float, float, float]], title: str, unit: str,
    others: Sequence[tuple[float, float]] = (),
) -> Figure:
    """One line for each answer: value and interval; NaN where a value is withheld.

    Where there are `others`, a second interval of each answer is a thin line.
    """
    names, held = [shortened(name, 28) for name in names[:_MOST_LISTED]], np.array(
        ends[:_MOST_LISTED], dtype=float)
    figure, (axes,) = blank(6.5, min(14.0, 1.6 + 0.28 * len(names)))
    places = np.arange(len(names))
    axes.hlines(places, held[:, 1], held[:, 2], color=COLOR, linewidth=2, alpha=0.6)
    if others:
        axes.hlines(places, *np.array(others[:_MOST_LISTED], dtype=float).T, color=COLOR,
                    linewidth=0.8)
    axes.plot(held[:, 0], places, "o", color=COLOR, markersize=5)
    shown = named_positions(names) if len(names) > 40 else places.tolist()
    axes.set_yticks(shown, [names[i] for i in shown])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel(unread(unit))
    axes.grid(axis="x", alpha=0.3)
    axes.set_title(unread(title))
    return figure


def crossed_figure(
    rows: Sequence[str],
    columns: Sequence[str],
    values: FloatArray,
    title: str,
    axis_names: tuple[str, str],
    unit: str,
) -> Figure:
    """A cross-table as a heat map, with its numbers where they are few."""
    size = (min(12.0, 2.2 + 0.7 * len(columns)), min(12.0, 1.6 + 0.45 * len(rows)))
    figure, (axes,) = blank(*size)
    image = axes.imshow(values, cmap="Blues", aspect="auto", vmin=0)
    for place, names in zip((axes.set_yticks, axes.set_xticks), (rows, columns), strict=True):
        shown = named_positions(names)
        place(shown, [shortened(names[i]) for i in shown])
    if max(len(shortened(name)) for name in columns) > 6:
        axes.tick_params(axis="x", rotation=30)
    axes.set_ylabel(unread(axis_names[0]))
    axes.set_xlabel(unread(axis_names[1]))
    if max(len(rows), len(columns)) <= _MOST_WRITTEN:
        middle = float(np.max(values)) / 2
        for (i, j), value in np.ndenumerate(values):
            axes.text(j, i, f"{value:,.0f}", ha="center", va="center", fontsize="small",
                      color="white" if value > middle else "black")
    else:
        figure.colorbar(image, ax=axes, label=unread(unit))
    axes.set_title(unread(title))
    return figure


def distribution_figure(
    points: Sequence[float], groups: Mapping[str, Sequence[tuple[float, float, float]]], title: str,
    unit: str,
) -> Figure:
    """Distribution functions as steps, each with its band; undetermined ones are left out."""
    figure, (axes,) = blank(6.5, 4.2)
    for color, (name, ends) in zip(_cycled(len(groups)), groups.items(), strict=True):
        held = np.array(ends, dtype=float)
        if np.isnan(held).any():
            continue
        axes.fill_between(points, held[:, 1], held[:, 2], step="post", color=color, alpha=0.2,
                          linewidth=0)
        axes.step(points, held[:, 0], where="post", color=color,
                  label=shortened(name, 28) if name else None)
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel(unread(unit))
    axes.set_ylabel("share of rows up to it")
    axes.grid(alpha=0.3)
    if len(groups) > 1:
        axes.legend(frameon=False, fontsize="small")
    axes.set_title(unread(title))
    return figure


def quantiles_figure(
    probabilities: Sequence[float], groups: Mapping[str, Sequence[float]], title: str, unit: str
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
    axes.grid(axis="x", alpha=0.3)
    axes.set_title(unread(title))
    return figure


def _cycled(count: int) -> list[str]:
    return [_COLORS[k % len(_COLORS)] for k in range(count)]
