"""H16, Section 6.3.1: which of Warner's and Mangat's designs have a privacy level."""

from __future__ import annotations

from fractions import Fraction

from tightrope.constructions import randomized_response
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism, finite
from tightrope.papers.item import Finding, Item, Verdict, judged
from tightrope.privacy import Refutation, smallest_level
from tightrope.spaces import categories


def _run() -> Finding:
    space = categories(("no", "yes"))
    ratios = [Fraction(k, 4) for k in range(5, 41)]
    exact = 0
    for ratio in ratios:
        warner = randomized_response(space, Level.ratio(ratio))
        smallest, truth = warner.certificate.smallest, finite(warner.mechanism).row_at(0)[0]
        assert smallest is not None
        exact += truth == ratio / (ratio + 1) and smallest.exact == Level.ratio(ratio)
    # Mangat: those with the attribute always say so, the others say the truth with p = k/10
    levels = [
        smallest_level(
            MatrixMechanism(space, space.points, Weights.from_integers([[k, 10 - k], [0, 10]])),
            space,
        )
        for k in range(11)
    ]
    none = [isinstance(level, Refutation) for level in levels]
    return judged(
        "Warner at p = e^ε/(e^ε + 1) has level ε; Mangat has none unless p = 0",
        f"Warner has level ε exactly at {exact} of {len(ratios)} ratios e^ε from 5/4 to 10; Mangat "
        f"has no finite level at {sum(none)} of 11 tenths p, and one at p = 0: {not none[0]}",
        exact == len(ratios) and none == [False, *[True] * 10],
        "Mangat's design has a zero cell beside a non-zero one.",
    )


ITEM = Item(
    "h16", "section-6.3.1", "Levels of Warner's and Mangat's designs", Verdict.CONFIRMED, _run
)
