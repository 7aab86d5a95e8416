"""Outputs moved to where a public prior says that their truth most likely was near.

What follows from an output alone reveals no more than the output, so a remap costs nothing. For
the output z the best answer loses least on average over the posterior, which is the prior times
e^(-ε d(·, z)) up to normalizers: the geometric median of that, for the distance. On few cells it
is worked out for every pair; on many, the average loss of all z moved by s is one convolution of
the prior for each displacement s (Chatzikokolakis and others 2017 do so in continuous space).

Cells that are not small beside the noise are coarse: probabilities are then averaged over both
cells. An output whose own cell is best stays where it is; it does not move to the center.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Final, TypeAlias

import numpy as np

from tightrope.exact import FloatArray, IntArray, owned
from tightrope.locations.covering import Cells
from tightrope.locations.lengths import length_text
from tightrope.mechanisms import FiniteMechanism
from tightrope.utility import Problem, best_remap

Falling: TypeAlias = Callable[[FloatArray], FloatArray]
"""How likely noise is at a distance in cells, up to a constant."""

_FAR: Final = 4.0
"""Displacements are sought up to this over ε."""
_SEEN: Final = 18.0
"""Cells farther than this over ε count for nothing: e^-18."""
_RINGS: Final = ((4.5, 1), (12.5, 2), (np.inf, 4))
"""Up to so far every so many cells is tried as a displacement."""
_MIDDLE: Final = 0.3826
"""The mean distance from the middle of a cell, in cells."""
_BETWEEN: Final = 9
"""Places along a side at which the way from one cell to another is looked at."""


@dataclass(frozen=True, eq=False, repr=False)
class Remap:
    """For every cell the cell that is put out in its place; `coarse` ones leave their own alone."""

    cells: Cells
    targets: IntArray
    coarse: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "targets", owned(np.asarray(self.targets, dtype=np.int64)))

    def moved(self, lon: FloatArray, lat: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The centers of the cells that are put out in place of these; coarse ones in the hull."""
        codes = self.cells.codes(lon, lat)
        centers = self.cells.centers(self.targets[codes])
        if not self.coarse:
            return centers
        stays = self.targets[codes] == codes
        x, y = self._inside(*centers)
        return np.where(stays, lon, x), np.where(stays, lat, y)

    def _inside(self, lon: FloatArray, lat: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Centers of cells, moved to the hull where they are outside it."""
        space = self.cells.space
        at = (np.rint(part * 64).astype(np.int64) for part in space.region.plane.project(lon, lat))
        x, y = space.moved(*at)
        return space.region.plane.lift(x / 64, y / 64)

    def __repr__(self) -> str:
        moved = int((self.targets != np.arange(self.cells.size)).sum())
        return f"Remap({moved:,} of {self.cells.size:,} cells moved)"

    def __str__(self) -> str:
        coarse = ", coarse beside the noise" if self.coarse else ""
        return f"{self.cells.size:,} cells of {length_text(float(self.cells.space.step))}{coarse}"


def listed_remap(cells: Cells, mechanism: FiniteMechanism, problem: Problem) -> Remap:
    """The best cell for each output of a mechanism that is written out."""
    return Remap(cells, np.array(best_remap(mechanism, problem)))


def spread_remap(
    cells: Cells, shares: FloatArray, rate: float, *, coarse: bool = False,
    falling: Falling | None = None,
) -> Remap:
    """Nearly the best cell for each output of noise that falls by e^-rate with every cell.

    Truths and outputs are centers of cells, or, if they are `coarse`, anywhere in them. `falling`
    says how noise falls with the distance in cells where that is not in each one alike.

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
    spectrum = scipy.fft.rfftn(shares.reshape(shape), padded)
    offsets = [(np.arange(n) + n // 2) % n - n // 2 for n in padded]
    x, y = (axis.astype(np.float64) for axis in np.ix_(*offsets))
    seen = (np.abs(x) <= reach) & (np.abs(y) <= reach)
    fall: Falling = (lambda far: np.asarray(np.exp(-rate * far))) if falling is None else falling
    near, kept = (part * seen for part in (_across_cells if coarse else _at_centers)(x, y, fall))
    least = _MIDDLE if coarse else 0.0
    east, north = np.indices(shape)
    best, targets = np.full(shape, np.inf), np.zeros(shape, dtype=np.int64)
    for a, b in _displacements(rate, shape):
        inside = ((east + a >= 0) & (east + a < shape[0])
                  & (north + b >= 0) & (north + b < shape[1]))
        kernel = scipy.fft.rfftn(near * np.maximum(np.hypot(x + a, y + b), least) if a or b else
                                 kept)
        lost = scipy.fft.irfftn(spectrum * kernel, padded)[: shape[0], : shape[1]]
        better = inside & (lost < best)
        best[better] = lost[better]
        targets[better] = ((east + a) * shape[1] + north + b)[better]
    return Remap(cells, targets.ravel(), coarse)


def _at_centers(x: FloatArray, y: FloatArray, fall: Falling) -> tuple[FloatArray, FloatArray]:
    """How likely noise is, and that times its length, between the centers of cells."""
    far = np.hypot(x, y)
    near = fall(far)
    return near, near * far


def _across_cells(x: FloatArray, y: FloatArray, fall: Falling) -> tuple[FloatArray, FloatArray]:
    """The same on average over two points, one anywhere in each of the two cells."""
    along = (np.arange(_BETWEEN) + 1) / (_BETWEEN + 1) * 2 - 1
    weight = (1 - np.abs(along)) / (1 - np.abs(along)).sum()
    near = np.zeros(np.broadcast_shapes(x.shape, y.shape))
    kept = near.copy()
    for s, first in zip(along, weight, strict=True):
        for t, second in zip(along, weight, strict=True):
            part, times = _at_centers(x + s, y + t, fall)
            near += first * second * part
            kept += first * second * times
    return near, kept


def _displacements(rate: float, shape: tuple[int, int]) -> list[tuple[int, int]]:
    """Displacements to try, the nearest first: staying is preferred."""
    far = min(_FAR / rate, max(shape))
    steps = {(0, 0)}
    start = 0.0
    for end, every in _RINGS:
        line = range(-int(far) // every * every, int(far) + 1, every)
        steps |= {(a, b) for a in line for b in line
                  if start <= np.hypot(a, b) <= min(end, far)}
        start = end
    return sorted(steps, key=lambda s: (np.hypot(*s), s))
