"""ECP, Section 7: binary gains of tight-constraints mechanisms over a range of levels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tightrope.constructions import tight_weights
from tightrope.errors import Infeasible
from tightrope.exact import Level
from tightrope.kernels import grid_floats
from tightrope.papers.item import Finding, finding
from tightrope.plots import Chart, Panel, Span, Tint, line
from tightrope.spaces import Lattice, Metric, Space


@dataclass(frozen=True)
class Curve:
    """Gains for the uniform prior at the levels that have a mechanism, and the levels without.

    Both are proved: weights are known to be positive, or one of them to be negative.
    """

    gains: Mapping[str, float]
    refused: tuple[str, ...]


def curve(space: Space, epsilons: Sequence[str]) -> Curve:
    """The gain Σ w / n of the tight-constraints mechanism at every level that has one."""
    gains, refused = {}, []
    for epsilon in epsilons:
        try:
            low, high = tight_weights(space, Level.epsilon(epsilon)).total
        except Infeasible:
            refused.append(epsilon)
            continue
        gains[epsilon] = float((low + high) / 2 / space.size)
    return Curve(gains, tuple(refused))


def solution_mean(space: Space, epsilon: float) -> float:
    """The mean of the solution of Φ w = 1 in doubles, whatever its signs: what the paper plots."""
    if isinstance(space, Lattice) and space.norm.metric is Metric.EUCLIDEAN:
        return float(grid_floats(space, epsilon).mean())
    i, j = np.indices((space.size, space.size))
    kernel = np.exp(-epsilon * space.lengths(i.ravel(), j.ravel()).reshape(i.shape))
    return float(np.linalg.solve(kernel, np.ones(space.size)).mean())


def compared(
    space: Space,
    published: str,
    absent: Sequence[str],
    present: Sequence[str],
    others: Mapping[str, Callable[[float], float]],
    reason: str,
) -> Finding:
    """The curve beside other mechanisms; `absent` ends, and `present` begins, at the endpoint."""
    tried = curve(space, [*absent, *present])
    as_expected = tried.refused == tuple(absent)
    beside = {name: {epsilon: other(float(epsilon)) for epsilon in (*absent, *present)}
              for name, other in others.items()}
    rows, better = [], True
    for epsilon, gain in tried.gains.items():
        better = better and gain > max(gains[epsilon] for gains in beside.values())
        against = ", ".join(f"{gains[epsilon]:.6f}" for gains in beside.values())
        rows.append(f"at {epsilon} {gain:.6f} ({against})")
    printed = {epsilon: solution_mean(space, float(epsilon)) for epsilon in tried.refused}
    return finding(
        published,
        f"none at {', '.join(tried.refused) or 'no level tried'}; exists at "
        f"{', '.join(tried.gains) or 'no level tried'}: all proved; gain, and that of the "
        f"{' and the '.join(others)}: {'; '.join(rows)}",
        not tried.refused and better,
        reason,
        ours=as_expected and better,
        chart=_chart(tried, printed, beside),
    )


def _chart(
    tried: Curve, printed: Mapping[str, float], beside: Mapping[str, Mapping[str, float]]
) -> Chart:
    """Utility against ε, as the paper plots it; red where its mechanism does not exist."""
    marks = [line("tight constraints", [float(e) for e in tried.gains], [*tried.gains.values()],
                  dots=True)]
    for tint, (name, gains) in zip((Tint.SECOND, Tint.THIRD), beside.items(), strict=False):
        marks.append(line(name, [float(e) for e in gains], [*gains.values()], tint, dots=True))
    wrong = ""
    spans: tuple[Span, ...] = ()
    if printed:
        marks.append(line("as printed: no mechanism", [float(e) for e in printed],
                          [*printed.values()], Tint.WRONG))
        last = max(map(float, printed))
        spans = (Span(min(map(float, printed)), last, "does not\nexist"),)
        wrong = (f"up to ε = {last:g} the solution of Φ w = 1 has negative entries (proved), so "
                 "its mean is the utility of no mechanism.")
    return Chart((Panel("uniform prior, optimal remap", (*marks, *spans), "ε", "utility",
                        heights=(0.0, 1.1 * max(y for mark in marks for _, y in mark.points))),),
                 wrong)
