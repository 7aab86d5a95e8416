"""ECP, Figure 7: tight constraints against planar noise on 100 × 100 locations.

Gains of the planar Laplace and the planar geometric are computed in doubles; on grids of up
to 1,024 cells `design` proves both. Neither needs an adjusted ε.
"""

from __future__ import annotations

from tightrope.constructions import PlanarNoise, design
from tightrope.papers.ecp.curves import compared, solution_mean
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.plots import Chart, Panel, Tint, line
from tightrope.spaces import grid


def laplace_gain(epsilon: float, shape: tuple[int, int]) -> float:
    """The binary gain of the planar Laplace, uniform prior."""
    return PlanarNoise.laplace(epsilon, 1).gain(shape)


def geometric_gain(epsilon: float, shape: tuple[int, int]) -> float:
    """The binary gain of the planar geometric, uniform prior."""
    return PlanarNoise.geometric(epsilon, 1).gain(shape)


def _run(
    *,
    side: int = 100,
    absent: tuple[str, ...] = ("0.4", "0.665351"),
    present: tuple[str, ...] = ("0.665352", "0.7", "0.8", "1", "1.15", "1.3"),
) -> Finding:
    shape = side, side
    return compared(
        grid(shape),
        "the gain of the tight-constraints mechanism is plotted from ε = 0.4 to 1.3, above that "
        "of the planar Laplace",
        absent,
        present,
        {
            "planar Laplace": lambda epsilon: laplace_gain(epsilon, shape),
            "planar geometric": lambda epsilon: geometric_gain(epsilon, shape),
        },
        "below the endpoint some weights are negative; above it the mechanism is better, as the "
        "paper says. The planar Laplace over cells, truncated, needs no adjusted ε; its gain and "
        "that of the planar geometric are in doubles.",
    )


def _below(*, side: int = 100, levels: tuple[str, ...] = ("0.4", "0.6")) -> Finding:
    space, rows, possible, shown = grid((side, side)), [], True, True
    gains: dict[str, list[float]] = {"plotted": [], "most": [], "leveled": [], "planar": []}
    for epsilon in levels:
        rate = float(epsilon)
        made = design(space, epsilon, loss="binary", construction="exponential")
        most, plotted = 1 - (made.bound or 0.0), solution_mean(space, rate)
        leveled, planar = 1 - made.value, geometric_gain(rate, (side, side))
        possible = possible and plotted <= most
        shown = shown and leveled <= most < plotted
        for name, gain in zip(gains, (plotted, most, leveled, planar), strict=True):
            gains[name].append(gain)
        rows.append(
            f"at {epsilon} the solution of Φ w = 1 has the mean {plotted:.8f}, any private "
            f"mechanism gains at most {most:.8f}, the leveled exponential {leveled:.5f}, "
            f"the planar geometric {planar:.5f}"
        )
    return finding(
        "the curve of the tight-constraints mechanism goes on down to ε = 0.4",
        "; ".join(rows),
        possible,
        "below the endpoint what is plotted is the mean of a vector with negative entries, more "
        "than any mechanism gains; the bound is proved, the planar geometric is in doubles.",
        ours=shown,
        chart=_below_chart([float(epsilon) for epsilon in levels], gains),
    )


def _below_chart(levels: list[float], gains: dict[str, list[float]]) -> Chart:
    """Each gain as its share of the most that any mechanism gains: the excess is a millionth."""
    share = {name: [g / m for g, m in zip(each, gains["most"], strict=True)]
             for name, each in gains.items()}
    excess = [(g - m) / m for g, m in zip(gains["plotted"], gains["most"], strict=True)]
    panels = [
        Panel("share of the most that any mechanism gains", (
            line("as printed", levels, share["plotted"], Tint.WRONG),
            line("any private mechanism, at most", levels, share["most"]),
            line("leveled exponential", levels, share["leveled"], Tint.SECOND, dots=True),
            line("planar geometric", levels, share["planar"], Tint.THIRD, dots=True),
        ), "ε", "utility over its proved bound")]
    if min(excess) > 0:
        panels.append(Panel("what is printed beyond that", (
            line("as printed", levels, excess, Tint.WRONG, dots=True),
        ), "ε", "utility over its proved bound, minus 1", logarithmic=True))
    return Chart(tuple(panels), "the curve lies above the utility of every private mechanism."
                 if min(excess) > 0 else "")


ITEMS = (
    Item(
        "ecp",
        "figure-7-below",
        "100 × 100 locations below the endpoint: what any mechanism gains",
        Verdict.CORRECTED,
        _below,
        dropped={"side": 36, "levels": ("1",)},
        pictured=True,
    ),
    Item(
        "ecp",
        "figure-7",
        "100 × 100 locations: tight constraints against planar noise",
        Verdict.CORRECTED,
        _run,
        varied={"side": 8},
        dropped={"side": 2, "absent": ("0.4",), "present": ("1",)},  # all alike: at every level
        pictured=True,
    ),
)
