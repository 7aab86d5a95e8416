"""The mean of a scored column and its cumulative shares, estimated from randomized cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tightrope.characters import few
from tightrope.choices import Estimand, Interval, member_of
from tightrope.errors import BadInput
from tightrope.exact import Number, fraction_of
from tightrope.mechanisms import ReportMechanism, finite
from tightrope.spellings import spelled
from tightrope.tables.columns import MISSING
from tightrope.tables.counting import count_column
from tightrope.tables.estimation import Estimates, passage_of, passages_of
from tightrope.tables.passages import Passage, Through
from tightrope.tables.protected import ProtectedColumn
from tightrope.tables.report_columns import count_reports
from tightrope.tables.scores import queries_of, scores_of
from tightrope.tables.tables import Table
from tightrope.utility import QueryEstimates, estimate_queries


@spelled(
    columns='tr.tables.estimate_aims(table, ["a", "b"])',
    mechanisms="tr.tables.estimate_aims(table, mechanisms={…})",
)
def estimate_aim(
    table: Any,
    column: str | None = None,
    aim: Estimand | str = Estimand.MEAN,
    mechanism: Through | None = None,
    *,
    scores: Sequence[Number] | None = None,
    confidence: float = 0.95,
    sampling: bool = False,
    interval: Interval | str | None = None,
    curator: bool = False,
) -> QueryEstimates:
    """The mean of a randomized column, or its cumulative shares, with intervals.

    Parameters
    ----------
    table, column, mechanism
        As of `tr.estimate`.
    aim
        `mean` of the scores, or `cumulative` shares in the declared order; `shares` as well.
    scores
        A number for each declared value. Without them, numbers are themselves, cells have the
        middles of their bounds, and values of any other kind their places from 1.
    interval
        `score` (the default), `normal` or `chebyshev`.

    Returns
    -------
    QueryEstimates
        Its `rows` have a name, the unbiased estimate and its interval.

    Raises
    ------
    BadInput
        For sets, whose items have no order, or missing cells that are a value without a score.

    >>> from tightrope.tables import sanitize
    >>> done = sanitize({"stars": [1, 5, 3, 3]}, {"stars": "1/2/3/4/5"}, 200, aim="mean")
    >>> round(estimate_aim(done, "stars").rows[0].estimate, 6)
    3.0
    """
    name, passage, opened = passage_of(table, column, mechanism, curator)
    return _estimate(name, passage, opened, member_of(Estimand, aim, "aim"), scores, curator, {
        "confidence": confidence, "sampling": sampling, "interval": interval})


@spelled(column='columns=["a", "b"]', mechanism='mechanisms={"a": "m.json"}')
def estimate_aims(
    table: Any,
    columns: Sequence[str] | None = None,
    aim: Estimand | str = Estimand.MEAN,
    mechanisms: Mapping[str, Through] | Sequence[ProtectedColumn] | None = None,
    *,
    scores: Mapping[str, Sequence[Number]] | None = None,
    confidence: float = 0.95,
    sampling: bool = False,
    interval: Interval | str | None = None,
    curator: bool = False,
) -> Estimates[QueryEstimates]:
    """The means of several randomized columns, or their cumulative shares, with intervals.

    Parameters: as of `estimate_aim`, for several columns or all that were randomized; `scores`
    and `mechanisms` by name.

    Returns: `Estimates`, one `QueryEstimates` for each column, by its name.

    Raises: as `estimate_aim`.

    >>> from tightrope.tables import sanitize
    >>> done = sanitize({"a": [0, 1, 1], "b": [5, 3, 4]}, {"a": "0/1", "b": "3/4/5"}, 200)
    >>> means = estimate_aims(done)
    >>> [round(means[name].rows[0].estimate, 6) for name in means.columns]
    [0.666667, 4.0]
    """
    chosen, given = member_of(Estimand, aim, "aim"), scores or {}
    known = passages_of(table, columns, mechanisms, curator)
    unknown = [name for name in given if name not in known]
    if unknown:
        raise BadInput(f"scores are given for {unknown[0]!r:.60}, which is not estimated; these "
                       f"are: {few(tuple(known))}.")
    how = {"confidence": confidence, "sampling": sampling, "interval": interval}
    return Estimates(tuple(known), tuple(
        _estimate(name, passage, opened, chosen, given.get(name), curator, how)
        for name, (passage, opened) in known.items()))


def _estimate(
    name: str, passage: Passage, opened: Table, aim: Estimand, scores: Sequence[Number] | None,
    curator: bool, how: Mapping[str, Any],
) -> QueryEstimates:
    """The estimates of the queries of an aim, from one column."""
    base, points = passage.base, getattr(passage.base.space, "points", ())
    used = _scores(name, passage, aim, scores)
    queries = queries_of(aim, points, used if aim is Estimand.MEAN else None)
    if isinstance(base, ReportMechanism):
        counts, n = count_reports(opened, name, base, curator=curator)
        estimates = estimate_queries(counts, n, base, queries, **how)
    else:
        listed = finite(base)
        counts = count_column(opened, name, listed.outputs, curator=curator)
        estimates = estimate_queries(counts, int(counts.sum()), listed, queries,
                                     prior=passage.prior, **how)
    shown = tuple(zip(map(str, points), used, strict=True)) if aim is Estimand.MEAN else ()
    return replace(estimates, scores=shown, missing=passage.missing)


def _scores(
    name: str, passage: Passage, aim: Estimand, given: Sequence[Number] | None
) -> list[float]:
    """The score of each declared value; refuses an aim that a column does not have."""
    points, own = getattr(passage.base.space, "points", ()), passage.scores
    if passage.items is not None:
        raise BadInput(f"column {name!r} holds sets, whose items have no order; estimate shares.")
    if given is not None and aim is not Estimand.MEAN:
        raise BadInput(f"scores are for the aim mean, found {aim}.")
    unplaced = MISSING in points or (own is not None and None in own)
    if unplaced and (aim is Estimand.CUMULATIVE or (aim is Estimand.MEAN and given is None)):
        raise BadInput(f"some values of column {name!r} (missing cells, or refusals) have no place "
                       "in the order; estimate its shares.")
    if given is None:
        stated = [score for score in own or () if score is not None]
        return [float(score) for score in stated or scores_of(points)]
    exact = [fraction_of(score, "a score") for score in given]
    if len(exact) != len(points):
        raise BadInput(f"expected a score for each of {len(points)} values, found {len(exact)}.")
    return [float(score) for score in exact]
