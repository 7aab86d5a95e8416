"""Columns of positions: the cell of each, plus noise of its own."""

from __future__ import annotations

from typing import assert_never

import numpy as np

from tightrope.errors import BadInput
from tightrope.exact import FloatArray, IntArray
from tightrope.mechanisms import PlanarLaplace, PositionNoise, PositionSteps
from tightrope.privacy import Certified, proved
from tightrope.samplers.planar import PlanarNoise, planar_noise
from tightrope.samplers.planar_laplace import LaplaceNoise, laplace_noise
from tightrope.samplers.rings import RingNoise, ring_noise
from tightrope.samplers.sources import SYSTEM, Source, check_source
from tightrope.spaces import usable

_BATCH = 1 << 17
"""Positions at a time, so that their temporary arrays stay small."""


def draw_cells(
    certified: Certified, lon: FloatArray, lat: FloatArray, source: Source = SYSTEM
) -> tuple[IntArray, IntArray]:
    """A noisy cell for each position of a column, as whole steps east and north of the middle.

    Raises `NotCertified` for what was not proved, and `BadInput` if anything is no position,
    without telling which.
    """
    check_source(source)
    mechanism = proved(certified)
    if not isinstance(mechanism, PositionNoise | PlanarLaplace | PositionSteps):
        raise BadInput("expected noise for positions.")
    if lon.shape != lat.shape or lon.ndim != 1 or not usable(lon, lat).all():
        raise BadInput("expected columns of longitudes and latitudes in degrees.")
    noise = _noise(mechanism)
    east, north = np.empty(len(lon), np.int64), np.empty(len(lon), np.int64)
    for start in range(0, len(lon), _BATCH):
        part = slice(start, start + _BATCH)
        x, y = mechanism.space.cells(lon[part], lat[part])
        dx, dy = noise.draw(len(x), source)
        east[part], north[part] = x + dx, y + dy
    return east, north


def _noise(
    mechanism: PositionNoise | PlanarLaplace | PositionSteps
) -> PlanarNoise | LaplaceNoise | RingNoise:
    match mechanism:
        case PositionNoise():
            return planar_noise(mechanism.ratio)
        case PlanarLaplace():
            return laplace_noise(mechanism.ratio)
        case PositionSteps():
            law = mechanism.around((0, 0))
            return ring_noise(law.ratio, law.width, law.first)
        case never:
            assert_never(never)
