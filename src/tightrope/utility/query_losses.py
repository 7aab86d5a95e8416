"""Losses of queries: between the value of a dataset and the answer.

The metric of the values is the loss that is meant where none is given. A named loss compares
coordinates of values; a function takes the value and the answer; a matrix has a row for every
dataset or for every value, and need not be a metric (WXH, Section 4.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tightrope.errors import BadMatrix
from tightrope.exact import FloatArray
from tightrope.spaces import Label, MetricQuery, PointSpace, in_order
from tightrope.utility.losses import LossLike, LossMatrix, NamedLoss, loss_of

DISTANCE = "distance"
"""The name of the loss that is the metric of the values."""


def query_loss(given: LossLike, query: MetricQuery, outputs: Sequence[Label]) -> LossMatrix:
    """The loss of every dataset (row) and answer (column), given in any of these ways.

    >>> from tightrope.spaces import path, query
    >>> f = query(path(0, 2), None, [0, 5, 5])
    >>> loss = query_loss(None, f, f.codomain.points)
    >>> loss.name, loss.values.tolist()
    ('absolute', [[0.0, 5.0], [5.0, 0.0], [5.0, 0.0]])
    >>> query_loss("binary", f, f.codomain.points).values.tolist()
    [[0.0, 1.0], [1.0, 0.0], [1.0, 0.0]]
    """
    values, line = list(query.values), query.codomain
    if given is None or (isinstance(given, str) and given == DISTANCE):
        plain = isinstance(line, PointSpace) and line.numerators.shape[1] == 1
        return LossMatrix(distortions(query, outputs), "absolute" if plain else DISTANCE)
    if isinstance(given, str | NamedLoss) or callable(given):
        loss = loss_of(given, line, outputs)
        return LossMatrix(loss.matrix(line, outputs)[values], loss.name)
    if isinstance(given, LossMatrix) and len(given.values) == query.datasets.size:
        return given
    rows = given.numbers if isinstance(given, LossMatrix) else _rows(given, query, outputs)
    if len(rows) == query.datasets.size:
        return LossMatrix(rows)
    if len(rows) == line.size:
        return LossMatrix(rows[values])
    raise BadMatrix(
        f"expected a loss with a row for each of {query.datasets.size} datasets or each of "
        f"{line.size} values, found {len(rows)} rows."
    )


def distortions(query: MetricQuery, outputs: Sequence[Label]) -> FloatArray:
    """The distance from the value of every dataset to every answer, as doubles."""
    sizes = np.array([float(length) for length in query.lengths])
    places = [query.codomain.index(output) for output in outputs]
    return np.asarray(sizes[query.ranks[:, places]])


def _rows(given: Any, query: MetricQuery, outputs: Sequence[Label]) -> Any:
    size = len(given) if hasattr(given, "__len__") else 0
    labels = query.datasets.points if size == query.datasets.size else query.codomain.points
    return LossMatrix(in_order(given, labels, outputs)).numbers
