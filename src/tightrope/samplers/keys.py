"""Exact draws of keys: each is released, or not, by itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tightrope.mechanisms import SelectionLaw, ThresholdLaw
from tightrope.samplers.noise import stepped_noise
from tightrope.samplers.sources import Source, uniform_below
from tightrope.spaces import Key

_BITS = 64


def selected_keys(law: SelectionLaw, source: Source) -> tuple[Key, ...]:
    """The keys that are released, in their order."""
    @cache
    def thresholds(count: int) -> tuple[int, int, int]:
        """The chance in units of 2^-64, rounded down, and what is left of a unit, as a fraction."""
        over, under = law.mechanism.chance(count).as_integer_ratio()
        return (*divmod(over << _BITS, under), under)

    words = np.frombuffer(source.bytes(8 * len(law.counts)), dtype="<u8").tolist()
    return tuple(key for (key, count), word in zip(law.counts.items(), words, strict=True)
                 if _happens(word, thresholds, count, source))


def _happens(
    word: int, thresholds: Callable[[int], tuple[int, int, int]], count: int, source: Source
) -> bool:
    """Whether a uniform number that begins with this word is below the chance."""
    whole, rest, under = thresholds(count)
    return word < whole or (word == whole and uniform_below(under, source) < rest)


def noisy_keys(law: ThresholdLaw, source: Source) -> tuple[tuple[Key, int], ...]:
    """The keys that are released with their counts, in their order."""
    reach = law.mechanism.reach
    noise = _bounded_noise(law, len(law.counts), source)
    noisy = [(key, count + z) for (key, count), z in zip(
        law.counts.items(), noise.tolist(), strict=True)]
    return tuple((key, number) for key, number in noisy if number > reach)


def _bounded_noise(law: ThresholdLaw, count: int, source: Source) -> NDArray[np.int64]:
    """Two-sided geometric numbers within the reach: what is beyond is drawn again."""
    noise, reach = stepped_noise(law.mechanism.ratio, 1, 1), law.mechanism.reach
    numbers, left = np.zeros(count, dtype=np.int64), np.arange(count)
    while len(left):
        drawn = noise.draw(len(left), source)
        inside = np.abs(drawn) <= reach
        numbers[left[inside]] = drawn[inside]
        left = left[~inside]
    return numbers
