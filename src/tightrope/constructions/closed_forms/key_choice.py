"""Keys that nobody listed, released at a level with δ: alone, or each with its count."""

from __future__ import annotations

from fractions import Fraction

from tightrope.errors import BadLevel
from tightrope.exact import Level, Surd
from tightrope.mechanisms import KeyNoise, KeySelection
from tightrope.privacy import Certified, certified
from tightrope.spaces import KeyCounts


def key_selection(space: KeyCounts, level: Level) -> Certified:
    """Keys without counts, each at its part of ε and δ: optimal where a unit has one key.

    >>> rule = key_selection(KeyCounts(2), Level.ratio(4, delta="1/5")).mechanism
    >>> rule.ratio, rule.delta
    (Fraction(2, 1), Fraction(1, 10))
    """
    ratio, delta = _parts(space, level)
    return certified(KeySelection(space, ratio, delta), level)


def key_noise(space: KeyCounts, level: Level) -> Certified:
    """Keys with counts, each at its part of ε and δ, with the least noise that fits.

    >>> key_noise(KeyCounts(1), Level.ratio(2, delta="1/10")).mechanism.reach
    2
    """
    ratio, delta = _parts(space, level)
    # the chance at the ends, (q - 1)/((q + 1) q^K - 2), is at most δ if q^K reaches this
    needed = ((ratio - 1) / delta + 2) / (ratio + 1)
    low, high = 0, 1
    while ratio**high < needed:
        low, high = high, 2 * high
        if low > 2**12:
            break  # the mechanism refuses it
    while high - low > 1:
        half = (low + high) // 2
        low, high = (half, high) if ratio**half < needed else (low, half)
    return certified(KeyNoise(space, ratio, high), level)


def _parts(space: KeyCounts, level: Level) -> tuple[Fraction, Fraction]:
    """e^ε and δ of one key, where a unit is in several."""
    if not level.delta:
        raise BadLevel(str(level), "a δ above 0: keys that are not declared are released with it")
    share = Fraction(1, space.touched)
    return level.scaled(share).ratio_below(Surd.of(1)), level.delta * share
