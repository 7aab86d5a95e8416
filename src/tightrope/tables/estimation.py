"""True proportions behind a randomized column of a table."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from typing import Any

from tightrope.choices import Estimator, Interval
from tightrope.errors import BadInput, NotCertified
from tightrope.files import StrPath, item_names, load
from tightrope.mechanisms import Mechanism, ReportMechanism, finite
from tightrope.privacy import Certified
from tightrope.tables.columns import stand_in
from tightrope.tables.counting import count_column, count_items
from tightrope.tables.domains import EMPTY, Sets
from tightrope.tables.frames import frame_of, name_alone
from tightrope.tables.protected import ProtectedColumn
from tightrope.tables.report_columns import count_reports
from tightrope.tables.tables import Table, open_table
from tightrope.utility import Estimate, estimate, estimate_items, estimate_reports


def estimate_column(
    table: Any,
    column: str | None,
    mechanism: StrPath | Certified | ProtectedColumn,
    *,
    confidence: float = 0.95,
    sampling: bool = False,
    interval: Interval | str | None = None,
    estimator: Estimator | str = Estimator.SIMPLEX,
    curator: bool = False,
) -> Estimate:
    """The true proportions of a column, estimated from what its mechanism made of it.

    Only the randomized column is read, so the estimate costs no privacy. Its `missing` is the
    value that cells without a declared value were randomized as, and count in.

    Parameters
    ----------
    table
        As `sanitize` takes it, and gives it.
    column
        Its name; None for a list, an array or a Series.
    mechanism
        What the column went through: a document by its path, a certified mechanism, or a
        column of what `sanitize` returned.
    curator
        Whether an error may tell which values are no outputs of the mechanism, and how many.

    Returns
    -------
    Estimate
        Its `rows` have the share of each value, with an interval.

    Raises
    ------
    NotCertified
        If the mechanism was not proved.
    BadInput
        If the column is not named, or the confidence is not between 0 and 1.
    BadTable
        If there is no such column, no row, or a value that is no output of the mechanism.

    >>> from tightrope.tables import sanitize
    >>> from tightrope.exact import Level
    >>> done = sanitize(["no", "yes", "no", "no"], "no/yes", Level.ratio(10**12))
    >>> shares = estimate_column(done.table, None, done.columns[0])
    >>> [(row.value, round(row.estimate, 6)) for row in shares.rows]
    [('no', 0.75), ('yes', 0.25)]
    """
    how: dict[str, Any] = {
        "confidence": confidence, "sampling": sampling, "interval": interval,
        "estimator": estimator,
    }
    base, items = _row_mechanism(mechanism)
    opened, name = _open_column(table, column, curator)
    if items is not None:
        holding, n = count_items(opened, name, items, curator=curator)
        return replace(estimate_items(holding, n, items, finite(base), **how), missing=EMPTY)
    if isinstance(base, ReportMechanism):
        holding, n = count_reports(opened, name, base, curator=curator)
        estimated = estimate_reports(holding, n, base, **how)
    else:
        listed = finite(base)
        counts = count_column(opened, name, listed.outputs, curator=curator)
        estimated = estimate(counts, listed, **how)
    values = [row.value for row in estimated.rows]
    return replace(estimated, missing=str(values[stand_in(values)]))


def _row_mechanism(
    given: StrPath | Certified | ProtectedColumn,
) -> tuple[Mechanism, tuple[str, ...] | None]:
    """The mechanism of one row, and the items of a column of sets."""
    items = None
    if isinstance(given, ProtectedColumn):
        items = given.domain.items if isinstance(given.domain, Sets) else None
        mechanism = given.response.mechanism
    elif isinstance(given, str | PathLike):
        mechanism, items = load(given).mechanism, item_names(given)
    elif isinstance(given, Certified):
        mechanism = given.mechanism
    else:
        raise NotCertified(given)
    return mechanism.base, items


def _open_column(table: Any, column: str | None, curator: bool) -> tuple[Table, str]:
    in_file = isinstance(table, str | PathLike)
    name = column if column is not None or in_file else name_alone(table)
    if name is None:
        raise BadInput("name the column whose proportions are to be estimated.")
    return open_table(table, curator=curator) if in_file else frame_of(table, [name]), name
