"""Lengths with their units, taken exactly."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from tightrope.errors import BadInput
from tightrope.exact import exact_number

_METERS: Final = {
    "m": Fraction(1),
    "km": Fraction(1000),
    "ft": Fraction("0.3048"),
    "mi": Fraction("1609.344"),
}
_WORDS: Final = {
    "meter": "m", "meters": "m", "metre": "m", "metres": "m", "kilometer": "km",
    "kilometers": "km", "kilometre": "km", "kilometres": "km", "foot": "ft", "feet": "ft",
    "mile": "mi", "miles": "mi",
}
_LENGTH: Final = re.compile(r"\s*([0-9./]+)\s*([a-z]+)\s*", re.ASCII)


def meters(length: object) -> Fraction:
    """A length in meters, from text that names its unit.

    >>> meters("200 meters"), meters("0.5km"), meters("1 mi")
    (Fraction(200, 1), Fraction(500, 1), Fraction(201168, 125))
    """
    match = _LENGTH.fullmatch(length.lower()) if isinstance(length, str) else None
    try:
        unit = "" if match is None else _WORDS.get(match[2], match[2])
        if match is None or unit not in _METERS:
            raise ValueError
        size = exact_number(match[1]) * _METERS[unit]
    except (ValueError, TypeError, ZeroDivisionError):
        raise BadInput(
            "expected a length with its unit (m, km, ft or mi), such as '200 m' or 0.5km, found "
            f"{str(length)[:40]!r}."
        ) from None
    if size <= 0:
        raise BadInput(f"expected a length above 0, found {length!r}.")
    return size


def length_text(size: float) -> str:
    """A length in a few characters: meters, or kilometers from 10,000 m on.

    >>> length_text(0.2), length_text(577.08), length_text(12345.6)
    ('0.2 m', '577 m', '12.3 km')
    """
    if size >= 10_000:
        return f"{size / 1000:,.3g} km" if size < 1e6 else f"{size / 1000:,.0f} km"
    return f"{size:,.0f} m" if size >= 100 else f"{size:.3g} m"
