"""H16, Figure 2.3: densities of neighbors, and what (ε, δ) bounds of them.

A density is constant on cells. The neighbor moves a share δ of its mass into a few cells: the
probability of no event changes by more than δ, but the density there grows without bound.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, pairwise
from math import exp

from tightrope.exact import Level, Surd, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.plots import Chart, Panel, Ribbon, Stairs, Tint, line
from tightrope.privacy import delta_curve
from tightrope.spaces import categories

F = Fraction
_REACH, _SCALE = 8, 2
_TICKS = ((-6.0, "Q(d) - 6"), (-3.0, "Q(d) - 3"), (0.0, "Q(d)"), (3.0, "Q(d) + 3"),
          (6.0, "Q(d) + 6"))
Law = list[Fraction]


def _run(
    *, epsilon: int = 1, delta: Fraction = F(1, 20), fineness: int = 4, cells: int = 1
) -> Finding:
    ratio = Level.epsilon(epsilon).ratio_below(Surd.of(1))
    width, count = F(1, fineness), 2 * _REACH * fineness
    edges = [k * width - _REACH for k in range(count + 1)]
    heights = [F(exp(-abs(float(low + width / 2)) / _SCALE)) for low in edges[:-1]]
    law = [height / sum(heights) for height in heights]
    first = (count - cells) * 3 // 4
    spot = range(first, first + cells)
    neighbor = [(1 - delta) * p + (delta / cells if k in spot else 0) for k, p in enumerate(law)]
    both = MatrixMechanism(categories(2), tuple(range(count)),
                           Weights.from_fractions([law, neighbor]))
    needed = delta_curve(both, both.space).at_ratio(ratio)
    low = [max(F(0), (p - delta * width) / ratio) for p in law]
    high = [ratio * p + delta * width for p in law]
    outside = [k for k, q in enumerate(neighbor) if not low[k] <= q <= high[k]]
    below, sums, above = _cumulative(law, ratio, delta)
    moved = [F(0), *accumulate(neighbor)]
    inside = all(a <= f <= b for a, f, b in zip(below, moved, above, strict=True))
    peak = max((neighbor[k] for k in outside), default=F(0)) / width
    private = 0 < needed <= delta
    name, left = f"of a {'private ' if private else ''}neighbor", bool(outside) and private
    chart = Chart((
        Panel("densities", (
            Ribbon("the shaded region as printed", *_steps(edges, low, high, width),
                   Tint.WRONG if left else Tint.FAINT),
            _density("of d", law, edges, Tint.FAINT),
            _density(name, neighbor, edges, Tint.MAIN),
        ), "", "density", ticks=_TICKS),
        Panel("distribution functions", (
            Ribbon("what (ε, δ) allows", _floats(edges), _floats(below), _floats(above)),
            line("of d", edges, sums, Tint.FAINT), line(name, edges, moved),
        ), "", "probability up to here", ticks=_TICKS),
    ), f"δ bounds probabilities, not densities: this neighbor is private for ε = {epsilon} and "
       f"δ = {float(delta):g}, and its density leaves the shaded region." if left else "")
    return finding(
        "for (ε, δ)-privacy the densities of neighbors have to lie in the region around that of d",
        f"ε = {epsilon}, δ = {delta}: a neighbor that needs δ = {float(needed):.4f} only "
        f"leaves the region in {len(outside)} of {count} cells of width {width}, up to the "
        f"density {float(peak):.4f}; its distribution function stays in its own: {inside}",
        not outside,
        "a density is no probability: mass δ on a narrow cell is allowed. Distribution functions "
        "are probabilities, and bounded.",
        ours=private and inside,
        chart=chart,
    )


def _cumulative(law: Law, ratio: Fraction, delta: Fraction) -> tuple[Law, Law, Law]:
    """The least, the own and the largest distribution function that (ε, δ) allows a neighbor."""
    sums = [F(0), *accumulate(law)]
    low = [max(F(0), (f - delta) / ratio, 1 - ratio * (1 - f) - delta) for f in sums]
    high = [min(F(1), ratio * f + delta, 1 - (1 - f - delta) / ratio) for f in sums]
    return low, sums, high


def _floats(numbers: Law) -> tuple[float, ...]:
    return tuple(map(float, numbers))


def _density(name: str, law: Law, edges: Law, tint: Tint) -> Stairs:
    width = edges[1] - edges[0]
    return Stairs(name, _floats(edges), _floats([p / width for p in law]), tint, filled=False)


def _steps(
    edges: Law, low: Law, high: Law, width: Fraction
) -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
    """Both ends of every cell, with the densities between which the printed region lies."""
    ends = [end for cell in pairwise(edges) for end in cell]
    twice = [[p / width for p in side for _ in range(2)] for side in (low, high)]
    return _floats(ends), _floats(twice[0]), _floats(twice[1])


ITEM = Item("h16", "figure-2.3", "Densities of neighbors", Verdict.CORRECTED, _run,
            varied={"cells": 2}, dropped={"cells": 60}, pictured=True)
