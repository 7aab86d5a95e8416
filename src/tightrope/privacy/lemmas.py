"""Lemmas of the theorems about datasets, checked for two neighbors by the data holder."""

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
    GaussianLaw,
    GaussianMechanism,
    KeyNoise,
    KeySelection,
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
    SelectionLaw,
    SmoothCount,
    TallyLaw,
    TallyNoise,
    ThresholdLaw,
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
        case RungLaw() as first, RungLaw() as second:
            return _one_rung_apart(first, second)
        case ModeLaw() as first, ModeLaw() as second:
            apart = [first.rung(z) - second.rung(z) for z in first.values.tolist()]
            return max(map(abs, apart)) <= 1
        case TallyLaw() as first, TallyLaw() as second:
            assert isinstance(mechanism, DegreeCounts | TallyNoise)
            apart = [abs(a - b) for a, b in zip(first.centers, second.centers, strict=True)]
            if isinstance(mechanism, DegreeCounts):
                return sum(apart) <= mechanism.change
            return _neighbors(mechanism.space, apart)
        case ScoreLaw() as first, ScoreLaw() as second:
            assert isinstance(mechanism, RankMechanism | FrequentMechanism)
            changes = np.ptp(first.table - second.table, axis=1)
            return int(changes.sum()) * first.picks <= mechanism.spread
        case SelectionLaw() | ThresholdLaw() as first, SelectionLaw() | ThresholdLaw() as second:
            assert isinstance(mechanism, KeySelection | KeyNoise)
            apart = [abs(first.counts.get(key, 0) - second.counts.get(key, 0))
                     for key in {*first.counts, *second.counts}]
            return max(apart, default=0) <= 1 and sum(apart) <= mechanism.space.touched
        case CauchyLaw() as first, CauchyLaw() as second:
            assert isinstance(mechanism, SmoothCount)
            least, most = sorted((first.smooth, second.smooth))
            return most <= mechanism.growth * least and abs(first.center - second.center) <= least
        case BoxLaw() as first, BoxLaw() as second:
            moved = [abs(a - b) for a, b in zip(first.center, second.center, strict=True)]
            return max(moved) <= first.step
        case GaussianLaw() as first, GaussianLaw() as second:
            assert isinstance(mechanism, GaussianMechanism)
            squares = ((a - b) ** 2 / v for a, b, v in zip(
                first.centers, second.centers, first.variances, strict=True))
            return sum(squares) <= 2 * mechanism.rho
        case (PlanarLaw() | LaplaceLaw()) as first, (PlanarLaw() | LaplaceLaw()) as second:
            assert isinstance(mechanism, PositionNoise | PlanarLaplace)
            return first.squared(second.center) <= mechanism.space.apart**2
        case TraceLaw() as first, TraceLaw() as second:
            return first.near(second)
        case RingLaw() as first, RingLaw() as second:
            assert isinstance(mechanism, PositionSteps)
            return first.squared(second.center) <= first.width**2
        case PiecewiseNoise() as first, PiecewiseNoise() as second:
            assert isinstance(mechanism, LineMechanism)
            by = first.center - second.center
            return mechanism.space.moves.contains(Intervals.of([(by, by)]))
        case _:
            raise AssertionError("two laws of one mechanism are of one kind")


def _neighbors(space: Tallies, apart: list[int]) -> bool:
    """Whether lists that differ by this much, number by number, are neighbors."""
    return sum(d > 0 for d in apart) <= space.touched and sum(apart) <= space.change


def _one_rung_apart(first: RungLaw, second: RungLaw) -> bool:
    """Whether rungs 0 to t of each lie within rungs 0 to t + 1 of the other, for all t."""
    if first.step != second.step:
        return False
    ends = []
    for law in (first, second):
        rungs = np.arange(max(len(first.lows), len(second.lows)) + 2)
        beyond = np.maximum(rungs - len(law.lows) + 1, 0) * law.step
        listed = np.minimum(np.arange(len(beyond)), len(law.lows) - 1)
        ends.append((law.lows[listed] - beyond, law.highs[listed] + beyond))
    return all(
        bool((outer[0][1:] <= inner[0][:-1]).all() and (outer[1][1:] >= inner[1][:-1]).all())
        for inner, outer in (ends, ends[::-1])
    )
