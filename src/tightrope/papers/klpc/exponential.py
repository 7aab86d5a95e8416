"""KL-pc, Theorem 2.7 and the cover measure of Theorem 3.4."""

from __future__ import annotations

from fractions import Fraction

from tightrope.constructions import exponential
from tightrope.exact import Level
from tightrope.papers.item import Finding, Item, Verdict, judged
from tightrope.papers.klpc.intervals import unit_interval
from tightrope.spaces import Space, cycle
from tightrope.theory import cover, cover_measure, least_ball

F = Fraction


def _level_at(space: Space, beta: int) -> float:
    found = exponential(space, Level.epsilon(2 * beta)).certificate.smallest
    assert found is not None
    return found.upper


def _level() -> Finding:
    ring = _level_at(cycle(7), 1)
    ends = [_level_at(unit_interval(n), 2) for n in (5, 17, 65)]
    shown = ", ".join(f"{value:.4f}" for value in ends)
    return judged(
        "the exponential mechanism with β is 2β-private, whatever the base measure",
        f"cycle of 7, β = 1: {ring:.6f}; [0, 1] by 5, 17, 65 points, β = 2: {shown}",
        ring <= 1 + 2.0**-30 and ends == sorted(ends) and 3.7 < ends[-1] < 4,
        "2β is approached on the interval; where all points look alike the true level is β.",
    )


def _cover() -> Finding:
    space = unit_interval(9)
    measure = cover_measure(space)
    sizes = [len(cover(space, F(1, 2**i))) for i in range(1, 5)]
    printed = sum(F(n, 2 ** (i * n)) for i, n in enumerate(sizes, start=1))
    least = [least_ball(space, measure, F(1, 2**i)) for i in range(1, 5)]
    return judged(
        "each point of the cover C_i weighs 1/2^(i n(i))",
        f"covers of {', '.join(map(str, sizes))} points at radius 1/2, …, 1/16; with "
        f"1/(2^i n(i)) the measure adds up to {sum(measure)} and its least balls weigh "
        f"{', '.join(map(str, least))}; as printed the first four covers add up to "
        f"{float(printed):.4f} in place of 0.9375",
        printed == F(15, 16),
        "a coin is flipped until heads, then a point of C_i drawn: 1/(2^i · n(i)).",
    )


LEVEL = Item("klpc", "theorem-2.7", "The exponential mechanism", Verdict.CONFIRMED, _level)
COVER = Item("klpc", "theorem-3.4-cover", "The measure of covers", Verdict.CORRECTED, _cover)
