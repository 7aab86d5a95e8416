"""Known protocols for one value, by the variance of their best unbiased estimates of a workload.

Randomized response, subset selection with its best size, and unary encodings, symmetric and
optimized (`frequency_protocols` has them as certified mechanisms). All are fixed before anybody
says what is to be estimated; `best_randomizer` is not. Variances are in doubles, of one
respondent, with sampling.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp

import numpy as np

from tightrope.constructions.categorical.frequency_protocols import FrequencyProtocol
from tightrope.constructions.categorical.randomizer_program import all_sets
from tightrope.errors import BadInput
from tightrope.exact import FloatArray, Level, Number
from tightrope.privacy import level_of
from tightrope.spaces import categories
from tightrope.utility import PriorLike, Workload, prior_of, workload_of

_MOST_VALUES = 16
"""Values of which every set is written out."""


@dataclass(frozen=True)
class ProtocolVariance:
    """A protocol, the size of its sets (None if it varies), its outputs and its variance."""

    protocol: FrequencyProtocol
    size: int | None
    outputs: int
    variance: float


def protocol_variances(
    values: int,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    workload: Workload | str | Sequence[Number] | Sequence[Sequence[Number]] = "shares",
    prior: PriorLike = None,
) -> tuple[ProtocolVariance, ...]:
    """Known protocols at the level, the least variance for the workload first.

    Returns: one `ProtocolVariance` for each protocol; subset selection has its best size.

    Raises: `BadInput` for fewer than 2 or more than 16 values.

    >>> rows = protocol_variances(3, ratio=4, workload="mean")
    >>> rows[0].protocol.value, round(rows[0].variance, 6)  # 2/3 over (4/6 - 1/6)²
    ('randomized-response', 2.666667)
    """
    if not 2 <= values <= _MOST_VALUES:
        raise BadInput(f"expected from 2 to {_MOST_VALUES} values, found {values}.")
    factor = exp(float(Level.positive(level_of(epsilon, ratio=ratio))))
    W = np.array([[float(x) for x in row] for row in workload_of(workload, values).rows])
    space = categories(values)
    p = np.array([float(share) for share in prior_of(prior, space).exact(space)])
    best: dict[FrequencyProtocol, ProtocolVariance] = {}
    for protocol, size, columns in _columns(values, factor):
        row = ProtocolVariance(protocol, size, len(columns), _variance(columns, W, p))
        if protocol not in best or row.variance < best[protocol].variance:
            best[protocol] = row
    return tuple(sorted(best.values(), key=lambda row: row.variance))


def _columns(
    values: int, ratio: float
) -> Iterator[tuple[FrequencyProtocol, int | None, FloatArray]]:
    """The columns of each protocol as rows, which add up to one."""
    sets = all_sets(values)
    for size in range(1, values):
        rays = 1 + (ratio - 1) * sets[sets.sum(axis=1) == size]
        protocol = FrequencyProtocol.RESPONSE if size == 1 else FrequencyProtocol.SUBSETS
        yield protocol, size, rays / rays.sum(axis=0)
    sets = np.vstack([sets, np.zeros(values), np.ones(values)])
    half = ratio**0.5
    for protocol, p, q in (
        (FrequencyProtocol.SYMMETRIC, half / (half + 1), 1 / (half + 1)),
        (FrequencyProtocol.OPTIMIZED, 0.5, 1 / (ratio + 1)),
    ):
        beside = (q**sets * (1 - q) ** (1 - sets)).prod(axis=1)
        yield protocol, None, beside[:, None] * np.where(sets > 0, p / q, (1 - p) / (1 - q))


def _variance(columns: FloatArray, W: FloatArray, prior: FloatArray) -> float:
    """tr(W J⁻¹ Wᵀ) - ‖W p‖² for the columns of a mechanism, as rows."""
    J = (columns.T / (columns @ prior)) @ columns
    return float(np.trace(W @ np.linalg.solve(J, W.T)) - ((W @ prior) ** 2).sum())
