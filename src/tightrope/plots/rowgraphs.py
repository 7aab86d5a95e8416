"""Row graphs as likelihood functions: one panel for each output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tightrope.mechanisms import FiniteMechanism
from tightrope.plots.figures import COLOR, blank, named_positions, shortened, unread
from tightrope.plots.heatmaps import log_probabilities
from tightrope.privacy import RowGraph

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PANELS = 5
"""Outputs that are drawn; of more, evenly chosen ones."""


def row_graph_figure(
    mechanism: FiniteMechanism, graphs: Sequence[RowGraph], title: str
) -> Figure:
    """Likelihoods of the inputs, given an output, joined by the tight pairs.

    Dark lines are tight: the likelihood falls by the whole e^(ε d). Light ones are pairs with
    room to spare. If the dark lines connect all inputs, they say everything about the output.
    """
    step = -(-len(graphs) // MOST_PANELS)
    shown = list(graphs)[::step]
    figure, axes = blank(max(3.2, 2.6 * len(shown)), 3.4, len(shown))
    logs = log_probabilities(mechanism)
    place = {output: z for z, output in enumerate(mechanism.outputs)}
    for panel, graph in zip(axes, shown, strict=True):
        _panel(panel, mechanism, graph, logs[:, place[graph.output]])
    lowest = min(panel.get_ylim()[0] for panel in axes)
    for panel in axes:
        panel.set_ylim(lowest, -lowest / 20)
    axes[0].set_ylabel("log10 of the likelihood, largest = 0")
    note = "" if step == 1 else f" ({len(shown)} of {len(graphs)} outputs)"
    figure.suptitle(unread(title + note), wrap=True)
    return figure


def _panel(axes: Axes, mechanism: FiniteMechanism, graph: RowGraph, logs: object) -> None:
    heights = np.asarray(logs, dtype=np.float64)
    heights = heights - heights.max()
    tight = {frozenset(edge) for edge in graph.edges}
    for i, j in mechanism.space.edges():
        strong = frozenset((i, j)) in tight
        axes.plot(
            [i, j], [heights[i], heights[j]], zorder=2 if strong else 1,
            color=COLOR if strong else "#d0d0d0", linewidth=2.0 if strong else 0.8,
        )
    axes.plot(range(len(heights)), heights, "o", color=COLOR, markersize=5, zorder=3)
    names = [shortened(label, 8) for label in mechanism.space.points]
    places = named_positions(names)
    axes.set_xticks(places, [names[i] for i in places], fontsize="small")
    axes.set_xlabel("input")
    kind = "connected" if graph.connected else "not connected"
    axes.set_title(f"output {shortened(graph.output, 10)}: {kind}", fontsize="small")
