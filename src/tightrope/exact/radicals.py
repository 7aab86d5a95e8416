"""Numbers of the field Q(θ), θ a root of a rational, with exact signs.

If e^ε = b^c with b and c rational, and all distances are rational, then all e^(-ε d) are powers
of one root θ = t^(1/q). With q as small as possible x^q - t is irreducible (t > 0 is no p-th
power for a prime p that divides q), so 1, θ, …, θ^(q-1) are a basis: a number is zero iff all of
its coefficients are, and the sign of any other one is found in balls that grow finer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from flint import arb, ctx, fmpq_mat

from tightrope.exact.balls import ball_of
from tightrope.exact.levels import Level
from tightrope.exact.rationals import from_flint, perfect_root, to_flint
from tightrope.exact.surds import Surd

MOST_DEGREE = 24
"""Degrees of fields in which signs are decided."""


@dataclass(frozen=True)
class RadicalField:
    """Q(θ) with θ^degree = base, and e^(ε d) = θ^(scale · d) for rational distances d.

    >>> field = RadicalField.of(Level.parse("ln(2)/2"), [Surd.of(1), Surd.of(3)])
    >>> field.degree, field.base, field.power(Surd.of(-2 + 4)).coefficients
    (2, Fraction(2, 1), (Fraction(2, 1), Fraction(0, 1)))
    """

    base: Fraction
    degree: int
    scale: Fraction

    @classmethod
    def of(cls, level: Level, distances: Iterable[Surd]) -> RadicalField | None:
        """The field of all e^(ε d); None if some of them are transcendental, or its degree high."""
        if level.rational != 0:
            return None
        exponents = []
        for distance in distances:
            if (exact := distance.rational) is None:
                return None
            exponents.append(exact * level.coefficient)
        whole = lcm(*(exponent.denominator for exponent in exponents))
        for power in (k for k in range(whole, 0, -1) if whole % k == 0):
            root = perfect_root(level.base, power)
            if root is not None:
                degree = whole // power
                scale = whole * level.coefficient
                return cls(root, degree, scale) if degree <= MOST_DEGREE else None
        raise AssertionError("the first power of a number is the number")

    def number(self, value: Fraction | int) -> Radical:
        """A rational number in the field."""
        return Radical(self, (Fraction(value), *(Fraction(0),) * (self.degree - 1)))

    def power(self, distance: Surd, *, sign: int = 1) -> Radical:
        """e^(ε d), or e^(-ε d) for the sign -1."""
        exact = distance.rational
        assert exact is not None
        steps, rest = divmod(int(self.scale * exact) * sign, self.degree)
        coefficients = [Fraction(0)] * self.degree
        coefficients[rest] = self.base**steps
        return Radical(self, tuple(coefficients))

    def root(self, bits: int) -> arb:
        """A ball around θ."""
        with ctx.workprec(bits):
            return ball_of(self.base, bits).root(self.degree)


@dataclass(frozen=True)
class Radical:
    """The number Σ coefficients[k] θ^k.

    >>> field = RadicalField(Fraction(2), 2, Fraction(1))
    >>> root = Radical(field, (Fraction(0), Fraction(1)))
    >>> (root * root - 2).sign, (root - Fraction(7, 5)).sign, (1 / root).coefficients
    (0, 1, (Fraction(0, 1), Fraction(1, 2)))
    """

    field: RadicalField
    coefficients: tuple[Fraction, ...]

    def _other(self, other: Radical | Fraction | int) -> Radical:
        return other if isinstance(other, Radical) else self.field.number(other)

    def __add__(self, other: Radical | Fraction | int) -> Radical:
        pairs = zip(self.coefficients, self._other(other).coefficients, strict=True)
        return Radical(self.field, tuple(a + b for a, b in pairs))

    __radd__ = __add__

    def __neg__(self) -> Radical:
        return Radical(self.field, tuple(-a for a in self.coefficients))

    def __sub__(self, other: Radical | Fraction | int) -> Radical:
        return self + -self._other(other)

    def __rsub__(self, other: Fraction | int) -> Radical:
        return -self + other

    def __mul__(self, other: Radical | Fraction | int) -> Radical:
        degree, base = self.field.degree, self.field.base
        coefficients = [Fraction(0)] * degree
        for i, a in enumerate(self.coefficients):
            for j, b in enumerate(self._other(other).coefficients):
                if a and b:
                    turns, rest = divmod(i + j, degree)
                    coefficients[rest] += a * b * base**turns
        return Radical(self.field, tuple(coefficients))

    __rmul__ = __mul__

    def __truediv__(self, other: Radical | Fraction | int) -> Radical:
        return self * self._other(other).inverse

    def __rtruediv__(self, other: Fraction | int) -> Radical:
        return self.inverse * other

    @property
    def table(self) -> list[list[Fraction]]:
        """The matrix of multiplication by this number: column k holds its product with θ^k."""
        degree, base = self.field.degree, self.field.base
        rows = [[Fraction(0)] * degree for _ in range(degree)]
        for k in range(degree):
            for r, a in enumerate(self.coefficients):
                turns, rest = divmod(r + k, degree)
                rows[rest][k] += a * base**turns
        return rows

    @property
    def inverse(self) -> Radical:
        """One over the number; `ZeroDivisionError` for 0."""
        size = self.field.degree
        matrix = fmpq_mat(size, size, [to_flint(x) for row in self.table for x in row])
        unit = fmpq_mat(size, 1, [to_flint(Fraction(k == 0)) for k in range(size)])
        return Radical(self.field, tuple(map(from_flint, matrix.solve(unit).entries())))

    def ball(self, bits: int) -> arb:
        """A ball around the number."""
        with ctx.workprec(bits):
            root, total = self.field.root(bits), arb(0)
            for coefficient in reversed(self.coefficients):
                total = total * root + ball_of(coefficient, bits)
            return total

    @property
    def sign(self) -> int:
        """-1, 0 or 1, decided exactly."""
        if not any(self.coefficients):
            return 0
        bits = 128
        while True:
            ball = self.ball(bits)
            if ball > 0:
                return 1
            if ball < 0:
                return -1
            bits *= 2
