"""A cell as a moment: whole days or seconds, a total function of that cell alone.

A moment is a stored date or time, or a text of ISO 8601 such as 2024-03-01, 2024-03-01 14:30 or
2024-03-01T14:30:05+02:00. One with an offset or a zone is read in UTC; one without stands as it is
written. Parts of a second are cut off. Moments before the year 1 or after 9999, and infinite ones,
are the first and the last second of these years. Everything else is missing: numbers are no
moments, and 05/01/2024 is read differently in different countries.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Any

DAY = 86_400
"""Seconds of a day."""

FIRST, LAST = -62_135_596_800, 253_402_300_799
"""The first second of the year 1 and the last of 9999, counted from 1970."""

_EPOCH = date(1970, 1, 1).toordinal()
_CLOCK = r"(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?"
_OFFSET = r"(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)"
_TEXT = re.compile(
    rf"[ \t]*(\d{{4}})-(\d\d)-(\d\d)(?:[ Tt]{_CLOCK}[ ]?{_OFFSET}?)?[ \t]*", re.ASCII)
_TIME = re.compile(rf"[ \t]*{_CLOCK}[ \t]*", re.ASCII)
_INFINITE = {"infinity": LAST, "-infinity": FIRST}


class Clock(StrEnum):
    """The moments of a column: days, seconds, or seconds of any day."""

    DATE = "date"
    DATETIME = "datetime"
    TIME = "time"

    @property
    def noun(self) -> str:
        """Such a moment, in words."""
        return {Clock.DATE: "a date", Clock.DATETIME: "a date with a time",
                Clock.TIME: "a time of day"}[self]

    @property
    def example(self) -> str:
        """How such a moment is written."""
        return {Clock.DATE: "2024-03-01", Clock.DATETIME: "2024-03-01 14:30:00",
                Clock.TIME: "14:30:00"}[self]

    def number(self, cell: Any) -> int | None:
        """The day or second of a cell, counted from 1970 or from midnight; None if it has none.

        >>> Clock.DATE.number("1970-01-03"), Clock.DATETIME.number("1970-01-01T01:00+01:00")
        (2, 0)
        >>> Clock.TIME.number("14:30"), Clock.DATE.number("3/1/2024"), Clock.DATE.number(20240301)
        (52200, None, None)
        """
        try:
            if self is Clock.TIME:
                own = _time_of_day(cell)
                if own is not None:
                    return own
            seconds = _seconds(cell)
        except Exception:  # whatever a cell does when it is asked, it is no moment
            return None
        return None if seconds is None else int(self.of_seconds(min(max(seconds, FIRST), LAST)))

    def of_seconds(self, seconds: Any) -> Any:
        """The day or second of a moment that is given in seconds from 1970, or of many."""
        if self is Clock.DATE:
            return seconds // DAY
        return seconds % DAY if self is Clock.TIME else seconds

    def text(self, number: int) -> str:
        """A day or second, as ISO 8601 writes it.

        >>> Clock.DATE.text(19783), Clock.DATETIME.text(86_399), Clock.TIME.text(52_200)
        ('2024-03-01', '1970-01-01 23:59:59', '14:30:00')
        """
        return str(self.moment(number))

    def moment(self, number: int) -> date | datetime | time:
        """A day or second, as Python holds it."""
        if self is Clock.DATE:
            return day_of(number)
        whole = datetime(1970, 1, 1) + timedelta(seconds=number)
        return whole.time() if self is Clock.TIME else whole


def day_of(number: int) -> date:
    """The day of this number, counted from 1970."""
    return date.fromordinal(number + _EPOCH)


def _seconds(cell: Any) -> int | None:
    """The second of a moment, counted from 1970."""
    if isinstance(cell, str):
        return _stated_second(str.__str__(cell))
    if isinstance(cell, datetime):
        return _stored_second(cell)
    if isinstance(cell, date):
        return (cell.toordinal() - _EPOCH) * DAY
    if type(cell).__name__ == "datetime64":
        second = int(cell.astype("datetime64[s]").astype("int64"))
        return None if second == -(2**63) else second  # NaT
    return None


def _stored_second(cell: datetime) -> int | None:
    if cell.year != cell.year:  # NaT of pandas
        return None
    offset = cell.utcoffset()
    second = (cell.toordinal() - _EPOCH) * DAY + cell.hour * 3600 + cell.minute * 60 + cell.second
    if offset is None:
        return second
    beyond = timedelta(microseconds=cell.microsecond) - offset
    return second + beyond // timedelta(seconds=1)


def _stated_second(text: str) -> int | None:
    """The second that a text states."""
    match = _TEXT.fullmatch(text)
    if match is None:
        return _INFINITE.get(text.strip(" \t"))
    year, month, day, hour, minute, second, sign, hours, minutes = match.groups()
    midnight = (date(int(year), int(month), int(day)).toordinal() - _EPOCH) * DAY
    of_day = _of_day(hour, minute, second)
    if of_day is None or int(hours or 0) > 23 or int(minutes or 0) > 59:
        return None
    offset = int(hours or 0) * 3600 + int(minutes or 0) * 60
    return midnight + of_day + (offset if sign == "-" else -offset)


def _of_day(hour: str | None, minute: str | None, second: str | None) -> int | None:
    """The second of a day; 24:00 is the end of it."""
    h, m, s = (int(part or 0) for part in (hour, minute, second))
    return None if m > 59 or s > 59 or h * 3600 + m * 60 + s > DAY else h * 3600 + m * 60 + s


def _time_of_day(cell: Any) -> int | None:
    """The second of a cell that is a time without a day."""
    if isinstance(cell, time) and cell.tzinfo is None:
        return cell.hour * 3600 + cell.minute * 60 + cell.second
    if isinstance(cell, str):
        match = _TIME.fullmatch(str.__str__(cell))
        return None if match is None else _of_day(*match.groups())
    return None


def stated_moment(value: Any, clock: Clock) -> int | None:
    """The number of a moment that a declaration or a condition states; None if it states none.

    A day is a moment at midnight; a moment within a day is no day.

    >>> stated_moment("2024-03-01", Clock.DATETIME), stated_moment("2024-03-01 12:00", Clock.DATE)
    (1709251200, None)
    """
    if clock is Clock.TIME:
        return _time_of_day(value)
    whole = Clock.DATETIME.number(value)
    if whole is None or (clock is Clock.DATE and whole % DAY):
        return None
    return int(clock.of_seconds(whole))
