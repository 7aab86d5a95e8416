"""A prior beside the regular ones: its place among them, its ranges, its shares of corners."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tightrope.plots import COLOR, blank, named_positions, shortened, unread
from tightrope.theory.plots.regions import PLACES, draw_region
from tightrope.theory.priors.judgments import PriorJudgment

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_RED = "#c0504d"


def prior_figure(judgment: PriorJudgment, title: str) -> Figure:
    """The probabilities within their ranges, the shares of corners and, of 3 or 4 points, a map."""
    mapped = judgment.space.size in PLACES
    figure, axes = blank(9.6 if mapped else 8.4, 4.0, 2)
    if mapped:
        draw_region(axes[0], judgment.space, [judgment.level], [("this prior", judgment.prior)])
        _ranges(axes[1], judgment)
    else:
        _ranges(axes[0], judgment)
        _shares(axes[1], judgment)
    verdict = "regular" if judgment.regular else "not regular"
    if judgment.most_leaked is not None:
        verdict += f", leaks at most {judgment.most_leaked:.4g} bits"
    figure.suptitle(unread(f"{title}: {verdict}"), wrap=True)
    return figure


def _ranges(axes: Axes, judgment: PriorJudgment) -> None:
    """Each probability as a dot on the range that regular priors allow it."""
    places = np.arange(judgment.space.size)
    law = judgment.prior.on(judgment.space)
    axes.vlines(places, judgment.least, judgment.most, color="0.8", linewidth=6,
                label="regular priors")
    inside = (law >= judgment.least) & (law <= judgment.most)
    axes.plot(places[inside], law[inside], "o", color=COLOR, label="this prior")
    if not inside.all():
        axes.plot(places[~inside], law[~inside], "o", color=_RED, label="out of range")
    if judgment.shares is not None and judgment.space.size in PLACES:
        axes.bar(places + 0.28, judgment.shares, 0.16, color=COLOR, alpha=0.35,
                 label="share of its corner")
    _name(axes, judgment)
    axes.set_ylabel("probability")
    axes.legend(frameon=False, fontsize="small", ncols=3, loc="lower left",
                bbox_to_anchor=(0.0, 1.0), borderaxespad=0.2)


def _shares(axes: Axes, judgment: PriorJudgment) -> None:
    """The shares of the corner priors, or why there are none."""
    axes.set_title("shares of the corner priors")
    if judgment.shares is None:
        axes.text(0.5, 0.5, "not a mixture of corner priors", ha="center", va="center",
                  transform=axes.transAxes, color=_RED)
        axes.set_xticks([])
        axes.set_yticks([])
        return
    axes.bar(np.arange(judgment.space.size), judgment.shares, color=COLOR, alpha=0.6)
    _name(axes, judgment)


def _name(axes: Axes, judgment: PriorJudgment) -> None:
    names = [shortened(label) for label in judgment.space.points]
    shown = named_positions(names)
    long = max(len(names[k]) for k in shown) > 3
    axes.set_xticks(shown, [names[k] for k in shown], rotation=90 if long else 0)
    axes.set_ylim(bottom=0)
