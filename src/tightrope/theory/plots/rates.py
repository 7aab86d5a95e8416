"""Rates of one mechanism's error against another's, as a map; densities on the line."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, exp, log
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tightrope.mechanisms import PiecewiseNoise
from tightrope.plots import COLOR, blank, unread

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_COLORS = (COLOR, "#c0504d", "#4f8f4f")
_MOST_STEPS = 500
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
    figure, axes = blank(3.2 * len(maps) + 2.2, 3.6, len(maps))
    from matplotlib.colors import CenteredNorm

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


def noise_figure(
    laws: Sequence[tuple[str, PiecewiseNoise]], laplace: float, *, title: str
) -> Figure:
    """Densities of noise over each other, the first one filled, beside Laplace noise of a scale."""
    figure, (panel,) = blank(7.0, 4.2)
    reach = max(max(3 * float(noise.step), 4 * float(noise.mean_error)) for _, noise in laws)
    reach = min(reach, *(float(noise.reach + _MOST_STEPS * noise.step) for _, noise in laws))
    for position, (name, noise) in enumerate(laws):
        edges, heights = density_steps(noise, reach)
        color = _COLORS[position % len(_COLORS)]
        if not position:
            panel.stairs(heights, edges, color=color, fill=True, alpha=0.2, linewidth=0)
        error = f"mean error {float(noise.mean_error):.4g}"
        panel.stairs(heights, edges, color=color, linewidth=1.2, label=f"{name}, {error}")
    along = np.linspace(-reach, reach, 401)
    panel.plot(along, np.exp(-np.abs(along) / laplace) / (2 * laplace), color="#999999",
               linewidth=1.0, linestyle="--", label=f"laplace, mean error {laplace:.4g}")
    panel.set_yscale("log")
    panel.set_xlim(-reach, reach)
    panel.set_xlabel("answer minus true value")
    panel.set_ylabel("density")
    panel.legend(frameon=False, fontsize="small")
    panel.set_title(unread(title), wrap=True)
    return figure


def density_steps(noise: PiecewiseNoise, reach: float) -> tuple[list[float], list[float]]:
    """Edges and heights of a density in steps between -reach and reach, in doubles."""
    alpha, slope = float(noise.normalizer), log(noise.ratio)
    pieces = [
        (float(low), float(high), exp(-slope * i) / alpha)
        for i, rung in enumerate(noise.rungs)
        if rung is not None
        for low, high in rung.pairs()
    ]
    inner, step, last = float(noise.reach), float(noise.step), len(noise.rungs)
    for k in range(max(0, ceil((reach - inner) / step)) + 1):
        near, far = inner + k * step, inner + (k + 1) * step
        height = exp(-slope * (last + k)) / alpha
        pieces += [(near, far, height), (-far, -near, height)]
    shown = sorted(piece for piece in pieces if piece[1] > -reach and piece[0] < reach)
    return [-reach, *(min(high, reach) for _, high, _ in shown)], [h for _, _, h in shown]
