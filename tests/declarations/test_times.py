"""Columns of dates, times and periods: total functions, exact ranges, one spelling each."""

from datetime import UTC, date, datetime, time, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.declarations import Clock, Declaration, TimeColumn, read_filter, rules
from tightrope.declarations.forms import columns_of
from tightrope.declarations.readings import Code
from tightrope.declarations.tallies import Tally
from tightrope.errors import BadInput

YEAR = {"type": "date", "low": date(2024, 1, 1), "high": "2024-12-31"}
CLOCKS = {
    "date": columns_of({"x": YEAR})["x"],
    "datetime": columns_of({"x": {"type": "datetime", "low": "2024-01-01", "high":
                                  "2024-12-31T23:59:59"}})["x"],
    "time": columns_of({"x": {"type": "time", "low": time(8), "high": "17:59:59"}})["x"],
}


class Loud(datetime):
    """A cell that fails at whatever it is asked."""

    def utcoffset(self):
        raise RuntimeError


@given(st.one_of(st.none(), st.floats(), st.text(), st.binary(), st.dates(), st.datetimes(),
                 st.datetimes(timezones=st.timezones()), st.times(), st.timedeltas(),
                 st.just(Loud(2024, 1, 1)), st.from_regex(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?")))
def test_every_cell_has_a_code_within_bounds_or_is_left_out(cell):
    for column in CLOCKS.values():
        code = column.code(cell)
        assert code is None or (type(code) is int and 0 <= code <= column.steps)


@given(st.dates())
def test_a_day_is_the_same_as_a_date_its_text_and_its_midnights(day):
    first = datetime(day.year, day.month, day.day)
    numbers = {Clock.DATE.number(cell) for cell in (
        day, str(day), first, str(first), first.isoformat(), first.replace(tzinfo=UTC),
        f"{first} +00:00", first + timedelta(hours=23, minutes=59, seconds=59))}
    assert numbers == {(day - date(1970, 1, 1)).days}
    assert Clock.DATE.text(numbers.pop()) == str(day)


@given(st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1),
                    timezones=st.timezones()))
def test_a_moment_with_a_zone_is_its_second_in_utc(moment):
    second = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(seconds=1)
    assert Clock.DATETIME.number(moment) == second
    if not moment.utcoffset().seconds % 60:
        assert Clock.DATETIME.number(moment.isoformat()) == second


def test_both_bounds_belong_to_the_range():
    assert CLOCKS["date"].steps == 365
    assert CLOCKS["datetime"].steps == 366 * 86400 - 1
    assert CLOCKS["time"].steps == 10 * 3600 - 1


@pytest.mark.parametrize(("fields", "said"), [
    ({"low": "2024-01-01", "high": "2024-01-01"}, "before the high one, found 2024-01-01 and 2024"),
    ({"low": "1.1.2024", "high": "2024-01-01"}, "'low' is no date: write it as 2024-03-01"),
    ({"low": 2024, "high": "2024-01-01"}, "'low' is no date"),
    ({"low": "2024-01-01 12:00", "high": "2024-02-01"}, "'low' is no date"),
    ({"low": "2024-01-01", "high": "2024-02-01", "missing": "2025-01-01"}, "between the bounds"),
    ({"low": "2024-01-01", "high": "2024-02-01", "bins": ["2024-01-10", "2024-02-01"]}, "edges"),
    ({"low": "2024-01-01", "high": "2024-02-01", "resolution": 7}, "no meaning: 'resolution'"),
    ({"low": "2024-01-01"}, "declares no 'high'"),
    ({"type": "time", "low": "08:00", "high": "24:00"}, "23:59:59"),
    ({"type": "time", "low": "2024-01-01", "high": "09:00"}, "'low' is no time of day"),
    ({"type": "timestamp", "low": 1, "high": 2}, "number, category, date, datetime, time, peri"),
])
def test_a_range_that_makes_no_sense_is_refused_in_one_sentence(fields, said):
    with pytest.raises(BadInput, match=said) as refused:
        columns_of({"x": {"type": "date", **fields}})
    assert str(refused.value).count(". ") == 0


def test_bins_are_named_by_their_moments():
    column = columns_of({"x": {**YEAR, "bins": ["2024-01-01", "2024-04-01", "2025-01-01"]}})["x"]
    assert column.cells == ("[2024-01-01, 2024-04-01)", "[2024-04-01, 2025-01-01]")
    assert [column.bin(column.number(cell)) for cell in ("2024-03-31", "2024-04-01")] == [0, 1]


NAMES = {
    ("2023-12-31", "2024-01-08", "week"): ["2023-W52", "2024-W01", "2024-W02"],
    ("2024-12-30", "2024-12-31", "week"): ["2025-W01"],
    ("2023-12-31", "2024-04-01", "quarter"): ["2023-Q4", "2024-Q1", "2024-Q2"],
    ("2023-11-15", "2024-01-01", "month"): ["2023-11", "2023-12", "2024-01"],
    ("2023-12-31", "2025-01-01", "year"): ["2023", "2024", "2025"],
    ("2024-02-28", "2024-03-01", "day"): ["2024-02-28", "2024-02-29", "2024-03-01"],
    ("9999-12-30", "9999-12-31", "day"): ["9999-12-30", "9999-12-31"],
    ("9998-12-30", "9999-12-31", "year"): ["9998", "9999"],
    ("0001-01-01", "0001-01-09", "week"): ["0001-W01", "0001-W02"],
}


@pytest.mark.parametrize(("low", "high", "period"), NAMES)
def test_periods_follow_from_the_declared_range(low, high, period):
    for kind in ("date", "datetime"):
        columns = columns_of({"p": {"type": "period", "of": "x", "period": period},
                              "x": {"type": kind, "low": low, "high": high}})
        assert list(columns) == ["p", "x"]
        assert list(columns["p"].cells) == NAMES[low, high, period]
        days = (date.fromisoformat(high) - date.fromisoformat(low)).days + 1
        codes = [columns["p"].code(str(date.fromisoformat(low) + timedelta(days=day)))
                 for day in range(days)]
        assert codes == sorted(codes)
        assert {*codes} == {*range(len(columns["p"].cells))}


def test_weekdays_and_hours_come_round_again():
    forms = {"x": {"type": "datetime", "low": "2024-02-28 13:00", "high": "2024-03-20"},
             "w": {"type": "period", "of": "x", "period": "weekday"},
             "h": {"type": "period", "of": "x", "period": "hour"}}
    columns = columns_of(forms)
    for hours in range(20 * 24):
        moment = datetime(2024, 2, 28, 13) + timedelta(hours=hours)
        assert columns["w"].cells[columns["w"].code(moment)] == f"{moment:%A}"
        assert columns["h"].cells[columns["h"].code(moment)] == f"{moment:%H}:00"
    hours = columns_of({"x": {"type": "time", "low": "08:30", "high": "10:00"},
                        "h": {"type": "period", "of": "x", "period": "hour"}})["h"]
    assert hours.cells == ("08:00", "09:00", "10:00")
    assert [hours.code(cell) for cell in ("00:10", "08:59", "09:00", "23:00")] == [0, 0, 1, 2]


@pytest.mark.parametrize(("form", "said"), [
    ({"of": "y", "period": "month"}, "declared as a date, datetime or time .x, t, old., found 'y'"),
    ({"of": "n", "period": "month"}, "found 'n'"),
    ({"of": "x", "period": "decade"}, "year, quarter, month, week, day, weekday or hour, found"),
    ({"of": "x", "period": "hour"}, "a date has no hours"),
    ({"of": "t", "period": "day"}, "a time of day has hours"),
    ({"of": "old", "period": "day"}, "at most 100,000 periods"),
    ({"of": "x"}, "declares no 'period'"),
    ({"of": "x", "period": "day", "missing": "Monday"}, "no meaning: 'missing'"),
])
def test_a_period_that_makes_no_sense_is_refused_in_one_sentence(form, said):
    with pytest.raises(BadInput, match=said):
        columns_of({"x": YEAR, "n": {"type": "number", "low": 0, "high": 1},
                    "t": {"type": "time", "low": "08:00", "high": "10:00"},
                    "old": {"type": "date", "low": "0001-01-01", "high": "2024-01-01"},
                    "p": {"type": "period", **form}})


DECLARED = Declaration.of({"dataset": "d", "columns": {
    "x": {**YEAR, "missing": "2024-06-01", "bins": ["2024-01-01", "2025-01-01"]},
    "p": {"type": "period", "of": "x", "period": "month"},
    "t": {"type": "time", "low": "08:00", "high": "10:00"}}})


def test_a_declaration_is_read_from_its_json():
    import json

    again = Declaration.of(json.loads(json.dumps(DECLARED.as_json())))
    assert again == DECLARED
    assert again.digest == DECLARED.digest
    assert DECLARED.source("p") == DECLARED.source("x") == "x"


@pytest.mark.parametrize(("text", "said"), [
    ("x >= 2024-03-01", "a date in quotes, such as '2024-03-01', found 2024"),
    ("x = '2024-03-01 12:00'", "a date in quotes"),
    ("x = 'March'", "a date in quotes"),
    ("t < '2024-03-01'", "a time of day in quotes"),
    ("p >= '2024-03'", "periods have no order: compare 'x'"),
    ("p = '2023-03'", "not a declared value of the column 'p'"),
])
def test_conditions_name_the_spelling_that_works(text, said):
    with pytest.raises(BadInput, match=said):
        read_filter(text, DECLARED.columns)


def test_an_undeclared_column_is_compared_with_a_moment():
    from tightrope.declarations import AnyColumn

    late = read_filter("x > '2024-03-01'", {"x": AnyColumn()})
    assert [late.of(cell) for cell in ("2024-03-01", "2024-03-01 00:00:01", 5, None)] == [
        0, 1, None, None]
    with pytest.raises(BadInput, match="texts have no order"):
        read_filter("x > 'b'", {"x": AnyColumn()})


def test_a_column_without_bins_is_counted_by_a_period():
    column = TimeColumn("2024-01-01", "2024-02-01")
    declaration = Declaration.of({"dataset": "d", "columns": {"x": column.as_json()}})
    with pytest.raises(BadInput, match='period = "month"'):
        Tally(declaration, ("x",))
    assert rules([Code("x", column)]) == {
        "x": "clamped to [2024-01-01, 2024-02-01], in whole days; no date: left out"}
    assert rules([Code("x", DECLARED.columns["p"])]) == {
        "x": "clamped to [2024-01-01, 2024-12-31], by month; no date: 2024-06-01"}


@pytest.mark.parametrize("cell", ["2024-01-01T00:00+24:00", "2024-01-01T00:00-00:60"])
def test_an_offset_is_within_a_day(cell):
    assert Clock.DATETIME.number(cell) is None
    assert Clock.DATETIME.number(cell.replace("24:00", "23:59").replace("60", "59")) is not None


def test_stored_moments_beyond_the_calendar_are_its_ends_and_none_is_none():
    assert Clock.TIME.number(np.datetime64("20000-01-01T05:00")) == 86_399
    assert Clock.DATE.text(Clock.DATE.number(np.datetime64("20000-01-01"))) == "9999-12-31"
    assert Clock.DATE.text(Clock.DATE.number(np.datetime64("-0400-01-01"))) == "0001-01-01"
    assert Clock.DATETIME.number(np.datetime64("NaT")) is None
