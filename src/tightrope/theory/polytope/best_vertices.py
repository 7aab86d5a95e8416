"""The best extreme point for a linear loss on categories, by trying all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tightrope.errors import BadInput, TooLarge
from tightrope.exact import Level, Number, exact_rows
from tightrope.markup import brief
from tightrope.theory.polytope.vertices import Orbit, extreme_points

Matrix = tuple[tuple[Fraction, ...], ...]

LARGEST_TRIED = 5
"""Values up to which all extreme points are tried, one by one."""


@dataclass(frozen=True)
class BestVertex:
    """The least loss over the polytope, a matrix that attains it, and its orbit."""

    value: Fraction
    matrix: Matrix
    orbit: Orbit

    __repr__ = brief


def best_extreme_point(costs: Sequence[Sequence[Number]], ratio: Number) -> BestVertex:
    """The extreme point with the least loss Σ_yz costs[y][z] a[y,z], by trying all of them.

    Some extreme point is optimal for every linear loss, so this is the optimum over all
    private matrices with as many outputs as inputs; ties go to fewer non-zero columns.

    Returns: a `BestVertex`: the least `value`, a `matrix` that attains it, and its `orbit`.

    Raises: `BadInput` for costs that are not square, or a ratio below 1; `TooLarge` beyond 5
    values.

    >>> binary = [[Fraction(y != z, 3) for z in range(3)] for y in range(3)]
    >>> best_extreme_point(binary, Fraction(2)).value
    Fraction(1, 2)
    """
    table, factor = exact_rows(costs, "costs"), Level.ratio(ratio).base
    size = len(table)
    if any(len(row) != size for row in table):
        raise BadInput(f"expected as many costs in every row as there are rows ({size}).")
    if size > LARGEST_TRIED:
        raise TooLarge("the number of values", size, LARGEST_TRIED, "`design` finds the optimum")
    best: BestVertex | None = None
    for orbit in extreme_points(size).orbits:
        for member in orbit.members:
            columns = list(zip(*member.matrix(factor, member.columns), strict=True))
            each = [
                [sum(a * row[z] for a, row in zip(column, table, strict=True)) for z in range(size)]
                for column in columns
            ]
            value, places = _cheapest(each)
            if best is None or value < best.value:
                line = [(Fraction(0),) * size] * size
                for column, place in zip(columns, places, strict=True):
                    line[place] = column
                best = BestVertex(value, tuple(zip(*line, strict=True)), orbit)
    assert best is not None
    return best


def _cheapest(each: Sequence[Sequence[Fraction | int]]) -> tuple[Fraction, tuple[int, ...]]:
    """Different places for all columns with the least sum of costs, set of places by set."""
    reached: dict[int, tuple[Fraction, tuple[int, ...]]] = {0: (Fraction(0), ())}
    for line in each:
        larger: dict[int, tuple[Fraction, tuple[int, ...]]] = {}
        for taken, (value, places) in reached.items():
            for z, cost in enumerate(line):
                key, total = taken | 1 << z, value + cost
                if not taken >> z & 1 and (key not in larger or total < larger[key][0]):
                    larger[key] = total, (*places, z)
        reached = larger
    return min(reached.values())
