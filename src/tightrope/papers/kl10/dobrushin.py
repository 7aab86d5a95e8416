"""KL10, Section 3.3: the geometric mechanism is optimal for the Dobrushin coefficient.

For a pair of inputs, merging outputs by which of the two makes them likelier keeps the
overlap, so the optimum is a linear program in one probability for each input.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from tightrope.constructions import exponential, truncated_geometric
from tightrope.exact import Level, tolerances
from tightrope.mechanisms import finite
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.spaces import path
from tightrope.utility import dobrushin


def _least_overlap(size: int, ratio: float) -> float:
    """The least overlap of the two ends of a path over all private mechanisms."""
    rows, bounds = [], []
    for a in range(size - 1):
        for i, j in ((a, a + 1), (a + 1, a)):
            line = np.zeros(size)
            line[i], line[j] = 1, -ratio  # m_i <= r m_j
            rows.append(line)
            bounds.append(0.0)
            rows.append(-line)  # 1 - m_i <= r (1 - m_j)
            bounds.append(ratio - 1)
    cost = np.zeros(size)
    cost[0], cost[-1] = 1, -1
    optimum = linprog(cost, A_ub=np.array(rows), b_ub=bounds, bounds=(0, 1), method="highs")
    return float(optimum.fun) + 1


def _run(
    *,
    ratio: Fraction = Fraction(2),
    sizes: tuple[int, ...] = (2, 3, 4, 5, 6, 7, 8),
    mechanism: str = "geometric",
) -> Finding:
    make = truncated_geometric if mechanism == "geometric" else exponential
    shown, agrees = [], True
    for size in sizes:
        made = make(path(0, size - 1), Level.ratio(ratio))
        value = dobrushin(finite(made.mechanism))
        best = -_least_overlap(size, float(ratio))
        agrees &= abs(value - best) <= tolerances.SOLVER_ERROR
        shown.append(f"{value:.6f}")
    return finding(
        "the geometric mechanism attains the optimum on paths",
        f"at e^ε = {ratio}, the {mechanism} on paths of {', '.join(map(str, sizes))} points: "
        + ", ".join(shown),
        agrees,
        "each value equals the optimum of a linear program over all private mechanisms.",
    )


ITEM = Item(
    "kl10",
    "section-3.3",
    "Dobrushin coefficient of the geometric mechanism",
    Verdict.CONFIRMED,
    _run,
    varied={"ratio": Fraction(3), "sizes": (2, 3)},
    dropped={"mechanism": "exponential", "sizes": (3,)},
)
