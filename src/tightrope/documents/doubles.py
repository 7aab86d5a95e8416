"""Doubles as documents write them, rounded so that a claim stays true."""

from __future__ import annotations

import re
from fractions import Fraction
from math import inf, isfinite, nextafter
from typing import Any

from tightrope.errors import BadDocument

_DOUBLE = re.compile(r"-?0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,4}")


def round_toward(exact: Fraction, toward: float) -> float:
    """The nearest double on the side of `toward`; `OverflowError` beyond the largest one."""
    near = float(exact)
    if (Fraction(near) - exact) * (1 if toward > 0 else -1) < 0:
        near = nextafter(near, toward)
    if not isfinite(near):
        raise OverflowError
    return near


def double_from_hex(text: Any) -> float:
    """A double as `float.hex` writes it."""
    if isinstance(text, str) and _DOUBLE.fullmatch(text):
        try:
            value = float.fromhex(text)
        except OverflowError:
            value = inf
        if isfinite(value) and value.hex() == text:
            return value
    raise BadDocument("a number of the optimality is no double such as 0x1.8p+0.")
