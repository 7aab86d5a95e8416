"""The bound beside the theorem on paths: multipliers without a solver.

Let α = e^(-ε), Φ[x, y] = α^|x-y| and c_z[y] = prior[y] · loss[y, z]. The remapped geometric
replaces x by an answer that makes (Φ c_z)[x] least. By complementary slackness the prices of
a matching dual are Φ⁻¹ min_z Φ c_z, and Φ⁻¹ has three diagonals.

The reduced costs c_z - price are balanced by a dual flow from inputs with a surplus to inputs with
a deficit, a unit shrinking to α at each step. On a path that is a sweep from both ends toward z:
a surplus flows on, a deficit is drawn from the next input. Every flow proves a bound; it meets the
loss if the remapped geometric is optimal. Prices may be far smaller than flows, so all is in
whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np

from tightrope.exact import Level, Surd, lower_bound, sizes
from tightrope.utility import SCALE, Dual, Multipliers, Problem, prove_bound

_BITS = 256
"""Binary digits after the point of α and, for losses of about one, of all numbers."""

_FORGIVEN = 150
"""Deficits below 2^150 of these units are ignored: carried on, rounding would grow with 1/α."""


def path_bound(problem: Problem) -> Dual | None:
    """A bound on the average loss of every mechanism on a path that answers with its values.

    None where the path is long or ε so large that all losses are beyond the range of doubles.

    >>> round(float(path_bound(Problem("path:0..2", Level.ratio(2))).bound), 12)
    0.555555555556
    """
    space, level = problem.space, problem.level
    if space.size > sizes.LARGEST_PATH_PROOF or float(level) > sizes.LARGEST_CONE_REACH:
        return None
    small, bracket = _share(level), problem.bracket
    unit = max(map(abs, bracket.low)).bit_length() - SCALE
    chances = [chance.as_integer_ratio() for chance in problem.prior.exact(space)]

    def costs(z: int) -> list[int]:
        lows = (bracket.low[k] for k in bracket.index[:, z].tolist())
        return [_shift(p * low, _BITS - SCALE - unit) // q
                for (p, q), low in zip(chances, lows, strict=True)]

    prices = _prices(map(costs, range(space.size)), small)
    multipliers = []
    for z in range(space.size):
        balance = [cost - price for cost, price in zip(costs(z), prices, strict=True)]
        onward = _flows(balance[:z], small)
        backward = _flows(balance[:z:-1], small)
        flows = np.array([*onward, *(-flow for flow in reversed(backward))], dtype=object)
        tails = np.flatnonzero(flows)
        forward = flows[tails] > 0
        multipliers.append(
            Multipliers(
                np.where(forward, tails, tails + 1),
                np.where(forward, tails + 1, tails),
                tuple(_shift(abs(flow), SCALE + unit - _BITS) for flow in flows[tails].tolist()),
            )
        )
    return prove_bound(problem, multipliers)


def _share(level: Level) -> int:
    """α in units of 2^-256, and at least one."""
    power = level.power(Surd.of(1))
    if power is None:
        power = lower_bound(level.power_ball(Surd.of(1), 2 * _BITS))
    return max(1, int((1 << _BITS) / power))


def _prices(columns: Iterator[list[int]], small: int) -> list[int]:
    """Φ⁻¹ min_z Φ c_z."""

    def carry_on(carry: int, cost: int) -> int:
        return cost + (carry * small >> _BITS)

    least: list[int] = []
    for column in columns:
        before = accumulate(column, carry_on)
        after = reversed(list(accumulate(reversed(column), carry_on)))
        sums = [a + b - own for a, b, own in zip(before, after, column, strict=True)]
        least = list(map(min, least, sums)) if least else sums
    scale, square = 1 << _BITS, small * small >> _BITS
    beside = [a + b for a, b in zip([0, *least[:-1]], [*least[1:], 0], strict=True)]
    inner = [scale, *[scale + square] * (len(least) - 2), scale]
    return [(own * times - small * other) // (scale - square)
            for own, times, other in zip(least, inner, beside, strict=True)]


def _flows(balance: Sequence[int], small: int) -> list[int]:
    """Dual flow along each edge of the path; negative when it runs backwards."""
    flows, carry = [], 0
    for own in balance:
        carry = own + (carry * small >> _BITS if carry > 0 else carry)
        if carry < 0:
            carry = -((-carry << _BITS) // small) if -carry >> _FORGIVEN else 0
        flows.append(carry)
    return flows


def _shift(value: int, places: int) -> int:
    return value << places if places >= 0 else value >> -places
