"""Kernel values rounded to 62 bits, and what they add up to on a grid.

A rounded kernel has κ(d) = the largest m · 2^e <= q^(-d/unit) with 2^61 <= m < 2^62, so that
q^(-d/unit) (1 - 2^-61) < κ(d) <= q^(-d/unit): never zero, however far, and never rounded up.
For sums over a grid every value is cut down further, to a multiple of 2^-61. What is left
of the kernel ends at a finite reach; its convolution with integer weights is exact, and
with W = Σ |w_z| each sum Σ_z w_z κ(d(y,z)) lies within W · 2^-61 of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf, log

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from tightrope.errors import BadMatrix, TooLarge
from tightrope.exact import Surd, ball_of, box_convolution, tolerances
from tightrope.spaces import Family, Lattice, Metric, Space

UNIT_BITS = tolerances.MANTISSA_BITS - 1
"""Sums over a grid are counted in units of 2^-61."""

_MOST_TAPS = 20_000_000


def grid_of(space: Space) -> Lattice:
    """The space, if it is a grid or a path, on which rounded kernels can be added up."""
    if isinstance(space, Lattice) and space.family in (Family.GRID, Family.PATH):
        return space
    raise BadMatrix(f"rounded kernels are for grids and paths, found {space.text}.")


def sides(grid: Lattice) -> tuple[int, ...]:
    """The number of cells of a grid along each axis.

    >>> from tightrope.spaces import grid
    >>> sides(grid((3, 4)))
    (3, 4)
    """
    return tuple(reach + 1 for reach in grid.region.reach)


def rounded_power(ratio: Fraction, length: Surd) -> tuple[int, int]:
    """The mantissa m and exponent e of the largest 62-bit number at or below ratio^-length.

    >>> rounded_power(Fraction(2), Surd.of(3)) == (2**61, -64)
    True
    """
    whole, bits = length.rational, 2 * tolerances.MANTISSA_BITS
    while True:  # ends: a power that is no rational number is no tie, and a rational one is exact
        with ctx.workprec(bits):
            power = (-(ball_of(ratio, bits).log() * length.ball(bits))).exp()
            low, high = _floor(power.lower()), _floor(power.upper())
        if low == high:
            return low
        if whole is not None and whole.denominator == 1:
            return _quotient(ratio.denominator ** int(whole), ratio.numerator ** int(whole))
        bits *= 2


def _floor(point: arb) -> tuple[int, int]:
    """An exact ball rounded down to 62 bits."""
    mantissa, exponent = point.man_exp()
    size, power = int(mantissa), int(exponent)
    drop = size.bit_length() - tolerances.MANTISSA_BITS
    return (size >> drop if drop >= 0 else size << -drop), power + drop


def _quotient(over: int, under: int) -> tuple[int, int]:
    """The fraction over/under rounded down to 62 bits."""
    shift = tolerances.MANTISSA_BITS + under.bit_length() - over.bit_length()
    mantissa = (over << shift) // under if shift >= 0 else over // (under << -shift)
    if mantissa.bit_length() > tolerances.MANTISSA_BITS:
        return mantissa >> 1, 1 - shift
    return mantissa, -shift


@dataclass(frozen=True, eq=False)
class Sums:
    """Σ_z w_z κ(d(y,z)), in units of 2^-61: for every y from lows[y] to lows[y] + width."""

    lows: tuple[int, ...]
    width: int

    @property
    def least(self) -> int:
        """A lower bound on all sums."""
        return min(self.lows)

    @property
    def most(self) -> int:
        """An upper bound on all sums."""
        return max(self.lows) + self.width

    def floats(self) -> NDArray[np.float64]:
        """The middles as doubles."""
        return np.array([float(low + self.width // 2) for low in self.lows]) / 2.0**UNIT_BITS


def kernel_sums(
    grid: Lattice, weights: NDArray[np.int64], taps: NDArray[np.int64], doubt: int = 1
) -> Sums:
    """The sums of integer weights of any sign, from taps below the kernel by at most `doubt`."""
    sums = box_convolution(weights.reshape(sides(grid)), taps)
    total = sum(abs(w) for w in weights.tolist())
    down = -doubt * sum(w for w in weights.tolist() if w < 0)
    if down:
        sums = [value - down for value in sums]
    return Sums(tuple(sums), doubt * total)


def kernel_taps(grid: Lattice, rate: arb, value: Callable[[Surd], int]) -> NDArray[np.int64]:
    """value(d) for every offset at which it is not zero, an odd number along each axis.

    `value` gives e^(-rate d / step) in units of 2^-61, rounded down; a ball around the rate
    gives the same wherever it is not too close to a whole number to tell.
    """
    across, speed = sum(sides(grid)), float(rate.mid())  # no two cells are so many steps apart
    steps = 1.01 * UNIT_BITS * log(2) / speed if speed > 0 else inf
    farthest = int(min(steps, across)) + 1
    reaches = [min(side - 1, farthest) for side in sides(grid)]
    if np.prod([2.0 * reach + 1 for reach in reaches]) > _MOST_TAPS:
        raise TooLarge(
            "the reach of the kernel in steps", farthest, _MOST_TAPS, "use a larger ε or step"
        )
    offsets = np.ix_(*(np.arange(-reach, reach + 1) for reach in reaches))
    shape = tuple(2 * reach + 1 for reach in reaches)
    keys = np.broadcast_to(np.asarray(grid.norm.key(offsets)), shape)
    ending = farthest**2 if grid.norm.metric is Metric.EUCLIDEAN else farthest
    if farthest <= across and value(grid.norm.surd(ending)) > 0:
        raise BadMatrix("the kernel reaches farther than its rate says.")
    table = np.zeros(int(keys.max()) + 1, dtype=np.int64)
    squared = grid.norm.metric is Metric.EUCLIDEAN
    with ctx.workprec(160):
        unit = arb(2) ** UNIT_BITS
        for key in np.unique(keys[keys <= min(ending, int(keys.max()))]).tolist():
            length = arb(key).sqrt() if squared else arb(key)
            whole = ((-(rate * length)).exp() * unit).floor().unique_fmpz()
            table[key] = value(grid.norm.surd(key)) if whole is None else int(whole)
    return np.asarray(table[keys])
