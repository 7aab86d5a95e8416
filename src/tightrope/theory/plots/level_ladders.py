"""Bounds on one level: those from below, the level, those from above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tightrope.plots import COLOR, blank, unread

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STYLES = {
    "lower": ("#4f8f4f", ">"),
    "star": (COLOR, "D"),
    "upper": ("#c0504d", "<"),
    "theorem": ("#8a8a8a", "<"),
}
"""Colors and marks: proved from below, the level, attained by a mechanism, a guarantee."""


def level_ladder_figure(rows: Sequence[tuple[str, float | None, str]], title: str) -> Figure:
    """Named levels on one logarithmic axis, each with its kind; those not known are left out."""
    known = [(name, level, kind) for name, level, kind in rows if level]
    figure, (axes,) = blank(7.4, 1.2 + 0.3 * max(2, len(known)))
    for place, (_, level, kind) in enumerate(reversed(known)):
        color, mark = _STYLES[kind]
        axes.plot([level], [place], mark, color=color, markersize=7)
        axes.annotate(
            f"{level:.4g}", (level, place), xytext=(8, 0), textcoords="offset points",
            va="center", fontsize=8, color=color,
        )
        if kind == "star":
            axes.axvline(level, color=COLOR, linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(known)), [unread(name) for name, _, _ in reversed(known)])
    axes.set_xscale("log")
    axes.xaxis.set_minor_formatter("")  # the levels are written beside their marks
    axes.set_xlabel("ε")
    axes.margins(x=0.12, y=0.08)
    axes.grid(axis="x", alpha=0.3)
    axes.set_title(unread(title), wrap=True)
    return figure
