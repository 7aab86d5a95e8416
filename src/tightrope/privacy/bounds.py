"""Bounds that no fraction writes out: e^ε that is irrational, curves given by a formula.

A bound M says whether an event may have probability b under one input and a under another:
b <= M(a). `sign` decides b - M(a) exactly, however close they are, or refuses. `Strict` forbids
the boundary b = M(a), except where a = b, which every definition allows (KL10, Proposition
2.2.2). `Jump` lets M(0) be below the limit of M at 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Protocol

from flint import arb

from tightrope.errors import BadInput
from tightrope.exact import Expression, Level, Number, Surd, short_text, stated, upper_bound
from tightrope.privacy.concavity import check_bound

_ONE = Fraction(1)
_BITS = 128


class Bound(Protocol):
    """A concave M on [0, 1] with M(1) = 1, continuous but at 0."""

    def sign(self, a: Fraction, b: Fraction) -> int:
        """The sign of b - M(a)."""

    def above(self, a: Fraction, bits: int = _BITS) -> Fraction:
        """A fraction at or above M(a), as close as the bits say."""

    @property
    def text(self) -> str:
        """M in words."""


def allows(bound: Bound, a: Fraction, b: Fraction) -> bool:
    """Whether an event may have these two probabilities."""
    if isinstance(bound, Strict):
        return a == b or bound.sign(a, b) < 0
    return bound.sign(a, b) <= 0


@dataclass(frozen=True)
class FormulaBound:
    """M(a) = min(1, formula), a formula in a that is shown to be concave.

    >>> root = FormulaBound("sqrt(a)")
    >>> root.sign(Fraction(1, 4), Fraction(1, 2)), root.sign(Fraction(1, 3), Fraction(3, 5))
    (0, 1)
    >>> gauss = FormulaBound("gaussian(a, 1)")
    >>> gauss.sign(Fraction(1, 2), Fraction(84, 100)), gauss.sign(Fraction(1, 2), Fraction(85, 100))
    (-1, 1)
    """

    formula: str

    def __post_init__(self) -> None:
        check_bound(self.formula, self.expression)

    @cached_property
    def expression(self) -> Expression:
        """The formula as it was understood."""
        return Expression.parse(self.formula)

    @property
    def text(self) -> str:
        """M in words."""
        return f"M(a) = {self.formula}"

    def sign(self, a: Fraction, b: Fraction) -> int:
        """The sign of b - M(a), decided exactly."""
        return max((b > 1) - (b < 1), self.expression.compare(a, b))

    def above(self, a: Fraction, bits: int = _BITS) -> Fraction:
        """A fraction at or above M(a)."""
        exact = self.expression.exact(a)
        return min(_ONE, upper_bound(self.expression.ball(a, bits)) if exact is None else exact)


@dataclass(frozen=True)
class LevelBound:
    """M(a) = min{1, e^(ε d) a + δ, 1 - e^(-ε d)(1 - a - δ)}, with e^(ε d) irrational or not.

    >>> half = LevelBound(Level.epsilon("0.5"))
    >>> half.sign(Fraction(1, 4), Fraction(412, 1000)), half.sign(Fraction(1, 4), Fraction(42, 100))
    (-1, 1)
    """

    level: Level
    distance: Surd = field(default_factory=lambda: Surd.of(1))

    @property
    def text(self) -> str:
        """M in words."""
        apart = "" if self.distance == Surd.of(1) else f" at distance {self.distance.short}"
        return f"{self.level}{apart}"

    def sign(self, a: Fraction, b: Fraction) -> int:
        """The sign of b - M(a), decided exactly."""
        delta = self.level.delta
        return max(
            (b > 1) - (b < 1),
            self._excess(b - delta, a),
            self._excess(1 - a - delta, 1 - b),
        )

    def _excess(self, over: Fraction, under: Fraction) -> int:
        """The sign of over - e^(ε d) under, for under >= 0."""
        if under == 0 or over <= 0:
            return (over > 0) - (over < 0) if under == 0 else -1
        return self.level.compare(over / under, self.distance)

    def above(self, a: Fraction, bits: int = _BITS) -> Fraction:
        """A fraction at or above M(a)."""
        ratio: arb = self.level.power_ball(self.distance, bits)
        high, delta = upper_bound(ratio), self.level.delta
        return min(_ONE, high * a + delta, 1 - (1 - a - delta) / high)


@dataclass(frozen=True)
class Jump:
    """A bound with a smaller M(0): outputs impossible under one input are rare under the other.

    >>> Jump(FormulaBound("1"), 0).sign(Fraction(0), Fraction(1, 100))
    1
    """

    bound: Bound
    at_zero: Fraction

    def __init__(self, bound: Bound, at_zero: Number) -> None:
        object.__setattr__(self, "bound", bound)
        object.__setattr__(self, "at_zero", stated(at_zero, "M(0) as a number from 0 to 1"))
        if self.at_zero < 0 or bound.sign(Fraction(0), self.at_zero) > 0:
            raise BadInput("expected M(0) from 0 to the limit of M at 0.")

    @property
    def text(self) -> str:
        """M in words."""
        return f"{self.bound.text}, but M(0) = {short_text(self.at_zero)}"

    def sign(self, a: Fraction, b: Fraction) -> int:
        """The sign of b - M(a)."""
        if a == 0:
            return (b > self.at_zero) - (b < self.at_zero)
        return self.bound.sign(a, b)

    def above(self, a: Fraction, bits: int = _BITS) -> Fraction:
        """A fraction at or above M(a)."""
        return self.at_zero if a == 0 else self.bound.above(a, bits)


@dataclass(frozen=True)
class Strict:
    """A bound that must not be attained: b < M(a), or a = b.

    >>> allows(Strict(FormulaBound("sqrt(a)")), Fraction(1, 4), Fraction(1, 2))
    False
    """

    bound: Bound

    @property
    def text(self) -> str:
        """M in words."""
        return f"{self.bound.text}, not attained"

    def sign(self, a: Fraction, b: Fraction) -> int:
        """The sign of b - M(a)."""
        return self.bound.sign(a, b)

    def above(self, a: Fraction, bits: int = _BITS) -> Fraction:
        """A fraction at or above M(a)."""
        return self.bound.above(a, bits)
