"""Programs on a square, from above and from below: their symmetries, and the search for a level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import log

import numpy as np

from tightrope.exact import FloatArray, IntArray

Triple = tuple[IntArray, IntArray, FloatArray]
"""Rows, columns and entries of a part of a matrix."""

RAREST = 2.0**-40
"""Failures below this are lost in the doubles of the programs."""

_CLOSE = 2.0**-10
"""Failures are sought within this share: that is about half as large a share of ε."""
_MOST_STEPS = 7
"""Programs solved at most; with a good start three or four suffice."""
_SLOPE = 0.8
"""How fast the logarithm of the failure falls with ε, until two levels tell."""


def orbit_numbers(first: IntArray, second: IntArray, flip: IntArray) -> IntArray:
    """A number for each pair (first, second), the same for pairs that a symmetry exchanges.

    `flip[a]` is the number of a coordinate if it is seen from the other end. An orbit has the
    number a len(flip) + b of the pair (a, b) in it for which that is least.

    >>> orbit_numbers(np.array([0, 1, 2]), np.array([1, 2, 2]), np.array([2, 1, 0])).tolist()
    [1, 1, 0]
    """
    size = len(flip)
    images = product((first, flip[first]), (second, flip[second]))
    numbers = [np.minimum(a * size + b, b * size + a) for a, b in images]
    return np.asarray(np.minimum.reduce(numbers))


def solve_blocks(
    costs: FloatArray, blocks: Sequence[tuple[int, float, float, Sequence[Triple]]],
    seconds: float,
) -> tuple[FloatArray, FloatArray]:
    """The solution of a program over unknowns that are not negative, and the prices of its rows.

    Each block of constraints has a number of rows, both bounds of each, and parts of its matrix.
    """
    from scipy.sparse import coo_array

    from tightrope.lp import LinearProgram, solve

    start, parts = 0, []
    for size, _, _, triples in blocks:
        parts += [(rows + start, columns, entries) for rows, columns, entries in triples]
        start += size
    rows, columns, entries = (np.concatenate(c) for c in zip(*parts, strict=True))
    table = coo_array((entries, (rows, columns)), (start, len(costs))).tocsc()
    table.sum_duplicates()
    sizes = [size for size, *_ in blocks]
    solution = solve(LinearProgram(
        costs, table.indices, np.repeat(np.arange(len(costs)), np.diff(table.indptr)), table.data,
        np.repeat([low for _, low, *_ in blocks], sizes),
        np.repeat([high for _, _, high, _ in blocks], sizes),
        np.zeros(len(costs)), np.full(len(costs), np.inf)), inner=True, seconds=seconds)
    return solution.values, solution.prices


def search_level(
    failure_at: Callable[[float], Fraction | None], failure: Fraction, start: float, *,
    above: bool,
) -> float | None:
    """The best level tried at which a proved failure is at most (`above`) or more than allowed.

    The search ends when `failure_at` answers None, or is close. None if no level was good.
    """
    side = -1 if above else 1
    tried: list[tuple[float, float]] = []
    best, epsilon = None, start
    for _ in range(_MOST_STEPS):
        fails = failure_at(epsilon)
        if fails is None:
            break
        excess = log(max(float(fails / failure), RAREST))
        if (fails <= failure) == above and (best is None or (epsilon < best) == above):
            best = epsilon
            if abs(excess) <= _CLOSE:
                break
        tried = [*tried[-1:], (epsilon, excess)]
        slope = _SLOPE
        if len(tried) == 2 and tried[0][0] != tried[1][0]:
            (a, more), (b, less) = sorted(tried)
            slope = min(max((more - less) / (b - a), _SLOPE / 4), 4 * _SLOPE)
        step = (excess - side * _CLOSE / 2) / slope
        epsilon = min(max(epsilon + step, epsilon / 2), 2 * epsilon)
    return best
