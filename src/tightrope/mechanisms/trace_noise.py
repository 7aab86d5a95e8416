"""Traces of which a few positions are fresh, and all others repeat the last one.

A row repeats the last position that was put out, at first the middle of the region, unless a noisy
test says that the person is too far from it: the distance in whole steps plus the noise of a test
is above the jump plus the noise of a bar. Then its cell is put out with planar noise q^-|z|, and
there is a new bar. After so many `fresh` positions nothing is tested any more.

Neighbors are traces at most m steps apart row by row. Given what was put out before, every tested
distance changes by at most m. Move the bar by m as well: whatever stayed below it still does, at
the price of the bar's noise at m, and the test that went above is asked for at most 2m more, the
price of a test's noise at 2m (Dwork, Naor, Reingold, Rothblum and Vadhan, 2009). So all tests up
to a fresh position cost the bar once and one test, and the level is `fresh` times that of bar,
test and position: it does not grow with the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from tightrope.errors import BadInput
from tightrope.exact import own_numbers
from tightrope.mechanisms.answers import Answers, Single, check_noise, check_ratio
from tightrope.mechanisms.noise import InSteps
from tightrope.mechanisms.tallies import check_steps
from tightrope.spaces import MOST_CHANGE, Traces

MOST_FRESH: Final = 100
"""Positions of one person that are fresh."""


@dataclass(frozen=True)
class StepNoise(InSteps):
    """Noise in steps on one whole number that neighbors change by so much."""

    ratio: Fraction
    step: int
    first: int
    change: int

    def __post_init__(self) -> None:
        check_ratio(self.ratio)
        check_steps(self)

    @property
    def rungs(self) -> int:
        """How many rungs neighbors can be apart."""
        return 1 + (self.change - 1) // self.step


@dataclass(frozen=True)
class TraceLaw:
    """The cells of one trace, and the noise that decides what is put out for them."""

    cells: tuple[tuple[int, int], ...]
    noise: TraceNoise

    def near(self, other: TraceLaw) -> bool:
        """Whether both have as many rows, row by row in cells that neighbors may be in."""
        apart = self.noise.space.positions.apart
        return len(self.cells) == len(other.cells) and all(
            (a - c) ** 2 + (b - d) ** 2 <= apart**2
            for (a, b), (c, d) in zip(self.cells, other.cells, strict=True))


@dataclass(frozen=True, repr=False)
class TraceNoise(Single):
    """At most so many fresh positions of a trace, each drawn once a noisy test is above a bar.

    `ratio`, `bar` and `test` are the ratios of the planar noise and of the two noises in steps.
    Their steps are as wide as `bar_step` and `test_step`, the first as `bar_first` and
    `test_first`. `jump` is in steps of the lattice.

    >>> from tightrope.spaces import Positions, Region
    >>> here = Traces(Positions(Region.box(-4, 40, -3, 41), within=200, step=2))
    >>> made = TraceNoise(here, 3, 1000, Fraction(1001, 1000), 2, 102, 1, 2, 204, 1)
    >>> made.law([(-3.5, 40.5), (-3.5, 40.5)]).cells, made.bars.rungs, made.tests.rungs
    (((0, 0), (0, 0)), 1, 1)
    """

    space: Traces
    fresh: int
    jump: int
    ratio: Fraction
    bar: Fraction
    bar_step: int
    bar_first: int
    test: Fraction
    test_step: int
    test_first: int
    answers: ClassVar = Answers.VECTORS

    def __post_init__(self) -> None:
        whole = ("fresh", "jump", "bar_step", "bar_first", "test_step", "test_first")
        own_numbers(self, "ratio", "bar", "test", whole=whole)
        check_noise(self.space, (Traces,), self.ratio)
        if not 1 <= self.fresh <= MOST_FRESH:
            raise BadInput(f"expected from 1 to {MOST_FRESH} fresh positions of a person.")
        if not 0 <= self.jump <= MOST_CHANGE:
            raise BadInput("expected a jump of 0 steps or more.")
        _ = self.bars, self.tests  # which refuse what is no noise

    @property
    def bars(self) -> StepNoise:
        """The noise of a bar, for a change of as much as neighbors are apart."""
        return StepNoise(self.bar, self.bar_step, self.bar_first, self.space.positions.apart)

    @property
    def tests(self) -> StepNoise:
        """The noise of a test, for twice that."""
        apart = 2 * self.space.positions.apart
        return StepNoise(self.test, self.test_step, self.test_first, apart)

    def law(self, data: Sequence[object]) -> TraceLaw:
        """The law of the answer for one trace; a curator's figure, not private."""
        return TraceLaw(self.space.accept(data), self)
