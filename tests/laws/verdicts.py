"""A statistical test of a law that states both of its error rates.

Every cell's count must lie in a binomial interval; the intervals together miss the true law
with probability at most ERROR, by the exact binomial law and the union bound. The number of
draws is the least (on a scale of 1/16 octaves) at which the largest cell misses its interval
with probability at least 1 - ERROR when its probability is 2 percent larger or smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

ERROR = 1e-6
OFF = Fraction(2, 100)


@dataclass(frozen=True)
class LawTest:
    """The test that counts come from the law with these cells."""

    cells: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        assert sum(self.cells) == 1
        assert min(self.cells) > 0

    @property
    def largest(self) -> Fraction:
        """The largest probability."""
        return max(self.cells)

    @cached_property
    def draws(self) -> int:
        """How many draws keep both error rates below ERROR."""
        octave = 16 * 10
        while self.misses(n := round(2 ** (octave / 16))) > ERROR:
            octave += 1
        return n

    def intervals(self, n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The counts that each cell may have in n draws."""
        share = ERROR / len(self.cells) / 2
        chances = np.array([float(p) for p in self.cells])
        return binom.ppf(share, n, chances), binom.isf(share, n, chances)

    def misses(self, n: int) -> float:
        """The larger probability of not noticing a largest cell that is off, up or down."""
        low, high = self.intervals(n)
        place = self.cells.index(self.largest)
        off = [float(self.largest * (1 + OFF)), float(self.largest * (1 - OFF))]
        return max(
            float(binom.cdf(high[place], n, p) - binom.cdf(low[place] - 1, n, p)) for p in off
        )

    def accepts(self, counts: Sequence[int] | NDArray[np.int64]) -> bool:
        """Whether every count lies in its interval."""
        assert len(counts) == len(self.cells)
        low, high = self.intervals(int(np.sum(counts)))
        return bool(np.all((low <= counts) & (counts <= high)))

    def off_by(self, relative: Fraction) -> LawTest:
        """The test of the law whose largest cell is off; the others share the difference."""
        place, p = self.cells.index(self.largest), self.largest
        changed = p * (1 + relative)
        rest = (1 - changed) / (1 - p)
        return LawTest(tuple(changed if at == place else q * rest
                             for at, q in enumerate(self.cells)))

    def confirms(self, counts: Sequence[int] | NDArray[np.int64]) -> bool:
        """Whether the counts pass this test and fail those of the laws that are off."""
        return (
            self.accepts(counts)
            and not self.off_by(OFF).accepts(counts)
            and not self.off_by(-OFF).accepts(counts)
        )


@dataclass(frozen=True)
class Grouping:
    """Runs of neighboring outputs, each a cell of its own: `starts` are their first outputs."""

    starts: tuple[int, ...]

    @classmethod
    def of(cls, law: Sequence[Fraction], least: Fraction = Fraction(1, 50)) -> Grouping:
        """Runs of probability at least `least`; the largest probability stands alone."""
        top = max(range(len(law)), key=law.__getitem__)
        starts, held = [0], Fraction(0)
        for z, p in enumerate(law):
            if z and (z in (top, top + 1) or held >= least):
                starts.append(z)
                held = Fraction(0)
            held += p
        return cls(tuple(starts))

    def cells(self, law: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """The probability of each run."""
        ends = (*self.starts[1:], len(law))
        return tuple(sum(law[a:b], Fraction(0)) for a, b in zip(self.starts, ends, strict=True))

    def counts(self, outputs: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many outputs fell into each run."""
        places = np.searchsorted(np.array(self.starts), outputs, side="right") - 1
        return np.bincount(places, minlength=len(self.starts))
