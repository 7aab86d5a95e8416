"""WXH, Section 6.1 and Figure 6: triangles of the 1,044 graphs on 7 nodes.

Outputs are the 28 numbers of triangles that occur. Both mechanisms weigh set i by e^(-iε),
so both are below 2ε; the rate is the quotient of expected errors, Theorem 2 over the ladder.
The lower panel has Theorem 3 instead, with δ = 1 for the first hundred graphs. The paper does
not say which these are; lists of graphs mostly begin with those of few edges.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tightrope.constructions import SetSequences, ladder, privacy_first
from tightrope.errors import BadInput
from tightrope.exact import IntArray, Level
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.plots import Chart, Heat, Panel
from tightrope.spaces import triangle_query


@lru_cache(maxsize=2)
def sequences(nodes: int = 7) -> tuple[SetSequences, SetSequences]:
    """Theorem 2 and the ladder for the graphs on so many nodes."""
    query = triangle_query(nodes)
    return privacy_first(query), ladder(query)


def rates(epsilon: float, nodes: int = 7) -> NDArray[np.float64]:
    """Expected error of Theorem 2 over that of the ladder, for every graph."""
    theorem, rungs = sequences(nodes)
    ratio = float(np.exp(epsilon))
    quotient: NDArray[np.float64] = theorem.distortion(ratio) / rungs.distortion(ratio)
    return quotient


def in_order(order: str, nodes: int = 7) -> IntArray:
    """The numbers of all graphs on so many nodes: few edges first, or many (`dense`)."""
    edges = [int(str(mask)).bit_count() for mask in triangle_query(nodes).datasets.points]
    sign = {"sparse": 1, "dense": -1}.get(order)
    if sign is None:
        raise BadInput(f"there is no order {order[:40]!r}; expected sparse or dense.")
    return np.argsort(sign * np.array(edges), kind="stable")


def lower_rates(
    epsilon: float, nodes: int = 7, *, order: str = "sparse", graphs: int = 100, delta: int = 1
) -> NDArray[np.float64]:
    """Error of Theorem 3 over that of the ladder for every graph, in order; δ for the first."""
    theorem, listed = _with_delta(nodes, order, graphs, delta), in_order(order, nodes)
    ratio = float(np.exp(epsilon))
    quotient: NDArray[np.float64] = (
        theorem.distortion(ratio) / sequences(nodes)[1].distortion(ratio)
    )
    return quotient[listed]


@lru_cache(maxsize=4)
def _with_delta(nodes: int, order: str, graphs: int, delta: int) -> SetSequences:
    query, first = triangle_query(nodes), set(in_order(order, nodes)[:graphs].tolist())
    radii = [Fraction(delta * (x in first)) for x in range(query.datasets.size)]
    return privacy_first(query, radii)


_PLOTTED = tuple(f"{k / 10:g}" for k in range(1, 41))


def _heat(title: str, rows: dict[str, NDArray[np.float64]]) -> Chart:
    """The rate at every graph (across) and ε (up), as the paper colors it."""
    columns = tuple(float(k) for k in range(1, len(next(iter(rows.values()))) + 1))
    values = tuple(tuple(map(float, rates)) for rates in rows.values())
    heat = Heat(columns, tuple(map(float, rows)), values)
    return Chart((Panel(title, (heat,), "graph", "ε"),))


def _worse(
    *,
    nodes: int = 7,
    graphs: int = 100,
    delta: int = 1,
    order: str = "sparse",
    epsilons: tuple[str, ...] = _PLOTTED,
) -> Finding:
    rows = {epsilon: lower_rates(float(epsilon), nodes, order=order, graphs=graphs, delta=delta)
            for epsilon in epsilons}
    worse = {epsilon: int((rates[:graphs] > 1).sum()) for epsilon, rates in rows.items()}
    most = sum(2 * count > graphs for count in worse.values())
    shown = list(worse.items())[:: max(1, len(worse) // 8)]
    return finding(
        "lower panel: with δ = 1 for a hundred graphs, Theorem 3 is worse than the ladder for "
        "these graphs and most ε",
        f"of the first {graphs} graphs ({order} first, δ = {delta}) worse on more than half at "
        f"{most} of {len(epsilons)} values of ε; on "
        + ", ".join(f"{count} at ε = {epsilon}" for epsilon, count in shown),
        2 * most > len(epsilons),
        "which hundred is not said: with graphs of few edges first it is so from about ε = 1.4 on "
        "and not below, with those of many edges first from about 2.7 on.",
        chart=_heat(f"Theorem 3, δ = {delta} for the first {graphs}", rows),
    )


def _better(*, nodes: int = 7, epsilons: tuple[str, ...] = _PLOTTED) -> Finding:
    query = sequences(nodes)[0].query
    size, outputs = query.datasets.size, query.codomain.size
    listed = in_order("sparse", nodes)
    rows = {epsilon: rates(float(epsilon), nodes)[listed] for epsilon in epsilons}
    better = {epsilon: int((each < 1).sum()) for epsilon, each in rows.items()}
    large = {epsilon: count for epsilon, count in better.items() if float(epsilon) >= _HALF}
    shown = ", ".join(f"{better[epsilon]} at ε = {epsilon}"
                      for epsilon in ("0.5", "1", "2", "3") if epsilon in better)
    return finding(
        "|D| = 1044, |R| = 28; Theorem 2 is better than the ladder for most graphs when ε >= 0.5",
        f"{size} graphs, {outputs} counts; better on {shown}; on {min(large.values())} or more at "
        f"all {len(large)} values of ε from 0.5 on",
        (size, outputs) == (1044, 28) and min(large.values()) > size / 2,
        "every graph and output enumerated; graphs of few edges come first, as the paper does not "
        "give its order.",
        chart=_heat("Theorem 2", rows),
    )


_HALF = 0.5


def _levels(*, nodes: int = 7, epsilon: Fraction = Fraction(1)) -> Finding:
    level = Level.epsilon(epsilon)
    levels = [sets.exact_level(sets.root(level)) for sets in sequences(nodes)]
    return finding(
        "both mechanisms are 2ε-differentially private",
        f"at ε = {epsilon}, exactly {levels[0].upper:.6f} (Theorem 2) and {levels[1].upper:.6f} "
        "(ladder)",
        all(sets.upper < 2 * epsilon for sets in levels),
        "2ε is a supremum that no finite case attains; normalizers of neighbors differ by less "
        "than e^ε.",
    )


ITEMS = (
    Item(
        "wxh",
        "figure-6",
        "Triangles: Theorem 2 against the ladder",
        Verdict.CONFIRMED,
        _better,
        varied={"nodes": 5},
        pictured=True,
    ),
    Item(
        "wxh",
        "figure-6-lower",
        "Triangles: Theorem 3 against the ladder",
        Verdict.CONFIRMED,
        _worse,
        varied={"nodes": 5, "graphs": 10},
        dropped={"order": "dense"},
        pictured=True,
    ),
    Item(
        "wxh",
        "theorem-2-levels",
        "Exact levels on the graphs of 7 nodes",
        Verdict.CONFIRMED,
        _levels,
        varied={"nodes": 5},
    ),
)
