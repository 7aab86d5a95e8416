"""How levels add up: the laws of composition.

- sequential: several mechanisms on the same data, ε and δ add up;
- parallel: mechanisms on disjoint parts of the data, the largest ε and δ count;
- group: inputs k steps apart, k·ε and δ (e^(kε) - 1)/(e^ε - 1);
- post-processing: what is computed from the output alone costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tightrope.errors import BadLevel
from tightrope.exact import Level, Surd, upper_bound


def sequential(levels: Sequence[Level]) -> Level:
    """The level of all mechanisms together, each run on the same data.

    >>> sequential([Level.epsilon("0.5"), Level.epsilon("0.25")]).text
    '0.75'
    """
    total = levels[0]
    for level in levels[1:]:
        total = total + level
    return total


def parallel(levels: Sequence[Level]) -> Level:
    """The level of mechanisms on disjoint parts of the data, by what one person can touch.

    >>> parallel([Level.ratio(2), Level.ratio(3)]).text
    'ln(3)'
    """
    largest = levels[0]
    for level in levels[1:]:
        if level.pure.compare_level(largest.pure) > 0:
            largest = level
    return largest.with_delta(max(level.delta for level in levels))


def group(level: Level, size: int) -> Level:
    """The level between inputs `size` steps apart; δ is rounded up where it is irrational.

    >>> group(Level.ratio(2, delta="0.01"), 3).delta
    Fraction(7, 100)
    """
    if size < 1:
        raise BadLevel(size, "a group of at least one")
    grown = level.scaled(size)
    if level.delta == 0:
        return grown
    factor = level.power(Surd.of(1))
    if factor is None:  # Σ e^(jε), j < size, increases in e^ε
        factor = upper_bound(level.power_ball(Surd.of(1), 128))
    return grown.with_delta(level.delta * sum((factor**j for j in range(size)), Fraction(0)))
