"""The vertices of a small polytope, exactly, by the double description method.

A polytope { x : b + A x >= 0, c + E x = 0 } is the slice at height 1 of the cone of all (t, x) with
b t + A x >= 0 and c t + E x = 0, so its vertices are the extreme rays of that cone. Equations are
solved first. Of the inequalities that remain, as many independent ones as there are unknowns make
a simplicial cone, whose rays are the columns of an inverse. Each further one cuts: the rays on its
far side go, and on each edge of the cone between the two sides a new ray appears. Two rays span
an edge iff no third ray satisfies with equality all inequalities that both of them do.
All numbers are whole, so nothing is rounded. (Motzkin and others 1953; Fukuda, Prodon 1996.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm

import flint
import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput, TooLarge
from tightrope.exact import from_flint, to_flint

Line = Sequence[Fraction | int]
Ray = tuple[int, ...]
Point = tuple[Fraction, ...]

MOST_RAYS = 6_000
"""Rays of a cone on the way, at most: pairs of them are compared, about a minute for so many."""

_WORD = 63
_TOO_LARGE = "the number of rays on the way to the vertices"


def vertices(
    inequalities: Sequence[Line], equations: Sequence[Line] = (), *, most: int = MOST_RAYS
) -> tuple[Point, ...]:
    """All vertices of a bounded polytope, in order; none if it is empty.

    A line (b, a_1, …) is the inequality b + a · x >= 0, or the equation b + a · x = 0.

    Raises: `BadInput` if the polytope is unbounded; `TooLarge` if more rays are met than `most`.

    >>> square = [(0, 1, 0), (0, 0, 1), (1, -1, 0), (1, 0, -1)]
    >>> [tuple(map(int, point)) for point in vertices(square)]
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    >>> [tuple(map(str, point)) for point in vertices(square, [(-1, 1, 2)])]
    [('0', '1/2'), ('1', '0')]
    """
    width = len((*inequalities, *equations)[0])
    top = (1, *(0,) * (width - 1))
    basis = _solutions([*equations], width)
    if not basis:
        return ()
    lines = [_whole(_times(line, basis)) for line in (top, *inequalities)]
    points = set()
    for ray in _extreme_rays(sorted({line for line in lines if any(line)}), most):
        homogeneous = [sum(z * vector[k] for z, vector in zip(ray, basis, strict=True))
                       for k in range(width)]
        if homogeneous[0] == 0:
            raise BadInput("expected a bounded polytope; this one holds a whole half line.")
        points.add(tuple(Fraction(x, homogeneous[0]) for x in homogeneous[1:]))
    return tuple(sorted(points))


def _whole(line: Sequence[Fraction | int]) -> Ray:
    """The line times a positive number, as whole numbers without a divisor in common."""
    scale = lcm(*(Fraction(entry).denominator for entry in line))
    numbers = [int(entry * scale) for entry in line]
    divisor = gcd(*numbers) or 1
    return tuple(number // divisor for number in numbers)


def _times(line: Line, basis: Sequence[Ray]) -> list[Fraction | int]:
    return [sum(a * v for a, v in zip(line, vector, strict=True)) for vector in basis]


def _solutions(equations: Sequence[Line], width: int) -> list[Ray]:
    """A basis of the vectors that all equations send to 0."""
    if not equations:
        return [tuple(int(k == i) for k in range(width)) for i in range(width)]
    table = flint.fmpq_mat([[to_flint(Fraction(a)) for a in line] for line in equations])
    reduced, rank = table.rref()
    pivots = [next(j for j in range(width) if reduced[i, j] != 0) for i in range(rank)]
    basis = []
    for free in (j for j in range(width) if j not in pivots):
        vector = [Fraction(int(j == free)) for j in range(width)]
        for i, pivot in enumerate(pivots):
            vector[pivot] = -from_flint(reduced[i, free])
        basis.append(_whole(vector))
    return basis


def _extreme_rays(lines: Sequence[Ray], most: int) -> list[Ray]:
    """The extreme rays of the cone of all z with line · z >= 0 for every line."""
    size = len(lines[0])
    first = _independent(lines)
    if len(first) < size:
        raise BadInput("expected a bounded polytope; this one holds a whole line.")
    inverse = flint.fmpq_mat([[int(a) for a in lines[k]] for k in first]).inv()
    rays = [_whole([from_flint(inverse[i, j]) for i in range(size)]) for j in range(size)]
    rest = [line for k, line in enumerate(lines) if k not in first]
    used = [lines[k] for k in first]
    words = len(lines) // _WORD + 1
    tight = _masks([[_dot(line, ray) == 0 for line in used] for ray in rays], words)
    for line in rest:
        rays, tight = _cut(rays, tight, line, used)
        used.append(line)
        if len(rays) > most:
            raise TooLarge(_TOO_LARGE, len(rays), most, "ask for fewer outputs or points")
    return rays


def _independent(lines: Sequence[Ray]) -> list[int]:
    """Places of the first lines that are independent, as many as there can be."""
    table = flint.fmpz_mat([list(column) for column in zip(*lines, strict=True)])
    reduced, _, rank = table.rref()
    return [next(j for j in range(len(lines)) if reduced[i, j] != 0) for i in range(rank)]


def _dot(line: Ray, ray: Ray) -> int:
    return sum(a * z for a, z in zip(line, ray, strict=True))


def _masks(rows: Sequence[Sequence[bool]], words: int) -> NDArray[np.int64]:
    """Which inequalities hold with equality at each ray, as bits of a few words."""
    masks = np.zeros((len(rows), words), dtype=np.int64)
    for i, row in enumerate(rows):
        for k, is_tight in enumerate(row):
            if is_tight:
                masks[i, k // _WORD] |= 1 << k % _WORD
    return masks


def _cut(
    rays: list[Ray], tight: NDArray[np.int64], line: Ray, used: Sequence[Ray]
) -> tuple[list[Ray], NDArray[np.int64]]:
    """The rays after one more inequality, with what is tight at each."""
    values = [_dot(line, ray) for ray in rays]
    bit, word = len(used) % _WORD, len(used) // _WORD
    kept = [k for k, value in enumerate(values) if value >= 0]
    new = [
        _whole([values[p] * y - values[q] * x for x, y in zip(rays[p], rays[q], strict=True)])
        for p, q in _edges(tight, values, len(line))
    ]
    old = tight[kept]
    old[[values[k] == 0 for k in kept], word] |= 1 << bit
    added = _masks([[_dot(other, ray) == 0 for other in (*used, line)] for ray in new],
                   tight.shape[1])
    return [*(rays[k] for k in kept), *new], np.concatenate([old, added])


def _edges(
    tight: NDArray[np.int64], values: Sequence[int], size: int
) -> Iterator[tuple[int, int]]:
    """Pairs of rays above and below that span an edge of the cone."""
    below = np.array([k for k, value in enumerate(values) if value < 0], dtype=np.int64)
    for p in (k for k, value in enumerate(values) if value > 0):
        shared = tight[p] & tight[below]
        counts = np.bitwise_count(shared).sum(axis=1)
        for q, mask in zip(below[counts >= size - 2], shared[counts >= size - 2], strict=True):
            if ((tight & mask) == mask).all(axis=1).sum() == 2:
                yield p, int(q)
