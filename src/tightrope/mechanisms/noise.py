"""Two-sided geometric noise on all integers.

P(z | y) = (q - 1)/(q + 1) · q^(-|z - y|). Neighboring counts are told apart by a factor of
at most q, whatever the range of the data; the outputs are not bounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tightrope.errors import BadMatrix, BadSpace
from tightrope.exact import own_numbers
from tightrope.mechanisms.cards import mechanism_card, mechanism_line
from tightrope.spaces import Space


@dataclass(frozen=True)
class NoiseMechanism:
    """Two-sided geometric noise with exact ratio q, added to a whole number.

    >>> from tightrope.spaces import path
    >>> NoiseMechanism(path(0, 9), Fraction(2)).probability(0, 1)
    Fraction(1, 6)
    """

    space: Space
    ratio: Fraction

    def __post_init__(self) -> None:
        if self.space.describe()["family"] != "path":
            raise BadSpace(f"integer noise needs a path of whole numbers, found {self.space.text}.")
        own_numbers(self, "ratio")
        if self.ratio <= 1:
            raise BadMatrix("integer noise needs a ratio above 1.")

    __repr__ = mechanism_line
    _repr_html_ = mechanism_card

    def probability(self, i: int, output: int) -> Fraction:
        """The probability that the input with index i gives `output`."""
        point = self.space.points[i]
        assert isinstance(point, int)
        steady = (self.ratio - 1) / (self.ratio + 1)
        return steady * self.ratio ** -abs(output - point)
