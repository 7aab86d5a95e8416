"""H16, Figure 6.1: the level sets of g, and the prevalence at which the optimum truly switches."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log

from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.plots import Chart, Contours, Panel
from tightrope.surveys import (
    best_vertex,
    switching_prevalence,
    thesis_corners,
    thesis_g,
    unit_variance,
)

_HALF = Fraction(1, 2)
_RATIOS = tuple(Fraction(round(1000 * exp(k / 8)), 1000) for k in range(1, 25))
_DELTAS = tuple(Fraction(k, 50) for k in range(1, 26))
_PREVALENCES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)


def _run(
    *, ratios: tuple[Fraction, ...] = _RATIOS, deltas: tuple[Fraction, ...] = _DELTAS
) -> Finding:
    compared = switched = 0
    level_set = True
    printed, true = [], []
    for delta in deltas:
        printed.append([thesis_g(r, delta) for r in ratios])
        true.append([switching_prevalence(r, delta) for r in ratios])
        for r, g, switch in zip(ratios, printed[-1], true[-1], strict=True):
            if 0 < g <= _HALF:  # on the level set π = g both corners have the same variance
                first, second = (unit_variance(d, (1 - g, g), 1) for d in thesis_corners(r, delta))
                level_set &= first == second
            share = min(switch, _HALF) * Fraction(99, 100)
            beyond = switch * Fraction(101, 100)
            compared += 1
            switched += best_vertex(r, delta, share).design.p00 == 1 and (
                beyond > _HALF or best_vertex(r, delta, beyond).design.p00 != 1
            )
    there = ratios[0], deltas[0]
    right = level_set and switched == compared
    return finding(
        "the optimum switches where π = g(ε, δ)",
        f"on π = g the two printed designs tie: {level_set}; the true optimum switches at "
        f"π = δ(r + δ)/(r - 1 + 2δ)², checked on both sides at {switched} of {compared} levels; "
        f"at e^ε = {there[0]}, δ = {there[1]} that is {float(true[0][0]):.4f}, "
        f"g is {float(printed[0][0]):.4f}",
        not switched,
        "The level sets are right for the two designs compared; (1, δ) beats both below a larger "
        "prevalence.",
        ours=right,
        chart=_chart(ratios, deltas, printed, true, right),
    )


def _chart(
    ratios: tuple[Fraction, ...],
    deltas: tuple[Fraction, ...],
    printed: list[list[Fraction]],
    true: list[list[Fraction]],
    right: bool,
) -> Chart | None:
    """Level sets over ε and δ: of g, and of the prevalence at which the optimum truly switches."""
    if min(len(ratios), len(deltas)) <= 1:
        return None
    across, upward = (log(r) for r in ratios), (float(delta) for delta in deltas)
    columns, rows = tuple(across), tuple(upward)
    panels = [Panel(title, (Contours(columns, rows, tuple(
        tuple(map(float, row)) for row in values), _PREVALENCES),), "ε", "δ")
        for title, values in (("as printed: π = g(ε, δ), of two designs", printed),
                              ("of all designs: π = δ(e^ε + δ)/(e^ε - 1 + 2δ)²", true))]
    return Chart(tuple(panels), "only two designs were compared; of all designs (1, δ) wins, and "
                 "at smaller δ than the lines on the left." if right else "")


ITEM = Item(
    "h16",
    "figure-6.1",
    "Where the optimal design switches",
    Verdict.CORRECTED,
    _run,
    varied={"ratios": (Fraction(2),)},
    dropped={"deltas": (Fraction(0),)},  # with δ = 0 nothing switches
    pictured=True,
)
