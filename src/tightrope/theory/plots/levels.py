"""At which levels something exists, as a strip over ε."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.plots import COLOR, blank, unread
from tightrope.theory.priors.thresholds import Thresholds

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_KINDS = {True: (COLOR, 0.75, "exists"), False: ("0.5", 0.25, "does not exist"),
          None: ("#c0504d", 0.6, "not decided")}


def thresholds_figure(thresholds: Thresholds, title: str) -> Figure:
    """The levels with a mechanism, those without, and those not decided; endpoints named."""
    figure, (axes,) = blank(7.4, 2.2)
    ends = [float(end) for endpoint in thresholds.endpoints for end in endpoint]
    last = max([1.0, *(1.5 * end for end in ends)])
    start = min(float(thresholds.asked), float(thresholds.lowest))
    named = set()
    pieces = [(float(p.low), last if p.high is None else float(p.high), p.exists)
              for p in thresholds.pieces]
    if not thresholds.finished:
        pieces.append((float(thresholds.asked), float(thresholds.lowest), None))
    for low, high, exists in pieces:
        if exists is None and high - low < 1e-3 * last:  # an endpoint between two verdicts
            continue
        color, alpha, name = _KINDS[exists]
        axes.axvspan(low, high, color=color, alpha=alpha, linewidth=0,
                     label=None if name in named else name)
        named.add(name)
    for endpoint in thresholds.endpoints:
        place = (float(endpoint.below) + float(endpoint.above)) / 2
        axes.axvline(place, color="0.2", linewidth=1)
        axes.annotate(f"{place:.{endpoint.digits}f}", (place, 0.5), xytext=(4, 0),
                      textcoords="offset points", fontsize=8, va="center",
                      xycoords=("data", "axes fraction"))
    axes.set_xlim(start, last)
    if any(piece.high is None for piece in thresholds.pieces):  # it holds for all above
        axes.annotate("and above →", (1.0, 0.08), xytext=(-4, 0), textcoords="offset points",
                      xycoords="axes fraction", fontsize=8, ha="right")
    axes.set_yticks([])
    axes.set_xlabel("ε")
    axes.legend(frameon=False, fontsize="small", ncols=3, loc="lower center",
                bbox_to_anchor=(0.5, 1.0))
    figure.suptitle(unread(title), wrap=True)
    return figure
