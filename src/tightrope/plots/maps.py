"""Maps in the plane of a region: outlines, outputs, and how far noise carries around a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tightrope.exact import FloatArray
from tightrope.plots.figures import COLOR, blank, shortened, unread

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Line = tuple[FloatArray, FloatArray]
_RED = "#c0504d"
_STEPS = 240


@dataclass(frozen=True)
class Disc:
    """A circle around the middle, in kilometers, and what it says."""

    radius: float
    name: str


def map_figure(
    title: str,
    outlines: Sequence[Line],
    hull: Line,
    outputs: Line,
    rate: float,
    discs: Sequence[Disc],
    place: str = "the middle of the region",
) -> Figure:
    """The region with outputs on the left, the noise around one place on the right.

    Lengths in kilometers east and north; `rate` is the fall of the noise for each kilometer.
    """
    figure, (whole, near) = blank(11.0, 5.4, 2)
    _land(whole, outlines)
    whole.plot(*_closed(hull), color=COLOR, lw=1.4, label="the region's hull")
    if len(outputs[0]):
        alpha = min(1.0, max(0.08, 30 / np.sqrt(len(outputs[0]))))
        whole.plot(*outputs, ".", color=_RED, markersize=3, alpha=alpha,
                   label=f"{len(outputs[0]):,} outputs")
    _window(whole, hull, 0.08)
    whole.legend(loc="lower right", fontsize="small", framealpha=0.9)
    whole.set_title("the region" if not len(outputs[0]) else "outputs")
    reach = 1.15 * max(disc.radius for disc in discs)
    _land(near, outlines)
    _shade(near, reach, rate)
    angle = np.linspace(0, 2 * np.pi, 200)
    for disc, style in zip(discs, ("-", "--", ":", "-."), strict=False):
        near.plot(disc.radius * np.cos(angle), disc.radius * np.sin(angle), style, color="0.15",
                  lw=1.2, label=unread(disc.name))
    near.plot([0], [0], "+", color="0.15", markersize=9)
    _window(near, (np.array([-reach, reach]), np.array([-reach, reach])), 0.0)
    near.legend(loc="lower right", fontsize="small", framealpha=0.9)
    near.set_title(f"where an output falls around {shortened(place, 40)}")
    figure.suptitle(unread(title))
    return figure


def heat_figure(
    title: str, outlines: Sequence[Line], corners: Line, counts: Any, legend: str
) -> Figure:
    """Counts in cells whose corners are known in the plane, in kilometers, north by north."""
    figure, (axes,) = blank(7.0, 5.6, 1)
    _land(axes, outlines)
    shown = axes.pcolormesh(*corners, counts, cmap="Blues", alpha=0.85, vmin=0,
                            vmax=max(1, int(counts.max())), linewidth=0, rasterized=True)
    for x, y in outlines:
        axes.plot(*_closed((x, y)), color="0.4", lw=0.6)
    axes.figure.colorbar(shown, ax=axes, shrink=0.8, label=unread(legend))
    _window(axes, corners, 0.03)
    figure.suptitle(unread(title))
    return figure


def _shade(axes: Axes, reach: float, rate: float) -> None:
    """The density of the noise, relative to the middle."""
    side = np.linspace(-reach, reach, _STEPS)
    density = np.exp(-rate * np.hypot(side[:, None], side[None, :]))
    shown = axes.imshow(density, origin="lower", extent=(-reach, reach, -reach, reach),
                        cmap="Blues", vmin=0.0, vmax=1.0, alpha=0.8, zorder=0)
    axes.figure.colorbar(shown, ax=axes, shrink=0.8, label="likelihood of a place, middle = 1")


def _land(axes: Axes, outlines: Sequence[Line]) -> None:
    for x, y in outlines:
        axes.fill(x, y, facecolor="0.93", edgecolor="0.65", lw=0.6, zorder=-1)


def _closed(line: Line) -> Line:
    return np.append(line[0], line[0][0]), np.append(line[1], line[1][0])


def _window(axes: Axes, around: Line, margin: float) -> None:
    x, y = around
    room = margin * max(np.ptp(x), np.ptp(y))
    axes.set_xlim(float(x.min() - room), float(x.max() + room))
    axes.set_ylim(float(y.min() - room), float(y.max() + room))
    axes.set_aspect("equal")
    axes.set_xlabel("km east")
    axes.set_ylabel("km north")
