"""What `inspect` says about generality: row graphs, the best coefficient, the trade-off curve."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tightrope.errors import Refused

if TYPE_CHECKING:
    from tightrope.exact import Level
    from tightrope.mechanisms import FiniteMechanism
    from tightrope.spaces import Space

MOST_GRAPHS = 64
"""Outputs whose row graphs are listed, at most."""
MOST_EDGES = 20_000
"""Irreducible pairs times outputs of row graphs that are listed, at most."""


def row_graphs_json(matrix: FiniteMechanism, space: Space, level: Level) -> list[dict[str, Any]]:
    """The row graph of every output that occurs: its tight pairs, the likelier input first."""
    from tightrope.documents import label_to_json
    from tightrope.privacy import exact_margin, row_graphs

    work = len(space.edges()) * len(matrix.outputs)
    if len(matrix.outputs) > MOST_GRAPHS or work > MOST_EDGES:
        raise Refused(
            f"too many to list: {len(matrix.outputs):,} outputs and {work:,} pairs, the limits "
            f"are {MOST_GRAPHS} and {MOST_EDGES:,}."
        )
    points = space.points
    return [
        {
            "output": label_to_json(graph.output),
            "connected": graph.connected,
            "edges": [[label_to_json(points[i]), label_to_json(points[j])] for i, j in graph.edges],
        }
        for graph in row_graphs(matrix, space, level, margin=exact_margin(space, level))
    ]


def best_dobrushin(space: Space, level: Level) -> float:
    """The best Dobrushin coefficient of any mechanism at the level, on a relation."""
    from tightrope.exact import Surd
    from tightrope.spaces import pair_classes
    from tightrope.utility import dobrushin_optimum

    steps = space.diameter.rational
    if steps is None or pair_classes(space, space.edges())[0] != [Surd.of(1)]:
        raise Refused(f"{space.text} is no relation: the best coefficient is not known.")
    if space.neighbors is None:
        raise Refused(f"{space.text} declares no neighbors: the best coefficient is not known.")
    return float(dobrushin_optimum(int(steps), level.pure)[1])


def tradeoff_corners(matrix: FiniteMechanism, space: Space) -> list[tuple[float, float]]:
    """The corners of the trade-off curve of the neighbors that are told apart best."""
    from tightrope.privacy import delta_curve, tradeoff_curve

    sides = delta_curve(matrix, space).sides

    def apart(side: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]) -> Fraction:
        return sum((max(Fraction(0), a - b) for a, b in zip(*side, strict=True)), Fraction(0))

    first, second = max(sides, key=apart)
    return [(float(a), float(b)) for a, b in tradeoff_curve(first, second).knots]
