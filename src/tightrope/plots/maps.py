"""Maps in the plane of a region: outlines, outputs, and how far noise carries around a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tightrope.exact import FloatArray
from tightrope.plots.figures import COLOR, blank, blank_grid, shortened, unread

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Line = tuple[FloatArray, FloatArray]
_RED = "#c0504d"
_STEPS = 240
"""Pixels of a likelihood picture along each axis."""


@dataclass(frozen=True)
class Disc:
    """A circle around a place, in kilometers, and its label."""

    radius: float
    name: str


@dataclass(frozen=True)
class Around:
    """Where an output falls if the truth is at a place: by a rate for each kilometer, or by cells.

    `cells` are the edges of cells east and north and the likelihood of each, the largest 1.
    """

    place: str
    center: tuple[float, float]
    discs: Sequence[Disc]
    rate: float = 0.0
    cells: tuple[FloatArray, FloatArray, FloatArray] | None = None


def map_figure(
    title: str, outlines: Sequence[Line], hull: Line, outputs: Line, around: Around,
    truths: Line | None = None,
) -> Figure:
    """The region with outputs above, where an output falls around one place below.

    Lengths in kilometers east and north of the middle of the region. `truths` are drawn too if
    a curator asks for them, and the figure says that it is not private.
    """
    figure, (whole, near) = blank_grid(6.4, 10.4, 2, 1)
    _draw_land(whole, outlines)
    whole.plot(*_close_line(hull), color=COLOR, lw=1.4, label="the region's hull")
    for points, color, what in ((truths, "0.25", "true positions"), (outputs, _RED, "outputs")):
        if points is not None and len(points[0]):
            alpha = min(1.0, max(0.08, 30 / np.sqrt(len(points[0]))))
            whole.plot(*points, ".", color=color, markersize=3, alpha=alpha,
                       label=f"{len(points[0]):,} {what}")
    _set_window(whole, hull, 0.08)
    _add_legend(whole)
    whole.set_title("CURATOR ONLY, NOT PRIVATE: true positions" if truths is not None else
                    "outputs" if len(outputs[0]) else "the region")
    _draw_near(near, outlines, around)
    figure.suptitle(unread(title))
    return figure


def _draw_near(axes: Axes, outlines: Sequence[Line], around: Around) -> None:
    (x, y), reach = around.center, 1.15 * max(disc.radius for disc in around.discs)
    _draw_land(axes, outlines)
    if around.cells is None:
        side = np.linspace(-reach, reach, _STEPS)
        likely = np.exp(-around.rate * np.hypot(side[:, None], side[None, :]))
        shown: Any = axes.imshow(likely, origin="lower", cmap="Blues", vmin=0.0, vmax=1.0,
                                 extent=(x - reach, x + reach, y - reach, y + reach), alpha=0.8,
                                 zorder=0)
    else:
        shown = axes.pcolormesh(*around.cells, cmap="Blues", vmin=0.0, vmax=1.0, alpha=0.8)
    axes.figure.colorbar(shown, ax=axes, shrink=0.8, label="likelihood of a place, largest = 1")
    angle = np.linspace(0, 2 * np.pi, 200)
    for disc, style in zip(around.discs, ("-", "--", ":", "-."), strict=False):
        axes.plot(x + disc.radius * np.cos(angle), y + disc.radius * np.sin(angle), style,
                  color="0.15", lw=1.2, label=unread(disc.name))
    axes.plot([x], [y], "+", color="0.15", markersize=9)
    _set_window(axes, (np.array([x - reach, x + reach]), np.array([y - reach, y + reach])), 0.0)
    _add_legend(axes)
    axes.set_title(f"where an output falls around {shortened(around.place, 40)}")


def _add_legend(axes: Axes) -> None:
    """Below the axes, where it hides nothing."""
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), fontsize="small", frameon=False)


def heat_figure(
    title: str, outlines: Sequence[Line], corners: Line, counts: Any, gray: Any, legend: str
) -> Figure:
    """Counts in cells whose corners are known in the plane, in kilometers, north by north.

    Cells that are marked `gray` say little and have no color of the scale.
    """
    figure, (axes,) = blank(7.0, 5.6, 1)
    _draw_land(axes, outlines)
    axes.pcolormesh(*corners, np.ma.masked_where(~gray, np.ones(gray.shape)), cmap="Greys",
                    alpha=0.35, vmin=0, vmax=2, linewidth=0, rasterized=True)
    shown = axes.pcolormesh(*corners, np.ma.masked_where(gray, counts), cmap="Blues", alpha=0.85,
                            vmin=0, vmax=max(1, int(counts.max())), linewidth=0, rasterized=True)
    for x, y in outlines:
        axes.plot(*_close_line((x, y)), color="0.4", lw=0.6)
    axes.figure.colorbar(shown, ax=axes, shrink=0.8, label=unread(legend))
    _set_window(axes, corners, 0.03)
    figure.suptitle(unread(title))
    return figure


def _draw_land(axes: Axes, outlines: Sequence[Line]) -> None:
    for x, y in outlines:
        axes.fill(x, y, facecolor="0.93", edgecolor="0.65", lw=0.6, zorder=-1)


def _close_line(line: Line) -> Line:
    return np.append(line[0], line[0][0]), np.append(line[1], line[1][0])


def _set_window(axes: Axes, around: Line, margin: float) -> None:
    """A square that holds all points."""
    half = (0.5 + margin) * max(float(np.ptp(part)) for part in around)
    x, y = ((float(part.min()) + float(part.max())) / 2 for part in around)
    axes.set_xlim(x - half, x + half)
    axes.set_ylim(y - half, y + half)
    axes.set_aspect("equal")
    axes.set_xlabel("km east")
    axes.set_ylabel("km north")
