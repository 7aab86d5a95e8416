"""Checks of the numbers and names of a space, and how they are written.

Every refusal is one sentence: what was expected and what was found.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from json import dumps
from math import log2
from typing import Any, Final

import numpy as np

from tightrope.characters import refuse_controls, shorten
from tightrope.errors import BadLevel, BadSpace, TooLarge
from tightrope.exact import fraction_of
from tightrope.spaces.protocol import refuse_above

Number = int | float | str | Fraction

LARGEST_NUMBER: Final = 10**15
"""Whole numbers above this describe no data set."""

LONGEST_BITS: Final = 1_000
"""Numerators and denominators beyond this have no double near them."""

_LONGEST_NUMBER: Final = 10**60
_MOST_DIGITS: Final = 4_000


def positive_rational(value: Number, what: str) -> Fraction:
    """The exact value of a positive number, or `BadSpace`."""
    exact = rational(value, what)
    if exact <= 0:
        raise BadSpace(f"{what} must be above 0, found {show(value)}.", found=value)
    return exact


def rational(value: Number, what: str) -> Fraction:
    """The exact value of a number or decimal text, or `BadSpace`."""
    try:
        if isinstance(value, bool):
            raise BadLevel(value, what)
        exact = fraction_of(value, what)
    except BadLevel:
        raise BadSpace(
            f"{what} must be a number such as 0.5 or 1/2, found {show(value)}.", found=value
        ) from None
    if max(exact.numerator.bit_length(), exact.denominator.bit_length()) > LONGEST_BITS:
        raise BadSpace(f"{what} has more digits than a distance can need.", found=value)
    return exact


def decimal(value: Fraction) -> str:
    """A fraction as a short exact decimal where there is one, else as p/q.

    >>> decimal(Fraction(-1, 2)), decimal(Fraction(1, 3))
    ('-0.5', '1/3')
    """
    for digits in range(16):
        if (value * 10**digits).denominator == 1:
            whole, part = divmod(int(abs(value) * 10**digits), 10**digits)
            sign = "-" if value < 0 else ""
            return f"{sign}{whole}.{part:0{digits}d}" if digits else f"{sign}{whole}"
    return str(value)


def check_distinct(labels: Sequence[Any], what: str) -> None:
    """Raise `BadSpace` if a label occurs twice."""
    seen = set()
    for label in labels:
        if label in seen:
            raise BadSpace(f"the {what} must be distinct, found {show(label)} twice.")
        seen.add(label)


def check_name(name: str) -> None:
    """Refuse a label with a character that breaks a line or turns its direction."""
    refuse_controls(name, "a label", BadSpace)


def quote_name(name: str) -> str:
    """A name as it stands in a text form: quoted if a character has a meaning there."""
    plain = all(c.isprintable() and c not in '*^()/"\\' for c in name)
    return name if plain and name == name.strip() else dumps(name, ensure_ascii=False)


def whole(name: str, value: object) -> int:
    """The integer itself, of Python or of numpy; anything else is refused, booleans too."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise BadSpace(f"{name} must be a whole number, found {show(value)}.", found=value)
    if abs(int(value)) >= _LONGEST_NUMBER:
        raise BadSpace(f"{name} has more digits than a space can need.", found=value)
    return int(value)


def whole_between(
    name: str, value: object, least: int = 1, most: int = LARGEST_NUMBER
) -> int:
    """The integer itself, if it is from least to most."""
    number = whole(name, value)
    if number < least:
        raise BadSpace(f"{name} must be at least {least}, found {show(number)}.", found=number)
    refuse_above(most, number, name, "use a smaller number")
    return number


def check_digits(bits: float) -> None:
    """Refuse spaces so large that the number of their points cannot be written down."""
    if bits > _MOST_DIGITS * log2(10):
        raise TooLarge(
            "the number of digits of the number of points",
            int(bits / log2(10)),
            _MOST_DIGITS,
            "use a smaller space",
        )


def show(value: object) -> str:
    """A value as it stands in a message, shortened."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no integers of more than 4,300 digits
        return "a huge number"
    return shorten(text)
