"""ECP, Figures 6(a) and 6(b): tight constraints against the geometric, for two queries."""

from __future__ import annotations

from math import exp, tanh

from tightrope.papers.ecp.curves import compared
from tightrope.papers.item import Finding, Item, Verdict
from tightrope.spaces import Space, counts, sums

_REASON = (
    "coefficients of the uniform prior down to -1e-4 were taken for zero; below the endpoint "
    "the plotted gain is the mean of a vector with negative entries. Where it is valid, tight "
    "constraints beat the geometric as the paper says."
)


def truncated_gain(size: int, rate: float) -> float:
    """The binary gain of the truncated geometric on a path, uniform prior: no remap is better."""
    return ((size - 2) * tanh(rate / 2) + 2 / (1 + exp(-rate))) / size


def sum_geometric(epsilon: float, space: Space, maximum: int) -> float:
    """That of the geometric for the sum query, with ε/maximum per unit."""
    return truncated_gain(space.size, epsilon / maximum)


def counts_geometric(epsilon: float, people: int) -> float:
    """That of two geometrics for the 2-count query, with ε/2 for each count."""
    return truncated_gain(people + 1, epsilon / 2) ** 2


def _sum(
    *,
    people: int = 150,
    maximum: int = 5,
    absent: tuple[str, ...] = ("0.8", "0.9", "0.968133"),
    present: tuple[str, ...] = ("0.968134", "1", "1.1", "1.2", "1.3"),
) -> Finding:
    space = sums(people=people, maximum=maximum)
    return compared(
        space,
        "the mechanism exists from ε = 0.8 on, and its gain is plotted from there to 1.3",
        absent,
        present,
        {"geometric": lambda epsilon: sum_geometric(epsilon, space, maximum)},
        _REASON,
    )


def _two_counts(
    *,
    people: int = 30,
    absent: tuple[str, ...] = ("0.9", "1", "1.1", "1.136080"),
    present: tuple[str, ...] = ("1.136081", "1.15", "1.2", "1.25", "1.3"),
) -> Finding:
    return compared(
        counts(people=people, queries=2),
        "the mechanism exists from ε = 0.9 on, and its gain is plotted from there to 1.3",
        absent,
        present,
        {"geometric": lambda epsilon: counts_geometric(epsilon, people)},
        _REASON,
    )


ITEMS = (
    Item(
        "ecp",
        "figure-6a",
        "The sum query: tight constraints against the geometric",
        Verdict.CORRECTED,
        _sum,
        varied={"people": 12},
        dropped={"people": 12, "maximum": 1, "absent": ("0.8",), "present": ("1",)},  # a count
        pictured=True,
    ),
    Item(
        "ecp",
        "figure-6b",
        "The 2-count query: tight constraints against the geometric",
        Verdict.CORRECTED,
        _two_counts,
        varied={"people": 4},
        dropped={"people": 1, "absent": ("0.9",), "present": ("1",)},  # one person: four points
        pictured=True,
    ),
)
