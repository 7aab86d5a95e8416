"""A cell as a number and as a text: total functions of that cell alone.

A binary float means its shortest decimal, whatever its width: a single 0.1 is 0.1. A number is
the double nearest to it, beyond all doubles infinite. As a text, a number is written with all of
its digits, without an exponent and without zeros at the end of a fraction. Truth values are the
numbers 1 and 0 and the texts true and false. Cells that are neither number nor text have the text
that Python gives them; NaN and what has no text are missing.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from numbers import Integral
from typing import Any

TRUE, FALSE = ("true", "True", "TRUE"), ("false", "False", "FALSE")
"""How texts spell truth values; 1 and 0 are others."""

NUMERAL = r"-?(0|[1-9][0-9]*)([.][0-9]+)?"
"""A text that is a number to a category: no leading zeros, exponents, signs of plus or spaces."""

_WRITTEN = re.compile(
    r"[ \t]*[+-]?((\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?|inf(inity)?)[ \t]*", re.ASCII | re.I
)
_NUMERAL = re.compile(NUMERAL, re.ASCII)
_MOST_DIGITS = 200_000
"""Digits of a number that are written; PostgreSQL stores 147,455."""


def as_double(cell: Any) -> float | None:
    """A cell as a double, infinite where it is beyond all; None if it is no number or missing.

    >>> as_double(" 2.5 "), as_double("-inf"), as_double("two"), as_double(float("nan"))
    (2.5, -inf, None, None)
    >>> as_double("True"), as_double(False)
    (1.0, 0.0)
    """
    try:
        if isinstance(cell, str):
            text = str.__str__(cell)  # not what a subclass makes of it
            if text in TRUE or text in FALSE:
                return float(text in TRUE)
            return float(text) if _WRITTEN.fullmatch(text) else None
        if isinstance(cell, bytes | bytearray):
            return None
        number = float(str(cell) if _kind(cell) in ("float16", "float32") else cell)
    except OverflowError:
        return _infinite(cell)
    except Exception:  # whatever a cell does when it is asked, it is no number
        return None
    return None if math.isnan(number) else number


def _infinite(cell: Any) -> float | None:
    """A number beyond all doubles."""
    try:
        return math.inf if cell > 0 else -math.inf
    except Exception:  # a cell that is no number either way
        return None


def as_text(cell: Any) -> str | None:
    """A cell as the text of a category or a person; None if it is missing.

    >>> as_text(3.0), as_text(True), as_text(" a"), as_text(float("nan")), as_text(2.5)
    ('3', 'true', ' a', None, '2.5')
    >>> as_text(1e22), as_text(1e-7), as_text(Decimal("1.50")), as_text("1.50")
    ('10000000000000000000000', '0.0000001', '1.5', '1.50')
    """
    try:
        text = _text(cell)
        return None if text is None else str.__str__(text)  # not a subclass with ways of its own
    except Exception:  # no cell is refused: one that has no text is missing
        return None


def _text(cell: Any) -> str | None:
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, bool) or _kind(cell) in ("bool", "bool_"):
        return TRUE[0] if cell else FALSE[0]
    if _kind(cell) in ("NAType", "NaTType"):
        return None
    number = as_double(cell)
    if number is None:
        nan = isinstance(cell, float | Decimal) or _kind(cell).startswith("float")
        return None if nan else str(cell)
    if isinstance(cell, Decimal) and cell.is_finite():
        return _digits(cell)
    if isinstance(cell, Integral):
        return _digits(Decimal(int(cell)))
    return _digits(Decimal(repr(number))) if math.isfinite(number) else repr(number)


def numeral(text: str) -> str | None:
    """The number that a text states, as `as_text` writes it; None if it states none.

    >>> numeral("1.50"), numeral("-0.0"), numeral("01"), numeral("1E3"), numeral("100")
    ('1.5', '0', None, None, '100')
    """
    if not _NUMERAL.fullmatch(text):
        return None
    short = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if short == "-0" else short


def _digits(number: Decimal) -> str:
    """A finite number with all of its digits."""
    if abs(number.adjusted()) > _MOST_DIGITS:
        return str(number)
    text = format(number, "f")
    return numeral(text) or text


def _kind(cell: Any) -> str:
    return type(cell).__name__
