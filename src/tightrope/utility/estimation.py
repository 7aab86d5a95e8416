"""True proportions, estimated from randomized rows.

If a share π_x of n rows holds x, the outputs occur with frequencies q = Pᵀπ on average. A
matrix B with P B = I turns observed frequencies into an estimate Bᵀq̂ that is right on
average, whatever π is. If no such B exists, some proportions leave no trace in the output,
and they are named. An estimate may leave [0, 1]; on request it is moved to the nearest
proportions, or replaced by the most likely ones.

Intervals belong to the estimate that is right on average. By default they are for the
proportions in the table at hand, where only the randomization is random; with `sampling`
they are for the population that the rows were drawn from. Their ends are moved inside
[0, 1], which never loses a true proportion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import NormalDist
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from tightrope.choices import member_of
from tightrope.errors import BadInput, BadTable, Infeasible
from tightrope.exact import FloatArray, Weights
from tightrope.mechanisms import (
    FiniteMechanism,
    KernelMechanism,
    MatrixMechanism,
    ReportMechanism,
)
from tightrope.spaces import Label, categories
from tightrope.utility.inversion import Inverse, ReportInverse, inverse_of
from tightrope.utility.likelihood import most_likely
from tightrope.utility.simplex import nearest_law


class Interval(StrEnum):
    """How an interval is made.

    NORMAL takes the variance at the estimate. SCORE keeps every proportion t at which the
    estimate is within the usual multiple of its standard deviation *at t*, the other
    proportions in the ratios of the estimate: better for rare values and few rows.
    """

    NORMAL = "normal"
    SCORE = "score"


class Estimator(StrEnum):
    """Which proportions are reported.

    UNBIASED is right on average and may leave [0, 1]; CLIPPED sets its negative entries to
    zero and scales the others, which suits many values and much noise; SIMPLEX is the nearest
    vector of proportions to it; LIKELIHOOD the most likely one (iterative Bayesian update).
    """

    UNBIASED = "unbiased"
    CLIPPED = "clipped"
    SIMPLEX = "simplex"
    LIKELIHOOD = "likelihood"


@dataclass(frozen=True)
class EstimateRow:
    """The estimated proportion of one value, and its interval cut to [0, 1]."""

    value: Label
    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class Estimate:
    """Estimated proportions of all values, from n randomized rows.

    `method` says how the mechanism was inverted, `sampling` what the intervals are for: the
    population that the rows were drawn from, or (False) the rows themselves.
    """

    rows: tuple[EstimateRow, ...]
    n: int
    confidence: float
    method: str
    sampling: bool


def estimate(
    counts: Sequence[int] | NDArray[np.integer],
    mechanism: FiniteMechanism,
    *,
    confidence: float = 0.95,
    sampling: bool = False,
    interval: Interval | str = Interval.NORMAL,
    estimator: Estimator | str = Estimator.UNBIASED,
) -> Estimate:
    """The proportions of the inputs, given how often each output was seen.

    Normal intervals take their variance from `estimate_variances` at the point π of the
    probability simplex that is nearest to the estimate, so that it is never negative.

    Parameters
    ----------
    counts
        One for each output of the mechanism, in its order.

    Raises
    ------
    BadTable
        If the counts do not fit the mechanism.
    Infeasible
        If the outputs do not determine the proportions; its `proof` lists the values.

    >>> from fractions import Fraction
    >>> from tightrope.spaces import parse
    >>> space, weights = parse("categories:no/yes"), (Fraction(1), Fraction(1))
    >>> response = KernelMechanism(space, Fraction(3), Fraction(1), weights)
    >>> for row in estimate([60, 40], response).rows:
    ...     print(row.value, f"{row.estimate:.2f} from {row.low:.2f} to {row.high:.2f}")
    no 0.70 from 0.53 to 0.87
    yes 0.30 from 0.13 to 0.47
    """
    _check_confidence(confidence)
    interval, estimator = member_of(Interval, interval), member_of(Estimator, estimator)
    seen = _frequencies(counts, mechanism)
    inverse = inverse_of(mechanism)
    found = inverse.means(seen.shares)
    if not np.isfinite(found).all():
        raise _too_rare()
    if estimator is Estimator.LIKELIHOOD:
        shown = most_likely(counts, mechanism).proportions
        method = "maximum likelihood, by iterative Bayesian update"
    else:
        shown, method = _shown(found, inverse, estimator)
    ends = _ends(found, inverse, seen.n, confidence, sampling, interval)
    points = mechanism.space.points
    return Estimate(_rows(points, shown, *ends), seen.n, confidence, method, sampling)


def estimate_reports(
    holding: Sequence[int] | NDArray[np.integer],
    n: int,
    mechanism: ReportMechanism,
    *,
    confidence: float = 0.95,
    sampling: bool = False,
    interval: Interval | str = Interval.NORMAL,
    estimator: Estimator | str = Estimator.UNBIASED,
) -> Estimate:
    """The proportions of the values, given how many of n reports of sets hold each of them.

    (h/n - q)/(p - q), with the variance (1/n)(π p(1 - p) + (1 - π) q(1 - q))/(p - q)²; with
    `sampling`, (1/n) s(1 - s)/(p - q)² for s = π p + (1 - π) q.

    >>> from fractions import Fraction
    >>> from tightrope.mechanisms import SubsetMechanism
    >>> from tightrope.spaces import parse
    >>> reports = SubsetMechanism(parse("categories:a/b/c/d"), 2, Fraction(3))
    >>> [round(row.estimate, 2) for row in estimate_reports([65, 45, 45, 45], 100, reports).rows]
    [0.7, 0.1, 0.1, 0.1]
    """
    _check_confidence(confidence)
    interval, estimator = member_of(Interval, interval), member_of(Estimator, estimator)
    held = np.asarray(holding)
    if held.shape != (mechanism.space.size,) or not np.issubdtype(held.dtype, np.integer):
        raise BadTable(f"expected a whole number for each of the {mechanism.space.size} values.")
    if n < 1 or (held < 0).any() or (held > n).any():
        raise BadTable(f"expected at least one report, and counts from 0 to {n}.")
    if estimator is Estimator.LIKELIHOOD:
        raise BadInput("the most likely proportions need listed outputs; use simplex instead.")
    inverse = ReportInverse(float(mechanism.held), float(mechanism.added), mechanism.space.size)
    found = inverse.means(held / n)
    shown, method = _shown(found, inverse, estimator)
    ends = _ends(found, inverse, n, confidence, sampling, interval)
    rows = _rows(mechanism.space.points, shown, *ends)
    return Estimate(rows, n, confidence, method, sampling)


def estimate_items(
    holding: Sequence[int] | NDArray[np.integer],
    n: int,
    items: Sequence[str],
    mechanism: FiniteMechanism,
    *,
    confidence: float = 0.95,
    sampling: bool = False,
    interval: Interval | str = Interval.NORMAL,
    estimator: Estimator | str = Estimator.UNBIASED,
) -> Estimate:
    """The proportion of rows that hold each item of a set, each item randomized by itself.

    Parameters
    ----------
    holding
        How many of the n randomized rows hold each item.
    mechanism
        A kernel of the symmetric difference on the sets of these items.
    """
    interval, estimator = member_of(Interval, interval), member_of(Estimator, estimator)
    empty, first = mechanism.row_at(0)[:2]
    binary = MatrixMechanism(
        categories(("without", "with")),
        ("without", "with"),
        Weights.from_fractions([[empty, first], [first, empty]]),
    )
    each = [
        estimate(
            [n - int(count), int(count)], binary, confidence=confidence, sampling=sampling,
            interval=interval, estimator=estimator,
        )
        for count in holding
    ]
    rows = [replace(one.rows[1], value=item) for one, item in zip(each, items, strict=True)]
    return replace(each[0], rows=tuple(rows))


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise BadInput(f"expected a confidence between 0 and 1, found {confidence}.")


def _rows(
    points: Sequence[Label], shown: FloatArray, low: FloatArray, high: FloatArray
) -> tuple[EstimateRow, ...]:
    columns = (shown.tolist(), np.clip(low, 0, 1).tolist(), np.clip(high, 0, 1).tolist())
    return tuple(EstimateRow(*row) for row in zip(points, *columns, strict=True))


def _shown(
    found: FloatArray, inverse: Inverse, estimator: Estimator
) -> tuple[FloatArray, str]:
    """The proportions to report, and how they were found."""
    match estimator:
        case Estimator.UNBIASED:
            return found, inverse.method
        case Estimator.CLIPPED:
            kept = np.maximum(found, 0)
            return kept / kept.sum(), f"{inverse.method}, negative proportions set to zero"
        case Estimator.SIMPLEX:
            return nearest_law(found), f"{inverse.method}, moved to the nearest proportions"
        case Estimator.LIKELIHOOD:
            raise AssertionError("unreachable: found from the counts themselves")
        case _:
            assert_never(estimator)


def _ends(
    found: FloatArray,
    inverse: Inverse,
    n: int,
    confidence: float,
    sampling: bool,
    interval: Interval,
) -> tuple[FloatArray, FloatArray]:
    """The ends of the interval of every value, not yet cut to [0, 1]."""
    law = nearest_law(found)
    factor = NormalDist().inv_cdf((1 + confidence) / 2)
    match interval:
        case Interval.NORMAL:
            spread = factor * np.sqrt(_variances(inverse, law, n, sampling))
            low, high = found - spread, found + spread
        case Interval.SCORE:
            low, high = _score_ends(found, inverse, law, factor**2 / n, sampling)
        case _:
            assert_never(interval)
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        raise _too_rare()
    return low, high


def _score_ends(
    found: FloatArray, inverse: Inverse, law: FloatArray, square: float, sampling: bool
) -> tuple[FloatArray, FloatArray]:
    """Where (estimate - t)² = square · (t A + (1 - t) C - t), or - t² with sampling.

    A is the second moment of one row that holds the value, C of one that does not.
    """
    own = inverse.own_squares()
    others = 1 - law
    even = np.full(len(law), 1 / len(law))
    alone = others <= 0
    whole = np.where(alone, inverse.squares(even), inverse.squares(law))
    share = np.where(alone, even, law)
    with np.errstate(over="ignore", invalid="ignore"):
        rest = (whole - share * own) / (1 - share)
        slope = square * (own - rest - (0 if sampling else 1))
        bend = 1 + (square if sampling else 0)
        middle = found + slope / 2
        root = np.sqrt(np.maximum(middle**2 - bend * (found**2 - square * rest), 0))
        return (middle - root) / bend, (middle + root) / bend


def _too_rare() -> Infeasible:
    return Infeasible(
        "nothing can be learned: some outputs are too rare for their counts to mean anything."
    )


def estimate_variances(
    mechanism: FiniteMechanism,
    proportions: Sequence[float] | FloatArray,
    n: int,
    *,
    sampling: bool = False,
) -> FloatArray:
    """The variance of the estimate for every value, if the proportions were these.

    (1/n)(Σ_z q_z B[z,v]² - π_v), or with `sampling` (1/n)(Σ_z q_z B[z,v]² - π_v²).

    >>> from fractions import Fraction
    >>> from tightrope.spaces import parse
    >>> space, weights = parse("categories:no/yes"), (Fraction(1), Fraction(1))
    >>> response = KernelMechanism(space, Fraction(3), Fraction(1), weights)
    >>> estimate_variances(response, [0.5, 0.5], 100)
    array([0.0075, 0.0075])
    """
    law = np.asarray(proportions, dtype=np.float64)
    if law.shape != (mechanism.space.size,) or n < 1:
        raise BadInput(
            f"expected {mechanism.space.size} proportions and at least one row, "
            f"found {law.size} and {n}."
        )
    return _variances(inverse_of(mechanism), law, n, sampling)


def _variances(inverse: Inverse, law: FloatArray, n: int, sampling: bool) -> FloatArray:
    """As `estimate_variances`; what rounding leaves below zero is zero."""
    found = inverse.squares(law) - (law**2 if sampling else law)
    return np.asarray(np.maximum(found, 0) / n)


@dataclass(frozen=True)
class _Seen:
    shares: FloatArray
    n: int


def _frequencies(counts: Sequence[int] | NDArray[np.integer], mechanism: FiniteMechanism) -> _Seen:
    """Checked counts as shares of their total."""
    held = np.asarray(counts)
    expected = len(mechanism.outputs)
    if held.shape != (expected,):
        raise BadTable(
            f"expected a count for each of the {expected} outputs, found {held.size} counts."
        )
    if not np.issubdtype(held.dtype, np.integer) or (held < 0).any():
        raise BadTable("expected counts that are whole numbers and not negative.")
    n = int(held.sum())
    if n == 0:
        raise BadTable("there is nothing to estimate from: all counts are zero.")
    impossible = _never(mechanism) & (held > 0)
    if impossible.any():
        raise BadTable(
            "the mechanism never gives one of the values that were counted; these counts are of "
            "another one."
        )
    return _Seen(held / n, n)


def _never(mechanism: FiniteMechanism) -> NDArray[np.bool_]:
    """Which outputs have probability zero for every input."""
    if isinstance(mechanism, KernelMechanism):
        return np.array([w == 0 for w in mechanism.weights])
    never: NDArray[np.bool_] = (mechanism.weights.mantissas == 0).all(axis=0)
    return never
