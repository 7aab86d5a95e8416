"""A mechanism as a heat map of log-probabilities, beside its δ(ε) curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tightrope.characters import shorten
from tightrope.mechanisms import (
    FiniteMechanism,
    Held,
    Mechanism,
    finite,
    mechanism_of,
    written_out,
)
from tightrope.plots.figures import COLOR, blank, named_positions, shortened, unread

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Curve = Sequence[tuple[float, float]]


def mechanism_figure(
    mechanism: Mechanism | Held, title: str = "", *, curve: Curve | None = None
) -> Figure:
    """Probabilities of every input (row) and output (column), on a logarithmic scale.

    With a curve of (ε, δ) points, a second panel shows the smallest δ for every ε. Entries
    that are zero stay white.

    Returns: a matplotlib `Figure` with one panel, or two with a curve.

    Raises: `TooLarge` where the mechanism has more entries than a matrix may have; `CannotCheck`
    where it has no matrix.

    >>> from tightrope.mechanisms import MatrixMechanism
    >>> coin = MatrixMechanism.of([["2/3", "1/3"], ["1/3", "2/3"]], "categories:2")
    >>> mechanism_figure(coin, "A coin").axes[0].get_xlabel()
    'output'
    """
    matrix = finite(mechanism_of(mechanism))
    figure, axes = blank(10.5 if curve else 6.5, 4.8, 2 if curve else 1)
    _heat_map(figure, axes[0], matrix)
    if curve:
        _delta_curve(axes[1], curve)
    figure.suptitle(unread(title or shorten(matrix.space.text)), wrap=True)
    return figure


def log_probabilities(mechanism: FiniteMechanism) -> NDArray[np.float64]:
    """log10 of every probability, however small; minus infinity for zero."""
    heads, powers = written_out(mechanism).weights.scaled
    with np.errstate(divide="ignore"):
        logs: NDArray[np.float64] = (np.log2(heads) + powers) * np.log10(2)
    return logs


def _heat_map(figure: Figure, axes: Axes, mechanism: FiniteMechanism) -> None:
    logs = log_probabilities(mechanism)
    shown = np.ma.masked_invalid(logs)
    image = axes.imshow(shown, cmap="viridis", aspect="auto", interpolation="nearest")
    outputs = [shortened(label) for label in mechanism.outputs]
    inputs = [shortened(label) for label in mechanism.space.points]
    places = named_positions(outputs)
    long = max(len(outputs[i]) for i in places) > 4 and len(places) > 4
    axes.set_xticks(places, [outputs[i] for i in places], rotation=90 if long else 0)
    places = named_positions(inputs)
    axes.set_yticks(places, [inputs[i] for i in places])
    axes.set_xlabel("output")
    axes.set_ylabel("input")
    axes.set_title("probability of each output, given the input")
    for spine in axes.spines.values():
        spine.set_visible(False)
    bar = figure.colorbar(image, ax=axes)
    bar.set_label("log10 of the probability")
    bar.outline.set_visible(False)


def _delta_curve(axes: Axes, curve: Curve) -> None:
    epsilons, deltas = zip(*curve, strict=True)
    axes.plot(epsilons, deltas, color=COLOR)
    axes.fill_between(epsilons, deltas, color=COLOR, alpha=0.12, linewidth=0)
    axes.set_xlim(0, max(epsilons))
    axes.set_ylim(0, None)
    axes.set_xlabel("ε (nats, between neighbors)")
    axes.set_ylabel("smallest δ")
    axes.set_title("(ε, δ) pairs on or above the line hold")
    axes.grid(alpha=0.3)
