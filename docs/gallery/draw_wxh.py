"""Draws the pictures of WXH's experiments anew, beside this file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tightrope.exact import Level
from tightrope.papers.wxh.linear_queries import QUERIES, density_steps, rate
from tightrope.papers.wxh.triangles import in_order, lower_rates, rates
from tightrope.plots import picture
from tightrope.theory.plots.rates import density_figure, rate_figure

HERE = Path(__file__).parent


def triangles() -> bytes:
    """Figure 6, both panels, with graphs of few edges first: the paper does not give its order."""
    epsilons, listed = np.arange(1, 41) / 10, in_order("sparse")
    upper = np.stack([rates(float(epsilon))[listed] for epsilon in epsilons])
    lower = np.stack([lower_rates(float(epsilon)) for epsilon in epsilons])
    figure = rate_figure(
        [("Theorem 2", upper), ("Theorem 3, δ = 1 for the first hundred", lower)],
        range(upper.shape[1]), epsilons.tolist(), across="graph, few edges first", up="ε",
        title="Triangles of 1,044 graphs: error over that of the ladder",
    )
    return picture(figure, "png")


def linear_rates() -> bytes:
    """Figure 7: the four queries, δ from 0 to 100, ε from 1/2 to 6."""
    deltas, epsilons = [0, 2, 5, 10, 20, 35, 50, 75, 100], np.arange(1, 13) / 2
    maps = []
    for name in QUERIES:
        table = [[rate(name, Level.epsilon(float(e)), d) for d in deltas] for e in epsilons]
        maps.append((name, np.array(table)))
    figure = rate_figure(
        maps, deltas, epsilons.tolist(), across="δ", up="ε",
        title="Linear queries: error of Theorem 3 over that of the best staircase",
    )
    return picture(figure, "png")


def linear_densities() -> bytes:
    """Figure 8: densities of the four queries at ε = 1 and δ = 10."""
    laws = [(name, *density_steps(name, Level.epsilon(1), 10, 3003)) for name in QUERIES]
    return picture(density_figure(laws, title="Densities of Theorem 3 at ε = 1, δ = 10"), "png")


if __name__ == "__main__":
    (HERE / "wxh-figure-8.png").write_bytes(linear_densities())
    (HERE / "wxh-figure-6.png").write_bytes(triangles())
    (HERE / "wxh-figure-7.png").write_bytes(linear_rates())
