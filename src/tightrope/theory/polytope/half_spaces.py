"""The polytope of private matrices on a space, as half spaces.

Rows add up to 1, and a[i,j] <= e^(ε d) a[k,j] for every irreducible pair of inputs i, k and every
output j. With δ above 0 neighbors i, k ask Σ_S (a[i,j] - e^(ε d) a[k,j]) <= δ of every set S of
outputs instead: as a sum of positive parts this is one condition, as half spaces there is one for
each set (single outputs alone are too few). Signs follow where ε is above 0, δ is 0 and all points
are joined (H16, Lemma 5.1); elsewhere they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from tightrope.errors import BadInput, BadMatrix
from tightrope.exact import Level, Number, Surd, stated
from tightrope.privacy import declared
from tightrope.spaces import Directed, Space, categories, is_connected, space_of

Line = tuple[Fraction, ...]
Pair = tuple[int, int, Fraction]
"""Inputs i and k and a factor f: a[i,j] <= f a[k,j] for every output j, up to δ."""

MOST_INEQUALITIES = 20_000
"""Half spaces that are written down."""


@dataclass(frozen=True)
class HalfSpaces:
    """Coefficients of a matrix read row by row: inequalities · a <= limits, equations · a = 1.

    The limits are δ for sets of outputs, 0 for everything else.
    """

    inequalities: tuple[Line, ...]
    equations: tuple[Line, ...]
    limits: tuple[Fraction, ...]


def half_spaces(
    space: Space | str | int, ratio: Number, *, columns: int | None = None, delta: Number = 0
) -> HalfSpaces:
    """The polytope at e^ε = ratio as half spaces; a number m stands for m values, all neighbors.

    There are as many columns (outputs) as inputs unless told otherwise.

    Raises: `BadInput` for a ratio below 1, no column, or a distance d whose ratio^d is irrational;
    `Refused` for a δ above 0 where no neighbors are declared.

    >>> found = half_spaces(3, Fraction(2))
    >>> len(found.inequalities), len(found.equations)
    (18, 3)
    >>> len(half_spaces("path:0..2", 2).inequalities), len(half_spaces(2, 2, delta="0.1").limits)
    (12, 8)
    """
    if isinstance(space, int) and space < 2:
        raise BadMatrix(f"expected at least 2 rows and 1 column, found {space} and {columns}.")
    points = categories(space) if isinstance(space, int) else space_of(space)
    width = points.size if columns is None else columns
    if width < 1:
        raise BadMatrix(f"expected at least 2 rows and 1 column, found {points.size} and {width}.")
    level = Level.ratio(stated(ratio, "a ratio e^ε of at least 1"), delta)
    pairs = private_pairs(points, level)
    number = len(pairs) * (2**width if level.delta else width)
    if number > MOST_INEQUALITIES:
        raise BadInput(f"{number:,} half spaces are too many to write down (at most "
                       f"{MOST_INEQUALITIES:,}); ask for fewer outputs.")

    def line(entries: dict[tuple[int, int], Fraction]) -> Line:
        return tuple(entries.get((i, j), Fraction(0))
                     for i in range(points.size) for j in range(width))

    sets = list(_sets(width)) if level.delta else [(j,) for j in range(width)]
    asked = [line({**{(i, j): Fraction(1) for j in chosen}, **{(k, j): -f for j in chosen}})
             for chosen in sets for i, k, f in pairs]
    signs = [line({(i, j): Fraction(-1)}) for i in signed_points(points, level)
             for j in range(width)]
    limits = (*(level.delta for _ in asked), *(Fraction(0) for _ in signs))
    sums = tuple(line({(i, j): Fraction(1) for j in range(width)}) for i in range(points.size))
    return HalfSpaces((*asked, *signs), sums, limits)


def ratio_of(level: Level) -> Fraction:
    """e^ε, if it is a fraction."""
    ratio = level.power(Surd.of(1))
    if ratio is None:
        raise BadInput(f"expected a level at which e^ε is a fraction, such as ratio 2 or "
                       f"ε = ln(2), found ε = {level.text}.")
    return ratio


def private_pairs(space: Space, level: Level) -> tuple[Pair, ...]:
    """The ordered pairs of inputs that a level compares, with their factors, in order.

    For δ = 0 these are the irreducible pairs, otherwise the declared neighbors.
    """
    ends = list(declared(space).pairs if level.delta else space.edges())
    if isinstance(space, Directed):  # (i, k): the law of k is at most e^(ε d) times that of i
        return tuple(sorted((k, i, _factor(space, level, i, k)) for i, k in ends))
    both = [(i, k, _factor(space, level, i, k)) for i, k in ends]
    return tuple(sorted([*both, *((k, i, f) for i, k, f in both)]))


def _factor(space: Space, level: Level, i: int, k: int) -> Fraction:
    distance = space.distance(i, k)
    factor = level.power(distance)
    if factor is None:
        raise BadInput(f"expected a level at which e^(ε d) is a fraction for every distance, such "
                       f"as ratio 2; at ε = {level.text} it is none for d = {distance.short}.")
    return factor


def signed_points(space: Space, level: Level) -> range:
    """The inputs whose entries must be asked not to be negative."""
    if level.delta or not is_connected(space):
        return range(space.size)
    return range(1 if level.is_zero else 0)


def _sets(width: int) -> Iterator[tuple[int, ...]]:
    """The sets of outputs, without the empty one and that of all, which ask nothing."""
    for size in range(1, width):
        yield from combinations(range(width), size)
