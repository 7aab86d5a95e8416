"""H16, Figure 4.1: the least δ against the exponent k, negative ones too."""

from __future__ import annotations

from fractions import Fraction
from math import exp

from tightrope.papers.h16.hamming_kernels import delta_of
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.plots import Across, Chart, Line, Panel, Tint

_TINTS = (Tint.MAIN, Tint.SECOND, Tint.THIRD, Tint.FOURTH)


def _run(
    *,
    cases: tuple[str, ...] = ("0 2", "2 2", "0 5"),
    farthest: int = 6,
    steps: int = 8,
    wide: Fraction = Fraction(1),
) -> Finding:
    curves: list[Line] = []
    limits: dict[float, str] = {1.0: "1"}
    shown, agrees = [], True
    for tint, case in zip(_TINTS, cases, strict=False):
        epsilon, m = (int(x) for x in case.split())
        ratio = Fraction(exp(epsilon))
        ks = [Fraction(j, steps) for j in range(-farthest * steps, farthest * steps + 1)]
        deltas = [delta_of(m, Fraction(exp(k)), ratio) for k in ks]
        inside = [d for k, d in zip(ks, deltas, strict=True) if abs(k) <= wide * epsilon]
        outside = [d for k, d in zip(ks, deltas, strict=True) if abs(k) > wide * epsilon]
        agrees &= max(inside) == 0 < min(outside)
        limit, beyond = Fraction(1, m - 1), Fraction(exp(-farthest)) * m * (ratio + m)
        agrees &= 0 < 1 - deltas[-1] < beyond and 0 < limit - deltas[0] < beyond
        shown.append(f"{float(deltas[-1]):.4f} and {float(deltas[0]):.4f} at ε = {epsilon}, "
                     f"m = {m}")
        limits.setdefault(float(limit), f"1/(m - 1) = {limit}")
        curves.append(Line(f"ε = {epsilon}, m = {m}", tuple(
            (float(k), float(delta)) for k, delta in zip(ks, deltas, strict=True)), tint))
    return finding(
        "δ = 0 only for |k| <= ε; the bound tends to 1 for large k and to 1/(m - 1) for -k",
        f"at k = {farthest} and -{farthest} the bound on δ is {'; '.join(shown)}",
        agrees,
        "e^2 and e^k are the nearest doubles; all else is exact.",
        chart=Chart((Panel("", (
            *curves, *(Across(height, words) for height, words in limits.items()),
        ), "k", "δ", heights=(0.0, 1.1)),)),
    )


ITEM = Item("h16", "figure-4.1", "The least δ against k", Verdict.CONFIRMED, _run,
            varied={"farthest": 5}, dropped={"wide": Fraction(2)}, pictured=True)
