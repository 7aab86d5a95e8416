"""Declared columns: every cell becomes a whole number or is left out.

A code is where a value stands among the declared ones: steps of the resolution above the least
number, or the place of a category. Reading a cell is a total function of that cell alone, the
same for every kind of table: numbers are clamped to the bounds and rounded to the resolution in
double arithmetic, halves to even steps; what is no number or missing follows the declared rule.
A cell is a category if its text is the same, then if both are the same number, then if both are
true or both false; other cells go to a declared category or are left out. Nothing in a cell is
ever refused, since a refusal would tell.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from tightrope.characters import label_text, refuse_controls, shorten
from tightrope.declarations.cells import FALSE, TRUE, as_double, as_text, numeral
from tightrope.errors import BadInput
from tightrope.exact import Number, stated

MOST_STEPS = 2**40
"""Steps of the resolution between the bounds of a column: sums of codes stay whole numbers."""

DECIMALS, THOUSANDS = (".", ","), (",", ".", " ", "\u00a0", "\u202f", "'", "’", "_")
"""Marks that a declaration may name for texts of numbers."""

FARTHEST = Fraction(10) ** 100
"""Bounds of a column lie between this and its negative: sums and squares of them are doubles."""

_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
"""A day as sources write it; stored times write midnight behind it."""

LEAST_STEPS = 2**20
"""Steps of the resolution where none is declared: rounding is far below the noise of means."""


@dataclass(frozen=True)
class NumberColumn:
    """Numbers between two bounds, in steps of a resolution; `missing` is None to leave cells out.

    Without a resolution, `step` is the coarsest power of ten that divides both bounds and gives at
    least 2^20 steps. `bins` are the edges of the cells in which the column may be counted: each
    holds its lower edge, and the last one both. Texts are numbers with a decimal point and
    ungrouped digits, unless `decimal` and `thousands` name other marks.

    >>> age = NumberColumn(17, 42, "0.5")
    >>> age.code(30), age.code("1e999"), age.code("?"), age.value(age.code(30))
    (26, 50, None, Fraction(30, 1))
    >>> NumberColumn(0, 1).step, NumberColumn(0, 5000, thousands=",").number("1,200.5")
    (Fraction(1, 10000000), 1200.5)
    """

    low: Fraction
    high: Fraction
    resolution: Fraction | None = None
    missing: Fraction | None = None
    bins: tuple[Fraction, ...] = ()
    thousands: str | None = None
    decimal: str = "."

    def __post_init__(self) -> None:
        for name in ("low", "high", "resolution", "missing"):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, _exact(given, f"the field {name!r}"))
        object.__setattr__(self, "bins", tuple(_exact(edge, "an edge") for edge in self.bins))
        if not self.low < self.high:
            raise BadInput(f"expected a low bound below the high one, found {self.low} and "
                           f"{self.high}.")
        if max(-self.low, self.high) > FARTHEST or self.high - self.low < 1 / FARTHEST:
            raise BadInput("bounds lie between -1e100 and 1e100, and at least 1e-100 apart.")
        self._check_steps()
        self._check_marks()
        if self.missing is not None and not self.low <= self.missing <= self.high:
            raise BadInput("what stands for missing must lie between the bounds.")
        if self.bins and (len(self.bins) < 2
                          or any(a >= b for a, b in pairwise(self.bins))
                          or self.bins[0] > self.low or self.bins[-1] < self.high):
            raise BadInput("the edges of bins must increase and reach from the low bound or below "
                           "to the high bound or above.")

    def _check_steps(self) -> None:
        if self.resolution is None:
            return
        if not self.resolution > 0:
            raise BadInput("expected a resolution above 0.")
        steps = (self.high - self.low) / self.resolution
        if steps.denominator != 1:
            raise BadInput(f"from {self.low} to {self.high} is no whole number of steps of "
                           f"{self.resolution}; move a bound or change the resolution.")
        if steps > MOST_STEPS:
            raise BadInput(f"a column has at most 2^40 steps; take a coarser resolution than "
                           f"{shorten(str(self.resolution))}.")

    def _check_marks(self) -> None:
        if self.decimal not in DECIMALS:
            raise BadInput("the decimal mark is \".\" or \",\".")
        if self.thousands is not None and (
            self.thousands not in THOUSANDS or self.thousands == self.decimal
        ):
            raise BadInput("thousands are grouped by a comma, point, space, apostrophe or "
                           "underscore that is not the decimal mark.")

    @cached_property
    def step(self) -> Fraction:
        """The size of a step: the declared resolution, or else the default one."""
        return self.with_steps(LEAST_STEPS).resolution or Fraction(1)

    def with_steps(self, least: int, most: int = MOST_STEPS) -> NumberColumn:
        """The column with a resolution: the declared one, or else one of so many steps.

        The coarsest power of ten that divides both bounds; if none does, a part of the range.

        >>> NumberColumn(0, 200_000).with_steps(1000).resolution, NumberColumn(0, "1/3").step
        (Fraction(100, 1), Fraction(1, 3145728))
        """
        if self.resolution is not None:
            return self
        length = self.high - self.low
        power = Fraction(10) ** (len(str(int(length / least))) if length >= least else 0)
        while length / power < least or any((end / power).denominator > 1 for end in
                                            (self.low, self.high)):
            power /= 10
            if length / power > most:
                return replace(self, resolution=length / least)
        return replace(self, resolution=power)

    @property
    def is_total(self) -> bool:
        """Whether no cell is left out."""
        return self.missing is not None

    @property
    def is_pointed(self) -> bool:
        """Whether texts of numbers have a decimal point and ungrouped digits."""
        return self.thousands is None and self.decimal == "."

    @cached_property
    def steps(self) -> int:
        """The largest code."""
        return int((self.high - self.low) / self.step)

    def number(self, cell: Any) -> float | None:
        """The number of a cell, or the one that stands for missing; None if it is left out."""
        number = as_double(self._point(cell) if isinstance(cell, str) else cell)
        return self._absent if number is None else number

    def _point(self, text: str) -> str:
        """A text with a decimal point and without marks between thousands."""
        if self.is_pointed:
            return text
        if not self._marked_number.fullmatch(text):
            return "" if self.decimal == "," and "." in text else text
        plain = text.strip().replace(self.thousands, "") if self.thousands else text
        return plain.replace(self.decimal, ".")

    @cached_property
    def _marked_number(self) -> re.Pattern[str]:
        group, mark = re.escape(self.thousands or ""), re.escape(self.decimal)
        grouped = rf"[0-9]{{1,3}}({group}[0-9]{{3}})+|" if group else ""
        return re.compile(rf"[ \t]*[+-]?({grouped}[0-9]+)({mark}[0-9]*)?[ \t]*")

    @cached_property
    def _absent(self) -> float | None:
        return None if self.missing is None else float(self.missing)

    def code(self, cell: Any) -> int | None:
        """Where a cell stands, clamped and rounded; None if it is left out."""
        number = self.number(cell)
        return None if number is None else self.round_code(number)

    def round_code(self, number: float) -> int:
        """The code of a number that is not NaN, in double arithmetic like everywhere."""
        low, high, step = self.doubles
        inside = min(max(number, low), high)
        return min(max(round((inside - low) / step), 0), self.steps)

    @cached_property
    def doubles(self) -> tuple[float, float, float]:
        """Bounds and step, as numbers are clamped and rounded with."""
        return float(self.low), float(self.high), float(self.step)

    def value(self, code: int) -> Fraction:
        """The number that a code stands for."""
        return self.low + code * self.step

    def text(self, number: Fraction | float) -> str:
        """A number as it is shown."""
        return f"{float(number):.10g}"

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """The bins, in words."""
        last = len(self.bins) - 2
        return tuple(f"[{_short(a)}, {_short(b)}{']' if k == last else ')'}"
                     for k, (a, b) in enumerate(pairwise(self.bins)))

    @cached_property
    def edges(self) -> tuple[float, ...]:
        """The least number of every bin but the first, as a double."""
        return tuple(float(edge) for edge in self.bins[1:-1])

    def bin(self, number: float) -> int:
        """The bin of a number that is not NaN, clamped and not rounded."""
        low, high, _ = self.doubles
        return bisect_right(self.edges, min(max(number, low), high))

    def as_json(self) -> dict[str, Any]:
        """The column as a declaration holds it."""
        return {
            "type": "number", "low": str(self.low), "high": str(self.high),
            **({} if self.resolution is None else {"resolution": str(self.resolution)}),
            "missing": LEAVE_OUT if self.missing is None else str(self.missing),
            **({"bins": [str(edge) for edge in self.bins]} if self.bins else {}),
            **({} if self.thousands is None else {"thousands": self.thousands}),
            **({} if self.decimal == "." else {"decimal": self.decimal}),
        }


@dataclass(frozen=True)
class CategoryColumn:
    """Declared categories, by their text; unknown and missing cells go to one or are left out.

    `labels` are words for some categories, as pairs or a mapping; they are shown and decide
    nothing.

    >>> color = CategoryColumn(("red", "green"), other="green")
    >>> color.code("red"), color.code("blue"), color.code(None)
    (0, 1, None)
    """

    values: Sequence[Any]
    other: str | None = None
    missing: str | None = None
    labels: Any = ()

    def __post_init__(self) -> None:
        if isinstance(self.values, str):
            raise BadInput("expected a list of categories, such as [\"no\", \"yes\"].")
        texts = tuple(text for value in self.values if (text := as_text(value)) is not None)
        if not texts or len(texts) < len(self.values):
            raise BadInput("expected at least one category, each a text or a number.")
        for text in texts:
            refuse_controls(text, "a category", BadInput)
        if len(set(texts)) != len(texts):
            raise BadInput("a category is named twice.")
        object.__setattr__(self, "values", texts)
        for name in ("other", "missing"):
            chosen = as_text(getattr(self, name))
            if chosen is not None and chosen not in texts:
                raise BadInput(f"the category for {name} cells, {label_text(chosen)!r}, is not a "
                               "declared one.")
            object.__setattr__(self, name, chosen)
        object.__setattr__(self, "labels", _labels(self.labels, texts))

    @cached_property
    def words(self) -> dict[str, str]:
        """The labels by category."""
        return dict(self.labels)

    @property
    def is_total(self) -> bool:
        """Whether no cell is left out."""
        return self.missing is not None and self.other is not None

    @property
    def steps(self) -> int:
        """The largest code."""
        return len(self.values) - 1

    def code(self, cell: Any) -> int | None:
        """Where a cell stands among the categories; None if it is left out."""
        text = as_text(cell)
        chosen = self.missing if text is None else self.other
        place = None if text is None else self.place(text)
        return self.known[chosen] if place is None and chosen is not None else place

    def place(self, text: str) -> int | None:
        """The category that a text is: the same text, number or truth, or midnight of the same day.

        >>> [CategoryColumn((2, "03", True)).place(text) for text in ("2.0", "3", "1", "TRUE")]
        [0, None, 2, 2]
        """
        return self.known.get(text if text in self.known else numeral(text) or text)

    @cached_property
    def known(self) -> dict[str, int]:
        """The category of every text that is one; of other numerals, look up the number's text."""
        known = {text: place for place, text in enumerate(self.values)}
        for text, place in tuple(known.items()):
            known.setdefault(numeral(text) or text, place)
        for names in ((*TRUE, "1"), (*FALSE, "0")):
            places = [known[name] for name in names if name in known]
            known |= {name: known.get(name, places[0]) for name in names if places}
        for place, text in enumerate(self.values):
            if _DATE.fullmatch(text):  # a time at midnight is its day
                known.setdefault(f"{text} 00:00:00", place)
        return known

    @property
    def cells(self) -> tuple[str, ...]:
        """The categories."""
        return tuple(self.values)

    def as_json(self) -> dict[str, Any]:
        """The column as a declaration holds it."""
        return {
            "type": "category", "values": list(self.values),
            "other": LEAVE_OUT if self.other is None else self.other,
            "missing": LEAVE_OUT if self.missing is None else self.missing,
            **({"labels": dict(self.labels)} if self.labels else {}),
        }


def _labels(given: Any, values: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Labels in the order of the categories, each of them for one."""
    if not isinstance(given, Mapping | tuple):
        raise BadInput("labels are a table of words for categories, such as {1 = \"never\"}.")
    labels = {as_text(code): label for code, label in dict(given).items()}
    for code, label in labels.items():
        if code not in values:
            raise BadInput(f"the label of {label_text(str(code))!r} has no category of that text.")
        if not isinstance(label, str) or not label.strip():
            raise BadInput(f"the label of {label_text(str(code))!r} is no text.")
        refuse_controls(label, "a label", BadInput)
    shown = [labels.get(value, value) for value in values]
    if len(set(shown)) < len(shown):
        raise BadInput("two categories would be shown alike; give them different labels.")
    return tuple((value, labels[value]) for value in values if value in labels)


@dataclass(frozen=True)
class AnyColumn:
    """A column of which nothing is declared: conditions may name it, and nothing else.

    A number is compared with the cell as a number, a text with the text of the cell. To a
    comparison with numbers, cells that are no number are missing.

    >>> AnyColumn.numbers().number("30"), AnyColumn.texts(["f"]).code("m")
    (30.0, 1)
    """

    @staticmethod
    def numbers() -> NumberColumn:
        """The column whose cells are compared as numbers; its bounds play no part in that."""
        return NumberColumn(Fraction(0), Fraction(1))

    @staticmethod
    def texts(constants: Sequence[str]) -> CategoryColumn:
        """The column whose categories are these texts, and one more for all other cells."""
        other = "another text"
        while other in constants:
            other += "_"
        return CategoryColumn((*dict.fromkeys(constants), other), other=other)

    def as_json(self) -> dict[str, Any]:
        """The column as a declaration holds it."""
        return {"type": "any"}


LEAVE_OUT = "leave out"
"""The rule that leaves cells out, and with them their rows."""


def _exact(value: Number, what: str) -> Fraction:
    try:
        return stated(value, "a number")
    except BadInput:
        raise BadInput(f"{what} is no number.") from None


def _short(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{float(number):g}"
