"""Which set an output is in: the six theorems of WXH, by the metric of values and of datasets.

Utility first measures how far an output is from the true value; privacy first how many
people must change for it to be the answer; the others combine both, or prefer some outputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from tightrope.constructions.sequences.set_sequences import NEVER, SetSequences
from tightrope.errors import BadInput
from tightrope.exact import FloatArray, IntArray, Surd
from tightrope.spaces import UNREACHED, Label, MetricQuery, ceiling, distance_table

_ZERO = Fraction(0)


def utility_first(query: MetricQuery, gamma: Fraction = _ZERO) -> SetSequences:
    """Theorem 1, the staircase: i(x, r) = ceil(d(f(x), r)/Δ), Δ the global sensitivity.

    With γ from 0 to Δ the first stair is that much wider: i(x, r) = ceil((d(f(x), r) - γ)/Δ),
    and 0 up to γ (Example 9; γ is a length, not a share of Δ).

    Returns: `SetSequences`; its `indices` give, for each dataset and answer, the first set that
    holds it.

    Raises: `BadInput` for a query that no neighbor changes, or a γ outside [0, Δ).

    >>> from tightrope.spaces import path, query
    >>> f = query(path(0, 2), path(0, 4), lambda x: 2 * x)
    >>> utility_first(f).indices.tolist()
    [[0, 1, 1, 2, 2], [1, 1, 0, 1, 1], [2, 2, 1, 1, 0]]
    >>> utility_first(f, Fraction(1)).indices[0].tolist()
    [0, 0, 1, 1, 2]
    """
    unit = positive_sensitivity(query)
    if not (gamma >= 0 and Surd.of(gamma) < unit):
        raise BadInput(f"expected a γ from 0 to below the sensitivity {unit}, found {gamma}.")
    rungs = _rungs_of(query) if gamma == 0 else _shifted_rungs(query, gamma)
    return SetSequences(query, "utility-first", rungs[query.ranks])


def privacy_first(
    query: MetricQuery,
    deltas: Sequence[Fraction] | None = None,
    distortion: FloatArray | None = None,
) -> SetSequences:
    """Theorems 2 and 3: how far the nearest dataset y is that has r within δ(y) of its value.

    i(x, r) = min ceil(d'(x, y)) over y with d(f(y), r) <= δ(y). All δ = 0 is Theorem 2, the
    inverse sensitivity: how many people must change for r to be the answer. A distortion
    (datasets × values), which need not be a metric, may stand for d(f(y), r) (Section 4.4).

    Returns: `SetSequences`; its `indices` give, for each dataset and answer, the first set that
    holds it.

    Raises: `BadInput` where a dataset has no answer within its δ.

    >>> from tightrope.spaces import path, query
    >>> f = query(path(0, 2), path(0, 4), lambda x: 2 * x)
    >>> privacy_first(f).indices.tolist()
    [[0, -1, 1, -1, 2], [1, -1, 0, -1, 1], [2, -1, 1, -1, 0]]
    >>> privacy_first(f, [Fraction(1)] * 3).indices.tolist()
    [[0, 0, 1, 1, 2], [1, 0, 0, 0, 1], [2, 1, 1, 0, 0]]
    """
    radii = _radii(deltas, query.datasets.size, "dataset")
    if distortion is None:
        near = _within(query, radii)
    else:
        near = distortion <= np.array([float(radius) for radius in radii])[:, None]
    if not near.any(axis=1).all():
        x = int(np.argmin(near.any(axis=1)))
        raise BadInput(f"no answer is within δ of dataset {query.datasets.points[x]!r}.")
    return SetSequences(query, "privacy-first", _nearest(query.steps, near))


def utility_then_privacy(
    query: MetricQuery, deltas: Sequence[Fraction] | None = None
) -> SetSequences:
    """Theorem 4: how many Δ away the nearest value is whose datasets can turn into r.

    T0(v) holds the values of datasets within δ(v) of a dataset with value v, one δ for each
    point of the codomain; i(x, r) = min ceil(d(f(x), v)/Δ) over values v with r in T0(v).
    """
    radii = _radii(deltas, query.codomain.size, "value")
    classes, table = distance_table(query.datasets)
    values = np.array(query.values)
    cover = np.zeros((query.codomain.size, query.codomain.size), dtype=np.bool_)
    for v in sorted(set(query.values)):
        inside = np.array([length <= Surd.of(radii[v]) for length in classes])
        reach = inside[table[values == v]].any(axis=0)
        cover[v, values[reach]] = True
    steps = _rungs_of(query)[query.ranks]
    return SetSequences(query, "utility-then-privacy", _nearest(steps, cover))


def preferring(
    sequences: SetSequences, preferred: Iterable[Label], penalty: Fraction
) -> SetSequences:
    """Theorems 5 and 6: the index of outputs outside the preferred set grows by the penalty.

    >>> from tightrope.spaces import path, query
    >>> f = query(path(0, 1), path(0, 1), lambda x: x)
    >>> preferring(privacy_first(f), [0], Fraction(1, 2)).indices.tolist()
    [[0, 3], [2, 1]]
    """
    if penalty < 0:
        raise BadInput(f"expected a penalty of at least 0, found {penalty}.")
    codomain = sequences.query.codomain
    kept = {codomain.index(r) for r in preferred}
    outside = np.array([r not in kept for r in range(codomain.size)])
    fineness = lcm(sequences.fineness, penalty.denominator)
    grown = sequences.indices * (fineness // sequences.fineness)
    moved = np.where(outside, grown + int(penalty * fineness), grown)
    indices = np.where(sequences.indices == NEVER, NEVER, moved)
    return SetSequences(sequences.query, sequences.construction, indices, fineness)


def _rungs_of(query: MetricQuery) -> IntArray:
    unit = positive_sensitivity(query)
    return np.array([ceiling(length, unit) for length in query.lengths], dtype=np.int64)


def _shifted_rungs(query: MetricQuery, gamma: Fraction) -> IntArray:
    """The least i with d <= i Δ + γ for every distance d."""
    unit, shift = positive_sensitivity(query), Surd.of(gamma)
    rungs, step = [], 0
    for length in query.lengths:  # in increasing order
        while length > unit * step + shift:
            step += 1
        rungs.append(step)
    return np.array(rungs, dtype=np.int64)


def positive_sensitivity(query: MetricQuery) -> Surd:
    """The global sensitivity, refused if it is zero."""
    unit = query.global_sensitivity
    if unit == Surd.of(0):
        raise BadInput(
            "the query has the same value for all neighbors (sensitivity 0); "
            "expected one that a person can change."
        )
    return unit


def _radii(deltas: Sequence[Fraction] | None, size: int, what: str) -> tuple[Fraction, ...]:
    if deltas is None:
        return (Fraction(0),) * size
    radii = tuple(map(Fraction, deltas))
    if len(radii) != size or min(radii) < 0:
        raise BadInput(f"expected a δ of at least 0 for each {what}, {size} in all.")
    return radii


def _within(query: MetricQuery, radii: Sequence[Fraction]) -> NDArray[np.bool_]:
    """For every dataset y and output r, whether d(f(y), r) <= δ(y)."""
    reach = {
        radius: sum(length <= Surd.of(radius) for length in query.lengths)
        for radius in set(radii)
    }
    return np.asarray(query.ranks < np.array([reach[r] for r in radii])[:, None])


def _nearest(steps: IntArray, cover: NDArray[np.bool_]) -> IntArray:
    """For every row of steps and every output, the least step to a row that covers it."""
    indices = np.full((len(steps), cover.shape[1]), NEVER, dtype=np.int64)
    for r in range(cover.shape[1]):
        if cover[:, r].any():
            nearest = steps[:, cover[:, r]].min(axis=1)
            indices[:, r] = np.where(nearest == UNREACHED, NEVER, nearest)
    return indices
