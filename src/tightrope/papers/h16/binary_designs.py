"""H16, Section 6.3.1: which of Warner's and Mangat's designs have a privacy level."""

from __future__ import annotations

from fractions import Fraction

from tightrope.constructions import randomized_response
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.papers.item import Finding, Item, Verdict, judged
from tightrope.privacy import Refutation, Smallest, smallest_level
from tightrope.spaces import categories


def _run() -> Finding:
    space = categories(("no", "yes"))
    ratio = Fraction(3)
    warner = randomized_response(space, Level.ratio(ratio))
    smallest = smallest_level(warner, space)
    tells_truth = warner.row(0)[0]
    # Mangat with p_m = 1/2: those with the attribute always say so
    mangat = MatrixMechanism(space, space.points, Weights.from_integers([[1, 1], [0, 2]]))
    refuted = smallest_level(mangat, space)
    agrees = (
        tells_truth == ratio / (ratio + 1)
        and isinstance(smallest, Smallest)
        and smallest.exact == Level.ratio(ratio)
        and isinstance(refuted, Refutation)
    )
    return judged(
        "Warner at p = e^ε/(e^ε + 1) has level ε; Mangat has none unless p = 0",
        f"Warner at p = {tells_truth} has level ln(3) exactly; Mangat at p = 1/2: "
        + ("no finite level" if isinstance(refuted, Refutation) else "a finite level"),
        agrees,
        "Mangat's design has a zero cell beside a non-zero one.",
    )


ITEM = Item(
    "h16", "section-6.3.1", "Levels of Warner's and Mangat's designs", Verdict.CONFIRMED, _run
)
