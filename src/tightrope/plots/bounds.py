"""Bounds on pairs of probabilities, events beside them, and δ against a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from tightrope.mechanisms import FiniteMechanism
from tightrope.plots.figures import COLOR, blank, shortened, unread
from tightrope.privacy import GenericDefinition, PairBound, allows, tradeoff_curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLORS = (COLOR, "#c0504d", "#4f8f4f", "#8064a2")
_SAMPLES = 200
"""Points of the curve of a bound: enough for a smooth line."""


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
    axes.set_xlabel("probability of an event under one input")
    axes.set_ylabel("probability under the other")
    _unit_square(axes)
    axes.legend(frameon=False)
    axes.set_title(title, wrap=True)
    return figure


def definition_figure(
    mechanism: FiniteMechanism, definition: GenericDefinition, title: str
) -> Figure:
    """M of the pair that comes nearest to its bound, or breaks it most, and that pair's events."""

    def excess(pair: tuple[int, int]) -> float:
        return max(float(b - definition.bounds[pair].above(a)) for a, b in events(pair))

    def events(pair: tuple[int, int]) -> Sequence[tuple[Fraction, Fraction]]:
        return tradeoff_curve(*map(mechanism.row_at, pair)).knots

    pair = max(definition.bounds, key=excess)
    bound, drawn = definition.bounds[pair], events(pair)
    first, second = (unread(shortened(mechanism.space.points[i], 20)) for i in pair)
    across = sorted({*(Fraction(k, _SAMPLES) ** 2 for k in range(_SAMPLES + 1)),
                     *(a for a, _ in drawn)})
    figure, (axes,) = blank(5.6, 5.2)
    axes.plot([float(a) for a in across], [float(bound.above(a)) for a in across], color=COLOR,
              linewidth=2, label=f"allowed: {unread(shortened(bound.text, 40))}")
    axes.plot(*zip(*((float(a), float(b)) for a, b in drawn), strict=True), "o-",
              color=_COLORS[2], linewidth=1.5, markersize=4, label="likeliest events")
    broken = [(float(a), float(b)) for a, b in drawn if not allows(bound, a, b)]
    if broken:
        axes.plot(*zip(*broken, strict=True), "o", color=_COLORS[1], markersize=7,
                  label="not allowed", zorder=3)
    axes.set_xlabel(f"probability under {first}")
    axes.set_ylabel(f"probability under {second}")
    _unit_square(axes)
    axes.legend(frameon=False, loc="lower right")
    axes.set_title(unread(title), wrap=True)
    return figure


def _unit_square(axes: Axes) -> None:
    """Probabilities on both axes, with the diagonal."""
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8)
    axes.set_aspect("equal")
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)


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
