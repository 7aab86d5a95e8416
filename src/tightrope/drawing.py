"""A result as a figure, as `plot`: the one way from results to the room that draws them.

    plot = plot_of

`plots` knows every kind of result, and is imported when a picture is asked for, never before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_of(result: object, *, title: str = "") -> Figure:
    """The result as a figure of matplotlib; `savefig("name.pdf")` writes it."""
    from tightrope.plots import figure

    return figure(result, title)
