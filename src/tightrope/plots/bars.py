"""Counts as bars, each with the interval that it lies in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tightrope.plots.figures import COLOR, blank, number_text, shortened, unread, write_numbers
from tightrope.plots.releases import Drawn, wrap_title

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_BARS = 60
"""Bars of a figure that can be told apart; as many names stand beside them."""

_ACROSS = 16
"""Bars that stand beside each other, if their names are short; else they lie below each other."""

_SHORT = 8
"""Characters of a name that fits below a bar."""

_ROOM = 48
"""Characters of all names that fit beside each other on a page as narrow as a phone's."""


def bars_figure(
    names: Sequence[str], answers: Sequence[Drawn], title: str, unit: str, mark: str | None = None
) -> Figure:
    """One bar for each count with a line for its interval; marked ones are pale.

    Few bars with short names stand upright; others lie below each other.
    """
    upright = len(names) <= _ACROSS and max(map(len, names)) <= _SHORT and (
        sum(len(name) + 1 for name in names) <= _ROOM)
    figure, (axes,) = blank(6.5, 3.6 if upright else min(14.0, 1.4 + 0.3 * len(names)))
    places = np.arange(len(names))
    values = [answer.value for answer in answers]
    draw = axes.bar if upright else axes.barh
    bars = draw(places, values, color=COLOR)
    for bar, answer in zip(bars, answers, strict=True):
        bar.set_alpha(0.2 if answer.marked else 0.55)
    line = axes.vlines if upright else axes.hlines
    line(places, [answer.low for answer in answers], [answer.high for answer in answers],
         color=COLOR, linewidth=1.8)
    for place, answer in enumerate(answers):
        if answer.other is not None:
            line(place, *answer.other, color=COLOR, linewidth=0.7)
    ticks = axes.set_xticks if upright else axes.set_yticks
    ticks(places.tolist(), [shortened(name, 28) for name in names])
    pale = f" (pale: {mark})" if any(answer.marked for answer in answers) else ""
    if upright:
        axes.yaxis.set_major_formatter(number_text)
        axes.set_ylabel(unread(unit + pale))
    else:
        write_numbers(axes, [0, *(answer.high for answer in answers)])
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.set_xlabel(unread(unit + pale))
    axes.grid(axis="y" if upright else "x", alpha=0.3)
    axes.set_axisbelow(True)
    axes.set_title(wrap_title(title, figure))
    return figure
