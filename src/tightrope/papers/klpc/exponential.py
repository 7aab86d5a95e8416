"""KL-pc, Theorem 2.7 and the cover measure of Theorem 3.4."""

from __future__ import annotations

from fractions import Fraction

from tightrope.constructions import exponential
from tightrope.exact import Level
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.papers.klpc.intervals import unit_interval
from tightrope.spaces import Space, cycle
from tightrope.theory import cover, cover_measure, least_ball

F = Fraction


def _level_at(space: Space, beta: int) -> float:
    smallest = exponential(space, Level.epsilon(2 * beta)).certificate.smallest
    assert smallest is not None
    return smallest.upper


def _level(*, sizes: tuple[int, ...] = (5, 17, 65), beta: int = 2, ring: int = 7) -> Finding:
    around = _level_at(cycle(ring), beta)
    ends = [_level_at(unit_interval(n), beta) for n in sizes]
    shown = ", ".join(f"{value:.4f}" for value in ends)
    return finding(
        "the exponential mechanism with β is 2β-private, whatever the base measure",
        f"at β = {beta}: cycle of {ring} {around:.6f}; [0, 1] by {', '.join(map(str, sizes))} "
        f"points {shown}",
        around <= beta + 2.0**-30 and ends == sorted(ends) and ends[-1] < 2 * beta,
        "2β is approached on the interval; where all points look alike the true level is β.",
    )


def _cover(*, size: int = 9, covers: int = 4) -> Finding:
    space = unit_interval(size)
    measure = cover_measure(space)
    radii = [F(1, 2**i) for i in range(1, covers + 1)]
    sizes = [len(cover(space, radius)) for radius in radii]
    printed = sum(F(n, 2 ** (i * n)) for i, n in enumerate(sizes, start=1))
    least = [least_ball(space, measure, radius) for radius in radii]
    return finding(
        "each point of the cover C_i weighs 1/2^(i n(i))",
        f"[0, 1] by {size} points has covers of {', '.join(map(str, sizes))} points at radius "
        f"{', '.join(map(str, radii))}; with 1/(2^i n(i)) the measure adds up to {sum(measure)} "
        f"and its least balls weigh {', '.join(map(str, least))}; as printed the first {covers} "
        f"covers add up to {float(printed):.4f} in place of {float(1 - F(1, 2**covers)):.4f}",
        printed == 1 - F(1, 2**covers),
        "a coin is flipped until heads, then a point of C_i drawn: 1/(2^i · n(i)).",
        ours=sum(measure) == 1 and all(
            weight >= F(1, 2**i * n) for i, (weight, n) in enumerate(
                zip(least, sizes, strict=True), start=1)),
    )


LEVEL = Item(
    "klpc",
    "theorem-2.7",
    "The exponential mechanism",
    Verdict.CONFIRMED,
    _level,
    varied={"beta": 1, "sizes": (5, 17)},
)
COVER = Item(
    "klpc",
    "theorem-3.4-cover",
    "The measure of covers",
    Verdict.CORRECTED,
    _cover,
    varied={"size": 5},
    dropped={"covers": 1},  # one ball covers: 1/2^1 either way
)
