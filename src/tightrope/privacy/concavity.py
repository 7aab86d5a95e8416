"""Which formulas are bounds: concave on [0, 1] with M(0) >= 0 and M(1) >= 1, shown by their form.

Sums, minima and positive multiples of concave functions are concave. So are powers between 0 and
1, logarithms and the trade-off of Gaussians of a concave function; subtracted parts must be
convex. Signs at the ends, which decide for the whole interval where a function is concave, are
found exactly. A formula whose form does not show this is refused.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from functools import reduce

from tightrope.errors import BadInput
from tightrope.exact import Expression

_ZERO, _ONE = Fraction(0), Fraction(1)


class Shape(StrEnum):
    """How a formula bends on [0, 1]."""

    CONSTANT = "constant"
    AFFINE = "affine"
    CONCAVE = "concave"
    CONVEX = "convex"


_BENT_DOWN = (Shape.CONSTANT, Shape.AFFINE, Shape.CONCAVE)
_BENT_UP = (Shape.CONSTANT, Shape.AFFINE, Shape.CONVEX)


class _Unknown(Exception):
    """Nothing shows how a part bends; carries the reason."""


def check_bound(text: str, formula: Expression) -> None:
    """Refuse a formula that is not shown to be a bound, in one sentence.

    >>> check_bound("sqrt(a)", Expression.parse("sqrt(a)"))
    >>> check_bound("a^2", Expression.parse("a^2"))
    Traceback (most recent call last):
    ...
    tightrope.errors.BadInput: the formula 'a^2' cannot be bounded: it is convex, not concave.
    """
    try:
        shape = _shape(formula)
        reason = None if shape in _BENT_DOWN else "it is convex, not concave"
        if reason is None and formula.compare(_ONE, _ONE) > 0:
            reason = "M(1) is below 1, so that not even a certain event is allowed"
        if reason is None and formula.compare(_ZERO, _ZERO) > 0:
            reason = "M(0) is below 0, so that not even an impossible event is allowed"
    except _Unknown as unknown:
        reason = str(unknown)
    if reason is not None:
        raise BadInput(f"the formula {text!r} cannot be bounded: {reason}.")


def _shape(e: Expression) -> Shape:
    if e.kind in ("number", "a"):
        return Shape.CONSTANT if e.kind == "number" else Shape.AFFINE
    shapes = [_shape(part) for part in e.parts]
    if all(shape is Shape.CONSTANT for shape in shapes):
        return Shape.CONSTANT
    match e.kind:
        case "+":
            return reduce(_sum, shapes)
        case "*":
            return _product(e, shapes)
        case "/":
            return _quotient(e, shapes)
        case "^":
            return _power(e, shapes[0])
        case "exp" if shapes[0] in _BENT_UP:
            return Shape.CONVEX
        case "ln" if shapes[0] in _BENT_DOWN and _least(e.parts[0]) > 0:
            return Shape.CONCAVE
        case "min" if all(shape in _BENT_DOWN for shape in shapes):
            return Shape.CONCAVE
        case "max" if all(shape in _BENT_UP for shape in shapes):
            return Shape.CONVEX
        case "gaussian" if _is_probability(e.parts[0], shapes[0]):
            return Shape.CONCAVE
    raise _Unknown(f"nothing shows how {e.kind}(…) bends on [0, 1]")


def _sum(first: Shape, second: Shape) -> Shape:
    shapes = {first, second} - {Shape.CONSTANT}
    if {Shape.CONCAVE, Shape.CONVEX} <= shapes:
        raise _Unknown("it adds a convex part to a concave one")
    return next((shape for shape in (Shape.CONCAVE, Shape.CONVEX) if shape in shapes), Shape.AFFINE)


def _product(e: Expression, shapes: list[Shape]) -> Shape:
    if Shape.CONSTANT not in shapes:
        raise _Unknown("it multiplies two parts that both depend on a; write a*(1-a) as a-a^2")
    constant = shapes.index(Shape.CONSTANT)
    return _scale(shapes[1 - constant], _sign(e.parts[constant], _ZERO))


def _quotient(e: Expression, shapes: list[Shape]) -> Shape:
    over, under = e.parts
    if shapes[1] is Shape.CONSTANT:
        if (sign := _sign(under, _ZERO)) == 0:
            raise _Unknown("it divides by 0")
        return _scale(shapes[0], sign)
    if shapes[0] is Shape.CONSTANT and shapes[1] in _BENT_DOWN and _least(under) > 0:
        return _scale(Shape.CONVEX, _sign(over, _ZERO))
    raise _Unknown("it divides by a part that depends on a")


def _power(e: Expression, inner: Shape) -> Shape:
    base, power = e.parts[0], e.parts[1].number
    even = power.denominator == 1 and power.numerator % 2 == 0
    if power == 1:
        return inner
    if 0 < power < 1 and inner in _BENT_DOWN and _least(base) >= 0:
        return Shape.CONCAVE
    if power > 1 and inner is Shape.AFFINE and (even or _least(base) >= 0):
        return Shape.CONVEX
    if power > 1 and inner is Shape.CONVEX and _positive(base):
        return Shape.CONVEX
    if power < 0 and inner in _BENT_DOWN and _least(base) > 0:
        return Shape.CONVEX
    raise _Unknown(f"nothing shows how (…)^{power} bends on [0, 1]")


def _scale(shape: Shape, sign: int) -> Shape:
    if sign == 0:
        return Shape.CONSTANT
    if sign > 0 or shape in (Shape.CONSTANT, Shape.AFFINE):
        return shape
    return Shape.CONVEX if shape is Shape.CONCAVE else Shape.CONCAVE


def _sign(e: Expression, a: Fraction) -> int:
    return -e.compare(a, _ZERO)


def _least(e: Expression) -> int:
    """The sign of the least value of a concave part: it is at an end."""
    return min(_sign(e, _ZERO), _sign(e, _ONE))


def _positive(e: Expression) -> bool:
    """Whether the form of a convex part shows that it is nowhere below 0."""
    match e.kind:
        case "number":
            return e.number >= 0
        case "a" | "exp":
            return True
        case "^":
            power = e.parts[1].number
            return (power.denominator == 1 and power.numerator % 2 == 0) or _positive(e.parts[0])
        case "+" | "*" | "/":
            return all(_positive(part) for part in e.parts) or (
                _shape(e) in _BENT_DOWN and _least(e) >= 0
            )
        case "max":
            return any(_positive(part) for part in e.parts)
    return _shape(e) in _BENT_DOWN and _least(e) >= 0


def _is_probability(e: Expression, shape: Shape) -> bool:
    """Whether a part is concave with values from 0 to 1."""
    if e.kind == "gaussian":
        return True
    ends = all(e.compare(a, _ONE) >= 0 for a in (_ZERO, _ONE))
    return shape in (Shape.CONSTANT, Shape.AFFINE) and _least(e) >= 0 and ends
