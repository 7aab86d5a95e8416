"""Whole numbers that one person changes together, each with noise in steps of its own.

Noise z on a number is on rung 0 if |z| < first, and each further rung holds `step` integers on
either side; rung t weighs q^-t, for every number independently. Whoever touches m numbers and
changes them by c in all moves the rungs by at most m + floor((c - m)/step) together: each number
that is touched may cross into the next rung with its first unit, and crosses one more with every
`step` further ones. The level is that many times ln q.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from tightrope.errors import BadInput, TooLarge
from tightrope.exact import own_numbers
from tightrope.mechanisms.answers import Answers, Single, check_noise
from tightrope.mechanisms.noise import InSteps
from tightrope.mechanisms.piecewise import RungLaw
from tightrope.spaces import MOST_CHANGE, Tallies

MOST_RUNGS = 10_000
"""Rungs that neighbors may be apart: q to that power is compared with e^ε exactly."""


def check_steps(noise: Any) -> None:
    """Refuse noise with a first step beyond the others, or with too many rungs."""
    if not 1 <= noise.first <= noise.step <= MOST_CHANGE:
        raise BadInput(f"expected a first step from 1 to {noise.step}, found {noise.first}.")
    if noise.rungs > MOST_RUNGS:
        raise TooLarge("the number of rungs that neighbors are apart", noise.rungs, MOST_RUNGS,
                       "use wider steps")


@dataclass(frozen=True, eq=False)
class TallyLaw:
    """Independent noise in steps of one kind around each of several whole numbers.

    >>> TallyLaw(Fraction(2), (4, 1)).probability([4, 2])
    Fraction(1, 18)
    """

    ratio: Fraction
    centers: tuple[int, ...]
    step: int = 1
    first: int = 1

    @property
    def parts(self) -> list[RungLaw]:
        """The law of each number by itself."""
        return [RungLaw.around(center, self.ratio, self.first, self.step)
                for center in self.centers]

    def probability(self, answer: Sequence[int]) -> Fraction:
        """The probability of a list of numbers."""
        total = Fraction(1)
        for part, z in zip(self.parts, answer, strict=True):
            total *= part.probability(z)
        return total


@dataclass(frozen=True, repr=False)
class TallyNoise(InSteps, Single):
    """Noise that is added to every number of a tally, q times less likely with every step.

    >>> two = TallyNoise(Tallies(cells=2, touched=1, change=1), Fraction(2))
    >>> two.rungs, two.mean_error
    (1, Fraction(4, 3))
    """

    space: Tallies
    ratio: Fraction
    step: int = 1
    first: int = 1
    answers: ClassVar = Answers.VECTORS

    def __post_init__(self) -> None:
        own_numbers(self, "ratio", whole=("step", "first"))
        check_noise(self.space, (Tallies,), self.ratio)
        check_steps(self)

    @property
    def rungs(self) -> int:
        """How many rungs neighbors can be apart, all numbers together."""
        touched = self.space.touched
        return touched + (self.space.change - touched) // self.step

    def law(self, data: Sequence[int]) -> TallyLaw:
        """The law of the answer for these numbers; a curator's figure, not private."""
        return TallyLaw(self.ratio, self.space.accept(data), self.step, self.first)
