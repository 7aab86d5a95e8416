"""Levels: at which something exists, bounds on one, and those that a family forces as it grows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tightrope.plots import COLOR, blank, unread

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.theory.limits.families import FamilyVerdict
    from tightrope.theory.priors.thresholds import Thresholds

_KINDS = {True: (COLOR, 0.75, "exists"), False: ("0.5", 0.25, "does not exist"),
          None: ("#c0504d", 0.6, "not decided")}

_STYLES = {
    "lower": ("#4f8f4f", ">"),
    "star": (COLOR, "D"),
    "upper": ("#c0504d", "<"),
    "theorem": ("#8a8a8a", "<"),
}
"""Colors and marks: proved from below, the level, attained by a mechanism, a guarantee."""


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


def family_figure(family: FamilyVerdict) -> Figure:
    """The lower bound of every member, and the level that is enough for all, if there is one."""
    figure, (axes,) = blank(6.4, 3.8)
    numbers = [member.number for member in family.members]
    axes.plot(numbers, [member.epsilon for member in family.members], "o-", color=COLOR,
              label="ε at least, by points far apart")
    if family.enough is not None:
        axes.axhline(family.enough, color="#4f8f4f", linestyle="--",
                     label=f"ε = {family.enough:.4g} is enough")
        axes.set_yscale("symlog")
    if numbers:  # bodies of one shape have no members to look at
        axes.set_xscale("log", base=2)
    axes.set_xticks(numbers, [str(n) for n in numbers])
    axes.set_xlabel("N")
    axes.set_ylabel("ε, at diameter 1")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize="small")
    axes.set_title(unread(family.facts().title), wrap=True)
    return figure
