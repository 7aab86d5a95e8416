"""How far estimates from a column may be off, from its mechanism and a number of rows alone."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from tightrope.choices import Estimand
from tightrope.errors import BadInput
from tightrope.mechanisms import MatrixMechanism, ReportMechanism, finite
from tightrope.tables.domains import Sets
from tightrope.tables.protected import ProtectedColumn
from tightrope.tables.scores import queries_of
from tightrope.utility import worst_deviation


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
