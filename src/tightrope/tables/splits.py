"""A level shared among columns: by weights, evenly, or so that estimates err least.

The errors of a column depend on what it may hold, on the protocols that it may use or the aim that
it is designed for, and on its part of the level, never on rows. A mean counts relative to the range
of its scores. The best split is searched among parts of a level by `divide`, which proves how far
it is from the best of all such splits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from math import inf, isfinite, sqrt
from statistics import pvariance
from typing import TYPE_CHECKING, Final

from tightrope.choices import Estimand, Split
from tightrope.errors import BadInput, SolverFailed
from tightrope.exact import Level
from tightrope.mechanisms import MatrixMechanism
from tightrope.spaces import Space
from tightrope.tables.domains import Domain, Sets
from tightrope.tables.scores import queries_of
from tightrope.utility import Aim, divide, worst_deviation

if TYPE_CHECKING:
    from tightrope.constructions import FrequencyProtocol

UNITS: Final = 1200
"""Equal parts of a level that are handed out: a finer cut changes errors by less than 1 %."""

_QUICK: Final = 10
"""Most values that are designed for within half a second."""

_FEW: Final = 8
"""Rounds of the search where designs are slower: a minute for 16 values, and a wider gap."""

_SURE: Final = 300.0
"""Beyond this ε nothing is changed in any row that is ever read."""


@dataclass(frozen=True)
class Shared:
    """The level of each column, and how far the split is from the best one.

    `gap` is relative to a bound on all splits into 1,200ths of the level; None where the split was
    asked for, not searched, or no bound was found.
    """

    levels: tuple[Level, ...]
    gap: float | None = None


def split_gap_text(gap: float) -> str:
    """How far errors are above those of the best split that is made in the same steps."""
    return (f"Split of the level among columns: at most {100 * gap:.2g} % above the best one in "
            f"steps of 1/{UNITS:,} of the level.")


def share_level(
    level: Level,
    domains: Sequence[Domain],
    allowed: Sequence[frozenset[FrequencyProtocol]],
    split: Split,
    weights: Sequence[Fraction] | None = None,
    aims: Sequence[Estimand | None] = (),
) -> Shared:
    """The levels of columns that use the best of the protocols allowed; they add up to the whole.

    A column with an aim is designed for that instead.

    Raises: `BadInput` for weights beside another split than the default.
    """
    count = len(domains)
    if weights is not None:
        if split is not Split.ERROR:
            raise BadInput(f"weights split the level themselves; leave out the split {split}.")
        return Shared(tuple(level.scaled(weight / sum(weights)) for weight in weights))
    if split is Split.EVEN or count == 1:
        return Shared((level.scaled(Fraction(1, count)),) * count)
    whole, aims = min(float(level), _SURE * count), aims or (None,) * count
    cost = _squared_error if split is Split.ERROR else _margin
    costs = [partial(cost, domain, ways) if aim is None else
             partial(_design_error, domain.space, aim, split)
             for domain, ways, aim in zip(domains, allowed, aims, strict=True)]
    curves = [partial(_of_units, each, whole) for each in costs]
    slow = any(aim and domain.space.size > _QUICK
               for domain, aim in zip(domains, aims, strict=True))
    division = divide(curves, UNITS, Aim.SUM if split is Split.ERROR else Aim.LARGEST,
                      _FEW if slow else None)
    parts = _fill(division.units)
    return Shared(tuple(level.scaled(Fraction(part, UNITS)) for part in parts),
                  division.gap if isfinite(division.gap) else None)


def _fill(units: Sequence[int]) -> list[int]:
    """All units, in these proportions: the least that a largest margin needs may leave some."""
    given = sum(units)
    parts = [part * UNITS // given for part in units]
    parts[0] += UNITS - sum(parts)
    return parts


def _of_units(cost: Callable[[float], float], whole: float, units: int) -> float:
    return cost(whole * units / UNITS)


@lru_cache(maxsize=1024)  # a design of 16 values takes seconds
def _design_error(space: Space, aim: Estimand, split: Split, epsilon: float) -> float:
    """The same error, squared or largest, of the mechanism designed for an aim."""
    from tightrope.constructions import design_report

    queries = queries_of(aim, space.points)
    width = max(queries[0].weights) - min(queries[0].weights)
    try:
        made = design_report(space, Level.epsilon(Fraction(epsilon)),
                             [query.weights for query in queries])
    except SolverFailed:  # far below every level of use
        return inf
    if split is Split.MARGINS:
        mechanism = made.certified.mechanism
        assert isinstance(mechanism, MatrixMechanism)
        return max(worst_deviation(mechanism, query) for query in queries) / width
    drawn = sum(pvariance(query.weights) for query in queries)  # of the rows themselves
    return max(float(made.randomizer.value) - drawn, 0.0) / width**2


def _squared_error(
    domain: Domain, allowed: frozenset[FrequencyProtocol], epsilon: float
) -> float:
    """The squared error of all estimated shares of these rows in sum, times the rows.

    Values are taken to be equally common.
    """
    shares, p, q = _chances(domain, allowed, epsilon)
    common = 1 / shares if not isinstance(domain, Sets) else 1 / 2
    spread = common * p * (1 - p) + (1 - common) * q * (1 - q)
    return shares * spread / (p - q) ** 2 if p > q else inf


def _margin(domain: Domain, allowed: frozenset[FrequencyProtocol], epsilon: float) -> float:
    """The largest standard deviation of an estimated share, times the square root of the rows."""
    _, p, q = _chances(domain, allowed, epsilon)
    return sqrt(max(p * (1 - p), q * (1 - q))) / (p - q) if p > q else inf


def _chances(
    domain: Domain, allowed: frozenset[FrequencyProtocol], epsilon: float
) -> tuple[int, float, float]:
    """How many shares are estimated, and how often a report speaks for a value, or for another.

    The best protocol allowed at this level is taken.
    """
    from tightrope.constructions import compare_protocols

    size, level = domain.space.size, epsilon
    if isinstance(domain, Sets) and domain.most is None:
        size, level = 2, epsilon / len(domain.items)
    rows = compare_protocols(size, Level.epsilon(Fraction(level)))
    best = next(row for row in rows if row.protocol in allowed)
    if not isinstance(domain, Sets):
        return size, best.held, best.added
    return len(domain.items), best.added + (best.held - best.added) / (domain.most or 1), best.added
