"""Extreme points of the privacy polytope as small heat maps, one for each orbit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tightrope.plots import COLOR, blank_grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.theory.polytope.mechanism_vertices import MatrixOrbit, MechanismVertices
    from tightrope.theory.polytope.vertices import ExtremePoints, Orbit


MOST_DRAWN = 64
"""Orbits that are drawn."""


def orbit_figure(points: ExtremePoints | MechanismVertices) -> Figure:
    """One matrix of every orbit at their e^ε: dark is likely, white is zero.

    A ring marks a loose entry of two or more columns. Of many orbits the first are drawn.
    """
    orbits: Sequence[Orbit | MatrixOrbit] = points.orbits[:MOST_DRAWN]
    across = min(len(orbits), 5 if len(orbits) <= 10 else 8)
    down = -(-len(orbits) // across)
    figure, axes = blank_grid(1.45 * across + 0.3, 1.65 * down + 0.7, down, across)
    for panel, orbit in zip(axes, orbits, strict=False):
        entries = np.array([[float(p) for p in row] for row in orbit.at(points.ratio)])
        panel.imshow(np.ma.masked_equal(entries, 0), cmap="Blues", vmin=0, vmax=0.75)
        for i, j in orbit.rings:
            panel.plot(j, i, "o", markersize=9, markerfacecolor="none", markeredgecolor="#c0392b",
                       markeredgewidth=1.6)
        panel.set_title(f"{orbit.size:,}", fontsize=8, color=COLOR, pad=3)
    for position, panel in enumerate(axes):
        panel.set_xticks([])
        panel.set_yticks([])
        for spine in panel.spines.values():
            spine.set(visible=True, linewidth=0.5)
        if position >= len(orbits):
            panel.set_visible(False)
    figure.suptitle(
        f"{points.total:,} extreme points in {len(points.orbits)} orbits, at e^ε = {points.ratio}"
        + (f", the first {len(orbits)}" if len(orbits) < len(points.orbits) else "")
        + "; above each, how many matrices it stands for", fontsize=9,
    )
    return figure
