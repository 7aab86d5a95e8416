"""Bounds on pairs of probabilities, and what they mean for an attacker's odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import log
from typing import TYPE_CHECKING

from tightrope.plots.figures import COLOR, blank
from tightrope.privacy import PairBound, odds_change

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLORS = (COLOR, "#c0504d", "#4f8f4f", "#8064a2")
_FACTORS = 121


def bound_figure(bounds: Mapping[str, PairBound], title: str) -> Figure:
    """M and m of one or more bounds: events of a protected pair lie between the lines."""
    figure, (axes,) = blank(5.2, 5.0)
    for number, (name, bound) in enumerate(bounds.items()):
        color = _COLORS[number % len(_COLORS)]
        upper = [(float(a), float(b)) for a, b in bound.knots]
        lower = [(1 - a, 1 - b) for a, b in reversed(upper)]
        axes.plot(*zip(*upper, strict=True), color=color, label=name, linewidth=2)
        axes.plot(*zip(*lower, strict=True), color=color, linewidth=2, linestyle="--")
        if bound.at_zero != bound.knots[0][1]:
            axes.plot([0], [float(bound.at_zero)], "o", color=color)
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8)
    axes.set_xlabel("probability of an event under one input")
    axes.set_ylabel("probability under the other")
    axes.set_aspect("equal")
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)
    axes.legend(frameon=False)
    axes.set_title(title, wrap=True)
    return figure


def odds_figure(bound: PairBound, title: str, *, most: Fraction = Fraction(20)) -> Figure:
    """How often, at most, the odds of another input rise or fall by a factor or more."""
    figure, (axes,) = blank(6.0, 4.0)
    factors = [1 + (most - 1) * Fraction(k, _FACTORS) ** 2 for k in range(1, _FACTORS + 1)]
    changes = [odds_change(bound, factor) for factor in factors]
    logs = [log(factor) for factor in factors]
    axes.plot(logs, [float(c.rise) for c in changes], color=_COLORS[0], linewidth=2, label="rise")
    axes.plot(logs, [float(c.fall) for c in changes], color=_COLORS[1], linewidth=2, label="fall")
    axes.set_xlabel("change of the log-odds (nats) by at least")
    axes.set_ylabel("probability, at most")
    axes.set_ylim(0, None)
    axes.set_xlim(0, None)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, title="odds of the other input")
    axes.set_title(title, wrap=True)
    return figure


def delta_figure(
    curve: Sequence[tuple[float, float]], asked: tuple[float, float], title: str, across: str
) -> Figure:
    """The least δ against a number, and the point that was asked for."""
    figure, (axes,) = blank(6.0, 4.0)
    axes.plot(*zip(*curve, strict=True), color=COLOR, linewidth=2, label="least δ")
    axes.plot(*([place] for place in asked), "o", color=_COLORS[1], label="asked for",
              clip_on=False, zorder=3)
    axes.set_xlabel(across)
    axes.set_ylabel("δ")
    axes.set_ylim(0, None)
    axes.set_xlim(0, None)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    axes.set_title(title, wrap=True)
    return figure
