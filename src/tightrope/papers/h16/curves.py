"""H16, Example 3.4: a random curve is as private as its values at finitely many times.

The curve has straight lines between two knots, whose values get joint noise in boxes. Its values
at both knots decide it, so its level is that of the pair. With r = rung(s), N_k the normalizer of
k numbers and a first step of f, one value alone is s with probability
q^-r N_1(f + r step)/N_2(f): telling neighbors apart by less than q, however far out.
"""

from __future__ import annotations

from fractions import Fraction

from tightrope.mechanisms import BoxLaw
from tightrope.papers.item import Finding, Item, Verdict, finding


def _apart(times: int, ratio: Fraction, step: int, reach: int) -> Fraction:
    """The most that so many of two values tell two neighbors apart, up to a distance."""
    pair = BoxLaw((0, 0), ratio, 1, step)
    if times == 2:
        return max(pair.probability((s, 0)) / pair.probability((s + step, 0))
                   for s in range(reach))

    def alone(s: int) -> Fraction:
        rung = pair.rung((s, 0))
        rest = BoxLaw((0,), ratio, 1 + rung * step, step).normalizer
        return ratio**-rung * rest / pair.normalizer

    return max(alone(s) / alone(s + step) for s in range(reach))


def _projections(
    *, ratio: Fraction = Fraction(3), step: int = 2, together: int = 2, reach: int = 40
) -> Finding:
    largest = max(_apart(times, ratio, step, reach) for times in range(1, together + 1))
    return finding(
        "if the values at any finitely many times are (ε, δ)-private, so is the curve",
        f"up to {together} of two knots at a time tell neighbors apart by at most "
        f"{float(largest):.6g}; the curve by {ratio}",
        largest == ratio,
        "the level of a curve is the largest of its values at finitely many times; single times "
        "are not enough.",
    )


ITEM = Item("h16", "example-3.4", "A curve is as private as its values at finitely many times",
            Verdict.CONFIRMED, _projections, varied={"ratio": Fraction(2)},
            dropped={"together": 1})
