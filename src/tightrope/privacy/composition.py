"""How levels add up: the laws of composition.

- sequential: several mechanisms on the same data, ε and δ add up;
- parallel: mechanisms on disjoint parts of the data, the largest ε and δ count;
- group: inputs k steps apart, k·ε and δ (e^(kε) - 1)/(e^ε - 1);
- post-processing: a function of the output alone costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from operator import index

from tightrope.errors import BadLevel
from tightrope.exact import Level, Number, Surd, upper_bound
from tightrope.privacy.levels import level_of


def sequential(levels: Iterable[Level | Number]) -> Level:
    """The level of all mechanisms together, each run on the same data: ε and δ add up.

    Returns: a `Level`, exact.

    Raises: `BadLevel` for an empty list, or a value that is no level.

    >>> sequential([Level.epsilon("0.5"), Level.epsilon("0.25")]).text
    '0.75'
    """
    first, *others = _all(levels)
    for level in others:
        first = first + level
    return first


def parallel(levels: Iterable[Level | Number]) -> Level:
    """The level of mechanisms on disjoint parts of the data: the largest ε, the largest δ.

    One person is in one part only.

    Returns: a `Level`, exact; its ε and its δ may come from different mechanisms.

    Raises: `BadLevel` for an empty list, or a value that is no level.

    >>> parallel([Level.ratio(2), Level.ratio(3)]).text
    'ln(3)'
    """
    checked = _all(levels)
    largest = checked[0]
    for level in checked[1:]:
        if level.pure.compare_level(largest.pure) > 0:
            largest = level
    return largest.with_delta(max(level.delta for level in checked))


def group(
    epsilon: Level | Number | None = None,
    size: int = 0,
    *,
    delta: Number | None = None,
    ratio: Number | None = None,
) -> Level:
    """The level between inputs `size` steps apart; δ is rounded up where it is irrational.

    Returns: a `Level`, with `size` times the ε.

    Raises: `BadLevel` unless `size` is a whole number of at least 1; `BadInput` without a level.

    >>> group(ratio=2, delta="0.01", size=3).delta
    Fraction(7, 100)
    """
    level = level_of(epsilon, delta=delta, ratio=ratio)
    try:
        steps = index(size)
    except TypeError:
        steps = 0
    if steps < 1:
        raise BadLevel(size, "a group of at least one, as a whole number")
    grown = level.scaled(steps)
    if level.delta == 0:
        return grown
    factor = level.power(Surd.of(1))
    if factor is None:  # Σ e^(jε), j < size, increases in e^ε
        factor = upper_bound(level.power_ball(Surd.of(1), 128))
    return grown.with_delta(level.delta * sum((factor**j for j in range(steps)), Fraction(0)))


def _all(levels: Iterable[Level | Number]) -> list[Level]:
    """The levels, at least one."""
    if isinstance(levels, str) or not isinstance(levels, Iterable):
        raise BadLevel(levels, "a list of levels, such as [0.5, 0.25]")
    checked = [Level.of(level) for level in levels]
    if not checked:
        raise BadLevel("none", "at least one level")
    return checked
