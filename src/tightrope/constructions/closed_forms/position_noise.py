"""Noise for positions on Earth, at a level for positions within a given distance."""

from __future__ import annotations

from fractions import Fraction

from tightrope.exact import Level, Number, Surd
from tightrope.mechanisms import PlanarLaplace, PositionNoise
from tightrope.privacy import Certified, certified
from tightrope.spaces import Positions


def position_noise(space: Positions, level: Level | Number) -> Certified:
    """The planar geometric law on all cells, proved at the level for neighbors.

    >>> from tightrope.spaces import Region
    >>> here = Positions(Region.box(-4, 40, -3, 41), within=200, step="1/5")
    >>> made = position_noise(here, "ln(2)")
    >>> made.certificate.neighbors
    'any two positions on Earth at most 200 m apart along the ellipsoid WGS84'
    """
    level = Level.positive(level)
    return certified(PositionNoise(space, _ratio(space, level)), level)


def position_laplace(space: Positions, level: Level | Number) -> Certified:
    """Planar Laplace noise of the plane, rounded to cells, proved at the level for neighbors.

    >>> from tightrope.spaces import Region
    >>> here = Positions(Region.box(-4, 40, -3, 41), within=200, step="1/5")
    >>> position_laplace(here, "ln(2)").certificate.evidence.value
    'theorem'
    """
    level = Level.positive(level)
    return certified(PlanarLaplace(space, _ratio(space, level)), level)


def _ratio(space: Positions, level: Level) -> Fraction:
    """Nearly the largest ratio for one step; neighbors are `space.apart` steps apart."""
    return level.scaled(Fraction(1, space.apart)).ratio_below(Surd.of(1))
