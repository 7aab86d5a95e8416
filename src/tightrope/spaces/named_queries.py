"""Queries that have a name: sums and such of tuples of numbers, counts of small graphs."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from tightrope.characters import meant
from tightrope.choices import Count, member_of
from tightrope.errors import BadInput
from tightrope.spaces.positions import points as points_on_a_line
from tightrope.spaces.protocol import Label, Space
from tightrope.spaces.sensitivity import MetricQuery, metric_query
from tightrope.spaces.small_graphs import all_counts
from tightrope.spaces.unlabeled_graphs import nodes_of, unlabeled_graphs


def _median(values: tuple[int, ...]) -> int:
    return sorted(values)[(len(values) - 1) // 2]


OF_TUPLES: dict[str, Callable[[tuple[int, ...]], int]] = {
    "sum": sum,
    "largest": max,
    "smallest": min,
    "median": _median,
    "distinct": lambda values: len(set(values)),
}
"""Queries on tuples of whole numbers, such as the answers of several people."""


def named_query(name: str, datasets: Space) -> Callable[[Label], Label]:
    """The function of that name on these datasets.

    >>> from tightrope.spaces import parse
    >>> named_query("sum", parse("hamming:values=3,people=2"))((2, 1))
    3
    >>> named_query("triangles", parse("graphs:3"))(0b111)
    1
    """
    nodes = nodes_of(datasets)
    if nodes is not None and name in (*Count,):
        counts = all_counts(nodes, Count(name))
        return lambda graph: int(counts[graph])  # type: ignore[index]
    if name == "identity":
        return lambda label: label
    if name in OF_TUPLES and all(_is_tuple(label) for label in datasets.points):
        return OF_TUPLES[name]  # type: ignore[return-value]
    known = [*OF_TUPLES, *Count, "identity"]
    if name in known:
        what = "of the unlabeled graphs graphs:N" if name in (*Count,) else "of tuples of numbers"
        raise BadInput(f"{name} is a query {what}, which {datasets.text} has not.")
    raise BadInput(
        f"there is no query {name[:60]!r}; expected a file, or one of {', '.join(known)}"
        f"{meant(name, known)}."
    )


def _is_tuple(label: Any) -> bool:
    return isinstance(label, tuple) and bool(label) and all(type(part) is int for part in label)


@lru_cache(maxsize=8)
def count_query(nodes: int, count: Count | str) -> MetricQuery:
    """A count of unlabeled graphs; the outputs are the numbers that occur.

    Its set sequences (`privacy_first`) are the table that Algorithm 1 of WXH makes.

    >>> count_query(4, "triangles").codomain.points, count_query(4, "stars3").codomain.points
    ((0, 1, 2, 4), (0, 1, 2, 4))
    """
    space, known = unlabeled_graphs(nodes), all_counts(nodes, member_of(Count, count))
    counts = {mask: int(known[mask]) for mask in space.points if isinstance(mask, int)}
    attained = sorted(set(counts.values()))
    line = points_on_a_line(attained, [(value,) for value in attained])
    return metric_query(space, line, lambda mask: counts[mask] if isinstance(mask, int) else mask)


def triangle_query(nodes: int) -> MetricQuery:
    """The number of triangles of unlabeled graphs; the outputs are the numbers that occur.

    >>> triangle_query(4).codomain.points
    (0, 1, 2, 4)
    """
    return count_query(nodes, Count.TRIANGLES)
