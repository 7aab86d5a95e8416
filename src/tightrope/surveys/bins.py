"""The bins of a numeric question: what an answer that is a number becomes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise

from tightrope.characters import refuse_controls
from tightrope.choices import member_of
from tightrope.errors import BadInput

LONGEST_NAME = 200
"""Characters of an answer, of a unit, or of the name of a group."""
LONGEST_TEXT = 2000
"""Characters of a question, or of another text of a survey."""
FARTHEST = 10**15
"""Edges of bins and scores lie between this and its negative: doubles hold them."""


class Outside(StrEnum):
    """The rule for a number outside all bins: the nearest bin, or the page asks again."""

    NEAREST = "nearest"
    REFUSE = "refuse"


@dataclass(frozen=True)
class Bins:
    """The bins of a number: from each edge to under the next one, the last edge included."""

    edges: tuple[Fraction, ...]
    outside: Outside = Outside.NEAREST
    unit: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "outside", member_of(Outside, self.outside))
        if len(self.edges) < 3 or any(a >= b for a, b in pairwise(self.edges)):
            raise BadInput("expected at least three edges of bins, each above the one before.")
        if any(abs(edge) >= FARTHEST or Fraction(repr(float(edge))) != edge
               for edge in self.edges):
            raise BadInput("expected edges of bins that are decimals of at most 15 digits.")
        if len(self.unit) > LONGEST_NAME:
            raise BadInput(f"expected a unit of at most {LONGEST_NAME} characters.")
        refuse_controls(self.unit, "the unit of a number", BadInput)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bins.

        >>> Bins((Fraction(0), Fraction(5, 2), Fraction(10))).names
        ('0 to under 2.5', '2.5 to 10')
        """
        last = len(self.edges) - 2
        return tuple(f"{a} to {'' if i == last else 'under '}{b}"
                     for i, (a, b) in enumerate(pairwise(self.shown)))

    @property
    def shown(self) -> tuple[str, ...]:
        """The edges as decimals."""
        return tuple(f"{float(edge):.15g}" for edge in self.edges)

    @property
    def middles(self) -> tuple[Fraction, ...]:
        """The middle of each bin."""
        return tuple((a + b) / 2 for a, b in pairwise(self.edges))
