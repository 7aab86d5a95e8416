"""Draws the regions of regular priors and the gains anew (ECP, Figures 2, 3, 6 and 7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tightrope.exact import Level
from tightrope.papers.ecp import locations, queries
from tightrope.papers.ecp.curves import curve
from tightrope.plots import picture
from tightrope.spaces import Space, categories, cycle, path
from tightrope.theory.plots.gains import GainPanel, gain_figure
from tightrope.theory.plots.regions import regular_priors_figure

HERE = Path(__file__).parent


def regions() -> bytes:
    """Three points in a line and in a circle, and four at equal distances."""
    figure = regular_priors_figure(
        [
            ("three points in a line", path(0, 2)),
            ("three points in a circle", cycle(3)),
            ("four points at distance 1", categories(4)),
        ],
        [Level.epsilon("0.7"), Level.epsilon("1.6")],
        "Regular priors: mixtures of the corner priors",
    )
    return picture(figure, "png")


def _panel(
    title: str,
    space: Space,
    start: float,
    levels: Sequence[str],
    others: dict[str, Callable[[float], float]],
) -> GainPanel:
    """The gains where they are valid, those of the others over the published range."""
    tight = [(float(epsilon), gain) for epsilon, gain in curve(space, levels).gains.items()]
    steps = [start + k * (1.3 - start) / 12 for k in range(13)]
    beside = {name: [(x, gain(x)) for x in steps] for name, gain in others.items()}
    return GainPanel(title, {"tight constraints": tight} | beside, start, tight[0][0])


def gains() -> bytes:
    """Figures 6(a), 6(b) and 7, each over the published range."""
    figure = gain_figure(
        [
            _panel("6(a): sum of 150 values up to 5", queries.SUM, 0.8,
                   ("0.968134", "1", "1.05", "1.1", "1.15", "1.2", "1.25", "1.3"),
                   {"geometric": queries.sum_geometric}),
            _panel("6(b): two counts of 30 people", queries.TWO_COUNTS, 0.9,
                   ("1.136081", "1.15", "1.175", "1.2", "1.225", "1.25", "1.275", "1.3"),
                   {"geometric": queries.counts_geometric}),
            _panel("7: 100 × 100 locations", locations.LOCATIONS, 0.4,
                   ("0.665352", "0.7", "0.8", "0.9", "1", "1.1", "1.2", "1.3"),
                   {"planar geometric": locations.geometric_gain,
                    "planar Laplace": locations.laplace_gain}),
        ],
        "Tight constraints where they exist (ECP, Figures 6 and 7)",
    )
    return picture(figure, "png")


if __name__ == "__main__":
    (HERE / "ecp-gains.png").write_bytes(gains())
    (HERE / "ecp-regular-priors.png").write_bytes(regions())
