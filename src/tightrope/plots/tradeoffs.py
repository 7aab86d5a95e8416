"""Loss against ε, one line for each construction, above the proved bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tightrope.constructions import FamilyPieces, Tradeoff, ValuePieces
from tightrope.plots.comparisons import MOST_NAME
from tightrope.plots.figures import COLOR, blank, shortened, unread

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Curve = Sequence[tuple[float, float]]

_SHOWN = 200
"""Points of each piece of a curve."""

_MOST_INSIDE = 10
"""Curves whose names have room in the picture; beyond, they stand beside it."""


def tradeoff_figure(
    curves: Tradeoff | Mapping[str, Curve], bound: Curve = (), title: str = ""
) -> Figure:
    """The losses over the levels; below the shaded bound no private mechanism can be.

    Returns: a matplotlib `Figure`, with a line for each construction.

    Raises: `Refused` where matplotlib is not installed.

    >>> import tightrope as tr
    >>> tradeoff_figure(tr.tradeoff("categories:3", [1, 2])).axes[0].get_xlabel()
    'ε'
    """
    if isinstance(curves, Tradeoff):
        bound = [(float(at.problem.level), at.bound) for at in curves if at.bound is not None]
        title, curves = title or curves.facts().title, _curves(curves)
    many = len(curves) > _MOST_INSIDE
    figure, (axes,) = blank(10.0 if many else 7.0, 5.4 if many else 4.4)
    for style, (name, curve) in enumerate(sorted(curves.items())):
        epsilons, losses = zip(*curve, strict=True)
        axes.plot(epsilons, losses, marker="o^sdvx"[style % 6], markersize=4,
                  label=shortened(name, MOST_NAME))
    if bound:
        epsilons, losses = zip(*sorted(bound), strict=True)
        axes.plot(epsilons, losses, color=COLOR, linestyle=":", label="proved bound")
        axes.fill_between(epsilons, losses, min(0.0, *losses), color=COLOR, alpha=0.08)
    axes.set_xlabel("ε")
    axes.set_ylabel("loss (smaller is better)")
    axes.margins(x=0.02)
    legend = axes.legend(frameon=False, fontsize="small", loc="center left" if many else "best")
    if many:
        legend.set_bbox_to_anchor((1.0, 0.5))
    axes.set_title(unread(title), wrap=True)
    return figure


def _curves(tradeoff: Tradeoff) -> dict[str, list[tuple[float, float]]]:
    """The levels and losses of each construction, in the order asked."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for at in tradeoff:
        for row in at.ranked:
            if row.solution is not None:
                point = (float(at.problem.level), row.solution.value)
                curves.setdefault(row.construction, []).append(point)
    return curves


def pieces_figure(result: ValuePieces | FamilyPieces, title: str = "") -> Figure:
    """The least loss over r = e^ε, a dot where one piece ends and the next one begins.

    Without a last ratio it is drawn up to twice the last of these, or to 5 times the first ratio.

    >>> from tightrope.constructions import value_pieces
    >>> pieces_figure(value_pieces("star:4")).axes[0].get_xlabel()
    'r = e^ε'
    """
    single = isinstance(result, ValuePieces)
    members = {"": result} if isinstance(result, ValuePieces) else {
        f"N = {number}": member for number, member in result.members}
    low = float(next(iter(members.values())).pieces[0].low.low)
    ends = [float(piece.high.high) for member in members.values() for piece in member.pieces]
    right = max([*ends, *([2 * max(ends), 5 * low] if 0.0 in ends else [])])
    figure, (axes,) = blank(7.0, 4.4)
    for name, member in members.items():
        breaks = [float(piece.high.high) for piece in member.pieces[:-1]]
        stops = [low, *breaks, right]
        ratios, losses = [], []
        for piece, left, stop in zip(member.pieces, stops[:-1], stops[1:], strict=True):
            steps = [left + (stop - left) * k / _SHOWN for k in range(_SHOWN + 1)]
            ratios += steps
            losses += [piece.value.near(ratio) for ratio in steps]
        line, = axes.plot(ratios, losses, label=name, color=COLOR if single else None)
        axes.plot(breaks, [piece.value.near(ratio) for piece, ratio in zip(
            member.pieces, breaks, strict=False)], "o", markersize=4, color=line.get_color())
        for ratio in breaks if single else ():
            axes.axvline(ratio, color=COLOR, linestyle=":", linewidth=0.8)
    axes.set_xlabel("r = e^ε")
    axes.set_ylabel("least loss")
    axes.set_ylim(bottom=0)
    axes.margins(x=0.02)
    if not single:
        axes.legend(frameon=False, fontsize="small")
    axes.set_title(unread(title or result.facts().title), wrap=True)
    return figure
