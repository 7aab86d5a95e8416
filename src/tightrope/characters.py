r"""Text from outside: which characters it may hold, and how it is shown.

Text that names something (a document, a declaration, a label, a line of column names) stands on
one line and in one direction. Refused are control characters (U+0000 to U+001F, U+007F to
U+009F), line and paragraph separators (U+2028, U+2029), marks and controls of the writing
direction (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), lone surrogates and
noncharacters; the rest of Unicode is allowed. Cells of rows are values like others and may hold
anything. Whatever is shown is escaped first: a character that prints nothing, or moves what
stands around it, is written as in `\n`, `\x1b` or `\u202e`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import log10
from typing import Any, Final

LONGEST_LABEL: Final = 40
LONGEST_SHOWN: Final = 60
"""Characters of a name or label that are shown; of longer ones both ends are."""

REFUSED: Final = (
    (0x00, 0x1F), (0x7F, 0x9F), (0x061C, 0x061C), (0x200E, 0x200F), (0x2028, 0x202E),
    (0x2066, 0x2069), (0xD800, 0xDFFF), (0xFDD0, 0xFDEF),
    *((plane << 16 | 0xFFFE, plane << 16 | 0xFFFF) for plane in range(17)),
)
"""First and last characters of the ranges that no name may hold."""
_REFUSED = re.compile("[" + "".join(f"{chr(low)}-{chr(high)}" for low, high in REFUSED) + "]")
_BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0"
_UNSEEN = re.compile(f"[{_BLANK}]")  # printed, says Unicode, and yet nothing is to be seen
_UNHEARD = re.compile(f"[{_BLANK}\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_PAIRS = ("аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw ӏl αa οo νv ρp ιi "
          "АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX")
_LATIN = {ord(pair[0]): pair[1] for pair in _PAIRS.split()}
"""Cyrillic and Greek letters that look like a Latin one; no two of one alphabet like the same."""
_SPACES_AND_JOINERS = re.compile(r"[^\S\x00-\x1f\x85\u2028\u2029]|[\u200c\u200d]")


def control_in(text: str) -> str | None:
    r"""The first character that no name may hold, as in U+000A; None if there is none.

    >>> control_in("tea\nPROVED"), control_in("Tea, crème — 茶")
    ('U+000A', None)
    """
    found = None if text.isprintable() else _REFUSED.search(text)
    return None if found is None else f"U+{ord(found[0]):04X}"


def refuse_controls(text: str, what: str, error: type[Exception]) -> None:
    """Raise the error if the text holds a character that no name may hold."""
    found = control_in(text)
    if found is not None:
        raise error(f"{what} holds the control character {found}; expected text on one line.")


def texts_in(value: Any) -> Iterable[str]:
    """Every text in a value of lists and mappings, keys included."""
    inner = [value]
    while inner:
        part = inner.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, Mapping):
            inner.extend(part)
            inner.extend(part.values())
        elif isinstance(part, list | tuple):
            inner.extend(part)


def escape(text: str) -> str:
    r"""The text with what cannot be seen written out; spaces stay as they are.

    >>> print(escape("a\x1b[2J\nb\u202e"))
    a\x1b[2J\nb\u202e
    """
    if text.isprintable():
        return _UNSEEN.sub(lambda found: _written(found[0]), text)
    return "".join(_written(c) if _UNSEEN.match(c) or not _shows(c) else c for c in text)


def looks(text: str) -> str:
    r"""The look of a text to a reader: two that look alike have the same.

    >>> looks("yes\u200b"), looks("yes\u00a0\u3164"), looks("cafe\u0301") == looks("caf\u00e9")
    ('yes', 'yes', True)
    """
    import unicodedata

    seen = _UNHEARD.sub("", unicodedata.normalize("NFKC", text))
    return " ".join("".join(c for c in seen if c.isprintable() or c.isspace()).split())


def alike(text: str) -> str:
    r"""As `looks`, with Cyrillic and Greek letters as the Latin ones that they look like.

    >>> alike("\u0443\u0435s"), alike("\u0434\u0430") == "da"
    ('yes', False)
    """
    return looks(text).translate(_LATIN)


def shorten(text: str, most: int = LONGEST_SHOWN) -> str:
    """The text, escaped; of a long one the two ends and the number of its characters.

    >>> shorten("x" * 100 + "y", 24)
    'xxxx…xxxy (101 characters)'
    """
    seen = escape(text)
    if len(seen) <= most:
        return seen
    said = f" ({len(text):,} characters)"
    ends = max(most - len(said) - 1, 8)
    return f"{seen[: ends - ends // 2]}…{seen[len(seen) - ends // 2 :]}{said}"


def label_text(label: object) -> str:
    """A label as people write it, the middle of a long one left out.

    >>> label_text((0, ("red", 1)))
    '(0, (red, 1))'
    """
    return shorten(_label_text(label), LONGEST_LABEL)


def few(labels: Sequence[object], size: int | None = None) -> str:
    """Labels in one line: all of up to four, else the first three and the last.

    `size` is their number where it may be beyond what `len` can tell.

    >>> few(range(4)), few(range(1000))
    ('0, 1, 2, 3', '0, 1, 2, …, 999')
    """
    count = len(labels) if size is None else size
    first = [label_text(labels[i]) for i in range(min(count, 4 if count == 4 else 3))]
    last = ["…", label_text(labels[count - 1])] if count > 4 else []
    return ", ".join([*first, *last])


def meant(found: object, known: Iterable[str]) -> str:
    """The nearest known name, as the end of a sentence about a misspelled one; else nothing.

    >>> meant("geometic", ["geometric", "tight"]), meant("Worst", ["worst"]), meant("x", ["worst"])
    (' (did you mean geometric?)', ' (did you mean worst?)', '')
    """
    from difflib import get_close_matches

    near = get_close_matches(str(found)[:60].lower(), list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def counted(number: int, what: str) -> str:
    """So many of something, in few characters however many they are.

    >>> counted(1, "point"), counted(2500, "point"), counted(2**300, "point")
    ('1 point', '2,500 points', 'about 10^90 points')
    """
    bits = number.bit_length()
    shown = f"{number:,}" if bits <= 50 else f"about 10^{int((bits - 1) * log10(2))}"
    return f"{shown} {what}" + ("" if number == 1 else "s")


def decimal_text(value: Fraction) -> str:
    """An exact number as a decimal where that is short, else as a fraction.

    >>> decimal_text(Fraction(-41563, 1000)), decimal_text(Fraction(1, 3))
    ('-41.563', '1/3')
    """
    places = next((k for k in range(1, 31) if 10**k % value.denominator == 0), None)
    if value.denominator == 1 or places is None:
        return str(value)
    whole, part = divmod(abs(value.numerator) * 10**places // value.denominator, 10**places)
    return f"{'-' * (value < 0)}{whole}.{part:0{places}d}"


def _label_text(label: object) -> str:
    if isinstance(label, tuple):
        return f"({', '.join(map(_label_text, label))})"
    return str(label)


def _shows(character: str) -> bool:
    return character.isprintable() or _SPACES_AND_JOINERS.match(character) is not None


def _written(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
