"""Products of several spaces under any norm: N(d1, …, dn) of the distances of the parts.

WXH, Definition 6 takes any norm N. It must not fall when a part gets farther: with d1 = 2 and
d2 = 0 between x and z, and 1 and 1 on the way, N = |a - b| + (|a| + |b|)/10 has N(2, 0) = 2.2 but
2 N(1, 1) = 0.4. So the triangle inequality of the product is checked, point by point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product as every
from math import ceil, log2, prod
from typing import TypeAlias

from flint import arb, ctx

from tightrope.errors import BadSpace
from tightrope.exact import Number, ball_of, lower_bound, stated
from tightrope.spaces.matrices import MatrixSpace, matrix
from tightrope.spaces.protocol import Label, Space, refuse_above

Norm: TypeAlias = str | Number | Callable[[Sequence[Fraction]], Number]

_MOST_POINTS = 400
_PLACES = 30
"""Binary places to which irrational distances are rounded down."""


def product_norm(parts: Sequence[Space | str], norm: Norm) -> MatrixSpace:
    """Tuples of points of several spaces, N(d1, …, dn) apart.

    `norm` is "sum", "max", a number p of at least 1 for (d1^p + … + dn^p)^(1/p), or a function of
    the distances that returns an exact number. Distances of a p-norm that are irrational are
    rounded down and made a metric by shortest paths, so that levels promise no less.

    Returns: a `MatrixSpace`; its points are tuples, the first part slowest.

    Raises: `NotAMetric` for a norm under which they are none, with three points; `BadSpace` for
    fewer than two parts, irrational distances of a part, or a norm that is none of these.

    >>> plane = product_norm(["path:0..3", "path:0..4"], 2)
    >>> str(plane.distance(plane.index((0, 0)), plane.index((3, 4))))
    '5'
    >>> weighted = product_norm(["path:0..1", "cycle:5"], lambda d: 2 * d[0] + max(d))
    >>> str(weighted.diameter)
    '4'
    """
    from tightrope.spaces.text import space_of  # which reads products

    spaces = [space_of(part) for part in parts]
    if len(spaces) < 2:
        raise BadSpace("a product needs at least two parts.")
    refuse_above(_MOST_POINTS, prod(space.size for space in spaces),
                 "the number of points of a product under a norm", "use smaller parts")
    tables = [_table(space) for space in spaces]
    size, rounded = _norm(norm)
    places = list(every(*(range(space.size) for space in spaces)))
    known: dict[tuple[Fraction, ...], Fraction] = {}
    rows = []
    for here in places:
        row = []
        for there in places:
            parted = tuple(t[a][b] for t, a, b in zip(tables, here, there, strict=True))
            if parted not in known:
                known[parted] = size(parted) if any(parted) else Fraction(0)
            row.append(known[parted])
        rows.append(row)
    labels: list[Label] = [tuple(space.points[k] for space, k in zip(spaces, place, strict=True))
                           for place in places]
    return matrix(labels, rows, repair=rounded)


def _table(space: Space) -> list[list[Fraction]]:
    """All distances of a part, which must be rational."""
    rows = []
    for i in range(space.size):
        row = [space.distance(i, j).rational for j in range(space.size)]
        if any(distance is None for distance in row):
            raise BadSpace(f"a product under a norm needs finite, rational distances; those of "
                           f"{space.text} are others.")
        rows.append([Fraction(distance) for distance in row if distance is not None])
    return rows


def _norm(norm: Norm) -> tuple[Callable[[tuple[Fraction, ...]], Fraction], bool]:
    """The norm as a function of distances, and whether its values are rounded."""
    if norm == "sum":
        return lambda parts: sum(parts, Fraction(0)), False
    if norm == "max":
        return max, False
    if callable(norm):
        return lambda parts: _exact(norm(parts)), False
    if isinstance(norm, bool) or norm is None:
        raise BadSpace(_EXPECTED)
    power = stated(norm, _EXPECTED)
    if power < 1:
        raise BadSpace(f"expected p of at least 1 for a norm, found {power}.")
    return lambda parts: _power_norm(parts, power), True


_EXPECTED = 'a norm as "sum", "max", a number p, or a function of the distances'


def _exact(value: object) -> Fraction:
    if isinstance(value, float):
        raise BadSpace("a function that is a norm returns whole numbers or fractions, not floats; "
                       "for a p-norm give the number p.")
    return stated(value, "a distance as an exact number")


def _power_norm(parts: tuple[Fraction, ...], power: Fraction) -> Fraction:
    """(Σ d^p)^(1/p), rounded down unless it is a short fraction."""
    bits = 2 * _PLACES + 64 + max(0, ceil(log2(max(parts) + 1)))
    with ctx.workprec(bits):
        total = sum((_ball_power(part, power) for part in parts if part), arb(0))
        root = total ** (1 / ball_of(power, bits))
        near = Fraction(round(float(root)))
        if power.denominator == 1 and near**power.numerator == sum(
            (part**power.numerator for part in parts), Fraction(0)
        ):
            return near
        low = lower_bound(root)
    return Fraction(int(low * 2**_PLACES), 2**_PLACES)


def _ball_power(part: Fraction, power: Fraction) -> arb:
    return ball_of(part, ctx.prec) ** ball_of(power, ctx.prec)
