"""Outputs moved to where a public prior says that their truth most likely was near.

What follows from an output alone reveals no more than the output, so a remap costs nothing. For
the output z the best answer loses least on average over the posterior, which is the prior times
e^(-ε d(·, z)) up to normalizers: the geometric median of that, for the distance. On few cells it
is worked out for every pair; on many, the average loss of all z moved by s is one convolution of
the prior for each displacement s (Chatzikokolakis and others 2017 do so in continuous space).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np

from tightrope.applications.locations.cells import Cells
from tightrope.exact import FloatArray, IntArray, owned
from tightrope.mechanisms import FiniteMechanism
from tightrope.utility import Problem, best_remap

_FAR: Final = 4.0
"""Displacements are sought up to this over ε."""
_SEEN: Final = 18.0
"""Cells farther than this over ε count for nothing: e^-18."""
_RINGS: Final = ((4.5, 1), (12.5, 2), (np.inf, 4))
"""Up to so far every so many cells is tried as a displacement."""


@dataclass(frozen=True, eq=False, repr=False)
class Remap:
    """For every cell the cell that is put out in its place."""

    cells: Cells
    targets: IntArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "targets", owned(np.asarray(self.targets, dtype=np.int64)))

    def moved(self, lon: FloatArray, lat: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The centers of the cells that are put out in place of these."""
        return self.cells.centers(self.targets[self.cells.codes(lon, lat)])

    def __repr__(self) -> str:
        moved = int((self.targets != np.arange(self.cells.size)).sum())
        return f"Remap({moved:,} of {self.cells.size:,} cells moved)"


def listed_remap(cells: Cells, mechanism: FiniteMechanism, problem: Problem) -> Remap:
    """The best cell for each output of a mechanism that is written out."""
    return Remap(cells, np.array(best_remap(mechanism, problem)))


def spread_remap(cells: Cells, shares: FloatArray, rate: float) -> Remap:
    """Nearly the best cell for each output of noise that falls by e^-rate with every cell.

    >>> from tightrope.spaces import Positions, Region
    >>> few = Cells(Positions(Region.box(-4, 40, "-3.99", "40.01"), 400, 130))
    >>> shares = np.full(few.size, 0.001)
    >>> shares[31] = 1.0
    >>> spread_remap(few, shares, 0.5).targets[[31, 32, 41]].tolist()
    [31, 31, 31]
    """
    import scipy.fft  # slow to import

    shape = cells.shape
    reach = min(ceil(_SEEN / rate), max(shape))
    padded = tuple(scipy.fft.next_fast_len(side + 2 * reach, real=True) for side in shape)
    held = scipy.fft.rfftn(shares.reshape(shape), padded)
    offsets = [(np.arange(n) + n // 2) % n - n // 2 for n in padded]
    x, y = (axis.astype(np.float64) for axis in np.ix_(*offsets))
    near = np.exp(-rate * np.hypot(x, y)) * ((np.abs(x) <= reach) & (np.abs(y) <= reach))
    east, north = np.indices(shape)
    best, targets = np.full(shape, np.inf), np.zeros(shape, dtype=np.int64)
    for a, b in _displacements(rate, shape):
        inside = ((east + a >= 0) & (east + a < shape[0])
                  & (north + b >= 0) & (north + b < shape[1]))
        kernel = scipy.fft.rfftn(near * np.hypot(x + a, y + b))
        lost = scipy.fft.irfftn(held * kernel, padded)[: shape[0], : shape[1]]
        better = inside & (lost < best)
        best[better] = lost[better]
        targets[better] = ((east + a) * shape[1] + north + b)[better]
    return Remap(cells, targets.ravel())


def _displacements(rate: float, shape: tuple[int, int]) -> list[tuple[int, int]]:
    """Displacements to try, the nearest first: staying is preferred."""
    far = min(_FAR / rate, max(shape))
    found = {(0, 0)}
    start = 0.0
    for end, every in _RINGS:
        line = range(-int(far) // every * every, int(far) + 1, every)
        found |= {(a, b) for a in line for b in line
                  if start <= np.hypot(a, b) <= min(end, far)}
        start = end
    return sorted(found, key=lambda s: (np.hypot(*s), s))
