"""Plans of sanitizing: what would be drawn, and how well it estimates, from declarations alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from os import PathLike
from statistics import NormalDist
from typing import Any

from tightrope.characters import counted, few, label_text
from tightrope.choices import Estimand, Missing, Reporting, Split
from tightrope.errors import BadInput
from tightrope.exact import Level, Number
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.mechanisms import MatrixMechanism, ReportMechanism, finite
from tightrope.privacy import level_of
from tightrope.spellings import DECLARED, LEVEL, TABLE, spelled
from tightrope.tables.domains import Sets
from tightrope.tables.keeping import Keeping, clear_of
from tightrope.tables.protected import ProtectedColumn
from tightrope.tables.protection import Declared, Each, protect_all
from tightrope.tables.scores import queries_of
from tightrope.tables.splits import split_gap_text
from tightrope.tables.tables import open_table
from tightrope.utility import worst_deviation


@dataclass(frozen=True)
class SanitizingPlan:
    """The columns that would be randomized, their margins at a number of rows, and what is clear.

    `gap` is how far the split of the level is from the best one, None if none was searched.
    """

    level: Level
    columns: tuple[ProtectedColumn, ...]
    clear: tuple[str, ...]
    rows: int | None
    margins: tuple[float, ...]
    gap: float | None

    def facts(self) -> Facts:
        """The level, protocol and margin of each column, and what would stay in clear."""
        listed = tuple(
            (column.name, column.level, Shown(
                float(column.level), column.level.text), column.protocol,
             column.aim or Estimand.SHARES, bound)
            for column, bound in zip(self.columns, self.margins or [None] * len(self.columns),
                                     strict=True))
        shown = (Column("column", "column", words=True), Column(None, "level", words=True),
                 Column("epsilon", None), Column("protocol", "protocol", words=True),
                 Column("aim", "aim"), Column("margin", "margin" if self.rows else None, 3))
        sentences = ["No row was read and nothing was written."]
        if self.rows is not None:
            sentences.insert(0, f"Margin: 95 % of estimates are this close or closer if "
                        f"{counted(self.rows, 'row')} are as unfavorable as can be, in the normal "
                        "approximation.")
        else:
            sentences.append("For margins, state a number of rows: --assume-rows.")
        if self.gap is not None:
            sentences.append(split_gap_text(self.gap))
        return Facts(
            "SanitizingPlan",
            f"{counted(len(self.columns), 'column')}, {self.level} for a whole row",
            (Table("columns", "", shown, listed),
             Fact("clear", "in clear", Shown(
                 self.clear, few(list(map(label_text, self.clear))) or "nothing")),
             *data(rows=self.rows, epsilon_total=float(self.level),
                   epsilon_total_text=self.level.text, split_gap=self.gap)),
            tuple(sentences),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


@spelled(DECLARED, **LEVEL, **TABLE)
def plan_sanitizing(
    table: Any,
    columns: Mapping[str, Declared],
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    rows: int | None = None,
    protocol: Reporting | str | None = None,
    split: Split | str = Split.ERROR,
    weights: Mapping[str, Number] | Sequence[Number] | None = None,
    missing: Each = Missing.FIRST,
    aim: Each | None = None,
    keep: str | Sequence[str] | None = None,
    drop: str | Sequence[str] | None = None,
    shuffle: bool = False,
    curator: bool = False,
) -> SanitizingPlan:
    """The plan that `sanitize` would follow with these options; no row of a table is read.

    Parameters: as of `sanitize`; `rows` is a stated number of rows, for margins. Without a table
    nothing is sentences of columns in clear.

    Returns: a `SanitizingPlan`, with a margin for each column if a number of rows is stated.

    Raises: as `sanitize` before it reads a row.

    >>> plan = plan_sanitizing(None, {"answer": "no/yes"}, "ln(3)", rows=3000)
    >>> [round(margin, 3) for margin in plan.margins]
    [0.031]
    """
    total = Level.positive(level_of(epsilon, ratio=ratio))
    asked, shares = protect_all(columns, total, ratio=None, protocol=protocol, split=split,
                                weights=weights, missing=missing, aim=aim)
    names = [column.name for column in asked]
    clear: tuple[str, ...] = ()
    if table is not None:
        clear = clear_of(_names(table, Keeping.of(keep, drop, names), curator), names,
                         shuffle=shuffle)
    margins = () if rows is None else tuple(margin(column, rows) for column in asked)
    return SanitizingPlan(total, asked, clear, rows, margins, shares.gap)


def _names(table: Any, keeping: Keeping, curator: bool) -> list[str]:
    """The columns of the new table; those to randomize must be there."""
    if not isinstance(table, str | PathLike):
        return keeping.names_in(table)
    opened = open_table(table, curator=curator)
    return keeping.names(opened, list(opened.schema.names))


def margin(column: ProtectedColumn, rows: int, confidence: float = 0.95) -> float:
    """The half width of the interval of one estimate, where the true shares make it largest.

    It is a multiple of the standard deviation of the estimate for these rows: of a share, or of
    what the column was designed for.

    >>> from tightrope.tables import protect
    >>> (answer,) = protect({"answer": "no/yes"}, "ln(3)")
    >>> round(margin(answer, 3000), 4)  # 1.96 standard deviations of √(3/4) / √3000
    0.031
    """
    if type(rows) is not int or rows < 1:
        raise BadInput(f"expected a whole number of rows above 0, found {rows!r:.40}.")
    if not 0 < confidence < 1:
        raise BadInput(f"expected a confidence between 0 and 1, such as 0.95, found {confidence}.")
    return NormalDist().inv_cdf((1 + confidence) / 2) * _deviation(column) / sqrt(rows)


def _deviation(column: ProtectedColumn) -> float:
    """The largest standard deviation of an estimate from one row.

    Protocols treat all values alike: a report speaks for the truth with probability p, for any
    other value with q.
    """
    base, domain = column.response.mechanism.base, column.domain
    if column.excess is not None and isinstance(base, MatrixMechanism):  # designed
        queries = queries_of(column.aim or Estimand.SHARES, domain.space.points)
        return max(worst_deviation(base, query) for query in queries)
    p, q = ((base.held, base.added) if isinstance(base, ReportMechanism)
            else finite(base).row_at(0)[:2])
    if isinstance(domain, Sets) and domain.most is None:  # of one item: kept or changed
        p, q = p / (p + q), q / (p + q)
    p = q + (p - q) / (domain.most or 1 if isinstance(domain, Sets) else 1)
    return sqrt(max(p * (1 - p), q * (1 - q))) / float(p - q)
