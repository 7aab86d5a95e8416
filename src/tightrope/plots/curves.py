"""A released curve with its band, beside the errors for other numbers of knots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tightrope.plots.figures import COLOR, blank, named_positions, shortened, unread

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Line = Sequence[tuple[float, float]]

_RED = "#c0504d"


def curve_figure(
    times: Sequence[float],
    names: Sequence[str],
    curve: Sequence[float] | None,
    band: Sequence[tuple[float, float] | None],
    knots: Sequence[int],
    errors: Mapping[str, Line],
    *,
    title: str,
    chosen: int | None = None,
) -> Figure:
    """The curve over its times, its band and its knots; on the right, errors over knots.

    Without a curve, the errors alone. The last line of errors is drawn thick. Where there are no
    knots but coefficients of a basis, `chosen` is how many.
    """
    panels = (curve is not None) + (max(map(len, errors.values()), default=0) > 1) or 1
    figure, axes = blank(4.6 * panels + 1.6, 4.2, panels)
    if curve is not None:
        _curve(axes[0], times, curve, band, knots)
        places = named_positions(names)
        axes[0].set_xticks([times[k] for k in places], [shortened(names[k]) for k in places],
                           rotation=90 if len(names) > 8 else 0, fontsize="small")
    if panels == 2 or curve is None:
        _errors(axes[-1], errors, len(knots) if chosen is None else chosen)
    figure.suptitle(unread(title), wrap=True)
    return figure


def _curve(
    panel: Axes,
    times: Sequence[float],
    curve: Sequence[float],
    band: Sequence[tuple[float, float] | None],
    knots: Sequence[int],
) -> None:
    """Straight lines between knots; a shade where the band is known between, else bars at knots."""
    between = "band, between knots if the declaration holds" if knots else "band of the projection"
    panel.plot(times, curve, color=COLOR, linewidth=1.6, label="released curve")
    panel.plot([times[k] for k in knots], [curve[k] for k in knots], "o", color=COLOR,
               markersize=4)
    if len(knots) < len(times) and all(interval is not None for interval in band):
        lows, highs = zip(*(interval for interval in band if interval is not None), strict=True)
        panel.fill_between(list(times), lows, highs, color=COLOR, alpha=0.15, linewidth=0,
                           label=between)
    else:
        ends = [(times[k], interval) for k, interval in enumerate(band) if interval is not None]
        panel.vlines([at for at, _ in ends], [low for _, (low, _) in ends],
                     [high for _, (_, high) in ends], color=COLOR, alpha=0.4, label="band at knots")
    panel.set_xlabel("time")
    panel.set_ylabel("mean")
    panel.margins(x=0.02)
    panel.legend(frameon=False, fontsize="small")


def _errors(panel: Axes, errors: Mapping[str, Line], chosen: int) -> None:
    for position, (name, line) in enumerate(errors.items()):
        last = position == len(errors) - 1
        color = (_RED, "#999999", "#4f8f4f", COLOR)[position % 4] if not last else COLOR
        panel.plot(*zip(*line, strict=True), color=color, linewidth=2.0 if last else 1.0,
                   marker="o", markersize=2.5, label=name)
    panel.axvline(chosen, color=COLOR, linestyle=":", linewidth=1.0)
    panel.set_yscale("log")
    panel.set_xlabel(f"knots ({chosen} chosen)")
    panel.set_ylabel("mean error, at most")
    panel.legend(frameon=False, fontsize="small")
