"""What a column may hold, declared: every cell becomes a whole number or is left out.

A code is where a value stands among the declared ones: steps of the resolution above the least
number, or the place of a category. Reading a cell is a total function of that cell alone, the
same for every kind of table: numbers are clamped to the bounds and rounded to the resolution in
double arithmetic, what is no number or missing follows the declared rule, unknown categories go
to a declared one or are left out. Nothing in a cell is ever refused, since a refusal would tell.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from tightrope.characters import counted, label_text, refuse_controls
from tightrope.errors import BadInput
from tightrope.exact import Number, stated

MOST_STEPS = 2**40
"""Steps of the resolution between the bounds of a column: sums of codes stay whole numbers."""

_WRITTEN = re.compile(
    r"[ \t]*[+-]?((\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?|inf(inity)?)[ \t]*", re.ASCII | re.I
)


@dataclass(frozen=True)
class NumberColumn:
    """Numbers between two bounds, in steps of a resolution; `missing` is None to leave cells out.

    `bins` are the edges of the cells in which the column may be counted: each holds its lower
    edge, and the last one both.

    >>> age = NumberColumn(17, 42, "0.5")
    >>> age.code(30), age.code("1e999"), age.code("?"), age.value(age.code(30))
    (26, 50, None, Fraction(30, 1))
    """

    low: Fraction
    high: Fraction
    resolution: Fraction = Fraction(1)
    missing: Fraction | None = None
    bins: tuple[Fraction, ...] = ()

    def __post_init__(self) -> None:
        for name in ("low", "high", "resolution"):
            object.__setattr__(self, name, _exact(getattr(self, name), f"the field {name!r}"))
        if self.missing is not None:
            object.__setattr__(self, "missing", _exact(self.missing, "what stands for missing"))
        object.__setattr__(self, "bins", tuple(_exact(edge, "an edge") for edge in self.bins))
        if not self.low < self.high:
            raise BadInput(f"expected a low bound below the high one, found {self.low} and "
                           f"{self.high}.")
        if not self.resolution > 0:
            raise BadInput("expected a resolution above 0.")
        steps = (self.high - self.low) / self.resolution
        if steps.denominator != 1:
            raise BadInput(f"from {self.low} to {self.high} is no whole number of steps of "
                           f"{self.resolution}; move a bound or change the resolution.")
        if steps > MOST_STEPS:
            raise BadInput(f"a column has at most 2^40 steps, found {steps}; take a coarser "
                           "resolution.")
        if self.missing is not None and not self.low <= self.missing <= self.high:
            raise BadInput("what stands for missing must lie between the bounds.")
        if self.bins and (len(self.bins) < 2
                          or any(a >= b for a, b in pairwise(self.bins))
                          or self.bins[0] > self.low or self.bins[-1] < self.high):
            raise BadInput("the edges of bins must increase and reach from the low bound or below "
                           "to the high bound or above.")

    @property
    def steps(self) -> int:
        """The largest code."""
        return int((self.high - self.low) / self.resolution)

    def code(self, cell: Any) -> int | None:
        """Where a cell stands, clamped and rounded; None if it is left out."""
        number = as_double(cell)
        if number is None:
            return None if self.missing is None else self.rounded(float(self.missing))
        return self.rounded(number)

    def rounded(self, number: float) -> int:
        """The code of a number that is not NaN, in double arithmetic like everywhere."""
        low, high, step = float(self.low), float(self.high), float(self.resolution)
        inside = min(max(number, low), high)
        return min(max(math.floor((inside - low) / step + 0.5), 0), self.steps)

    def value(self, code: int) -> Fraction:
        """The number that a code stands for."""
        return self.low + code * self.resolution

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """The bins, in words."""
        last = len(self.bins) - 2
        return tuple(f"[{_short(a)}, {_short(b)}{']' if k == last else ')'}"
                     for k, (a, b) in enumerate(pairwise(self.bins)))

    @cached_property
    def thresholds(self) -> tuple[int, ...]:
        """The least code of every bin but the first: ceil((edge - low)/resolution)."""
        (low, under), (step, parts) = (number.as_integer_ratio()
                                       for number in (self.low, self.resolution))
        edges = (edge.as_integer_ratio() for edge in self.bins[1:-1])
        return tuple(-((low * b - a * under) * parts // (b * under * step)) for a, b in edges)

    def cell(self, code: int) -> int:
        """The bin of a code."""
        return min(bisect_right(self.bins, self.value(code)) - 1, len(self.bins) - 2)

    def as_json(self) -> dict[str, Any]:
        """The column as a declaration holds it."""
        return {
            "type": "number", "low": str(self.low), "high": str(self.high),
            "resolution": str(self.resolution),
            "missing": LEAVE_OUT if self.missing is None else str(self.missing),
            **({"bins": [str(edge) for edge in self.bins]} if self.bins else {}),
        }


@dataclass(frozen=True)
class CategoryColumn:
    """Declared categories, by their text; unknown and missing cells go to one or are left out.

    >>> color = CategoryColumn(("red", "green"), other="green")
    >>> color.code("red"), color.code("blue"), color.code(None)
    (0, 1, None)
    """

    values: Sequence[Any]
    other: str | None = None
    missing: str | None = None

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

    @property
    def steps(self) -> int:
        """The largest code."""
        return len(self.values) - 1

    def code(self, cell: Any) -> int | None:
        """Where a cell stands among the categories; None if it is left out."""
        text, places = as_text(cell), self._places
        chosen = self.missing if text is None else text if text in places else self.other
        return None if chosen is None else places[chosen]

    def code_of_text(self, text: str | None) -> int | None:
        """The code of a text that may stand for a number, as cells of CSV do: 3.0 is 3.

        >>> CategoryColumn((2, 3)).code_of_text("3.0"), CategoryColumn((2, 3)).code("3.0")
        (1, None)
        """
        number = None if text is None or text in self._places else as_double(text)
        return self.code(text if number is None or as_text(number) not in self._places else number)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {value: place for place, value in enumerate(self.values)}

    @property
    def cells(self) -> tuple[str, ...]:
        """The categories."""
        return tuple(self.values)

    def cell(self, code: int) -> int:
        """The category of a code."""
        return code

    def as_json(self) -> dict[str, Any]:
        """The column as a declaration holds it."""
        return {
            "type": "category", "values": list(self.values),
            "other": LEAVE_OUT if self.other is None else self.other,
            "missing": LEAVE_OUT if self.missing is None else self.missing,
        }


Column = NumberColumn | CategoryColumn

LEAVE_OUT = "leave out"
"""The rule that leaves cells out, and with them their rows."""


def as_double(cell: Any) -> float | None:
    """A cell as a double, infinite where it is beyond all; None if it is no number or missing.

    >>> as_double(" 2.5 "), as_double("-inf"), as_double("two"), as_double(float("nan"))
    (2.5, -inf, None, None)
    """
    if isinstance(cell, str):
        return float(cell) if _WRITTEN.fullmatch(cell) else None
    if isinstance(cell, bytes | bytearray):
        return None
    try:
        number = float(cell)
    except OverflowError:
        return math.inf if cell > 0 else -math.inf
    except Exception:  # whatever a cell does when it is asked, it is no number
        return None
    return None if math.isnan(number) else number


def as_text(cell: Any) -> str | None:
    """A cell as the text of a category: whole numbers without a point; None if it is missing.

    >>> as_text(3.0), as_text(True), as_text(" a"), as_text(float("nan")), as_text(2.5)
    ('3', 'true', ' a', None, '2.5')
    """
    if cell is None or isinstance(cell, str):
        return cell
    kind = type(cell).__name__
    if isinstance(cell, bool) or kind in ("bool", "bool_"):
        return "true" if cell else "false"
    if kind in ("NAType", "NaTType"):
        return None
    number = as_double(cell)
    if number is None:
        nan = isinstance(cell, float | Decimal) or kind.startswith("float")
        return None if nan else _said(cell)
    if math.isfinite(number) and number == math.floor(number):
        return str(int(cell) if isinstance(cell, int) else int(number))
    return repr(number)


def _said(cell: Any) -> str | None:
    """The text of a cell that is no number; one that has none is missing."""
    try:
        return str(cell)
    except Exception:  # no cell is refused
        return None


def _exact(value: Number, what: str) -> Fraction:
    try:
        return stated(value, "a number")
    except BadInput:
        raise BadInput(f"{what} is no number.") from None


def _short(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{float(number):g}"


def column_of(form: object, name: str) -> Column:
    """The column that a declaration states under this name."""
    if not isinstance(form, dict):
        raise BadInput(f"the column {label_text(name)!r} is declared by a table of fields.")
    kind = form.get("type")
    fields = {"number": ("low", "high", "resolution", "missing", "bins"),
              "category": ("values", "other", "missing")}.get(str(kind))
    if fields is None:
        said = "no type" if kind is None else f"type {label_text(kind)!r}"
        raise BadInput(f"the column {label_text(name)!r} has {said}; expected "
                       "number or category.")
    unknown = sorted(set(map(str, form)) - {"type", *fields})
    if unknown:
        raise BadInput(f"the column {label_text(name)!r} has {counted(len(unknown), 'field')} of "
                       f"no meaning: {label_text(unknown[0])!r}.")
    given = {field: form[field] for field in fields if field in form}
    for field in ("missing", "other"):
        if given.get(field) == LEAVE_OUT:
            given[field] = None
    if "bins" in given or "values" in given:
        listed = given.get("bins", given.get("values"))
        if not isinstance(listed, list | tuple):
            raise BadInput(f"the column {label_text(name)!r} needs a list of its "
                           f"{'bins' if 'bins' in given else 'values'}.")
    for field in ("low", "high") if kind == "number" else ("values",):
        if field not in given:
            raise BadInput(f"the column {label_text(name)!r} declares no {field!r}.")
    try:
        return NumberColumn(**given) if kind == "number" else CategoryColumn(**given)
    except BadInput as wrong:
        raise BadInput(f"column {label_text(name)!r}: {wrong}") from None
