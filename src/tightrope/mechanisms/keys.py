"""Keys that nobody listed: which of them are released, and with which count.

A key of n units is released with a chance π(n) that is 0 for n = 0 and never more than a level
(ln q, δ) allows between n - 1 and n. The largest such chances are
π(n) = min(1, q π(n-1) + δ, 1 - (1 - π(n-1) - δ)/q) (Desfontaines, Voss, Gipson and Mandayam,
2022). By induction no private rule for one key a unit has a larger chance anywhere: each bound
increases with π(n-1).

Where the count is wanted, too, it is n + Z with P(Z = z) = q^-|z|/N for |z| <= K, released if it
is above K. The outputs of n and n + 1 differ by a factor q, but for one end of the noise, with a
chance q^-K/N; and a single unit is above K with that chance alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from tightrope.errors import BadInput, TooLarge
from tightrope.exact import own_numbers
from tightrope.mechanisms.answers import Answers, Single, check_noise
from tightrope.spaces import Key, KeyCounts

MOST_REACH = 4096
"""Units from which on a key's chance is above 1/2: powers of q that long are written out."""


@dataclass(frozen=True, eq=False)
class SelectionLaw:
    """Independent choices: each key is released, by itself, with its chance."""

    counts: Mapping[Key, int]
    mechanism: KeySelection

    def probability(self, answer: tuple[Key, ...]) -> Fraction:
        """The probability that these keys are released, and no others."""
        if not {*answer} <= {*self.counts}:
            return Fraction(0)
        total = Fraction(1)
        for key, count in self.counts.items():
            chance = self.mechanism.chance(count)
            total *= chance if key in answer else 1 - chance
        return total


@dataclass(frozen=True, eq=False)
class ThresholdLaw:
    """Independent noise on the count of each key; counts up to the threshold are not released."""

    counts: Mapping[Key, int]
    mechanism: KeyNoise

    def probability(self, answer: tuple[tuple[Key, int], ...]) -> Fraction:
        """The probability that these keys are released, with these counts, and no others."""
        released, total = dict(answer), Fraction(1)
        if not {*released} <= {*self.counts} or any(
            number <= self.mechanism.reach for number in released.values()
        ):
            return Fraction(0)
        for key, count in self.counts.items():
            total *= (self.mechanism.noise(released[key] - count) if key in released
                      else 1 - self.mechanism.chance(count))
        return total


@dataclass(frozen=True, repr=False)
class KeySelection(Single):
    """Keys that are released without counts, by the largest chances that a level allows.

    `ratio` and `delta` are the level of one key: e^ε and δ.

    >>> rule = KeySelection(KeyCounts(1), Fraction(2), Fraction(1, 10))
    >>> [str(rule.chance(n)) for n in range(6)]
    ['0', '1/10', '3/10', '7/10', '9/10', '1']
    """

    space: KeyCounts
    ratio: Fraction
    delta: Fraction
    answers: ClassVar = Answers.KEYS

    def __post_init__(self) -> None:
        own_numbers(self, "ratio", "delta")
        check_noise(self.space, (KeyCounts,), self.ratio)
        if not 0 < self.delta < 1:
            raise BadInput("expected a chance above 0 and below 1 that a single unit is released.")
        if self.crossover[0] > MOST_REACH:
            raise TooLarge("the number of units of a key that is likely released",
                           self.crossover[0], MOST_REACH, "take a larger ε or δ")

    @property
    def key_delta(self) -> Fraction:
        """The chance that the key of a single unit is released: δ of one key."""
        return self.delta

    @property
    def _middle(self) -> Fraction:
        """The chance up to which q π + δ is the least of the bounds."""
        return (1 - self.delta) / (self.ratio + 1)

    def _rising(self, n: int) -> Fraction:
        """The chance as long as q π + δ is the least: δ + δ q + ... + δ q^(n-1)."""
        return self.delta * (self.ratio**n - 1) / (self.ratio - 1)

    @cached_property
    def crossover(self) -> tuple[int, Fraction]:
        """The last number of units whose chance is q π + δ, and that chance."""
        low, high = 0, 1  # low is the last known to be at most the middle
        while low <= MOST_REACH and self._rising(high) <= self._middle:
            low, high = high, 2 * high
        while high - low > 1:
            half = (low + high) // 2
            low, high = (half, high) if self._rising(half) <= self._middle else (low, half)
        return low + 1, self._rising(low + 1)

    def chance(self, units: int) -> Fraction:
        """The chance that a key of so many units is released, exactly."""
        last, chance = self.crossover
        if units <= last:
            return self._rising(max(units, 0))
        if units > 2 * last + 1:  # the way up from the crossover is no longer than the way there
            return Fraction(1)
        fall = self.ratio ** (last - units)
        missed = fall * (1 - chance) - self.delta * (1 - fall) / (self.ratio - 1)
        return 1 - max(missed, Fraction(0))

    def law(self, data: Mapping[Key, int]) -> SelectionLaw:
        """The law of the released keys for these counts; a curator's figure, not private."""
        return SelectionLaw(self.space.accept(data), self)


@dataclass(frozen=True, repr=False)
class KeyNoise(Single):
    """Counts of keys with noise from -reach to reach, released above reach.

    >>> noisy = KeyNoise(KeyCounts(1), Fraction(2), 2)
    >>> str(noisy.key_delta), [str(noisy.chance(n)) for n in range(6)]
    ('1/10', ['0', '1/10', '3/10', '7/10', '9/10', '1'])
    """

    space: KeyCounts
    ratio: Fraction
    reach: int
    answers: ClassVar = Answers.KEYS

    def __post_init__(self) -> None:
        own_numbers(self, "ratio", whole=("reach",))
        check_noise(self.space, (KeyCounts,), self.ratio)
        if not 1 <= self.reach <= MOST_REACH:
            raise TooLarge("the largest noise on the count of a key", self.reach, MOST_REACH,
                           "take a larger ε or δ") if self.reach > 0 else BadInput(
                               "expected a largest noise of at least 1.")

    @cached_property
    def normalizer(self) -> Fraction:
        """N = 1 + 2 (q^-1 + ... + q^-K)."""
        return 1 + 2 * (1 - self._last) / (self.ratio - 1)

    @cached_property
    def _last(self) -> Fraction:
        return self.ratio**-self.reach

    @cached_property
    def key_delta(self) -> Fraction:
        """The chance that the key of a single unit is released: δ of one key."""
        return self._last / self.normalizer

    def noise(self, number: int) -> Fraction:
        """P(Z = number)."""
        if abs(number) > self.reach:
            return Fraction(0)
        return self.ratio ** -abs(number) / self.normalizer

    def tail(self, least: int) -> Fraction:
        """P(Z >= least)."""
        return Fraction(self._above(least), self._total)

    @cached_property
    def _total(self) -> int:
        """The whole number by which chances are multiplied to be compared: no gcd is needed."""
        upper, lower = self.ratio.numerator, self.ratio.denominator
        largest: int = upper**self.reach * (upper - lower)
        return largest + 2 * self._above(1)

    def _above(self, least: int) -> int:
        """P(Z >= least) times `_total`."""
        if least < 1:
            return self._total - self._above(1 - least)
        upper, lower = self.ratio.numerator, self.ratio.denominator
        terms = max(self.reach + 1 - least, 0)
        chance: int = lower**least * (upper**terms - lower**terms)
        return chance

    def chance(self, units: int) -> Fraction:
        """The chance that a key of so many units is released, exactly."""
        return self.tail(self.reach + 1 - units) if units > 0 else Fraction(0)

    @cached_property
    def mean_error(self) -> Fraction:
        """E|Z|: the expected error of the count of a key that is always released."""
        k, a = self.reach, 1 / (self.ratio - 1)
        # Σ z x^z up to K is (1 + a) a - (K + 1 + a) a x^K with x = 1/q and a = 1/(q - 1)
        total = (1 + a) * a - (k + 1 + a) * a * self._last
        return 2 * total / self.normalizer

    def width(self, confidence: Fraction) -> int:
        """The least width with P(|Z| <= width) of at least this much, below 1."""
        low, high = -1, self.reach
        while high - low > 1:
            half = (low + high) // 2
            low, high = (low, half) if 2 * self.tail(half + 1) <= 1 - confidence else (half, high)
        return high

    def interval(self, number: int, confidence: Fraction) -> tuple[int, int]:
        """Ends around the units of a key that was released with this number.

        Of all keys of n units that are released, however rarely that is, the interval holds n
        with the confidence: no end is missed by more than half of the rest. It also holds the
        number itself.

        >>> KeyNoise(KeyCounts(1), Fraction(2), 9).interval(10, Fraction(9, 10))
        (1, 12)
        """
        beyond = max(number - 3 * self.reach - 1, 0)  # every key around it is released for sure
        number -= beyond
        times, missed = (2 / (1 - confidence)).as_integer_ratio()
        low, high = max(number - self.reach, 1) - 1, number
        while high - low > 1:  # P(X >= number) increases with n
            half = (low + high) // 2
            enough = times * self._above(number - half) > missed * self._above(
                self.reach + 1 - half)
            low, high = (low, half) if enough else (half, high)
        least, low, high = high, max(number - self.reach, 1), number + self.reach + 1
        while high - low > 1:  # P(X <= number) decreases with n
            half = (low + high) // 2
            chance = self._above(self.reach + 1 - half)
            enough = times * (chance - self._above(number + 1 - half)) > missed * chance
            low, high = (half, high) if enough else (low, half)
        return least + beyond, max(low, number) + beyond

    def law(self, data: Mapping[Key, int]) -> ThresholdLaw:
        """The law of the released counts for these counts; a curator's figure, not private."""
        return ThresholdLaw(self.space.accept(data), self)
