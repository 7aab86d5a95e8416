"""Arithmetic that shares nothing with the library: fractions, integer powers and `decimal`.

`decimal` rounds exp, ln and sqrt correctly, so a result at P digits, widened by a generous
factor, is a proof. A comparison that this cannot decide fails the test that asked for it.
"""

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from math import isqrt

Terms = Sequence[tuple[Fraction, Fraction]]
"""A length Σ c √r as pairs (c, r)."""

Parts = tuple[Fraction, Fraction, Fraction]
"""A level ε = rational + coefficient · ln(base)."""


def wide(digits: int) -> Context:
    return Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)


def decimal_of(value: Fraction, digits: int) -> Decimal:
    return wide(digits).divide(Decimal(value.numerator), Decimal(value.denominator))


def length_of(terms: Terms, digits: int) -> Decimal:
    """Σ c √r to about that many digits."""
    context = wide(digits + 10)
    total = Decimal(0)
    for factor, radicand in terms:
        root = context.sqrt(decimal_of(radicand, digits + 10))
        total = context.add(total, context.multiply(decimal_of(factor, digits + 10), root))
    return total


def power_of(parts: Parts, terms: Terms, digits: int) -> Decimal:
    """e^(ε d) with a relative error below 10^-digits."""
    rational, coefficient, base = parts
    working = digits + 40
    context = wide(working)
    epsilon = decimal_of(rational, working)
    if coefficient:
        log = context.ln(decimal_of(base, working))
        epsilon = context.add(epsilon, context.multiply(decimal_of(coefficient, working), log))
    return context.exp(context.multiply(epsilon, length_of(terms, working)))


def sign_against_power(ratio: Fraction, parts: Parts, terms: Terms) -> int:
    """The sign of ratio - e^(ε d): by integer powers where they decide, else by decimals."""
    rational, coefficient, base = parts
    if all(isqrt(r.numerator) ** 2 == r.numerator and isqrt(r.denominator) ** 2 == r.denominator
           for _, r in terms):
        length = sum(
            (c * Fraction(isqrt(r.numerator), isqrt(r.denominator)) for c, r in terms), Fraction(0)
        )
        exponent = coefficient * length
        if rational == 0 and exponent.denominator < 100 and exponent.numerator < 10_000:
            left, right = ratio**exponent.denominator, base**exponent.numerator
            return (left > right) - (left < right)
        if length == 0:
            return (ratio > 1) - (ratio < 1)
    for digits in (60, 300):
        power = power_of(parts, terms, digits)
        context = wide(digits + 20)
        slack = context.multiply(power, Decimal(10) ** -(digits - 5))
        gap = context.subtract(decimal_of(ratio, digits + 20), power)
        if abs(gap) > slack:
            return 1 if gap > 0 else -1
    raise AssertionError(f"{ratio} and e^(ε d) agree to 300 digits")


@contextmanager
def ends_within(seconds: int) -> Iterator[None]:
    """Stops what would not end: a hang becomes a failure. The limit is far above the need.

    Seconds are those of this process on a processor: a busy machine fails nothing.
    """

    def stop(signum: int, frame: object) -> None:
        raise AssertionError(f"did not end within {seconds} s of a processor")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
