"""Bases of curves: orthogonal functions on the times, in whole numbers, that say what is kept.

The mean curve is projected on the span of the functions: coefficient i is the sum of its values
times a_i, and the projection is Σ c_i a_i/|a_i|². What is stated is made orthogonal by Gram and
Schmidt in rationals, which changes no span, so that Bessel's inequality bounds what one person
moves. A Gaussian process with any other covariance is no finite list of independent numbers: its
exact draws on a lattice are not simple, and its sensitivity is a norm that clamped cells, which
are not smooth, do not bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm, log, pi, sqrt

from flint import ctx

from tightrope.errors import BadInput
from tightrope.exact import Level, Number, ball_of, own, stated, upper_bound
from tightrope.mechanisms import MOST_FUNCTIONS, GaussianLaw, columns_read
from tightrope.spaces import Totals

Vector = tuple[Fraction, ...]


@dataclass(frozen=True)
class Basis:
    """Orthogonal functions on all times, in whole numbers, and the text that states them.

    >>> basis_of("polynomials:3", [Fraction(t) for t in (1, 2, 3, 4, 5)]).functions
    ((1, 1, 1, 1, 1), (-2, -1, 0, 1, 2), (2, -1, -2, -1, 2))
    """

    text: str
    functions: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        own(self)

    @cached_property
    def gains(self) -> tuple[Vector, ...]:
        """For each function its values over its sum of squares."""
        return tuple(tuple(Fraction(a, sum(b * b for b in row)) for a in row)
                     for row in self.functions)

    def project(self, coefficients: Sequence[int]) -> Vector:
        """The curve at all times that the coefficients give back."""
        return tuple(sum((c * gain for c, gain in zip(coefficients, column, strict=True)),
                         Fraction(0)) for column in zip(*self.gains, strict=True))

    def variances(self, law: GaussianLaw) -> Vector:
        """The variance of that curve at all times, at most."""
        return tuple(sum((v * gain**2 for v, gain in zip(law.variances, column, strict=True)),
                         Fraction(0)) for column in zip(*self.gains, strict=True))

    def half_widths(self, law: GaussianLaw, confidence: Fraction) -> Vector:
        """Half-widths of a band that holds at all times together with the confidence, or more.

        The narrower one of two, by its widest place: all coefficients within their radii, exactly;
        or at each of the times t a tail of at most 2 e^(-x²/2) beyond x deviations, added up:
        E e^(sz) <= e^(s²σ²/2) for discrete Gaussian noise, as for any sum of it.
        """
        radii = law.radii(confidence)
        boxes = tuple(sum((radius * abs(gain) for radius, gain in zip(radii, column, strict=True)),
                          Fraction(0)) for column in zip(*self.gains, strict=True))
        with ctx.workprec(80):
            rare = ball_of((1 - confidence) / (2 * len(boxes)), 80)
            tails = tuple(upper_bound((-2 * rare.log() * ball_of(v, 80)).sqrt()) if v else v
                          for v in self.variances(law))
        return min(boxes, tails, key=max)


def process_error(level: Level, space: Totals, basis: Basis | None) -> float:
    """The mean error of a Gaussian process with the span of a basis, or of all totals without one.

    With kernel K = Σ a_i a_i/|a_i|² the norm of its RKHS moves by at most D sqrt(m), and noise of
    sqrt(2 ln(2/δ))/ε times that has (ε, δ) for ε up to 1 (Hall, Rinaldo and Wasserman, 2013).
    """
    moved, deviations = space.length, [1.0]
    if basis is not None:
        rows = basis.functions
        moved, squares = columns_read(rows), [sum(a * a for a in row) for row in rows]
        deviations = [sqrt(sum(a * a / square for a, square in zip(column, squares, strict=True)))
                      for column in zip(*rows, strict=True)]
    width = sqrt(2 * log(2 / level.delta)) / float(level.pure) * space.most * sqrt(moved)
    return sqrt(2 / pi) * width * sum(deviations) / len(deviations)


def basis_of(given: str | Sequence[Sequence[Number]], times: Sequence[Fraction]) -> Basis:
    """The basis that is stated: "polynomials:4", or rows of numbers, one for each time."""
    if isinstance(given, str):
        kind, _, count = given.partition(":")
        most = min(MOST_FUNCTIONS, len(times))
        if kind != "polynomials" or not count.isdecimal() or not 1 <= int(count) <= most:
            raise BadInput(f'expected a basis such as "polynomials:4", of 1 to {most} functions, '
                           f"or rows of numbers, or a file of them; found {given[:40]!r}.")
        rows = [tuple(time**power for time in times) for power in range(int(count))]
        return Basis(given, _whole(_orthogonal(rows)))
    rows = [tuple(stated(value, "functions as numbers") for value in row) for row in given]
    if not 1 <= len(rows) <= MOST_FUNCTIONS or {len(row) for row in rows} != {len(times)}:
        raise BadInput(f"expected a basis of 1 to {MOST_FUNCTIONS} rows with {len(times)} numbers, "
                       "one for each time.")
    return Basis(f"{len(rows)} functions", _whole(_orthogonal(rows)))


def _orthogonal(rows: Sequence[Vector]) -> list[Vector]:
    """Rows with the same span, each orthogonal to those before (Gram and Schmidt)."""
    done: list[Vector] = []
    for row in rows:
        left = row
        for before in done:
            share = _product(row, before) / _product(before, before)
            left = tuple(a - share * b for a, b in zip(left, before, strict=True))
        if not any(left):
            raise BadInput("expected functions none of which follows from those before it.")
        done.append(left)
    return done


def _product(one: Vector, other: Vector) -> Fraction:
    return sum((a * b for a, b in zip(one, other, strict=True)), Fraction(0))


def _whole(rows: Sequence[Vector]) -> tuple[tuple[int, ...], ...]:
    """The shortest whole multiples."""
    whole = []
    for row in rows:
        scale = Fraction(lcm(*(a.denominator for a in row)))
        integers = [int(a * scale) for a in row]
        shared = gcd(*integers)
        whole.append(tuple(a // shared for a in integers))
    return tuple(whole)
