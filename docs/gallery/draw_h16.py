"""Draws the level sets of the optimal design anew, beside this file (H16, Figure 6.1)."""

from __future__ import annotations

from fractions import Fraction
from math import exp
from pathlib import Path

from tightrope.plots import picture
from tightrope.plots.surveys import level_sets_figure
from tightrope.surveys import switching_prevalence, thesis_g

HERE = Path(__file__).parent
PREVALENCES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)


def level_sets() -> bytes:
    """Where the best design changes: as printed, and over the whole feasible region."""
    across = [k / 20 for k in range(1, 61)]
    upward = [k / 100 for k in range(1, 51)]
    panels = []
    for title, switch in (
        ("as printed: π = g(ε, δ)", thesis_g),
        ("all designs: π = δ(r + δ)/(r - 1 + 2δ)²", switching_prevalence),
    ):
        values = [
            [float(switch(Fraction(exp(epsilon)), Fraction(delta))) for epsilon in across]
            for delta in upward
        ]
        panels.append((title, values))
    return picture(level_sets_figure(across, upward, panels, PREVALENCES), "png")


if __name__ == "__main__":
    (HERE / "h16-figure-6.1.png").write_bytes(level_sets())
