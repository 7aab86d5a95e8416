"""A mean curve of people's curves, released at its knots; the rest of it is post-processing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from tightrope.characters import label_text
from tightrope.choices import Trend
from tightrope.curves.planning import CurvePlan, plan_curve
from tightrope.declarations import KEY_BYTES, CutKey, Declaration, Neighbors, Tally, Unit
from tightrope.errors import BadInput, Refused
from tightrope.exact import Level, Number, own, stated
from tightrope.facts import Column, Fact, Facts, Table, card_of, data, lines_of
from tightrope.ledger import Account, Booked, booked_fact, drawn_once
from tightrope.privacy import Certified
from tightrope.samplers import SYSTEM, Source
from tightrope.tables import open_source, schema_of

_ROWS = 16
"""Times, beside knots, that people are shown."""


@dataclass(frozen=True)
class Curve:
    """A released mean curve: values at knots with a band, straight lines between them.

    Everything here is public: it follows from the plan and the released totals. The band holds
    at all knots together with the confidence of the plan, for the mean of the cells as clamped
    and rounded, whatever is declared of the curve. Between knots the band rests on that
    declaration; where released bands contradict it, there is none.
    """

    plan: CurvePlan
    totals: tuple[int | Fraction, ...]
    booked: Booked | None = None

    def __post_init__(self) -> None:
        own(self)

    @property
    def certified(self) -> Certified:
        """The mechanism that was run, with its proof."""
        return self.plan.certified

    @property
    def values(self) -> tuple[Fraction, ...]:
        """The released means at the knots, within the bounds."""
        return tuple(self._mean(Fraction(total)) for total in self.totals)

    @property
    def band(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Where the means at the knots are, all together, with the confidence."""
        wide = [width / self.plan.unit for width in self.plan.half_widths]
        return tuple((self._mean(t - w), self._mean(t + w))
                     for t, w in zip(self.totals, wide, strict=True))

    def at(self, time: Number) -> Fraction:
        """The curve at any time within its own; asking costs nothing.

        >>> plan = plan_curve(3, 1, people=10, low=0, high=9, resolution=1, knots=2, lipschitz=1)
        >>> Curve(plan, (20, 40)).at("1.5")
        Fraction(5, 2)
        """
        left, right, share = self._place(time)
        return self.values[left] * (1 - share) + self.values[right] * share

    @property
    def contradicted(self) -> bool:
        """Whether the bands of two knots cannot both hold if the declaration is true."""
        plan = self.plan
        knots = list(zip(self._knot_times, self.band, strict=True))
        for (early, (low, high)), (late, (least, most)) in combinations(knots, 2):
            rise, fall = least - high, low - most  # at least so much up, or down
            if plan.lipschitz is not None and max(rise, fall) > plan.lipschitz * (late - early):
                return True
            if plan.trend is not None and (fall if plan.trend is Trend.UP else rise) > 0:
                return True
        return False

    def band_at(self, time: Number) -> tuple[Fraction, Fraction] | None:
        """The band at any time: at a knot its own, between knots what the declaration leaves.

        None between knots where nothing is declared of the curve, or where it is contradicted.

        >>> plan = plan_curve(3, 40, people=10, low=0, high=9, resolution=1, knots=2, lipschitz=1)
        >>> [float(end) for end in Curve(plan, (20, 40)).band_at(2)]
        [3.0, 3.0]
        """
        plan, when = self.plan, stated(time, "a time as a number")
        left, _, share = self._place(when)
        if not share:
            return self.band[left]
        if (plan.lipschitz is None and plan.trend is None) or self.contradicted:
            return None
        lows, highs = [plan.cell.low], [plan.cell.high]
        for (low, high), at in zip(self.band, self._knot_times, strict=True):
            far = abs(when - at)
            if plan.lipschitz is not None:
                lows.append(low - plan.lipschitz * far)
                highs.append(high + plan.lipschitz * far)
            if plan.trend is not None:
                if (plan.trend is Trend.UP) == (at < when):
                    lows.append(low)
                else:
                    highs.append(high)
        return max(lows), min(highs)

    def facts(self) -> Facts:
        """The means at the times with their band, then the plan, and the books."""
        plan, values = self.plan, [float(value) for value in self.values]
        bands = [None if band is None else (float(band[0]), float(band[1]))
                 for band in map(self.band_at, plan.times)]
        means = [float(self.at(time)) for time in plan.times]
        described = plan.facts()
        return Facts(
            "Curve",
            described.title,
            (
                self._table(means, bands),
                Fact("values", None, values),
                *(replace(item, label=None) if isinstance(item, Table) else
                  replace(item, detail=item.key == "mean_error" or item.detail)
                  for item in described.items),
                *data(band=[(float(low), float(high)) for low, high in self.band],
                      columns=plan.columns, curve=means, curve_band=bands,
                      curve_band_rests_on=plan.declared, contradicted=self.contradicted),
                booked_fact(self.booked),
            ),
            (*self._between(), *described.sentences,
             "Any later question about this curve is free."),
        )

    __repr__ = lines_of
    _repr_html_ = card_of

    def _table(
        self, means: Sequence[float], bands: Sequence[tuple[float, float] | None]
    ) -> Table:
        """The knots and some of the other times, for people."""
        plan, step = self.plan, -(-len(self.plan.times) // _ROWS)
        knots = plan.positions if plan.basis is None else ()
        columns = (Column(None, "time", words=True), Column(None, "", words=True),
                   *(Column(None, name, 5) for name in ("mean", "from", "to")))
        return Table(None, "", columns, tuple(
            (plan.columns[k], "knot" if k in knots else "", means[k], *(bands[k] or (None, None)))
            for k in range(len(means)) if k % step == 0 or k in knots), listed=2)

    def _between(self) -> tuple[str, ...]:
        """The assumption of the band between knots, if there is one."""
        if not self.plan.declared or len(self.plan.knots) == len(self.plan.columns):
            return ()
        if self.contradicted:
            return ("The bands of two knots contradict the declaration, so nothing is said between "
                    "knots.",)
        return (f"Between knots the band rests on the declaration that {self.plan.declared}; at "
                "knots it does not.",)

    @property
    def _knot_times(self) -> tuple[Fraction, ...]:
        return tuple(self.plan.times[at] for at in self.plan.positions)

    def _mean(self, total: Fraction) -> Fraction:
        cell = self.plan.cell
        return min(max(cell.low + total * self.plan.unit, cell.low), cell.high)

    def _place(self, time: Number) -> tuple[int, int, Fraction]:
        """The knots around a time, and how far it is between them."""
        when, at = stated(time, "a time as a number"), self._knot_times
        first, last = self.plan.times[0], self.plan.times[-1]
        if not first <= when <= last:
            raise BadInput(f"expected a time from {first} to {last}, found {when}.")
        left = max(0, bisect_right(at, when) - 1)
        if left == len(at) - 1 or when <= at[0]:
            return left, left, Fraction(int(when != at[left]))
        return left, left + 1, (when - at[left]) / (at[left + 1] - at[left])


def curve(
    table: Any,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    people: int,
    low: Number,
    high: Number,
    columns: str | Sequence[str] | None = None,
    resolution: Number | None = None,
    missing: Number | None = None,
    times: Sequence[Number] | None = None,
    knots: int | None = None,
    lipschitz: Number | None = None,
    monotone: Trend | str | None = None,
    confidence: Number = "0.95",
    delta: Number | None = None,
    basis: str | Sequence[Sequence[Number]] | None = None,
    source: Source = SYSTEM,
    account: Account | None = None,
) -> Curve:
    """The mean curve of a table (a row is a person, a column a time), released once.

    `table` is a file, a frame, an array, or columns by name; `columns` names the times, as a
    list or as "FIRST:LAST". `people` is the public number of rows: neighbors replace one. What
    rows hold is never told: cells are clamped to the bounds, what is no number stands for
    `missing`. The other declarations are those of `plan_curve`, which chooses the knots.

    Returns: a `Curve`; its `values` are the means at all times, with a band around them.

    Raises: `BadInput` for a level, bounds or knots that cannot be used; `BadTable` where a column
    is missing. `Refused` where the account does not allow it.

    >>> data = np.tile([1.0, 2.0, 4.0, 8.0], (500, 1))
    >>> found = curve(data, 40, people=500, low=0, high=10)
    >>> [round(float(value), 1) for value in found.values]
    [1.0, 2.0, 4.0, 8.0]
    """
    named = _columns_of(table)
    plan = plan_curve(
        _choose(columns, named), epsilon, ratio=ratio, people=people, low=low, high=high,
        resolution=resolution, missing=missing, times=times, knots=knots, lipschitz=lipschitz,
        monotone=monotone, confidence=confidence, delta=delta, basis=basis,
    )
    return release(plan, named, source, account)


def plan_table(table: Any, level: Level | Number, *, columns: str | Sequence[str] | None = None,
            **declared: Any) -> CurvePlan:
    """The plan for the columns of a table; of the table only the names are read."""
    return plan_curve(_choose(columns, _columns_of(table)), level, **declared)


def release(
    plan: CurvePlan, table: Any, source: Source = SYSTEM, account: Account | None = None
) -> Curve:
    """The mean curve of a table by a plan, charged to an account if there is one."""
    unit = Unit(neighbors=Neighbors.REPLACE, size=plan.people)
    declared = Declaration("curve", unit, dict.fromkeys(plan.knots, plan.cell))
    rows = open_source(table, declared)
    nothing_cut = CutKey(bytes(KEY_BYTES))  # each row is a unit
    (tallied,) = rows.tallies((Tally(declared, measures=plan.knots),), nothing_cut)
    drawn, booked = drawn_once(
        plan.certified, [int(total[0]) for total in tallied.sums],
        f"curve:columns={len(plan.columns)},knots={len(plan.knots)}" + (
            "" if plan.basis is None else f",functions={len(plan.basis.functions)}"), account,
        unit="row", neighbors=f"replace:units={plan.people}", source=source)
    whole = tuple(int(number) for number in drawn)
    return Curve(plan, whole if plan.basis is None else plan.basis.project(whole), booked)


def _columns_of(table: Any) -> Any:
    """The table; an array of numbers as columns that are numbered from 1."""
    if isinstance(table, str) and table == "-":
        raise BadInput("a curve cannot be read from -; expected a file or a frame.")
    if isinstance(table, np.ndarray):
        if table.ndim != 2:
            raise BadInput("expected an array with a row for each person, a column for each time.")
        return {str(k + 1): table[:, k] for k in range(table.shape[1])}
    return table


def _choose(columns: str | Sequence[str] | None, table: Any) -> list[str]:
    """The names of the columns that are times: a list, or all from one to another.

    A first line of text is taken for names only where some of them are named: it may be a row.
    """
    if columns is None:
        try:
            return list(schema_of(table))
        except Refused:
            raise BadInput("name the columns that are times, such as JAN:DEC: the first line of "
                           "a text file may be a row.") from None
    if not isinstance(columns, str):
        return [str(name) for name in columns]
    names = list(schema_of(table, header=True))
    ends = [end.strip() for end in columns.split(":")]
    if len(ends) > 2 or not all(end in names for end in ends):
        raise BadInput("expected two columns of the table with a colon between them, the first "
                       f"and the last time; found {label_text(columns)!r}.")
    return names[names.index(ends[0]) : names.index(ends[-1]) + 1]
