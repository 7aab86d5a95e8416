"""The largest determinant of a private 3 × 3 matrix, exactly.

Move the amount t of a vector from one column to another: the determinant is affine in t. So
among the best matrices there is one in which no two columns can exchange anything: the faces of
the privacy cone that they lie in share no direction. Three inputs leave room for one column that
is no extreme ray, at most. With rays r and s as the other two and v = 1 - x r - y s as the third,
the determinant is x y |det(r, s, 1)|, and v lies in the cone where x and y keep an inequality for
each ordered pair of inputs. A product is largest in a corner of those inequalities or at the
middle of a side: finitely many pairs (x, y) for finitely many pairs of rays, all of them rational.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from tightrope.exact import Level
from tightrope.spaces import Space
from tightrope.theory.polytope.rays import extreme_rays, rays_at

Ray = tuple[Fraction, ...]
Side = tuple[Fraction, Fraction, Fraction]
_HALF = Fraction(1, 2)


def best_three(
    space: Space, level: Level, *, above: bool = False
) -> tuple[Fraction, list[list[Fraction]]]:
    """The largest |det| of a private matrix on three points, and the columns that have it.

    Where e^ε is irrational it is that of a level just below, or above.

    >>> from tightrope.spaces import categories, path
    >>> str(best_three(categories(3), Level.ratio(2))[0]), str(best_three(path(0, 2), "ln(2)")[0])
    ('1/16', '1/12')
    """
    rays = rays_at(extreme_rays(space), Level.positive(level), above=above)
    cone = [(a, b, max(v[a] / v[b] for v in rays)) for a in range(3) for b in range(3) if a != b]
    best: tuple[Fraction, list[list[Fraction]]] | None = None
    for r, s in combinations(rays, 2):
        area = abs(_with_ones(r, s))
        sides = [(q * r[b] - r[a], q * s[b] - s[a], q - 1) for a, b, q in cone]
        for x, y in _candidates(sides):
            if best is None or x * y * area > best[0]:
                rest = [1 - x * p - y * q for p, q in zip(r, s, strict=True)]
                best = x * y * area, [[x * p for p in r], [y * q for q in s], rest]
    assert best is not None
    return best


def _with_ones(r: Ray, s: Ray) -> Fraction:
    """det(r, s, 1)."""
    return r[0] * (s[1] - s[2]) - s[0] * (r[1] - r[2]) + r[1] * s[2] - r[2] * s[1]


def _candidates(sides: Sequence[Side]) -> Iterator[tuple[Fraction, Fraction]]:
    """Where x y can be largest on the sides a x + b y <= c; a, b are 0 or more, c above 0."""
    places = [(_HALF * c / a, _HALF * c / b) for a, b, c in sides if a and b]
    for (a, b, c), (d, e, f) in combinations(sides, 2):
        if a * e != b * d:
            places.append(((c * e - b * f) / (a * e - b * d), (a * f - c * d) / (a * e - b * d)))
    for x, y in places:
        if x > 0 and y > 0 and all(a * x + b * y <= c for a, b, c in sides):
            yield x, y
