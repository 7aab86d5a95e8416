"""KL-pc, Theorem 3.4: ε* stays bounded on an interval and grows without bound on discrete sets."""

from __future__ import annotations

from fractions import Fraction
from math import log

from tightrope.exact import Level
from tightrope.papers.item import Finding, Item, Verdict, judged
from tightrope.papers.klpc.intervals import unit_interval
from tightrope.spaces import categories
from tightrope.theory import exponential_bounds, packing_bound, sample_size, smallest_level_for

_GAMMA, _DELTA = Fraction(3, 10), Fraction(1, 10)


def _incompatible() -> Finding:
    shown, agrees = [], True
    for size in (2, 4, 16, 64):
        found = smallest_level_for(categories(size), _GAMMA, _DELTA)
        agrees &= found.lower <= log(9 * (size - 1)) <= found.upper
        shown.append(f"{found.epsilon_star:.6f}")
    return judged(
        "infinitely many disjoint balls of one radius: no level is enough for all",
        f"2, 4, 16, 64 points at mutual distance 1, δ = 0.1: {', '.join(shown)}",
        agrees,
        "ε* = ln((n - 1)(1 - δ)/δ) grows without bound; the packing bound proves it.",
    )


def _compatible() -> Finding:
    shown, agrees = [], True
    for size in (5, 11, 21):
        space = unit_interval(size)
        found = smallest_level_for(space, _GAMMA, _DELTA)
        low = packing_bound(space, _GAMMA, _DELTA)
        bounds = exponential_bounds(space, _GAMMA, _DELTA)
        agrees &= low.epsilon <= found.upper <= min(row.attained or 0.0 for row in bounds)
        agrees &= all(row.least_ball > 0 for row in bounds)
        shown.append(f"{low.epsilon:.3f} <= {found.epsilon_star:.6f} <= {bounds[0].attained:.3f}")
    limit = 2 * 2 / float(_GAMMA) * log(1 / float(_DELTA * _GAMMA / 2))
    return judged(
        "a uniformly positive measure, finite covers and a finite ε* go together",
        f"[0, 1] by 5, 11, 21 points, γ = 0.3 (closed balls), δ = 0.1: {'; '.join(shown)}",
        agrees,
        "lower bound by packing, upper bound by the exponential mechanism with uniform base; "
        f"for the whole interval the theorem promises {limit:.2f}.",
    )


def _samples() -> Finding:
    found = smallest_level_for(unit_interval(5), _GAMMA, _DELTA)
    needed = sample_size(found, Level.epsilon("0.1"))
    return judged(
        "N = ε*(γ, δ)/ε rows are enough for a query that moves by 1/N",
        f"5 points on [0, 1], γ = 0.3, δ = 0.1: ε* = {found.epsilon_star:.10f}, so N = {needed} "
        "at ε = 0.1",
        needed == 40,
        "N is the quotient rounded up.",
    )


INCOMPATIBLE = Item(
    "klpc", "theorem-3.4-discrete", "Equidistant points", Verdict.CONFIRMED, _incompatible
)
COMPATIBLE = Item("klpc", "theorem-3.4", "The unit interval", Verdict.CONFIRMED, _compatible)
SAMPLES = Item("klpc", "remark-2.4", "How many rows", Verdict.CONFIRMED, _samples)
