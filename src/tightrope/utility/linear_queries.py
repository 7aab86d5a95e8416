"""Linear queries of the true shares, such as a mean or cumulative shares, with intervals.

If a row that holds x is counted as c_x, the query is θ = Σ c_x π_x. The inverse of a mechanism
gives every output an addend f with the mean c_x over the outputs of x, so that the mean of f over
n rows is right on average. With m_x the variance of f for a row that holds x, n rows give it the
variance Σ π_x m_x / n for the rows themselves, and (Σ π_x (m_x + c_x²) - θ²)/n for the population
that they were drawn from.

At a value θ of the query that variance is at most M(θ), the least concave function above all
(c_x, m_x): a score interval keeps every θ that is within the usual multiple of it and half a step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from tightrope.characters import counted
from tightrope.choices import Interval, member_of
from tightrope.errors import BadInput, BadTable
from tightrope.exact import FloatArray
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.mechanisms import FiniteMechanism, ReportMechanism, SubsetMechanism
from tightrope.utility.estimation import HowIntervals
from tightrope.utility.inversion import Shares, matrix_inverse
from tightrope.utility.priors import PriorLike, expected_shares
from tightrope.utility.simplex import nearest_law

_NEAR = 2.0**-40
"""Part of a segment by which a root may miss its ends by rounding."""


@dataclass(frozen=True)
class Query:
    """A linear query of shares: its name, and the weight of each value."""

    name: str
    weights: tuple[float, ...]


@dataclass(frozen=True)
class QueryRow:
    """The unbiased estimate of one query, its standard error, and its interval."""

    name: str
    estimate: float
    error: float
    low: float
    high: float


@dataclass(frozen=True)
class QueryEstimates:
    """Estimates of linear queries from n randomized rows.

    `missing` is the value that cells without a declared value count as, None if not known.
    """

    rows: tuple[QueryRow, ...]
    n: int
    confidence: float
    interval: Interval
    sampling: bool
    scores: tuple[tuple[str, float], ...] = ()
    missing: str | None = None

    def table(self) -> Table:
        """A row for each query: its unbiased estimate, and its interval."""
        columns = (Column("query", "query"), Column("estimate", "unbiased", 4),
                   Column("low", "from", 4), Column("high", "to", 4), Column("error", None))
        return Table("rows", "", columns, tuple(
            (row.name, row.estimate, row.low, row.high, row.error) for row in self.rows), listed=3)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences that a reader of the numbers must know."""
        remarks = ["The estimate is right on average."]
        if self.scores:
            remarks.append("A mean is that of the scores, not of numbers within a cell.")
        if self.missing is not None:
            remarks.append(f"Cells that hold no declared value count as “{self.missing}”.")
        return tuple(remarks)

    def facts(self) -> Facts:
        """The queries with their intervals, and how both were made."""
        whose = "the population" if self.sampling else "these rows"
        scored = ", ".join(f"{value} = {score:.6g}" for value, score in self.scores)
        number = "1 query" if len(self.rows) == 1 else f"{len(self.rows)} queries"
        return Facts(
            "QueryEstimates",
            f"{number} of {counted(self.n, 'randomized row')}, "
            f"{100 * self.confidence:.6g} % intervals for {whose}",
            (self.table(),
             Fact("interval", "intervals", self.interval, detail=True),
             Fact("scores", "scores" if self.scores else None,
                  Shown(dict(self.scores), scored), detail=True),
             *data(n=self.n, confidence=self.confidence, sampling=self.sampling,
                   missing=self.missing)),
            self.remarks,
        )

    __repr__ = lines_of
    _repr_html_ = card_of


@dataclass(frozen=True)
class _Addends:
    """Addends of outputs (or of the bits of a report and a last 1), and m_x for every value."""

    weights: FloatArray
    addends: FloatArray
    noise: FloatArray
    step: float

    @classmethod
    def of(
        cls, mechanism: FiniteMechanism | ReportMechanism, query: Query,
        prior: Shares | None = None,
    ) -> _Addends:
        weights = np.array(query.weights)
        if weights.shape != (mechanism.space.size,):
            raise BadInput(f"expected a weight for each of {mechanism.space.size} values, found "
                           f"{weights.size}.")
        if isinstance(mechanism, ReportMechanism):
            p, q = float(mechanism.held), float(mechanism.added)
            addends = np.append(weights, -q * weights.sum()) / (p - q)
            noise = _report_noise(mechanism, weights)
            step = np.abs(weights).sum() / (p - q)
            return cls(weights, addends, noise, float(step))
        P, B = matrix_inverse(mechanism, prior)
        addends = B @ weights
        noise = np.maximum(P @ addends**2 - weights**2, 0)
        given = addends[P.any(axis=0)]
        return cls(weights, addends, noise, float((given[:, None] - given).max()))

    def variance(self, law: FloatArray, sampling: bool) -> float:
        """The variance of one row at these shares."""
        spread = law @ self.weights**2 - (law @ self.weights) ** 2 if sampling else 0.0
        return max(float(law @ self.noise + spread), 0.0)

    def most(self, sampling: bool) -> float:
        """The largest variance of one row over all shares."""
        if not sampling:
            return float(self.noise.max())
        ends = _hull(self.weights, self.noise + self.weights**2)
        best = float(self.noise.max())
        for (a, top_a), (b, top_b) in pairwise(ends):
            slope = (top_b - top_a) / (b - a)
            peak = min(max(slope / 2, a), b)  # of top_a + slope (θ - a) - θ²
            best = max(best, top_a + slope * (peak - a) - peak * peak)
        return best


def _report_noise(mechanism: ReportMechanism, weights: FloatArray) -> FloatArray:
    """The variance of Σ_{v in S} c_v / (p - q) for a report S of each value."""
    p, q, k = float(mechanism.held), float(mechanism.added), len(weights)
    total, squares = weights.sum(), (weights**2).sum()
    if not isinstance(mechanism, SubsetMechanism):
        noise = p * (1 - p) * weights**2 + q * (1 - q) * (squares - weights**2)
        return np.asarray(noise / (p - q) ** 2)
    others = (total - weights) / (k - 1)
    spread = (squares - weights**2) / (k - 1) - others**2
    spread = spread * (k - 1) / (k - 2) if k > 2 else np.zeros(k)

    def drawn(size: int) -> float:
        """The variance of a sum of so many of the others, per unit of their spread."""
        return size * (1 - size / (k - 1))

    w = mechanism.size
    within = p * drawn(w - 1) + (1 - p) * drawn(w)
    return np.asarray((p * (1 - p) * (weights - others) ** 2 + within * spread) / (p - q) ** 2)


def estimate_queries(
    counts: Sequence[int] | NDArray[np.integer],
    n: int,
    mechanism: FiniteMechanism | ReportMechanism,
    queries: Sequence[Query],
    *,
    confidence: float = 0.95,
    sampling: bool = False,
    interval: Interval | str | None = None,
    prior: PriorLike = None,
) -> QueryEstimates:
    """Linear queries of the shares of n rows that went through a mechanism.

    Parameters
    ----------
    counts
        How many rows have each output; of reports of sets, how many hold each value.
    interval
        `score` (the default), `normal`, or `chebyshev`, which holds for every number of rows.
    prior
        The expected shares, as of `estimate`.

    Returns
    -------
    QueryEstimates
        Its `rows` have the estimate and the interval of each query.

    Raises
    ------
    BadTable
        If the counts do not fit the mechanism.
    BadInput
        For exact intervals, which no query of several shares has.
    Infeasible
        If the outputs do not determine the shares.

    >>> from fractions import Fraction
    >>> from tightrope.mechanisms import MatrixMechanism
    >>> from tightrope.spaces import categories
    >>> coin = MatrixMechanism.of([["3/4", "1/4"], ["1/4", "3/4"]], categories(("0", "1")))
    >>> made = estimate_queries([60, 40], 100, coin, [Query("mean", (0.0, 1.0))])
    >>> [(round(row.estimate, 2), round(row.error, 3)) for row in made.rows]
    [(0.3, 0.087)]
    """
    how = HowIntervals.of(confidence, interval, sampling)
    chosen = Interval.SCORE if interval is None else member_of(Interval, interval)
    if chosen is Interval.EXACT:
        raise BadInput("a mean or cumulative share has no exact interval; use score instead.")
    seen = np.asarray(counts)
    reports = isinstance(mechanism, ReportMechanism)
    expected = mechanism.space.size if isinstance(mechanism, ReportMechanism) else len(
        mechanism.outputs)
    if seen.shape != (expected,) or (seen < 0).any() or n < 1 or (
            seen.max(initial=0) > n if reports else int(seen.sum()) != n):
        raise BadTable(f"expected {expected} counts of {n} rows.")
    shares = np.append(seen, n) / n if reports else seen / n
    common = expected_shares(prior, mechanism.space)
    law = _nearest(mechanism, shares, common)
    rows = tuple(_row(query, _Addends.of(mechanism, query, common), shares, law, n, how, chosen)
                 for query in queries)
    return QueryEstimates(rows, n, how.confidence, chosen, sampling)


def worst_deviation(
    mechanism: FiniteMechanism | ReportMechanism, query: Query, *, sampling: bool = False
) -> float:
    """The largest standard deviation of an estimate from one row, over all true shares.

    >>> from tightrope.mechanisms import MatrixMechanism
    >>> from tightrope.spaces import categories
    >>> coin = MatrixMechanism.of([["3/4", "1/4"], ["1/4", "3/4"]], categories(2))
    >>> round(worst_deviation(coin, Query("second", (0.0, 1.0))) ** 2, 9)
    0.75
    """
    return sqrt(_Addends.of(mechanism, query).most(sampling))


def _nearest(
    mechanism: FiniteMechanism | ReportMechanism, shares: FloatArray, prior: Shares | None
) -> FloatArray:
    """The shares of values nearest to their unbiased estimates."""
    if isinstance(mechanism, ReportMechanism):
        p, q = float(mechanism.held), float(mechanism.added)
        return nearest_law((shares[:-1] - q) / (p - q))
    return nearest_law(shares @ matrix_inverse(mechanism, prior)[1])


def _row(
    query: Query, addends: _Addends, shares: FloatArray, law: FloatArray, n: int,
    how: HowIntervals, interval: Interval,
) -> QueryRow:
    estimate = float(shares @ addends.addends)
    error = sqrt(addends.variance(law, how.sampling) / n)
    least, largest = float(addends.weights.min()), float(addends.weights.max())
    factor = NormalDist().inv_cdf((1 + how.confidence) / 2)
    if interval is Interval.SCORE:
        low, high = _score_ends(estimate, addends, factor**2 / n, n, how.sampling)
    else:
        spread = factor * error if interval is Interval.NORMAL else sqrt(
            addends.most(how.sampling) / n / (1 - how.confidence))
        low, high = estimate - spread, estimate + spread
    low, high = (min(max(end, least), largest) for end in (low, high))
    return QueryRow(query.name, estimate, error, low, high)


def _score_ends(
    estimate: float, addends: _Addends, square: float, n: int, sampling: bool
) -> tuple[float, float]:
    """The least and largest θ with (|estimate - θ| - half a step)² <= square · M(θ).

    M is linear on each side of a corner, so that the ends are roots of quadratics. If no θ is
    left, the nearest one is.
    """
    tops = addends.noise + (addends.weights**2 if sampling else 0)
    corners, half = _hull(addends.weights, tops), addends.step / (2 * n)
    edge = min(max(estimate, corners[0][0]), corners[-1][0])
    low = high = edge
    for (a, top_a), (b, top_b) in pairwise(corners):
        slope = (top_b - top_a) / (b - a)
        level, bend = top_a - slope * a, (square if sampling else 0.0) + 1
        for sign in (-1, 1):
            middle = estimate + sign * half
            lead = middle + square * slope / 2
            inside = lead * lead - bend * (middle * middle - square * level)
            root = (lead + sign * sqrt(max(inside, 0.0))) / bend
            if inside >= 0 and a - _NEAR * (b - a) <= root <= b + _NEAR * (b - a):
                low, high = min(low, root), max(high, root)
    for corner, top in (corners[0], corners[-1]):  # ends of the range that are kept themselves
        room = square * max(top - (corner * corner if sampling else 0), 0.0)
        if max(abs(estimate - corner) - half, 0.0) ** 2 <= room:
            low, high = min(low, corner), max(high, corner)
    return low, high


def _hull(places: FloatArray, tops: FloatArray) -> list[tuple[float, float]]:
    """The corners of the least concave function above all points, from left to right."""
    corners: list[tuple[float, float]] = []
    best: dict[float, float] = {}
    for place, top in zip(places.tolist(), tops.tolist(), strict=True):
        best[place] = max(top, best.get(place, top))
    for x, y in sorted(best.items()):
        while len(corners) > 1 and _turns_up(corners[-2], corners[-1], (x, y)):
            corners.pop()
        corners.append((x, y))
    return corners


def _turns_up(
    first: tuple[float, float], second: tuple[float, float], third: tuple[float, float]
) -> bool:
    """Whether the second point is on or below the line from the first to the third."""
    return (second[1] - first[1]) * (third[0] - first[0]) <= (
        third[1] - first[1]) * (second[0] - first[0])
