"""Periods: a column of dates or times by year, quarter, month, week, day, weekday or hour.

A period is a declared column that the table does not hold: it follows from a time column, and its
categories follow from the declared range. A cell outside of the range is clamped first, so it is
in the first or the last period. Weekdays and hours come round again.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import cached_property
from typing import Any

from tightrope.choices import member_of
from tightrope.declarations.moments import DAY, Clock, day_of
from tightrope.declarations.times import TimeColumn
from tightrope.errors import BadInput

MOST_PERIODS = 100_000
"""Periods of one column: days of 273 years."""

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_THURSDAY = 3  # 1970-01-01


class Period(StrEnum):
    """How long a period is; weekdays and hours are those of any week and day."""

    YEAR = "year"
    QUARTER = "quarter"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"
    WEEKDAY = "weekday"
    HOUR = "hour"


@dataclass(frozen=True)
class PeriodColumn:
    """The periods of a time column `of` the table, as categories in their order.

    >>> month = PeriodColumn("admitted", TimeColumn("2024-11-05", "2025-01-31"), Period.MONTH)
    >>> month.cells, month.code("2024-12-24"), month.code("1999-01-01")
    (('2024-11', '2024-12', '2025-01'), 1, 0)
    """

    of: str
    time: TimeColumn
    period: Period

    def __post_init__(self) -> None:
        object.__setattr__(self, "period", member_of(Period, self.period, "period"))
        clock, hours = self.time.clock, self.period is Period.HOUR
        if clock is Clock.TIME and not hours:
            raise BadInput("a time of day has hours and no other period.")
        if clock is Clock.DATE and hours:
            raise BadInput(f"a date has no hours: declare the column {self.of!r} as a datetime.")
        if len(self.cells) > MOST_PERIODS:
            raise BadInput(f"a column has at most {MOST_PERIODS:,} periods; take longer ones.")

    @cached_property
    def even(self) -> tuple[int, int, int] | None:
        """Length, start and number of periods of equal length; None for months and longer ones.

        The period of a number x is (x - low + start) // length, modulo their number where they
        come round again; that is 0 where they do not.
        """
        low, clock = int(self.time.low), self.time.clock
        day = 1 if clock is Clock.DATE else DAY
        match self.period:
            case Period.WEEKDAY:
                return day, (low + _THURSDAY * day) % (7 * day), 7
            case Period.WEEK:
                return 7 * day, (low + _THURSDAY * day) % (7 * day), 0
            case Period.DAY:
                return day, low % day, 0
            case Period.HOUR:
                return 3600, low % (DAY if self.comes_round else 3600), 24 * self.comes_round
            case _:
                return None

    @property
    def comes_round(self) -> bool:
        """Whether the last period is followed by the first."""
        return self.period is Period.WEEKDAY or (
            self.period is Period.HOUR and self.time.clock is Clock.DATETIME)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The first number of every period that the bounds touch."""
        low, high, clock = int(self.time.low), int(self.time.high), self.time.clock
        if clock is Clock.TIME:
            return tuple(range(low - low % 3600, high + 1, 3600))
        day = 1 if clock is Clock.DATE else DAY
        first, last = day_of(low // day), day_of(high // day)
        starts: list[int] = []
        begin: date | None = _begin(first, self.period)
        while begin is not None and begin <= last and len(starts) <= MOST_PERIODS:
            starts.append((begin - date(1970, 1, 1)).days * day)
            begin = _next(begin, self.period)
        return tuple(starts)

    @cached_property
    def edges(self) -> tuple[float, ...]:
        """The first number of every period but the first."""
        return tuple(map(float, self.starts[1:]))

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """The periods, in words."""
        if self.period is Period.WEEKDAY:
            return WEEKDAYS
        if self.comes_round:
            return tuple(f"{hour:02}:00" for hour in range(24))
        if self.time.clock is Clock.TIME:
            return tuple(f"{start // 3600:02}:00" for start in self.starts)
        day = 1 if self.time.clock is Clock.DATE else DAY
        return tuple(_name(day_of(start // day), self.period) for start in self.starts)

    @property
    def values(self) -> tuple[str, ...]:
        """The periods, in words."""
        return self.cells

    @property
    def is_total(self) -> bool:
        """Whether no cell is left out."""
        return self.time.is_total

    @property
    def steps(self) -> int:
        """The largest code."""
        return len(self.cells) - 1

    def code(self, cell: Any) -> int | None:
        """The period of a cell; None if it is left out."""
        number = self.time.number(cell)
        if number is None:
            return None
        low, high, _ = self.time.doubles
        inside = min(max(number, low), high)
        if self.even is None:
            return bisect_right(self.edges, inside)
        length, start, count = self.even
        place = (int(inside - low) + start) // length
        return place % count if count else place

    def place(self, text: str) -> int | None:
        """The period of this name."""
        return self._places.get(text)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.cells)}

    def as_json(self) -> dict[str, Any]:
        """The column as a declaration holds it."""
        return {"type": "period", "of": self.of, "period": self.period.value}


def _begin(day: date, period: Period) -> date:
    """The first day of the period that a day is in."""
    match period:
        case Period.YEAR:
            return day.replace(month=1, day=1)
        case Period.QUARTER:
            return day.replace(month=day.month - (day.month - 1) % 3, day=1)
        case Period.MONTH:
            return day.replace(day=1)
        case Period.WEEK:
            return day - timedelta(days=day.weekday())  # the year 1 begins on a Monday
        case _:
            return day


def _next(begin: date, period: Period) -> date | None:
    """The first day of the next period; None after the year 9999."""
    months = {Period.YEAR: 12, Period.QUARTER: 3, Period.MONTH: 1}.get(period)
    try:
        if months is None:
            return begin + timedelta(days=7 if period is Period.WEEK else 1)
        year, month = divmod(begin.month - 1 + months, 12)
        return date(begin.year + year, month + 1, 1)
    except (OverflowError, ValueError):
        return None


def _name(begin: date, period: Period) -> str:
    match period:
        case Period.YEAR:
            return f"{begin.year:04}"
        case Period.QUARTER:
            return f"{begin.year:04}-Q{(begin.month + 2) // 3}"
        case Period.MONTH:
            return f"{begin.year:04}-{begin.month:02}"
        case Period.WEEK:
            year, week, _ = begin.isocalendar()
            return f"{year:04}-W{week:02}"
        case _:
            return begin.isoformat()
