"""Ways to report one of many values so that proportions are estimated with little error.

Randomized response reports one value. Subset selection reports w values: sets with the truth
are e^ε times as likely as sets without it, and w near k/(1 + e^ε) errs least. A unary encoding
reports any set: the truth is in it with probability p, each other value with probability q,
independently, at e^ε = p(1 - q)/((1 - p)q); the symmetric one has q = 1 - p, the optimized one
p = 1/2. If a report holds v with probability p for the truth v and q otherwise, the share of
reports that hold v, less q and divided by p - q, is unbiased.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import exp, inf
from typing import assert_never

from tightrope.choices import member_of
from tightrope.constructions.categorical.column_designs import design_report
from tightrope.constructions.closed_forms.randomized_response import randomized_response
from tightrope.constructions.closed_forms.written_kernels import check_ratio
from tightrope.constructions.obstacles import equidistance_obstacle, refuse, zero_obstacle
from tightrope.errors import BadInput
from tightrope.exact import Level, Number
from tightrope.mechanisms import SubsetMechanism, UnaryMechanism
from tightrope.privacy import Certified, certified, level_of
from tightrope.spaces import Space
from tightrope.utility import Problem

_MOST_EXPONENT = 300.0
"""Beyond this ε protocols are compared as at it: doubles end soon after."""


class FrequencyProtocol(StrEnum):
    """How a value is reported."""

    RESPONSE = "randomized-response"
    SUBSETS = "subset-selection"
    SYMMETRIC = "symmetric-unary-encoding"
    OPTIMIZED = "optimized-unary-encoding"
    DESIGNED = "best-randomizer"


@dataclass(frozen=True)
class ProtocolError:
    """A protocol, the size of its sets (None if it varies), and its squared error.

    `error` is that of all estimated proportions in sum, times the number of rows, if all
    values are equally common. A report holds the truth with probability `held`, any other value
    with `added`.
    """

    protocol: FrequencyProtocol
    size: int | None
    error: float
    held: float
    added: float


def compare_protocols(
    values: int, epsilon: Level | Number | None = None, *, ratio: Number | None = None
) -> tuple[ProtocolError, ...]:
    """All protocols in closed form for a number of values at the level, the least error first.

    With s the chance that a report holds a value, the error is k s(1 - s)/(p - q)².

    Returns: one `ProtocolError` for each protocol, with its set size, if it has one, and its error.

    Raises: `BadInput` for fewer than 2 values.

    >>> [(row.protocol.value, row.size) for row in compare_protocols(3, Level.ratio(4))][0]
    ('randomized-response', 1)
    >>> [(row.protocol.value, row.size) for row in compare_protocols(100, Level.ratio(4))][0]
    ('subset-selection', 20)
    """
    level = Level.positive(level_of(epsilon, ratio=ratio))
    if values < 2:
        raise BadInput(f"expected at least 2 values, found {values}.")
    factor = exp(min(float(level), _MOST_EXPONENT))
    size = best_set_size(values, factor)
    half = factor**0.5
    chances = (
        (FrequencyProtocol.RESPONSE, 1, *_set_chances(values, 1, factor)),
        (FrequencyProtocol.SUBSETS, size, *_set_chances(values, size, factor)),
        (FrequencyProtocol.SYMMETRIC, None, half / (half + 1), 1 / (half + 1)),
        (FrequencyProtocol.OPTIMIZED, None, 0.5, 1 / (factor + 1)),
    )
    rows = [ProtocolError(protocol, of, _error(values, p, q), p, q)
            for protocol, of, p, q in chances]
    return tuple(sorted(rows, key=lambda row: row.error))


def best_set_size(values: int, ratio: float) -> int:
    """The size of sets with which subset selection errs least.

    >>> best_set_size(100, 4.0)
    20
    """
    near = values / (1 + ratio)
    tried = {max(1, min(values - 1, int(near) + step)) for step in (-1, 0, 1, 2)}
    return min(sorted(tried), key=lambda size: _set_error(values, size, ratio))


def _set_error(values: int, size: int, ratio: float) -> float:
    return _error(values, *_set_chances(values, size, ratio))


def _set_chances(values: int, size: int, ratio: float) -> tuple[float, float]:
    """The probabilities that a set of this size holds the truth, and any other value."""
    p = size * ratio / (size * ratio + values - size)
    return p, (size - p) / (values - 1)


def _error(values: int, p: float, q: float) -> float:
    chance = (p + (values - 1) * q) / values
    gap = (p - q) ** 2
    return values * chance * (1 - chance) / gap if gap else inf


def obstacle(problem: Problem) -> str | None:
    """Why reports of sets do not exist, in one sentence; None where they do."""
    return equidistance_obstacle(problem.space) or zero_obstacle(problem)


def subset_selection(
    space: Space | str,
    epsilon: Level | Number | None = None,
    size: int | None = None,
    *,
    ratio: Number | None = None,
) -> Certified:
    """Sets of `size` values, those with the truth e^ε times as likely as those without.

    Without a size, the best one is taken.

    Returns: the mechanism with its certificate.

    Raises: `Infeasible` where points are not all equally far apart, or at ε = 0; `BadInput` for a
    size that no set has.

    >>> subset_selection("categories:1000", Level.ratio(4)).mechanism.size
    200
    >>> made = subset_selection("categories:4", Level.ratio(2), 2)
    >>> [str(p) for p in made.mechanism.matrix().row_at(0)]
    ['2/9', '2/9', '2/9', '1/9', '1/9', '1/9']
    """
    problem = Problem(space, level_of(epsilon, ratio=ratio))
    values, factor = problem.space.size, _ratio(problem, FrequencyProtocol.SUBSETS)
    chosen = best_set_size(values, _double(factor)) if size is None else size
    if not 1 <= chosen < values:
        raise BadInput(f"expected sets of 1 to {values - 1} values, found {chosen}.")
    return certified(SubsetMechanism(problem.space, chosen, factor), problem.level)


def unary_encoding(
    space: Space | str,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    optimized: bool = True,
) -> Certified:
    """Every value in the report by itself: the truth with probability p, any other with q.

    p = 1/2 and q = 1/(e^ε + 1) if optimized; else p = 1 - q = e^(ε/2)/(e^(ε/2) + 1).

    Returns: the mechanism with its certificate.

    Raises: `Infeasible` where points are not all equally far apart, or at ε = 0.

    >>> made = unary_encoding("categories:2", Level.ratio(2))
    >>> [str(p) for p in made.mechanism.matrix().row_at(0)]
    ['1/3', '1/3', '1/6', '1/6']
    """
    problem = Problem(space, level_of(epsilon, ratio=ratio))
    if optimized:
        factor = _ratio(problem, FrequencyProtocol.OPTIMIZED)
        mechanism = UnaryMechanism(problem.space, Fraction(1, 2), 1 / (factor + 1))
    else:
        half = _ratio(problem.at(problem.level.scaled(Fraction(1, 2))), FrequencyProtocol.SYMMETRIC)
        mechanism = UnaryMechanism(problem.space, half / (half + 1), 1 / (half + 1))
    return certified(mechanism, problem.level)


def reporting(
    space: Space | str, level: Level | Number, protocol: FrequencyProtocol | str
) -> Certified:
    """The mechanism of a protocol at the level, for values equally far apart.

    >>> best = compare_protocols(1000, Level.epsilon(1))[0].protocol
    >>> type(reporting("categories:1000", 1, best).mechanism).__name__
    'SubsetMechanism'
    """
    protocol = member_of(FrequencyProtocol, protocol)
    match protocol:
        case FrequencyProtocol.RESPONSE:
            return randomized_response(space, level)
        case FrequencyProtocol.SUBSETS:
            return subset_selection(space, level)
        case FrequencyProtocol.SYMMETRIC | FrequencyProtocol.OPTIMIZED:
            return unary_encoding(space, level, optimized=protocol is FrequencyProtocol.OPTIMIZED)
        case FrequencyProtocol.DESIGNED:
            return design_report(space, level).certified
        case _:
            assert_never(protocol)


def _double(ratio: Fraction) -> float:
    return float(min(ratio, Fraction(exp(_MOST_EXPONENT))))


def _ratio(problem: Problem, protocol: FrequencyProtocol) -> Fraction:
    refuse(protocol.value, obstacle(problem))
    ratio = problem.level.pure.ratio_below(problem.space.diameter)
    check_ratio(ratio)
    return ratio
