"""Constructions side by side by their loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tightrope.plots.figures import COLOR, blank, unread

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def comparison_figure(losses: Sequence[tuple[str, float]], title: str) -> Figure:
    """One bar for each construction, as long as its loss; the shortest is the best.

    Returns: a matplotlib `Figure`, with the bars in the order given.

    Raises: `ValueError` where there are no losses.

    >>> comparison_figure([("geometric", 0.56), ("tight", 0.6)], "Losses").axes[0].get_xlabel()
    'loss (smaller is better)'
    """
    figure, (axes,) = blank(6.5, 1.4 + 0.45 * len(losses))
    names, values = zip(*losses, strict=True)
    bars = axes.barh(names, values, color=COLOR, height=0.6)
    axes.bar_label(bars, fmt="%.5g", padding=4)
    axes.invert_yaxis()
    axes.margins(x=0.18)
    axes.set_xlabel("loss (smaller is better)")
    axes.set_title(unread(title), wrap=True)
    return figure
