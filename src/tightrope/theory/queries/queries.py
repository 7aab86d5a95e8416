"""From a query to the space of its answers.

Answers y and y' are adjacent iff some neighbors x and x' have them: the induced graph of the
query, with the distance of shortest paths. A mechanism on the answers then has level ε iff the
mechanism on datasets that asks the query first has it (ECP, Corollary 1). The same holds for
any metric on answers in which the query is uniformly Δ-sensitive (Definition 2, Theorem 1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tightrope.errors import BadInput, BadSpace
from tightrope.spaces import (
    Label,
    MetricQuery,
    Space,
    distance_table,
    graph,
    label_of,
    metric_query,
    space_of,
)


@dataclass(frozen=True)
class UniformSensitivity:
    """Whether a query is uniformly Δ-sensitive; where not, two points and why."""

    holds: bool
    witness: tuple[Label, Label] | None = None
    reason: str = ""


def induced_query(
    datasets: Space | str, function: Callable[[Label], Label] | Mapping[Label, Label]
) -> MetricQuery:
    """A query on datasets, with the space of its answers worked out from it.

    Two answers are linked where neighboring datasets have them; their distance counts steps.

    Returns: a `MetricQuery`; its `codomain` is the space of the answers.

    Raises: `BadInput` for datasets without neighbors, a table with gaps, or one answer only.

    >>> from tightrope.spaces import hamming
    >>> parity = induced_query(hamming(values=2, people=3), lambda x: sum(x) % 2)
    >>> parity.codomain.points, str(parity.codomain.diameter)
    ((0, 1), '1')
    >>> count = induced_query(hamming(values=2, people=3), sum)
    >>> str(count.codomain.distance(count.codomain.index(0), count.codomain.index(3)))
    '3'
    """
    datasets = space_of(datasets)
    if datasets.neighbors is None:
        raise BadSpace(f"{datasets.text} declares no neighbors, so queries induce no graph.")
    answers = []
    for x in datasets.points:
        if isinstance(function, Mapping) and x not in function:
            raise BadInput(f"the table of the query has no answer for {x!r}.")
        answers.append(label_of(function[x] if isinstance(function, Mapping) else function(x)))
    labels = tuple(dict.fromkeys(answers))
    if len(labels) < 2:
        raise BadSpace("the query has one answer only; there is nothing to protect.")
    place = {label: k for k, label in enumerate(labels)}
    where = np.array([place[answer] for answer in answers])
    pairs = datasets.neighbors.pairs
    ends = np.stack([where[pairs.first], where[pairs.second]], axis=1)
    links = np.unique(np.sort(ends[ends[:, 0] != ends[:, 1]], axis=1), axis=0)
    codomain = graph(labels, [(int(a), int(b)) for a, b in links])
    table = dict(zip(datasets.points, answers, strict=True))
    return metric_query(datasets, codomain, table.__getitem__)


def uniform_sensitivity(asked: MetricQuery, delta: Fraction | int = 1) -> UniformSensitivity:
    """Whether a query is uniformly Δ-sensitive, decided exactly (ECP, Definition 2).

    d(f(x), f(x')) <= Δ d(x, x') for all datasets, and answers are linked by chains, as long as
    their distance, whose steps are all expanded by exactly Δ. For an irreducible pair of answers
    the only such chain is the pair itself, and for the others those suffice.

    >>> from tightrope.spaces import hamming, path, query
    >>> twice = query(path(0, 2), path(0, 4), lambda x: 2 * x)
    >>> uniform_sensitivity(twice, 2).reason
    'the answer 1 is never given'
    """
    codomain, scale = asked.codomain, Fraction(delta)
    missing = set(range(codomain.size)) - set(asked.values)
    if missing:
        label = codomain.points[min(missing)]
        return UniformSensitivity(False, (label, label), f"the answer {label} is never given")
    inner, far = distance_table(asked.datasets)
    outer, ranks = distance_table(codomain)
    values = np.array(asked.values)
    codes = far.astype(np.int64) * len(outer) + ranks[np.ix_(values, values)]
    for code in np.unique(codes).tolist():
        if outer[code % len(outer)] > inner[code // len(outer)] * scale:
            x, y = (int(k) for k in np.argwhere(codes == code)[0])
            labels = asked.datasets.points[x], asked.datasets.points[y]
            return UniformSensitivity(False, labels, "their answers are too far apart")
    nearest = np.full((codomain.size, codomain.size), len(inner), dtype=np.int64)
    np.minimum.at(nearest, (values[:, None], values[None, :]), far)
    for a, b in codomain.edges():
        if inner[int(nearest[a, b])] * scale != outer[int(ranks[a, b])]:
            labels = codomain.points[a], codomain.points[b]
            return UniformSensitivity(False, labels, "no two datasets with them are that near")
    return UniformSensitivity(True)
