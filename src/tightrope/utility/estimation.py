"""True proportions, estimated from randomized rows.

If a share π_x of n rows holds x, the outputs occur with frequencies q = Pᵀπ on average. A
matrix B with P B = I turns observed frequencies into an estimate Bᵀq̂ that is right on
average, whatever π is. If no such B exists, some proportions leave no trace in the output,
and they are named. That estimate may leave [0, 1]; beside it stand proportions that do not, the
nearest or the most likely ones, which are biased.

Intervals belong to the estimate that is right on average, and to no other. By default they are
for the proportions in the table at hand, where only the randomization is random; with `sampling`
they are for the population that the rows were drawn from. Their ends are moved inside
[0, 1], which never loses a true proportion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tightrope.characters import counted, label_text, shorten
from tightrope.choices import Estimator, Interval, member_of
from tightrope.errors import BadInput, BadTable
from tightrope.exact import FloatArray
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.mechanisms import (
    FiniteMechanism,
    Held,
    KernelMechanism,
    Matrix,
    RemappedMechanism,
    ReportMechanism,
    matrix_form,
)
from tightrope.spaces import Label
from tightrope.utility.intervals import best_interval, interval_ends, too_rare, variances
from tightrope.utility.inversion import Inverse, ReportInverse, inverse_of
from tightrope.utility.likelihood import most_likely
from tightrope.utility.priors import PriorLike, expected_shares
from tightrope.utility.simplex import nearest_law
from tightrope.utility.tallies import Tally

_ADJUSTED: Final = {
    Estimator.SIMPLEX: "Simplex: the nearest proportions, not negative and with the sum 1",
    Estimator.CLIPPED: "Clipped: negative estimates set to 0, the others scaled to the sum 1",
    Estimator.LIKELIHOOD: "Likelihood: the most likely proportions",
}
_ITEMS: Final = "Shares of items are moved to the nearest of 0 and 1 where they lie beyond"


@dataclass(frozen=True)
class EstimateRow:
    """The proportion of one value: the unbiased estimate, its standard error, its interval cut
    to [0, 1], and the proportion adjusted to lie within [0, 1], which is biased."""

    value: Label
    estimate: float
    error: float
    low: float
    high: float
    adjusted: float


@dataclass(frozen=True)
class Estimate:
    """Estimated proportions of all values, from n randomized rows.

    `effective` is what they count for if they have weights. `method` says how the mechanism
    was inverted, `estimator` how proportions were adjusted, `sampling` what the intervals are
    for: the population that the rows were drawn from, or (False) the rows themselves. `missing`
    is the value that cells without a declared value were randomized as, None if not known.
    Shares `of_items` of sets do not add up to 1.
    """

    rows: tuple[EstimateRow, ...]
    n: int
    effective: float
    confidence: float
    interval: Interval
    sampling: bool
    method: str
    estimator: Estimator
    missing: str | None = None
    of_items: bool = False

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences that a reader of the numbers must know."""
        adjusted = _ITEMS if self.of_items else _ADJUSTED[self.estimator]
        remarks = [f"Intervals are for the unbiased estimate. {adjusted}; they are biased, and no "
                   "interval is for them."]
        if self.missing is not None:
            remarks.append(
                "Cells that were missing or held no declared value were randomized as "
                f"“{shorten(self.missing)}”, and count as that."
            )
        if any(not 0 <= row.estimate <= 1 for row in self.rows):
            remarks.append("An estimate may leave [0, 1]: it is right on average, and not cut off.")
        return tuple(remarks)

    def facts(self) -> Facts:
        """The proportions with their intervals, and how both were made."""
        whose = "the population" if self.sampling else "these rows"
        return Facts(
            "Estimate",
            f"{counted(len(self.rows), 'value')} from {counted(self.n, 'randomized row')}, "
            f"{100 * self.confidence:.6g} % intervals for {whose}",
            (self.table(),
             Fact("interval", "intervals", self.interval, detail=True),
             Fact("missing", "missing cells", None if self.missing is None else Shown(
                 self.missing, f"count as {shorten(self.missing)}")),
             *data(n=self.n, confidence=self.confidence, sampling=self.sampling,
                   method=self.method, estimator=self.estimator)),
            self.remarks,
        )

    __repr__ = lines_of
    _repr_html_ = card_of

    def table(self) -> Table:
        """A row for each value: the unbiased proportion, its interval, and the adjusted one."""
        columns = (Column("value", "value"), Column("estimate", "unbiased", 4),
                   Column("low", "from", 4), Column("high", "to", 4),
                   Column("adjusted", self.estimator.value, 4),
                   Column("error", None))
        return Table("rows", "", columns, tuple(
            (Shown(row.value, label_text(row.value)), row.estimate, row.low, row.high,
             row.adjusted, row.error) for row in self.rows), listed=3)


def estimate(
    counts: Sequence[int] | NDArray[np.integer] | Tally,
    mechanism: FiniteMechanism | Held | Matrix,
    *,
    confidence: float = 0.95,
    sampling: bool = False,
    interval: Interval | str | None = None,
    estimator: Estimator | str = Estimator.SIMPLEX,
    prior: PriorLike = None,
) -> Estimate:
    """The proportions of the inputs, given how often each output was seen.

    The unbiased estimate comes first, with its interval: unless `interval` names another one, it
    is exact where that can be and is quick to find, else score. `estimator` chooses the
    proportions beside it. Standard errors and normal intervals take their variance from
    `estimate_variances` at the most likely proportions if those are asked for, else at the vector
    of proportions nearest to the estimate, so that it is never negative.

    Parameters
    ----------
    counts
        One for each output of the mechanism, in its order; or the tally of rows with weights.
    prior
        The expected proportions, equal ones if not given: with more outputs than inputs no
        unbiased estimate varies less there, and this one is unbiased elsewhere too.

    Returns
    -------
    Estimate
        Its `rows` have the estimate and the interval of each input, in order.

    Raises
    ------
    BadTable
        If the counts do not fit the mechanism.
    BadInput
        If the confidence is not between 0 and 1, or a name is unknown.
    Infeasible
        If the outputs do not determine the proportions; its `proof` lists the values.

    >>> from fractions import Fraction
    >>> from tightrope.spaces import parse
    >>> space, weights = parse("categories:no/yes"), (Fraction(1), Fraction(1))
    >>> response = KernelMechanism(space, Fraction(3), Fraction(1), weights)
    >>> for row in estimate([60, 40], response).rows:
    ...     print(row.value, f"{row.estimate:.2f} from {row.low:.2f} to {row.high:.2f}")
    no 0.70 from 0.53 to 0.88
    yes 0.30 from 0.12 to 0.47
    """
    mechanism = matrix_form(mechanism)
    estimator = member_of(Estimator, estimator)
    how = HowIntervals.of(confidence, interval, sampling)
    tally = counts if isinstance(counts, Tally) else Tally.of(counts)
    shares = _possible(tally, mechanism)
    inverse = inverse_of(mechanism, expected_shares(prior, mechanism.space))
    found = inverse.means(shares)
    if not np.isfinite(found).all():
        raise too_rare()
    seen = FoundShares(mechanism.space.points, inverse, tally, found)
    if estimator is Estimator.LIKELIHOOD:
        likely = most_likely(shares, mechanism, start=found).proportions
        return seen.at(likely, how, likely, estimator)
    return seen.report(how, estimator)


def estimate_reports(
    holding: Sequence[int] | NDArray[np.integer],
    n: int,
    mechanism: ReportMechanism,
    *,
    confidence: float = 0.95,
    sampling: bool = False,
    interval: Interval | str | None = None,
    estimator: Estimator | str = Estimator.SIMPLEX,
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
    estimator = member_of(Estimator, estimator)
    how = HowIntervals.of(confidence, interval, sampling)
    held = np.asarray(holding)
    if held.shape != (mechanism.space.size,) or not np.issubdtype(held.dtype, np.integer):
        raise BadTable(f"expected a whole number for each of the {mechanism.space.size} values.")
    if n < 1 or (held < 0).any() or (held > n).any():
        raise BadTable(f"expected at least one report, and counts from 0 to {n}.")
    if estimator is Estimator.LIKELIHOOD:
        raise BadInput("the most likely proportions need listed outputs; use simplex instead.")
    inverse = ReportInverse(float(mechanism.held), float(mechanism.added), mechanism.space.size)
    tally = Tally(tuple((held / n).tolist()), n, float(n))
    found = inverse.means(np.array(tally.shares))
    return FoundShares(mechanism.space.points, inverse, tally, found).report(how, estimator)


@dataclass(frozen=True)
class HowIntervals:
    """How intervals are made, checked."""

    confidence: float
    interval: Interval | None
    sampling: bool

    @classmethod
    def of(cls, confidence: float, interval: Interval | str | None, sampling: bool) -> HowIntervals:
        chosen = None if interval is None else member_of(Interval, interval)
        return cls(confidence, chosen, sampling)

    def __post_init__(self) -> None:
        number = isinstance(self.confidence, Real)
        if not number or not 0 < self.confidence < 1:
            raise BadInput("expected a confidence between 0 and 1, such as 0.95, found "
                           f"{self.confidence!r:.40}.")


@dataclass(frozen=True)
class FoundShares:
    """The estimate that is right on average, and what it came from."""

    points: Sequence[Label]
    inverse: Inverse
    tally: Tally
    unbiased: FloatArray

    def report(self, how: HowIntervals, estimator: Estimator) -> Estimate:
        """The reported shares, with the variance at the nearest proportions."""
        nearest = nearest_law(self.unbiased)
        kept = np.maximum(self.unbiased, 0)
        clipped = estimator is Estimator.CLIPPED and kept.any()  # of reports all may be negative
        return self.at(nearest, how, kept / kept.sum() if clipped else nearest, estimator)

    def at(
        self, law: FloatArray, how: HowIntervals, adjusted: FloatArray, estimator: Estimator
    ) -> Estimate:
        """The reported shares, with the variance at these proportions."""
        n = self.tally.effective
        interval = how.interval or best_interval(self.inverse, n, how.sampling)
        low, high = interval_ends(
            self.unbiased, self.inverse, law, n,
            confidence=how.confidence, interval=interval, sampling=how.sampling,
        )
        errors = np.sqrt(variances(self.inverse, law, n, how.sampling))
        columns = [column.tolist() for column in (self.unbiased, errors, low, high, adjusted)]
        rows = tuple(EstimateRow(*row) for row in zip(self.points, *columns, strict=True))
        return Estimate(
            rows, self.tally.n, n, how.confidence, interval, how.sampling,
            self.inverse.method, estimator,
        )


def share_ends(
    found: Estimate, mechanism: FiniteMechanism, confidence: float, *, prior: PriorLike = None
) -> tuple[FloatArray, FloatArray]:
    """The ends of the intervals of estimated proportions at another confidence, not cut.

    The adjusted proportions must be those at which variances were taken: simplex or likelihood.
    """
    return interval_ends(
        np.array([row.estimate for row in found.rows]),
        inverse_of(mechanism, expected_shares(prior, mechanism.space)),
        np.array([row.adjusted for row in found.rows]), found.effective,
        confidence=confidence, interval=found.interval, sampling=found.sampling, cut=False)


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
    return variances(inverse_of(mechanism), law, n, sampling)


def _possible(tally: Tally, mechanism: FiniteMechanism) -> FloatArray:
    """The shares of a tally, if the mechanism can give what was seen."""
    shares = np.array(tally.shares)
    expected = len(mechanism.outputs)
    if shares.shape != (expected,):
        raise BadTable(
            f"expected a count for each of the {expected} outputs, found {shares.size} counts."
        )
    if (_never(mechanism) & (shares > 0)).any():
        raise BadTable(
            "the mechanism never gives one of the values that were counted; these counts are of "
            "another one."
        )
    return shares


def _never(mechanism: FiniteMechanism) -> NDArray[np.bool_]:
    """Which outputs have probability zero for every input."""
    if isinstance(mechanism, KernelMechanism):
        return np.array([w == 0 for w in mechanism.weights])
    if isinstance(mechanism, RemappedMechanism):
        given = {t for t, w in zip(mechanism.targets, mechanism.kernel.weights, strict=True) if w}
        return np.array([z not in given for z in range(len(mechanism.outputs))])
    never: NDArray[np.bool_] = (mechanism.weights.mantissas == 0).all(axis=0)
    return never
