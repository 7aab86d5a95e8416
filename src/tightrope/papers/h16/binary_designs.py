"""H16, Section 6.3.1: which of Warner's and Mangat's designs have a privacy level."""

from __future__ import annotations

from fractions import Fraction

from tightrope.constructions import randomized_response
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism, finite
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.privacy import Refutation, smallest_level
from tightrope.spaces import categories


def _run(*, quarters: int = 40, steps: int = 10, lies: int = 0) -> Finding:
    space = categories(("no", "yes"))
    ratios = [Fraction(k, 4) for k in range(5, quarters + 1)]
    exact = 0
    for ratio in ratios:
        warner = randomized_response(space, Level.ratio(ratio))
        smallest, truth = warner.certificate.smallest, finite(warner.mechanism).row_at(0)[0]
        assert smallest is not None
        exact += truth == ratio / (ratio + 1) and smallest.exact == Level.ratio(ratio)
    # Mangat: those with the attribute always say so, the others say the truth with p = k/steps
    levels = [
        smallest_level(
            MatrixMechanism(
                space,
                space.points,
                Weights.from_integers([[k, steps - k], [lies, steps - lies]]),
            ),
            space,
        )
        for k in range(lies, steps + 1)
    ]
    none = [isinstance(level, Refutation) for level in levels]
    return finding(
        "Warner at p = e^ε/(e^ε + 1) has level ε; Mangat has none unless p = 0",
        f"Warner has level ε exactly at {exact} of {len(ratios)} ratios e^ε from 5/4 to "
        f"{ratios[-1]}; Mangat has no finite level at {sum(none)} of {len(none)} values of p, and "
        f"one at the least of them: {not none[0]}",
        exact == len(ratios) and none == [False, *[True] * steps],
        "Mangat's design has a zero cell beside a non-zero one.",
    )


ITEM = Item(
    "h16",
    "section-6.3.1",
    "Levels of Warner's and Mangat's designs",
    Verdict.CONFIRMED,
    _run,
    varied={"quarters": 12},
    dropped={"lies": 1},  # those with the attribute deny it now and then
)
