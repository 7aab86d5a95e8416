"""One private statistic of a table in one call: nothing is declared in a file, nothing is booked.

A row is a person, unless `person` names a column of people; neighboring tables differ in one of
them, added or removed. Bounds, categories and edges come from the caller, never from rows. A column
that only a condition names needs no bounds: its cells are judged one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, time
from typing import Any, ParamSpec

from tightrope.characters import label_text
from tightrope.declarations import CategoryColumn, Column, NumberColumn
from tightrope.errors import BadInput
from tightrope.exact import Level, Number, stated
from tightrope.privacy import level_of
from tightrope.releases.grammar import details_in
from tightrope.releases.guidance import guided
from tightrope.releases.release import Release
from tightrope.releases.statistics import STATISTICS
from tightrope.releases.undeclared import WHY, By, UndeclaredTable, listed

Stated = Level | Number
P = ParamSpec("P")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d")

_OTHERWISE = {"bounds": "low and high", "eps": "epsilon", "bound": "low and high",
              "range": "low and high", "groupby": "by", "group_by": "by", "filter": "where",
              "categories": "values", "q": "a list of probabilities", "user": "person",
              "lower": "low", "upper": "high", "min": "low", "max": "high", "id": "person",
              "edges": "bins", "rows_per_person": "rows", "at": "a list of probabilities",
              "quantiles": "a list of probabilities"}
"""Names that people try for a parameter, and ours."""


def _guided(
    example: str, elsewhere: str | None = None
) -> Callable[[Callable[P, Release]], Callable[P, Release]]:
    return guided(example, _OTHERWISE, elsewhere)


@_guided('tr.count(df, epsilon=1)')
def count(
    data: Any, *, epsilon: Stated | None = None, ratio: Number | None = None, by: By | None = None,
    where: str | None = None, person: str | None = None, rows: int = 1,
) -> Release:
    """How many rows there are, or how many people, if `person` names their column.

    Parameters
    ----------
    data : frame, Arrow table, DuckDB relation, columns by name, or the name of a file.
    by : the categories of other columns, `{"sex": ["f", "m"]}`: one answer for each.
    where : a condition, such as "age >= 30 and sex = 'f'".
    person : the column that names people; of each so many `rows` count, in as many cells.

    Returns: a Release, of which nothing was booked.
    Raises: `BadInput` for a level, category or condition that cannot be used; no row decides.

    >>> float(count({"vote": ["no", "yes", "no"]}, epsilon=50, where="vote = 'no'"))
    2.0
    """
    ask = "count" if person is None else "people"
    return UndeclaredTable(data, person, rows).answer(ask, {}, _level(epsilon, ratio), by, where)


@_guided('tr.sum(df, "income", epsilon=1, low=0, high=200_000)')
def sum(
    data: Any, column: str | None = None, *, epsilon: Stated | None = None,
    ratio: Number | None = None, low: Number | None = None, high: Number | None = None,
    resolution: Number | None = None, by: By | None = None, where: str | None = None,
    person: str | None = None, rows: int = 1,
) -> Release:
    """The sum of a column whose numbers are clamped to `low` and `high`; see `mean`.

    Returns: a Release, of which nothing was booked.
    Raises: `BadInput` for bounds, a level or a condition that cannot be used; no row decides.

    >>> float(sum({"age": [31, 40, 52]}, "age", epsilon=10_000, low=0, high=100))
    123.0
    """
    return _of_numbers("sum", data, column, (epsilon, ratio), (low, high), resolution, by, where,
                       person, rows)


@_guided('tr.mean(df, "age", epsilon=1, low=0, high=100)')
def mean(
    data: Any, column: str | None = None, *, epsilon: Stated | None = None,
    ratio: Number | None = None, low: Number | None = None, high: Number | None = None,
    resolution: Number | None = None, by: By | None = None, where: str | None = None,
    person: str | None = None, rows: int = 1,
) -> Release:
    """The mean of a column whose numbers are clamped to `low` and `high`.

    Parameters
    ----------
    data : frame, Arrow table, DuckDB relation, columns by name, one column, or a file's name.
    low, high : bounds that you know without the data; numbers beyond count as these.
    resolution : numbers are rounded to steps of this size. By default 1 where the table stores
        whole numbers and whole bounds are at most 2^20 apart. Else it is the coarsest power of ten
        that divides both bounds and gives at least 2^20 steps (1,000 for quantiles, 65,536 for a
        variance). pandas, lists and text files store no type apart from their cells.
    by : the categories of other columns, `{"sex": ["f", "m"]}`: one answer for each.
    where : a condition, such as "age >= 30 and sex = 'f'".
    person : the column that names people; of each so many `rows` count.

    Returns: a Release, of which nothing was booked.
    Raises: `BadInput` for bounds, a level or a condition that cannot be used; no row decides.

    >>> float(mean({"age": [31, 40, 52]}, "age", epsilon=10_000, low=0, high=100))
    41.0
    """
    return _of_numbers("mean", data, column, (epsilon, ratio), (low, high), resolution, by, where,
                       person, rows)


@_guided('tr.variance(df, "age", epsilon=1, low=0, high=100)')
def variance(
    data: Any, column: str | None = None, *, epsilon: Stated | None = None,
    ratio: Number | None = None, low: Number | None = None, high: Number | None = None,
    resolution: Number | None = None, by: By | None = None, where: str | None = None,
    person: str | None = None, rows: int = 1,
) -> Release:
    """The variance of a column, as of a whole population; see `mean`.

    Returns: a Release, of which nothing was booked.
    Raises: `BadInput` for bounds, a level or a condition that cannot be used; no row decides.

    >>> float(variance({"age": [30, 50]}, "age", epsilon=10_000, low=0, high=100, resolution=1))
    100.0
    """
    return _of_numbers("variance", data, column, (epsilon, ratio), (low, high), resolution, by,
                       where, person, rows)


@_guided('tr.median(df, "age", epsilon=1, low=0, high=100)',
         "is of a column of a table; the mechanism is tr.theory.median(1, size=30, low=0, "
         "high=100)")
def median(
    data: Any, column: str | None = None, *, epsilon: Stated | None = None,
    ratio: Number | None = None, low: Number | None = None, high: Number | None = None,
    resolution: Number | None = None, by: By | None = None, where: str | None = None,
    person: str | None = None, rows: int = 1,
) -> Release:
    """The median of a column; how far it is off is known in ranks. See `mean`.

    Returns: a Release, of which nothing was booked.
    Raises: `BadInput` for bounds, a level or a condition that cannot be used; no row decides.

    >>> ages = {"age": [31] * 10 + [40] * 21 + [52] * 10}
    >>> float(median(ages, "age", epsilon=50, low=0, high=100, resolution=1))
    40.0
    """
    return _of_numbers("median", data, column, (epsilon, ratio), (low, high), resolution, by, where,
                       person, rows)


@_guided('tr.quantiles(df, "age", [0.25, 0.75], epsilon=1, low=0, high=100)')
def quantiles(
    data: Any, column: str | None = None,
    probabilities: Number | Sequence[Number] = ("1/4", "1/2", "3/4"), *,
    epsilon: Stated | None = None, ratio: Number | None = None, low: Number | None = None,
    high: Number | None = None, resolution: Number | None = None, by: By | None = None,
    where: str | None = None, person: str | None = None, rows: int = 1,
) -> Release:
    """Quantiles of a column, by default the quartiles, in order; see `median`.

    Parameters
    ----------
    probabilities : one, or several, above 0 and below 1: 0.9 is the ninth decile.

    Returns: a Release with one answer for each probability, of which nothing was booked.
    Raises: `BadInput` for probabilities, bounds or a level that cannot be used; no row decides.

    >>> quantiles({"age": [31, 40, 52] * 9}, "age", 0.5, epsilon=1, low=0, high=100).plan.error
    """
    return _of_numbers("quantiles", data, column, (epsilon, ratio), (low, high), resolution, by,
                       where, person, rows, probabilities)


@_guided('tr.histogram(df, "sex", epsilon=1, values=["f", "m"]), or of numbers with the edges of '
         'bins=[0, 18, 65]',
         "counts a column of a table; the space is tr.spaces.histogram(people=30, cells=4)")
def histogram(
    data: Any, column: str | None = None, *, epsilon: Stated | None = None,
    ratio: Number | None = None, values: Sequence[Any] | None = None,
    bins: Sequence[Number] | None = None, by: By | None = None, where: str | None = None,
    person: str | None = None, rows: int = 1,
) -> Release:
    """The number of rows with each of some declared values, or in each bin, empty ones too.

    Parameters
    ----------
    values : the categories; cells that are none of them are left out.
    bins : edges that increase, `[0, 18, 65, 120]`; each bin holds its lower edge, the last one
        both, and numbers beyond the ends are in the first or the last bin.

    Returns: a Release with one answer for each cell: `to_frame()`, `plot()`. Nothing was booked.
    Raises: `BadInput` for values, bins or a level that cannot be used; no row decides.

    >>> votes = {"vote": ["no", "yes", "no"]}
    >>> histogram(votes, "vote", epsilon=50, values=["no", "yes"]).to_frame()["answer"].to_pylist()
    [2, 1]
    """
    table = UndeclaredTable(data, person, rows, column)
    level, name = _level(epsilon, ratio), label_text(table.column)
    if (values is None) is (bins is None):
        raise BadInput(f'state the values of {name} that are counted, values=["f", "m"], or the '
                       "edges of bins, bins=[0, 18, 65], from what is known of the column: "
                       f"{WHY}.")
    if bins is None:
        kind: Column = CategoryColumn(listed(values, "values"))
    else:
        edges = [stated(edge, "an edge of bins") for edge in listed(bins, "bins", "[0, 18, 65]")]
        if len(edges) < 2:
            raise BadInput("bins are edges that increase, at least two: bins=[0, 18, 65].")
        kind = NumberColumn(edges[0], edges[-1], bins=tuple(edges))
    return table.answer("histogram", {table.column: kind}, level, by, where)


@_guided('tr.proportion(df, "age >= 30", epsilon=1)')
def proportion(
    data: Any, condition: str, *, epsilon: Stated | None = None, ratio: Number | None = None,
    by: By | None = None, where: str | None = None, person: str | None = None, rows: int = 1,
) -> Release:
    """The share of rows that meet a condition, of those for which it is true or false.

    Parameters
    ----------
    condition : what is asked of each row, such as "age >= 30 and sex = 'f'".
    where : another condition; rows that do not meet it are left out.

    Returns: a Release, of which nothing was booked.
    Raises: `BadInput` for a level or a condition that cannot be used; no row decides.

    >>> float(proportion({"age": [31, 40, 52, "?"]}, "age < 50", epsilon=50))
    0.6666666666666666
    """
    table, level = UndeclaredTable(data, person, rows), _level(epsilon, ratio)
    return table.answer("proportion", {}, level, by, where, (condition,))


def _of_numbers(
    ask: str, data: Any, column: str | None, level: tuple[Stated | None, Number | None],
    bounds: tuple[Number | None, Number | None], resolution: Number | None, by: By | None,
    where: str | None, person: str | None, rows: int,
    at: Number | Sequence[Number] = (),
) -> Release:
    """The answer for a column of numbers between two bounds."""
    table, (low, high) = UndeclaredTable(data, person, rows, column), bounds
    if low is None or high is None:
        at_text = "[0.25, 0.75], " if details_in(STATISTICS[ask].phrase) else ""
        raise BadInput(f'state bounds, tr.{ask}(df, "{label_text(table.column)}", {at_text}'
                       "epsilon=1, low=…, high=…), from what is known of the column: "
                       f"{WHY}. Numbers beyond count as the bounds.")
    if any(isinstance(end, (str, date, time)) and _MOMENT.match(str(end)) for end in (low, high)):
        raise BadInput("bounds here are numbers; a column of dates is declared, and asked by "
                       f'tr.open(df, "d.toml").ask("median of {label_text(table.column)}", 1, '
                       "unbooked=True).")
    epsilon = _level(*level)
    numbers = NumberColumn(stated(low, "a low bound, a number such as 0"),
                           stated(high, "a high bound, a number such as 100"),
                           None if resolution is None else stated(resolution, "a resolution"))
    return table.answer(ask, {table.column: table.with_whole_steps(numbers)}, epsilon, by, where,
                        at)


def _level(epsilon: Stated | None, ratio: Number | None) -> Level:
    return Level.positive(level_of(epsilon, ratio=ratio))
