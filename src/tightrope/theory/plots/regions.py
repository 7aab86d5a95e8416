"""Where priors on three or four points are drawn, and the regions of the regular ones.

A prior on three points is a place in a triangle, on four points in a tetrahedron, drawn from
one side. The corner priors of a level span the region of its regular priors.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from tightrope.exact import FloatArray, Level
from tightrope.kernels import corner_priors
from tightrope.plots import COLOR, shortened
from tightrope.spaces import Space
from tightrope.utility import Prior

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLACES = {
    3: np.array([[0.0, 0.0], [0.5, 0.866], [1.0, 0.0]]),
    4: np.array([[0.0, 0.12], [0.45, 0.95], [1.0, 0.2], [0.55, -0.1]]),
}


def place_priors(rows: FloatArray) -> list[tuple[float, float]]:
    """Where priors lie in the triangle of three points, or the tetrahedron of four.

    Returns: for each row of probabilities, its place across and up.

    >>> import numpy as np
    >>> place_priors(np.eye(3))
    [(0.0, 0.0), (0.5, 0.866), (1.0, 0.0)]
    """
    return [(float(x), float(y)) for x, y in rows @ PLACES[rows.shape[1]]]


def draw_region(
    axes: Axes,
    space: Space,
    levels: Sequence[Level],
    marked: Sequence[tuple[str, Prior]] = (),
) -> None:
    """The region at every level in one panel, and named priors as points of it."""
    places = PLACES[space.size]
    _polytope(axes, places, "0.6", "all priors", 1.0)
    for place, label in zip(places, space.points, strict=True):
        outward = place - places.mean(axis=0)
        across, up = (place + 0.06 * outward / np.hypot(*outward)).tolist()
        axes.text(across, up, shortened(label), ha="center", va="center", color="0.4")
    shades = np.linspace(0.95, 0.45, len(levels))
    for shade, level in zip(shades, sorted(levels, key=float, reverse=True), strict=True):
        name = f"ε = {level.text}"
        _polytope(axes, corner_priors(space, level) @ places, COLOR, name, float(shade))
    for name, prior in marked:
        across, up = (prior.on(space) @ places).tolist()
        axes.plot([across], [up], "o", color="#c0504d", markersize=6, label=name)
    axes.set_xlim(-0.12, 1.12)
    axes.set_ylim(-0.2, 1.06)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.legend(loc="upper right", frameon=False, fontsize="small")


def _polytope(axes: Axes, corners: FloatArray, color: str, name: str, shade: float) -> None:
    """The edges between all corners; a triangle is filled, too."""
    for k, (a, b) in enumerate(combinations(range(len(corners)), 2)):
        ends = corners[[a, b]]
        label = name if k == 0 else "_"
        width = 2.4 - 1.4 * shade
        axes.plot(ends[:, 0], ends[:, 1], color=color, alpha=shade, lw=width, label=label)
    if len(corners) == 3 and color == COLOR:
        axes.fill(corners[:, 0], corners[:, 1], color=color, alpha=0.12, linewidth=0)
