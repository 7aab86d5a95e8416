"""Privacy levels as exact numbers.

A level is ε = rational + coefficient · ln(base), with δ beside it. A decimal such as
"0.5" is taken exactly; `Level.ratio(2)` says e^ε = 2 exactly, so that every comparison
with a rational probability can be decided, ties included.

When is e^(ε d) rational, for an algebraic distance d > 0? If the rational part is zero and
coefficient · d is rational, e^(ε d) is a root of a rational and powers decide. In all other
cases it is transcendental (Lindemann, Gelfond–Schneider, Baker), so no comparison with a
rational ties and refining a ball always ends.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import lcm, nextafter
from typing import Any

from flint import arb, ctx

from tightrope.errors import BadLevel
from tightrope.exact.balls import (
    LONGEST_WRITTEN,
    ball_of,
    exact_text,
    lower_bound,
    short_text,
    upper_bound,
    writable,
)
from tightrope.exact.cards import level_card, level_text
from tightrope.exact.numbers import Number, fraction_of, stated
from tightrope.exact.rationals import bit_size, lowest_terms, rational_power, same_power
from tightrope.exact.sizes import LARGEST_EPSILON
from tightrope.exact.surds import Surd
from tightrope.exact.tolerances import INSIDE_BITS, ROUNDING_ROOM

_LN = re.compile(r"\s*ln\(([^()]+)\)\s*(?:/\s*([0-9.]+)|\*\s*([0-9./]+))?\s*")
_RANGE = f"a privacy level ε from 0 to {LARGEST_EPSILON:,}, such as 0.5, 1/3 or ln(2)"
_ABOVE = f"a privacy level ε above 0 and at most {LARGEST_EPSILON:,}, such as 0.5, 1/3 or ln(2)"
_DELTA = "a δ from 0 to 1"


@dataclass(frozen=True)
class Level:
    """How hard two inputs are to tell apart: a privacy level ε, with δ beside it, exactly.

    An answer is at most e^(ε d) times as likely for one input as for another at distance d, up
    to a probability of δ. Make one with `Level.of(0.5)`, `Level.of("ln(2)")`,
    `Level.epsilon(0.5, delta=1e-6)` or `Level.ratio(2)`, which says e^ε = 2; wherever a level is
    asked for, the number or text will do. Kept as ε = rational + coefficient · ln(base).

    >>> Level.of(0.5), Level.ratio(2), float(Level.ratio(2))
    (Level(ε = 0.5), Level(ε = ln(2) = 0.6931472), 0.6931471805599453)
    >>> Level.ratio(2).power(Surd.of(3))  # e^(3 ε)
    Fraction(8, 1)
    >>> (Level.ln(2) + Level.ln(3)).text
    'ln(6)'
    """

    rational: Fraction
    coefficient: Fraction
    base: Fraction
    delta: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        for name in ("rational", "coefficient", "base", "delta"):
            number = getattr(self, name)
            if type(number) is not Fraction:
                object.__setattr__(self, name, stated(number, "the numbers of a level"))
        if self.base <= 0 or self.coefficient < 0:
            raise BadLevel(self.base, "an e^ε of at least 1")
        if not self.coefficient or self.base == 1:  # ln(1) = 0: no logarithm, written one way
            object.__setattr__(self, "coefficient", Fraction(0))
            object.__setattr__(self, "base", Fraction(1))
        if not self.is_zero and not self._positive():
            raise BadLevel(f"ε = {self.text}", _RANGE)
        if not 0 <= self.delta < 1:
            raise BadLevel(f"δ = {short_text(self.delta)}", "a δ from 0 up to, not including, 1")

    @classmethod
    def of(cls, value: Level | Number) -> Level:
        """The level itself, or the one that a number or a text states, or that a result has.

        >>> Level.of(0.1) == Level.of("1/10"), Level.of("ln(2)") == Level.ratio(2)
        (True, True)
        """
        own = getattr(value, "level", None)  # a smallest level, a certificate
        if isinstance(own, Level) and not isinstance(value, Level):
            return cls.of(own)
        if isinstance(value, Level):
            if type(value) is not Level:  # a subclass may compare as it likes
                raise BadLevel(f"a {type(value).__name__}", "a Level, a number or a text")
            return value
        return cls.parse(value) if isinstance(value, str) else cls.epsilon(value)

    @classmethod
    def epsilon(cls, value: Number, delta: Number = 0) -> Level:
        """The level ε = value, exactly; a double means its shortest decimal, 0.1 is 1/10.

        >>> Level.epsilon("ln(2)", delta="1e-6")
        Level(ε = ln(2) = 0.6931472, δ = 1e-06)
        """
        if isinstance(value, str) and _LN.fullmatch(value):
            return cls.parse(value, delta)
        exact = stated(value, _RANGE)
        if not 0 <= exact <= LARGEST_EPSILON:
            raise BadLevel(value, _RANGE)
        return cls(exact, Fraction(0), Fraction(1), stated(delta, _DELTA))

    @classmethod
    def ratio(cls, value: Number, delta: Number = 0) -> Level:
        """The level with e^ε = value exactly."""
        exact = stated(value, "an e^ε of at least 1")
        if exact < 1:
            raise BadLevel(value, "an e^ε of at least 1")
        level = cls(Fraction(0), Fraction(1), exact, stated(delta, _DELTA))
        return level.checked()

    @classmethod
    def ln(cls, value: Number, delta: Number = 0) -> Level:
        """The level ε = ln(value); the same as `ratio(value)`."""
        return cls.ratio(value, delta)

    @classmethod
    def parse(cls, text: str, delta: Number = 0) -> Level:
        """The level written as a decimal, a fraction, `ln(q)`, `ln(q)/k` or `ln(q)*k`."""
        if not isinstance(text, str):
            raise BadLevel(repr(str(text)[:60]), "a level as text, such as 0.5 or ln(2)")
        if (match := _LN.fullmatch(text)) is None:
            return cls.epsilon(text.strip(), delta)
        inside, divisor, factor = match.groups()
        scale = fraction_of(divisor or factor or "1", "a factor of the logarithm")
        if scale <= 0:
            raise BadLevel(text, _RANGE)
        level = cls.ratio(inside.strip()).scaled(1 / scale if divisor else scale)
        return level.with_delta(delta).checked()

    @classmethod
    def positive(cls, value: Level | Number) -> Level:
        """The level that `of` reads; it is bad input where ε = 0 has no meaning.

        >>> Level.positive("ln(2)") == Level.ratio(2), Level.of(0).is_zero
        (True, True)
        """
        level = cls.of(value)
        if level.is_zero:
            raise BadLevel("ε = 0", _ABOVE)
        return level

    @property
    def is_zero(self) -> bool:
        """Whether ε = 0: two inputs have the same law, up to δ (H16, Definition 3.3)."""
        return not self.rational and not self.coefficient

    def _positive(self) -> bool:
        """Whether ε > 0, decided exactly."""
        if self.rational == 0 or not self.coefficient:
            return self.rational > 0 or self.base > 1
        return bool(self.ball(64) > 0)

    def checked(self) -> Level:
        """The level itself, if ε is not beyond what protects at all."""
        bits = 64  # only a rational ε can be equal to the limit, and then the ball is a point
        while not (self.ball(bits) <= LARGEST_EPSILON or self.ball(bits) > LARGEST_EPSILON):
            bits *= 2
        if self.ball(bits) > LARGEST_EPSILON:
            raise BadLevel(f"ε = {self.text}", _RANGE)
        return self

    @property
    def text(self) -> str:
        """The level as text that `parse` reads (a sum of two kinds is for people only).

        >>> Level.parse("ln(1024)/10").text, Level.parse("ln(8)*2/3").text  # in lowest terms
        ('ln(2)', 'ln(2)*2')
        """
        parts = []
        if self.rational or not self.coefficient:
            parts.append(exact_text(self.rational))
        if self.coefficient:
            times, base = lowest_terms(self.coefficient, self.base)
            tail = "" if times == 1 else f"/{times.denominator}" if times.numerator == 1 else (
                f"*{times}")
            parts.append(f"ln({exact_text(base, decimal=False)}){tail}")
        return " + ".join(parts)

    __str__ = level_text
    _repr_html_ = level_card

    def __repr__(self) -> str:
        return f"Level({self})"

    def as_json(self) -> dict[str, Any]:
        """ε as a number and exactly, and δ; what is too small for a double is not said to be 0."""
        least = nextafter(0.0, 1.0)
        delta = (float(self.delta) or least) if self.delta else 0.0
        epsilon = 0.0 if self.is_zero else float(self) or least
        return {"epsilon": epsilon, "epsilon_text": self.text, "delta": delta}

    @property
    def pure(self) -> Level:
        """The same ε with δ = 0."""
        return replace(self, delta=Fraction(0))

    def with_delta(self, delta: Number) -> Level:
        """The same ε with another δ."""
        return replace(self, delta=stated(delta, _DELTA))

    def __float__(self) -> float:
        return float(self.ball(80).mid())

    def __add__(self, other: Level) -> Level:
        """The level of two mechanisms run on the same data: ε and δ add up.

        A sum of more than some 4,200 digits is rounded up, by less than one part in 10^70.
        """
        return _sum(self, other)

    def scaled(self, factor: int | Fraction) -> Level:
        """The level `factor` · ε, with δ = 0."""
        exact = Fraction(factor)
        return Level(self.rational * exact, self.coefficient * exact, self.base)

    def ball(self, bits: int) -> arb:
        """A ball that contains ε, with about that many correct bits.

        More are worked with where both parts nearly cancel, which they never quite do, or where
        the base is close to 1.
        """
        if self.is_zero:
            return arb(0)
        working = bits
        while True:
            with ctx.workprec(working):
                total = ball_of(self.rational, working)
                if self.coefficient:
                    total += ball_of(self.coefficient, working) * ball_of(self.base, working).log()
            if total.rel_accuracy_bits() >= bits - 8:
                return total
            working *= 2

    def power(self, distance: Surd) -> Fraction | None:
        """e^(ε · distance) where it is rational and not too long, else None."""
        exact = distance.rational
        if exact == 0 or (self.is_zero and not distance.infinite):
            return Fraction(1)
        if exact is None or self.rational != 0:
            return None
        return rational_power(self.base, exact * self.coefficient)

    def power_ball(self, distance: Surd, bits: int) -> arb:
        """A ball that contains e^(ε · distance)."""
        with ctx.workprec(bits):
            return (self.ball(bits) * distance.ball(bits)).exp()

    def compare(self, ratio: Fraction, distance: Surd) -> int:
        """The sign of ratio - e^(ε · distance), decided exactly."""
        return self.compare_quotient(ratio.numerator, ratio.denominator, distance)

    def compare_quotient(self, over: int, under: int, distance: Surd, shift: int = 0) -> int:
        """The sign of over/under · 2^shift - e^(ε · distance), decided exactly.

        For long integers: the quotient is not reduced, which would take longer than all else.
        """
        if distance.infinite:
            return -1
        exact = self.power(distance)
        if exact is not None:
            return _order(over * exact.denominator, shift, under * exact.numerator)
        bits = 128
        while True:  # ends: what is left after the test for a tie is never a tie
            with ctx.workprec(bits):
                quotient = arb((over, shift)) / arb(under)
                gap = quotient - self.power_ball(distance, bits)
                if gap > 0:
                    return 1
                if gap < 0:
                    return -1
            if bits == 128 and self.rational == 0 and distance.rational is not None:
                wide = over << max(shift, 0), under << max(-shift, 0)
                if self._ties(Fraction(*wide), distance):
                    return 0
            bits *= 2

    def _ties(self, ratio: Fraction, distance: Surd) -> bool:
        """Whether ratio = e^(ε · distance), where the power is too long to write out."""
        exact = distance.rational
        if exact is None or self.rational != 0:
            return False
        return same_power(ratio, self.base, exact * self.coefficient)

    def compare_level(self, other: Level) -> int:
        """The sign of ε - ε', decided exactly.

        A rational never equals a logarithm of a rational, so two levels are equal only if
        their rational parts are and their logarithms are.
        """
        if self.rational == other.rational and self._same_logarithm(other):
            return 0
        bits = 128
        while True:
            with ctx.workprec(bits):
                gap = self.ball(bits) - other.ball(bits)
                if gap > 0:
                    return 1
                if gap < 0:
                    return -1
            bits *= 2

    def _same_logarithm(self, other: Level) -> bool:
        if not self.coefficient or not other.coefficient:
            return self.coefficient == other.coefficient
        return same_power(other.base, self.base, self.coefficient / other.coefficient)

    def inside(
        self, distance: Surd, bits: int = INSIDE_BITS, least: float = ROUNDING_ROOM
    ) -> Level:
        """A level just below this one, with room for rounding at pairs `distance` apart.

        ε' = ε - room/d with room = 2^-bits, or 2^-bits · ε d where that is smaller, but never
        less than `least`. A level too small to hold that room twice is refused.
        """
        with ctx.workprec(192):
            size = self.ball(192) * distance.ball(192)
            share = lower_bound(size.min(1)) / 2**bits
            room = max(share, Fraction(least))
            if not size > ball_of(2 * room, 192):
                epsilon = float(self)
                near = (f"{epsilon:.6g}" if epsilon
                        else self.ball(64).str(6, radius=False))
                shown = self.text if len(self.text) <= 24 else near
                raise BadLevel(
                    f"ε = {shown}", f"a level of at least {float(2 * room):.1e} per step here"
                )
            step = upper_bound(ball_of(room, 192) / distance.ball(192))
            return Level(lower_bound(self.ball(192)) - step, Fraction(0), Fraction(1), self.delta)

    def ratio_below(self, distance: Surd, bits: int = INSIDE_BITS) -> Fraction:
        """A short rational number q with 1 < q <= e^(ε · distance), close to it; 1 at ε = 0."""
        exact = self.power(distance)
        if exact is not None:
            return exact
        working = 56
        while True:
            low = lower_bound(self.power_ball(distance, working + 64))
            scale = 2**working
            candidate = Fraction(low.numerator * scale // low.denominator, scale)
            if candidate > 1 and (low - candidate) * 2**bits <= low - 1:
                return candidate
            working *= 2

    def ratio_above(self, distance: Surd, bits: int = INSIDE_BITS) -> Fraction:
        """A short rational number q >= e^(ε · distance), close to it."""
        exact = self.power(distance)
        if exact is not None:
            return exact
        working = 56
        while True:
            high = upper_bound(self.power_ball(distance, working + 64))
            scale = 2**working
            candidate = Fraction(-(-high.numerator * scale // high.denominator), scale)
            if high > 1 and (candidate - high) * 2**bits <= high - 1:
                return candidate
            working *= 2


def _order(a: int, shift: int, b: int) -> int:
    """The sign of a 2^shift - b, for b > 0; shifts no further than the numbers are long."""
    if a <= 0:
        return -1
    lead = a.bit_length() + shift - b.bit_length()
    if not lead:
        lead = (a << shift) - b if shift >= 0 else a - (b << -shift)
    return (lead > 0) - (lead < 0)


@lru_cache(maxsize=256)
def _sum(first: Level, second: Level) -> Level:
    """ε and δ added up: exactly, or from above where that has more digits than can be written."""
    delta = writable(first.delta + second.delta)
    rational = writable(first.rational + second.rational)
    scale = lcm(first.coefficient.denominator, second.coefficient.denominator)
    powers = [(level.base, int(level.coefficient * scale)) for level in (first, second)]
    if sum(power * bit_size(base) for base, power in powers) <= LONGEST_WRITTEN:
        base = powers[0][0] ** powers[0][1] * powers[1][0] ** powers[1][1]
        return Level(rational, Fraction(1, scale), base, delta)
    if first.base == second.base:
        return Level(rational, first.coefficient + second.coefficient, first.base, delta)
    above = [upper_bound(level.ball(256)) for level in (first, second)]
    return Level(writable(sum(above, Fraction(0))), Fraction(0), Fraction(1), delta)
