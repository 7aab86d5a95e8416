"""What the theorems about datasets rest on, tried for two neighbors by whoever holds the data."""

from __future__ import annotations

from typing import Any

import numpy as np

from tightrope.exact import Intervals
from tightrope.mechanisms import (
    BoxLaw,
    CauchyLaw,
    DataMechanism,
    DegreeCounts,
    FrequentMechanism,
    LaplaceLaw,
    LineMechanism,
    ModeLaw,
    PiecewiseNoise,
    PlanarLaplace,
    PlanarLaw,
    PositionNoise,
    PositionSteps,
    RankMechanism,
    RingLaw,
    RungLaw,
    ScoreLaw,
    SmoothCount,
    TallyLaw,
    TallyNoise,
    TraceLaw,
)
from tightrope.spaces import Tallies


def lemma_holds(mechanism: DataMechanism, data: Any, neighbor: Any) -> bool:
    """Whether the lemma of a mechanism holds for two neighbors; a curator's figure, not private.

    >>> from tightrope.mechanisms import QuantileMechanism
    >>> from fractions import Fraction
    >>> from tightrope.spaces import Records
    >>> middle = QuantileMechanism(Records(3, 0, 9), 2, Fraction(2))
    >>> lemma_holds(middle, [4, 8, 5], [4, 8, 9]), lemma_holds(middle, [4, 8, 5], [9, 8, 9])
    (True, False)
    """
    match mechanism.law(data), mechanism.law(neighbor):
        case RungLaw() as one, RungLaw() as other:
            return _one_rung_apart(one, other)
        case ModeLaw() as one, ModeLaw() as other:
            apart = [one.rung(z) - other.rung(z) for z in one.values.tolist()]
            return max(map(abs, apart)) <= 1
        case TallyLaw() as one, TallyLaw() as other:
            assert isinstance(mechanism, DegreeCounts | TallyNoise)
            apart = [abs(a - b) for a, b in zip(one.centers, other.centers, strict=True)]
            if isinstance(mechanism, DegreeCounts):
                return sum(apart) <= mechanism.change
            return _neighbors(mechanism.space, apart)
        case ScoreLaw() as one, ScoreLaw() as other:
            assert isinstance(mechanism, RankMechanism | FrequentMechanism)
            changes = np.ptp(one.table - other.table, axis=1)
            return int(changes.sum()) * one.picks <= mechanism.spread
        case CauchyLaw() as one, CauchyLaw() as other:
            assert isinstance(mechanism, SmoothCount)
            least, most = sorted((one.smooth, other.smooth))
            return most <= mechanism.growth * least and abs(one.center - other.center) <= least
        case BoxLaw() as one, BoxLaw() as other:
            moved = [abs(a - b) for a, b in zip(one.center, other.center, strict=True)]
            return max(moved) <= one.step
        case (PlanarLaw() | LaplaceLaw()) as one, (PlanarLaw() | LaplaceLaw()) as other:
            assert isinstance(mechanism, PositionNoise | PlanarLaplace)
            return one.squared(other.center) <= mechanism.space.apart**2
        case TraceLaw() as one, TraceLaw() as other:
            return one.near(other)
        case RingLaw() as one, RingLaw() as other:
            assert isinstance(mechanism, PositionSteps)
            return one.squared(other.center) <= one.width**2
        case PiecewiseNoise() as one, PiecewiseNoise() as other:
            assert isinstance(mechanism, LineMechanism)
            by = one.center - other.center
            return mechanism.space.moves.contains(Intervals.of([(by, by)]))
        case _:
            raise AssertionError("two laws of one mechanism are of one kind")


def _neighbors(space: Tallies, apart: list[int]) -> bool:
    """Whether lists that differ by this much, number by number, are neighbors."""
    return sum(d > 0 for d in apart) <= space.touched and sum(apart) <= space.change


def _one_rung_apart(one: RungLaw, other: RungLaw) -> bool:
    """Whether rungs 0 to t of each lie within rungs 0 to t + 1 of the other, for all t."""
    if one.step != other.step:
        return False
    ends = []
    for law in (one, other):
        beyond = np.maximum(np.arange(max(len(one.lows), len(other.lows)) + 2) - len(law.lows) + 1,
                            0) * law.step
        listed = np.minimum(np.arange(len(beyond)), len(law.lows) - 1)
        ends.append((law.lows[listed] - beyond, law.highs[listed] + beyond))
    return all(
        bool((outer[0][1:] <= inner[0][:-1]).all() and (outer[1][1:] >= inner[1][:-1]).all())
        for inner, outer in (ends, ends[::-1])
    )
