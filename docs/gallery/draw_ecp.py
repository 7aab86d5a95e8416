"""Draws the regions of regular priors anew, beside this file (ECP, Figures 2 and 3)."""

from __future__ import annotations

from pathlib import Path

from tightrope.exact import Level
from tightrope.plots import picture, regular_priors_figure
from tightrope.spaces import categories, cycle, path

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


if __name__ == "__main__":
    (HERE / "ecp-regular-priors.png").write_bytes(regions())
