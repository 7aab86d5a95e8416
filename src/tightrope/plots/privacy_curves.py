"""δ(ε), Rényi divergences and the privacy loss of a finite mechanism as lines, in doubles.

What a picture shows is close to the exact curve; numbers to cite come from its methods.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import log
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tightrope.plots.figures import COLOR, blank, unread

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from tightrope.privacy import DeltaCurve, LossCurve, RenyiCurve

_SAMPLES = 241
_MOST_ORDER = 64
"""Largest order drawn: from there on, a divergence hardly grows any more."""


def delta_curve_figure(curve: DeltaCurve, title: str = "") -> Figure:
    """The least δ at every ε, from 0 to just beyond the last bend.

    Returns: a matplotlib `Figure`.

    >>> from tightrope.privacy import delta_curve
    >>> figure = delta_curve_figure(delta_curve([["3/4", "1/4"], ["1/4", "3/4"]], "categories:2"))
    >>> [round(float(end), 3) for end in figure.axes[0].lines[0].get_ydata()[[0, -1]]]
    [0.5, 0.0]
    """
    bends = [log(ratio) for ratio in curve.breakpoints]
    epsilons = np.unique([*np.linspace(0.0, 1.1 * bends[-1] or 1.0, _SAMPLES), *bends])
    ratios = np.exp(epsilons)
    deltas = np.max([np.maximum(p[:, None] - q[:, None] * ratios, 0.0).sum(axis=0)
                     for p, q in ((_doubles(p), _doubles(q)) for p, q in curve.sides)], axis=0)
    figure, axes = _panel("ε", "δ (smaller is more private)", title or "Least δ at every ε")
    axes.plot(epsilons, deltas, color=COLOR, linewidth=2)
    axes.fill_between(epsilons, deltas, color=COLOR, alpha=0.12, linewidth=0)
    axes.set_ylim(0, None)
    return figure


def renyi_figure(curve: RenyiCurve, title: str = "") -> Figure:
    """D_α at every order α from 1 to 64, below its limit, the largest privacy loss.

    Returns: a matplotlib `Figure`, without a line where the divergences are infinite.

    >>> from tightrope.privacy import renyi_curve
    >>> figure = renyi_figure(renyi_curve([["3/4", "1/4"], ["1/4", "3/4"]], "categories:2"))
    >>> round(float(figure.axes[0].lines[0].get_ydata()[-1]), 3)
    1.094
    """
    figure, axes = _panel("order α", "Rényi divergence D_α", title or "Rényi divergences")
    if curve.infinite:
        axes.set_title("infinite: some output is possible under one input alone")
        return figure
    orders = np.geomspace(1.0, _MOST_ORDER, _SAMPLES)[1:]
    with np.errstate(under="ignore"):
        divergences = np.max([_divergences(_doubles(side.p), _doubles(side.q), orders)
                              for side in curve.sides], axis=0)
    limit = log(max(side.largest for side in curve.sides))
    axes.plot([1.0, *orders], [curve.at(1)[1], *divergences], color=COLOR, linewidth=2)
    axes.axhline(limit, color=COLOR, linestyle=":", label="limit: the largest privacy loss")
    axes.set_xscale("log", base=2)
    axes.set_xticks([2**k for k in range(7)], [str(2**k) for k in range(7)])
    axes.set_ylim(0, 1.15 * limit or 1.0)
    axes.legend(frameon=False, loc="lower right")
    return figure


def loss_figure(curve: LossCurve, title: str = "") -> Figure:
    """The chance of a privacy loss above ε, at every ε, the largest over all neighbors.

    Returns: a matplotlib `Figure`.

    >>> from tightrope.privacy import privacy_loss
    >>> figure = loss_figure(privacy_loss([["3/4", "1/4"], ["1/4", "3/4"]], "categories:2"))
    >>> [float(chance) for chance in figure.axes[0].lines[0].get_ydata()[[0, -1]]]
    [1.0, 0.0]
    """
    ends = sorted({log(ratio) for law in curve.laws for ratio, _ in law if ratio is not None})
    margin = 0.1 * max(1.0, ends[-1] - ends[0])
    places = np.array([ends[0] - margin, *ends, ends[-1] + margin])
    chances = np.max([_beyond(law, places) for law in curve.laws], axis=0)
    figure, axes = _panel("privacy loss ε", "chance of a larger loss", title or
                          "How likely an answer reveals more than ε")
    axes.step(places, chances, where="post", color=COLOR, linewidth=2)
    axes.set_ylim(0, 1.05)
    return figure


def _doubles(law: object) -> NDArray[np.float64]:
    return np.array(law, dtype=np.float64)


def _divergences(
    p: NDArray[np.float64], q: NDArray[np.float64], orders: NDArray[np.float64]
) -> NDArray[np.float64]:
    """ln Σ p (p/q)^(α-1) / (α-1), with the largest ratio taken out so that nothing overflows."""
    logs = np.log(p) - np.log(q)
    moments = np.log((p[:, None] * np.exp((logs - logs.max())[:, None] * (orders - 1))).sum(axis=0))
    return np.asarray(moments / (orders - 1) + logs.max())


def _beyond(
    law: Sequence[tuple[Fraction | None, Fraction]], places: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The chance of a loss above each place."""
    ends = np.array([np.inf if ratio is None else log(ratio) for ratio, _ in law])
    larger = (ends[:, None] > places) * _doubles([chance for _, chance in law])[:, None]
    return np.asarray(larger.sum(axis=0))


def _panel(across: str, upward: str, title: str) -> tuple[Figure, Axes]:
    figure, (axes,) = blank(6.0, 4.0)
    axes.set_xlabel(across)
    axes.set_ylabel(upward)
    axes.margins(x=0.01)
    axes.grid(alpha=0.3)
    axes.set_title(unread(title), wrap=True)
    return figure, axes
