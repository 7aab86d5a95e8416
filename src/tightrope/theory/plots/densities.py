"""Densities of noise on the line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from math import ceil, exp, log
from typing import TYPE_CHECKING

import numpy as np

from tightrope.mechanisms import PiecewiseNoise
from tightrope.plots import COLOR, blank, unread

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_COLORS = (COLOR, "#c0504d", "#4f8f4f")
_MOST_STEPS = 500


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
    edges, rungs = rung_steps(noise, reach)
    return edges, [exp(-slope * i) / alpha for i in rungs]


def rung_steps(noise: PiecewiseNoise, reach: float) -> tuple[list[float], list[int]]:
    """Edges of the pieces between -reach and reach, in doubles, and the rung of each piece."""
    pieces: list[tuple[float, float, int]] = []
    for i, rung in enumerate(noise.rungs):
        if rung is not None:
            lows, highs = rung.lows * float(rung.unit), rung.highs * float(rung.unit)
            near = (highs > -reach) & (lows < reach)
            pieces += zip(lows[near].tolist(), highs[near].tolist(), repeat(i), strict=False)
    inner, step, last = float(noise.reach), float(noise.step), len(noise.rungs)
    for k in range(max(0, ceil((reach - inner) / step)) + 1):
        inside, outside = inner + k * step, inner + (k + 1) * step
        pieces += [(inside, outside, last + k), (-outside, -inside, last + k)]
    shown = sorted(piece for piece in pieces if piece[1] > -reach and piece[0] < reach)
    return [-reach, *(min(high, reach) for _, high, _ in shown)], [i for _, _, i in shown]
