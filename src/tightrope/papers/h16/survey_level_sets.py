"""H16, Figure 6.1: the level sets of g, and the prevalence at which the optimum truly switches."""

from __future__ import annotations

from fractions import Fraction

from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.surveys import (
    best_vertex,
    switching_prevalence,
    thesis_corners,
    thesis_g,
    unit_variance,
)

_HALF = Fraction(1, 2)
_RATIOS = tuple(Fraction(k, 4) for k in range(5, 30, 4))
_DELTAS = tuple(Fraction(k, 20) for k in range(1, 11))


def _run(
    *, ratios: tuple[Fraction, ...] = _RATIOS, deltas: tuple[Fraction, ...] = _DELTAS
) -> Finding:
    compared = switched = 0
    level_set = True
    for r in ratios:
        for delta in deltas:
            g = thesis_g(r, delta)
            if 0 < g <= _HALF:  # on the level set π = g both corners have the same variance
                first, second = (unit_variance(d, (1 - g, g), 1) for d in thesis_corners(r, delta))
                level_set &= first == second
            switch = switching_prevalence(r, delta)
            share = min(switch, _HALF) * Fraction(99, 100)
            beyond = switch * Fraction(101, 100)
            compared += 1
            switched += best_vertex(r, delta, share).design.p00 == 1 and (
                beyond > _HALF or best_vertex(r, delta, beyond).design.p00 != 1
            )
    there = ratios[0], deltas[0]
    return finding(
        "the optimum switches where π = g(ε, δ)",
        f"on π = g the two printed designs tie: {level_set}; the true optimum switches at "
        f"π = δ(r + δ)/(r - 1 + 2δ)², checked on both sides at {switched} of {compared} levels; "
        f"at e^ε = {there[0]}, δ = {there[1]} that is {float(switching_prevalence(*there)):.4f}, "
        f"g is {float(thesis_g(*there)):.4f}",
        not switched,
        "The level sets are right for the two designs compared; (1, δ) beats both below a larger "
        "prevalence.",
        ours=level_set and switched == compared,
    )


ITEM = Item(
    "h16",
    "figure-6.1",
    "Where the optimal design switches",
    Verdict.CORRECTED,
    _run,
    varied={"ratios": (Fraction(2),)},
    dropped={"deltas": (Fraction(0),)},  # with δ = 0 nothing switches
)
