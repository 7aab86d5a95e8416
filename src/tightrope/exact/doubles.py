"""Doubles and the decimals that people mean by them: a double 0.55 is not 11/20.

A double that arrives as one (in an array, in Parquet) is taken as the binary number it is. Where
that decides an answer, the answer says so: written in a text file, 0.55 is exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from math import ldexp

from tightrope.exact.weights import Weights

_MANTISSA, _POWER = 2**53, 1000
_SHOWN = 21


def shortest_decimal(number: float) -> Fraction:
    """The shortest decimal that rounds to a double.

    >>> shortest_decimal(0.55), Fraction(0.55) == shortest_decimal(0.55)
    (Fraction(11, 20), False)
    """
    return Fraction(repr(float(number)))


def row_of_doubles(weights: Weights, i: int) -> list[float]:
    """Row i as the doubles that its weights are; empty if one of them is none."""
    pairs = list(zip(weights.mantissas[i].tolist(), weights.exponents[i].tolist(), strict=True))
    if any(mantissa > _MANTISSA or abs(power) > _POWER for mantissa, power in pairs):
        return []
    return [ldexp(mantissa, power) for mantissa, power in pairs]


def in_decimals(weights: Weights) -> tuple[Weights, str] | None:
    """Doubles as their shortest decimals, and a sentence; None where both are the same.

    Weights that are no doubles have no other reading.

    >>> in_decimals(Weights.from_integers([[3, 1]])) is None
    True
    """
    rows = [row_of_doubles(weights, i) for i in range(weights.shape[0])]
    told = told_as_binary(x for row in rows for x in row) if all(rows) else None
    if told is None:
        return None
    return Weights.from_fractions([[shortest_decimal(x) for x in row] for row in rows]), told


def told_as_binary(numbers: Iterable[float]) -> str | None:
    """A sentence about the first double that is no short decimal, None if there is none.

    >>> told_as_binary([0.5, 0.55])[:69]
    'The double 0.55 was taken as the binary number 0.5500000000000000444…'
    """
    for number in numbers:
        if Fraction(number) != shortest_decimal(number):
            return (
                f"The double {number!r} was taken as the binary number "
                f"{str(Decimal(number))[:_SHOWN]}…; in a text file it is exact"
            )
    return None
