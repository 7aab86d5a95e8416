"""KL-pc, Theorem 3.4: ε* stays bounded on an interval and grows without bound on discrete sets."""

from __future__ import annotations

from fractions import Fraction
from math import log

from tightrope.exact import Level
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.papers.klpc.intervals import unit_interval
from tightrope.spaces import categories
from tightrope.theory import exponential_bounds, packing_bound, sample_size, smallest_level_for


def _incompatible(
    *,
    sizes: tuple[int, ...] = (2, 4, 16, 64),
    failure: Fraction = Fraction(1, 10),
    apart: bool = True,
) -> Finding:
    radius = Fraction(3, 10)
    shown, agrees = [], True
    for size in sizes:
        space = categories(size) if apart else unit_interval(size)
        smallest = smallest_level_for(space, radius, failure)
        formula = log((size - 1) * (1 - failure) / failure)
        agrees &= smallest.lower <= formula <= smallest.upper
        shown.append(f"{smallest.epsilon_star:.6f}")
    return finding(
        "infinitely many disjoint balls of one radius: no level is enough for all",
        f"{', '.join(map(str, sizes))} points {'at mutual distance 1' if apart else 'on [0, 1]'}, "
        f"δ = {failure}: {', '.join(shown)}",
        agrees,
        "ε* = ln((n - 1)(1 - δ)/δ) grows without bound; the packing bound proves it.",
    )


def _compatible(
    *,
    sizes: tuple[int, ...] = (5, 11, 21),
    radius: Fraction = Fraction(3, 10),
    failure: Fraction = Fraction(1, 10),
) -> Finding:
    shown, agrees = [], True
    for size in sizes:
        space = unit_interval(size)
        smallest = smallest_level_for(space, radius, failure)
        low = packing_bound(space, radius, failure)
        bounds = exponential_bounds(space, radius, failure)
        agrees &= low.epsilon <= smallest.upper <= min(row.attained or 0.0 for row in bounds)
        agrees &= all(row.least_ball > 0 for row in bounds)
        shown.append(
            f"{low.epsilon:.3f} <= {smallest.epsilon_star:.6f} <= {bounds[0].attained:.3f}")
    limit = 2 * 2 / float(radius) * log(1 / float(failure * radius / 2))
    return finding(
        "a uniformly positive measure, finite covers and a finite ε* go together",
        f"[0, 1] by {', '.join(map(str, sizes))} points, γ = {radius} (closed balls), "
        f"δ = {failure}: {'; '.join(shown)}",
        agrees,
        "lower bound by packing, upper bound by the exponential mechanism with uniform base; "
        f"for the whole interval the theorem promises {limit:.2f}.",
    )


def _samples(
    *,
    size: int = 5,
    radius: Fraction = Fraction(3, 10),
    failure: Fraction = Fraction(1, 10),
    epsilon: Fraction = Fraction(1, 10),
) -> Finding:
    smallest = smallest_level_for(unit_interval(size), radius, failure)
    needed = sample_size(smallest, Level.epsilon(epsilon))
    return finding(
        "N = ε*(γ, δ)/ε rows are enough for a query that moves by 1/N",
        f"{size} points on [0, 1], γ = {radius}, δ = {failure}: ε* = {smallest.epsilon_star:.10f}, "
        f"so N = {needed} at ε = {epsilon}",
        needed - 1 < smallest.upper / epsilon <= needed,
        "N is the quotient rounded up.",
    )


INCOMPATIBLE = Item(
    "klpc",
    "theorem-3.4-discrete",
    "Equidistant points",
    Verdict.CONFIRMED,
    _incompatible,
    varied={"failure": Fraction(1, 5)},
    dropped={"sizes": (5,), "apart": False},  # [0, 1] is compact
)
COMPATIBLE = Item(
    "klpc",
    "theorem-3.4",
    "The unit interval",
    Verdict.CONFIRMED,
    _compatible,
    varied={"sizes": (5,), "radius": Fraction(1, 4)},
)
SAMPLES = Item(
    "klpc",
    "remark-2.4",
    "How many rows",
    Verdict.CONFIRMED,
    _samples,
    varied={"epsilon": Fraction(1, 20)},
)
