"""ECP, Figures 6(a) and 6(b): tight constraints against the geometric, for two queries."""

from __future__ import annotations

from math import exp, tanh

from tightrope.papers.ecp.curves import compared
from tightrope.papers.item import Finding, Item, Verdict
from tightrope.spaces import counts, sums

SUM = sums(people=150, maximum=5)
TWO_COUNTS = counts(people=30, queries=2)

_REASON = (
    "coefficients of the uniform prior down to -1e-4 were taken for zero; below the endpoint "
    "the plotted gain is the mean of a vector with negative entries. Where it is valid, tight "
    "constraints beat the geometric as the paper says."
)


def truncated_gain(size: int, rate: float) -> float:
    """The binary gain of the truncated geometric on a path, uniform prior: no remap is better."""
    return ((size - 2) * tanh(rate / 2) + 2 / (1 + exp(-rate))) / size


def sum_geometric(epsilon: float) -> float:
    """That of the geometric for the sum query, with ε/5 per unit."""
    return truncated_gain(SUM.size, epsilon / 5)


def counts_geometric(epsilon: float) -> float:
    """That of two geometrics for the 2-count query, with ε/2 for each count."""
    return truncated_gain(31, epsilon / 2) ** 2


def _sum() -> Finding:
    return compared(
        SUM,
        "the mechanism exists from ε = 0.8 on, and its gain is plotted from there to 1.3",
        ("0.8", "0.9", "0.968133"),
        ("0.968134", "1", "1.1", "1.2", "1.3"),
        {"geometric": sum_geometric},
        _REASON,
    )


def _two_counts() -> Finding:
    return compared(
        TWO_COUNTS,
        "the mechanism exists from ε = 0.9 on, and its gain is plotted from there to 1.3",
        ("0.9", "1", "1.1", "1.136080"),
        ("1.136081", "1.15", "1.2", "1.25", "1.3"),
        {"geometric": counts_geometric},
        _REASON,
    )


ITEMS = (
    Item("ecp", "figure-6a", "The sum query: tight constraints against the geometric",
         Verdict.CORRECTED, _sum),
    Item("ecp", "figure-6b", "The 2-count query: tight constraints against the geometric",
         Verdict.CORRECTED, _two_counts),
)
