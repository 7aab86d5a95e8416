"""Numbers as they are given: a text, a double or a fraction, each taken for what it says.

A double in a matrix, a prior or a loss is the exact dyadic that it is (`exact_number`); one
that a person states as a level means its shortest decimal (`stated`). Texts are decimals or
fractions of a bounded length.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from tightrope.errors import BadLevel, BadMatrix

Number = int | float | str | Decimal | Fraction

LONGEST_TEXT = 1000
_NUMBER = re.compile(
    r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?\s*|\s*[+-]?\d+/\d+\s*", re.ASCII
)


def fraction_of(value: Any, expected: str) -> Fraction:
    """The exact fraction of a number or decimal text, or `BadLevel`.

    >>> fraction_of("0.1", "a number"), fraction_of(0.5, "a number")
    (Fraction(1, 10), Fraction(1, 2))
    """
    text = "a long fraction" if isinstance(value, int | Fraction) else str(value)
    short = len(text) <= LONGEST_TEXT
    try:
        if isinstance(value, str) and not (short and _NUMBER.fullmatch(value)):
            raise ValueError
        if isinstance(value, Decimal) and not (short and abs(value.adjusted()) <= LONGEST_TEXT):
            raise ValueError
        return Fraction(value.item() if isinstance(value, np.generic) else value)
    except (ValueError, TypeError, OverflowError, ZeroDivisionError):
        raise BadLevel(repr(text if len(text) <= 60 else f"{text[:57]}..."), expected) from None


def stated(value: Any, expected: str) -> Fraction:
    """A number that a person stated: a double means its shortest decimal; no truth value.

    >>> stated(0.1, "a number"), stated(np.float32(0.1), "a number"), stated(np.int64(2), "one")
    (Fraction(1, 10), Fraction(1, 10), Fraction(2, 1))
    """
    if getattr(value, "ndim", None) == 0:  # an array of one number, or a scalar of numpy
        value = np.asarray(value)[()]
    if isinstance(value, bool | np.bool_):
        raise BadLevel(value, expected)
    if isinstance(value, float):
        value = float(value)
    return fraction_of(str(value) if isinstance(value, float | np.floating) else value, expected)


def stated_whole(value: Any, expected: str) -> int:
    """A whole number that a person stated.

    >>> stated_whole("3", "a whole number"), stated_whole(3.0, "a whole number")
    (3, 3)
    """
    number = stated(value, expected)
    if number.denominator != 1:
        raise BadLevel(value, expected)
    return int(number)


def exact_number(value: Any) -> Fraction:
    """A number as the exact fraction that it is: a double is its dyadic; `ValueError` if none.

    >>> exact_number(0.5), exact_number("1/3"), exact_number(np.float32(2))
    (Fraction(1, 2), Fraction(1, 3), Fraction(2, 1))
    """
    plain = value.item() if isinstance(value, np.generic) else value
    try:
        if isinstance(plain, bool):  # True is 1 to Python
            raise ValueError
        return fraction_of(plain, "a number")
    except (BadLevel, ValueError):
        raise ValueError(f"{str(value)[:60]!r} is no finite number") from None


def exact_rows(rows: Any, what: str) -> tuple[tuple[Fraction, ...], ...]:
    """Rows of numbers, each as the exact fraction that it is, or `BadMatrix`.

    >>> exact_rows([["1/3", 0.5]], "costs")
    ((Fraction(1, 3), Fraction(1, 2)),)
    """
    try:
        listed = tuple(rows)
        if isinstance(rows, str) or any(isinstance(row, str) for row in listed):
            raise ValueError
        return tuple(tuple(exact_number(entry) for entry in row) for row in listed)
    except (TypeError, ValueError):
        raise BadMatrix(f"expected {what} as a list of rows of finite numbers.") from None
