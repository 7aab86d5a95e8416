"""H16, Example 5.2: the loose entries of a 3 × 3 matrix at e^ε = 2."""

from __future__ import annotations

from fractions import Fraction

from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.privacy import tightness
from tightrope.spaces import categories


def _run(*, matrix: str = "4 1 2; 3 2 2; 2 1 4", ratio: Fraction = Fraction(2)) -> Finding:
    rows = [[int(entry) for entry in row.split()] for row in matrix.split(";")]
    space = categories(len(rows))
    mechanism = MatrixMechanism(space, space.points, Weights.from_integers(rows))
    loose = tightness(mechanism, space, Level.ratio(ratio)).loose
    shown = ", ".join(f"({y + 1}, {z + 1})" for y, z in loose)
    return finding(
        "{(2, 1)}",
        f"{{{shown}}}",
        loose == ((1, 0),),
        "3/7 is neither twice the smallest nor half the largest entry of its column.",
    )


ITEM = Item(
    "h16",
    "example-5.2",
    "Loose entries of a 3 × 3 matrix",
    Verdict.CONFIRMED,
    _run,
    varied={"ratio": Fraction(4)},
    dropped={"matrix": "4 1 2; 2 2 3; 2 1 4"},  # the loose entry stands elsewhere
)
