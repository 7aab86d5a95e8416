"""Rates of one mechanism's error against another's, as a map; densities on the line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tightrope.plots.figures import COLOR, blank

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_DEPTH = 10.0**8
"""Densities this many times below the largest one are off the picture."""


def rate_figure(
    maps: Sequence[tuple[str, NDArray[np.float64]]],
    columns: Sequence[float],
    rows: Sequence[float],
    *,
    across: str,
    up: str,
    title: str,
) -> Figure:
    """Maps of a rate side by side: blue where it is below 1 (better), red where above.

    Each map has one row for each of `rows`, one column for each of `columns`. Colors are on
    a logarithmic scale, the same for all maps.
    """
    from matplotlib.colors import CenteredNorm

    figure, axes = blank(3.2 * len(maps) + 2.2, 3.6, len(maps))
    reach = max(float(np.abs(np.log2(rates)).max()) for _, rates in maps)
    norm = CenteredNorm(0.0, min(reach, 3.0))
    images = []
    for panel, (name, rates) in zip(axes, maps, strict=True):
        images.append(panel.pcolormesh(
            np.asarray(columns), np.asarray(rows), np.log2(rates), norm=norm, cmap="RdBu_r",
            shading="nearest", rasterized=True,
        ))
        panel.set_title(name)
        panel.set_xlabel(across)
    axes[0].set_ylabel(up)
    bar = figure.colorbar(images[0], ax=list(axes), extend="both" if reach > 3 else "neither")
    ticks = [t for t in range(-3, 4) if abs(t) <= reach]
    bar.set_ticks(ticks, labels=[f"{2.0**t:g}" for t in ticks])
    bar.set_label("rate (below 1: better)")
    figure.suptitle(title, wrap=True)
    return figure


def density_figure(
    laws: Sequence[tuple[str, Sequence[float], Sequence[float]]], *, title: str
) -> Figure:
    """Piecewise constant densities side by side: edges of the pieces, and a height for each."""
    figure, axes = blank(3.2 * len(laws) + 1.0, 3.2, len(laws))
    for panel, (name, edges, heights) in zip(axes, laws, strict=True):
        _steps(panel, edges, heights)
        panel.set_title(name)
        panel.set_xlabel("answer minus true value")
    axes[0].set_ylabel("density")
    figure.suptitle(title, wrap=True)
    return figure


def _steps(panel: Axes, edges: Sequence[float], heights: Sequence[float]) -> None:
    panel.stairs(heights, edges, color=COLOR, fill=True, alpha=0.25, linewidth=0)
    panel.stairs(heights, edges, color=COLOR, linewidth=1.0)
    panel.set_yscale("log")
    panel.set_ylim(max(min(heights) / 2, max(heights) / _DEPTH), 2 * max(heights))
    panel.set_xlim(edges[0], edges[-1])
