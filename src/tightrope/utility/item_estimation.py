"""Shares of the items of sets, randomized item by item or one item of each row.

Each item is estimated by itself, as held or not: shares of items do not add up to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tightrope.choices import Estimator, Interval, member_of
from tightrope.errors import BadInput
from tightrope.exact import Weights
from tightrope.mechanisms import FiniteMechanism, MatrixMechanism, ReportMechanism
from tightrope.spaces import categories
from tightrope.utility.estimation import Estimate, FoundShares, HowIntervals, estimate
from tightrope.utility.inversion import ReportInverse
from tightrope.utility.tallies import Tally


def estimate_items(
    holding: Sequence[int] | NDArray[np.integer],
    n: int,
    items: Sequence[str],
    mechanism: FiniteMechanism,
    *,
    confidence: float = 0.95,
    sampling: bool = False,
    interval: Interval | str | None = None,
    estimator: Estimator | str = Estimator.SIMPLEX,
) -> Estimate:
    """The proportion of rows that hold each item of a set, each item randomized by itself.

    Parameters
    ----------
    holding
        How many of the n randomized rows hold each item.
    mechanism
        A kernel of the symmetric difference on the sets of these items.
    """
    estimator = member_of(Estimator, estimator)
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
    return replace(each[0], rows=tuple(rows), of_items=True)


def estimate_sampled(
    holding: Sequence[int] | NDArray[np.integer],
    n: int,
    items: Sequence[str],
    mechanism: FiniteMechanism | ReportMechanism,
    most: int,
    *,
    confidence: float = 0.95,
    sampling: bool = False,
    interval: Interval | str | None = None,
    estimator: Estimator | str = Estimator.SIMPLEX,
) -> Estimate:
    """The proportion of rows that hold each item of a set, one place of which was reported.

    A row that holds an item reports it with probability q + (p - q)/most, any other with q; p and
    q are those of the mechanism. It is right on average if no row has more than `most` items.

    Parameters
    ----------
    holding
        How many of the n reports name (or hold) each item.
    mechanism
        Of an item; it treats all items alike.

    >>> from fractions import Fraction
    >>> from tightrope.mechanisms import SubsetMechanism
    >>> reports = SubsetMechanism(categories(("a", "b", "c", "{}")), 1, Fraction(9))
    >>> made = estimate_sampled([50, 15, 10], 120, ("a", "b", "c"), reports, 2)
    >>> [round(row.estimate, 6) for row in made.rows]
    [1.0, 0.125, 0.0]
    """
    estimator = member_of(Estimator, estimator)
    how = HowIntervals.of(confidence, interval, sampling)
    if estimator is Estimator.LIKELIHOOD:
        raise BadInput("the most likely proportions are not those of items; use simplex instead.")
    held, added = ((mechanism.held, mechanism.added) if isinstance(mechanism, ReportMechanism)
                   else mechanism.row_at(0)[:2])
    shares = np.asarray(holding) / n
    inverse = ReportInverse(float(added + (held - added) / most), float(added), len(items))
    unbiased = inverse.means(shares)
    inside = np.clip(unbiased, 0, 1)
    tally = Tally(tuple(shares.tolist()), n, float(n))
    seen = FoundShares(tuple(items), inverse, tally, unbiased)
    return replace(seen.at(inside, how, inside, estimator), of_items=True)
