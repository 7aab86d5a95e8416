"""Constructions side by side by their loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tightrope.constructions import Comparison
from tightrope.plots.figures import COLOR, blank, shortened, unread

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_NAME = 32
"""Characters of a construction's name beside its bar."""


def comparison_figure(
    losses: Comparison | Sequence[tuple[str, float]], title: str = ""
) -> Figure:
    """One bar for each construction, as long as its loss; the shortest is the best.

    Returns: a matplotlib `Figure`; bars of names with losses stand in the order given.

    Raises: `ValueError` where there are no losses.

    >>> comparison_figure([("geometric", 0.56), ("tight", 0.6)], "Losses").axes[0].get_xlabel()
    'loss (smaller is better)'
    """
    bound = None
    if isinstance(losses, Comparison):
        bound, title = losses.bound, title or losses.facts().title
        losses = [(shortened(row.construction, MOST_NAME), row.solution.value)
                  for row in losses.ranked if row.solution is not None]
    figure, (axes,) = blank(6.5, 1.4 + 0.45 * len(losses))
    names, values = zip(*losses, strict=True)
    bars = axes.barh(names, values, color=COLOR, height=0.6)
    axes.bar_label(bars, fmt="%.5g", padding=4)
    axes.invert_yaxis()
    if bound is not None:
        axes.axvline(bound, color="black", linestyle=":", linewidth=1.2, label="proved bound")
        axes.legend(frameon=False, fontsize="small", loc="upper right")
    axes.margins(x=0.18)
    axes.set_xlabel("loss (smaller is better)")
    axes.set_title(unread(title), wrap=True)
    return figure
