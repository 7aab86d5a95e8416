"""Binary gain against ε, with the levels shaded at which a mechanism does not exist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tightrope.plots import COLOR, blank

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class GainPanel:
    """Named curves of (ε, gain) from `start` on; the first exists from `endpoint` on only."""

    title: str
    curves: Mapping[str, Sequence[tuple[float, float]]]
    start: float
    endpoint: float


def gain_figure(panels: Sequence[GainPanel], title: str) -> Figure:
    """Panels side by side; the shaded levels are those without the first mechanism."""
    figure, axes = blank(4.0 * len(panels), 3.8, len(panels))
    for plot, panel in zip(axes, panels, strict=True):
        for style, (name, curve) in enumerate(panel.curves.items()):
            epsilons, gains = zip(*curve, strict=True)
            plot.plot(
                epsilons, gains, "o^sd"[style % 4] + "-", markersize=3, label=name,
                color=COLOR if style == 0 else f"C{style}",
            )
        plot.axvspan(panel.start, panel.endpoint, color="0.5", alpha=0.15, linewidth=0)
        plot.axvline(panel.endpoint, color=COLOR, linestyle=":", linewidth=1)
        plot.text(
            (panel.start + panel.endpoint) / 2, 0.97, "does not\nexist",
            transform=plot.get_xaxis_transform(), ha="center", va="top", fontsize=8,
        )
        plot.set_xlim(left=panel.start)
        plot.set_ylim(bottom=0)
        plot.set_xlabel("ε")
        plot.legend(frameon=False, fontsize="small", loc="lower right")
        plot.set_title(panel.title, wrap=True)
    axes[0].set_ylabel("binary gain, uniform prior")
    figure.suptitle(title, wrap=True)
    return figure
